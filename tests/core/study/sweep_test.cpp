#include "probes.hpp"
#include "small_experiment.hpp"
#include "study/experiment.hpp"

namespace tempo::test {
namespace {

using Values = std::vector<std::vector<std::string>>;

Study study_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  const Workplace folder;
  Problems problems;
  auto study = read_study(folder.write("e.toml", text), overrides, shipped_and_probes(), problems);
  INFO(problems.report());
  REQUIRE(problems.empty());
  return study;
}

Study swept(const std::string& sweep) { return study_of(kExperiment + ("[sweep]\n" + sweep)); }

Values axis_values(const Study& study) {
  Values values;
  for (const auto& point : study.points) values.push_back(point.axis_values);
  return values;
}

double number(const PartSpec& part, const char* key) {
  return std::get<double>(part.settings.find(key)->value);
}

/// Of the hypothesis `late`, as settled.
std::string event_times(const Experiment& experiment) {
  return canonical_json(*experiment.hypotheses[1].part.settings.find("event_times"));
}

}  // namespace

TEST_CASE("event times are settled even where they are left out", "[engine]") {
  REQUIRE(event_times(study_of(edited("event_times = \"permutation\"\n", "")).points[0]) ==
          R"({"kind":"permutation","noise_sd":0})");
}

TEST_CASE("a sweep makes one point per combination", "[engine][sweep]") {
  SECTION("without [sweep] there is one point and no axis") {
    const auto study = study_of(kExperiment);
    REQUIRE(study.axes.empty());
    REQUIRE(axis_values(study) == Values{{}});
  }
  SECTION("the last axis is the fastest") {
    const auto study = swept("\"cohorts.participants\" = [30, 60]\nseed = [1, 2, 3]\n");
    REQUIRE(study.axes == std::vector<std::string>{"cohorts.participants", "seed"});
    REQUIRE(axis_values(study) ==
            Values{{"30", "1"}, {"30", "2"}, {"30", "3"}, {"60", "1"}, {"60", "2"}, {"60", "3"}});
    REQUIRE(study.points[2].simulation()->size.participants == 30);
    REQUIRE(study.points[2].seed == 3);
    REQUIRE(study.points[3].simulation()->size.participants == 60);
    REQUIRE(study.points[3].seed == 1);
  }
  SECTION("nested tables are paths, too") {
    const auto study = swept("cohorts.test = [1, 2]\n[sweep.method.probe]\nshift = [0.5]\n");
    REQUIRE(study.axes == std::vector<std::string>{"cohorts.test", "method.probe.shift"});
    REQUIRE(study.points[0].groups[0].numbers.size() == 1);
    REQUIRE(study.points[1].groups[0].numbers.size() == 2);
    REQUIRE(number(study.points[1].methods[0].part, "shift") == 0.5);
  }
  SECTION("settings of a part are reached by the hypothesis's id") {
    const auto study = swept("\"hypothesis.late.stage_prior.alpha\" = [5.0, 9.0]\n");
    const auto alpha = [&](std::size_t point) {
      const auto& settings = study.points[point].hypotheses[1].part.settings;
      const auto& prior = std::get<ParameterTable>(settings.find("stage_prior")->value);
      return std::get<double>(prior.find("alpha")->value);
    };
    REQUIRE(alpha(0) == 5.0);
    REQUIRE(alpha(1) == 9.0);
  }
  SECTION("so are those of event times that are given by name") {
    const auto study = swept("\"hypothesis.late.event_times.noise_sd\" = [0.0, 0.1]\n");
    REQUIRE(event_times(study.points[1]) == R"({"kind":"permutation","noise_sd":0.1})");
    const auto kinds =
        swept("\"hypothesis.late.event_times.kind\" = [\"permutation\", \"beta\"]\n");
    REQUIRE(event_times(kinds.points[1]) ==
            R"({"alpha":2,"beta":2,"kind":"beta","noise_sd":0.05})");
  }
  SECTION("a part is swept as a whole, by name or with settings") {
    const auto study = swept(
        "\"hypothesis.late.stage_prior\" = [\"uniform\", { plugin = \"beta\", alpha = 2.0, beta = "
        "3.0 }]\n");
    REQUIRE(axis_values(study) == Values{{"uniform"}, {R"({"alpha":2,"beta":3,"plugin":"beta"})"}});
  }
  SECTION("zipped keys go side by side and stay axes of their own") {
    const auto study = swept(
        "seed = [1, 2]\n\"cohorts.test\" = [4, 5]\n\"method.probe.shift\" = [0.0, 1.0]\n"
        "zip = [[\"seed\", \"method.probe.shift\"]]\n");
    REQUIRE(study.axes == std::vector<std::string>{"seed", "method.probe.shift", "cohorts.test"});
    REQUIRE(axis_values(study) ==
            Values{{"1", "0", "4"}, {"1", "0", "5"}, {"2", "1", "4"}, {"2", "1", "5"}});
  }
}

TEST_CASE("--set changes one setting before the sweep", "[engine][sweep]") {
  Problems problems;
  const auto set = [&](const std::string& argument) {
    const auto override = parse_override(argument, problems);
    REQUIRE(problems.empty());
    return override;
  };
  SECTION("values are TOML, or else text") {
    const auto study =
        study_of(kExperiment,
                 {set("cohorts.participants=40"), set("method.probe.column_order=truth"),
                  set("hypothesis.late.stage_prior={ plugin = \"beta\", alpha = 3, beta = 1 }")});
    REQUIRE(study.points[0].simulation()->size.participants == 40);
    REQUIRE(study.points[0].methods[0].column_order == ColumnOrder::truth);
  }
  SECTION("a part given by its name alone can have its settings changed") {
    const auto text = edited(R"({ plugin = "beta", alpha = 8.0, beta = 2.0 })", R"("beta")");
    const auto study = study_of(text, {set("hypothesis.late.stage_prior.alpha=6.0"),
                                       set("hypothesis.late.stage_prior.beta=2.0")});
    REQUIRE(canonical_json(study.points[0].hypotheses[1].part.settings).find(R"("alpha":6,)") !=
            std::string::npos);
  }
  SECTION("tables that the file leaves out can be set") {
    REQUIRE(study_of(kExperiment, {set("experiment.name=other")}).name == "other");
  }
  SECTION("the sweep wins over it") {
    const auto study =
        study_of(kExperiment + std::string("[sweep]\nseed = [1]\n"), {set("seed=9")});
    REQUIRE(study.points[0].seed == 1);
  }
}

TEST_CASE("what an experiment is called", "[engine]") {
  SECTION("by default as its file") { REQUIRE(study_of(kExperiment).name == "e"); }
  SECTION("or as it says") {
    REQUIRE(study_of("experiment.name = \"mine\"\n" + std::string(kExperiment)).name == "mine");
  }
}

}  // namespace tempo::test
