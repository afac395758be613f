#include <cstdint>
#include <limits>

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
}

namespace {

/// What is said of an experiment that --set spoils.
std::vector<std::string> faults_of(const std::string& sweep,
                                   const std::vector<std::string>& arguments) {
  const Workplace folder;
  Problems problems;
  std::vector<Override> overrides;
  for (const auto& argument : arguments) overrides.push_back(parse_override(argument, problems));
  const auto file = folder.write("e.toml", kExperiment + ("[sweep]\n" + sweep));
  read_study(file, overrides, registry(), problems);
  std::vector<std::string> out;
  for (const auto& [place, message] : problems.all())
    out.push_back(edited(to_string(place) + ": " + message + file.string(), file.string(), "F"));
  return out;
}

Study set_and_swept(const std::string& sweep, const std::vector<std::string>& arguments) {
  Problems problems;
  std::vector<Override> overrides;
  for (const auto& argument : arguments) overrides.push_back(parse_override(argument, problems));
  REQUIRE(problems.empty());
  return study_of(kExperiment + sweep, overrides);
}

}  // namespace

TEST_CASE("--set of a swept setting is a fault that names the sweep", "[engine][sweep]") {
  using Catch::Matchers::Contains;
  using Catch::Matchers::StartsWith;
  SECTION("the place of the sweep and the way out are said") {
    const auto faults = faults_of("seed = [1, 2]\n", {"seed=9"});
    REQUIRE(faults.size() == 1);
    REQUIRE_THAT(faults[0], StartsWith("--set seed=9: [sweep] gives 'seed' its values (F:18:1), so "
                                       "that no point would keep this one; set the list instead: "
                                       "--set 'sweep.seed=[...]'"));
  }
  SECTION("so is a setting within one that is swept as a whole") {
    const auto faults = faults_of("\"hypothesis.late.stage_prior\" = [\"uniform\"]\n",
                                  {"hypothesis.late.stage_prior.alpha=2.0"});
    REQUIRE(faults.size() == 1);
    REQUIRE_THAT(faults[0], Contains("gives 'hypothesis.late.stage_prior' its values"));
  }
  SECTION("and each of several that are zipped") {
    REQUIRE(faults_of("seed = [1, 2]\n\"method.probe.shift\" = [0.0, 1.0]\n"
                      "zip = [[\"seed\", \"method.probe.shift\"]]\n",
                      {"method.probe.shift=3.0"})
                .size() == 1);
  }
  SECTION("its neighbours can be set") {
    const auto study =
        set_and_swept("[sweep]\n\"hypothesis.late.stage_prior.alpha\" = [5.0, 9.0]\n",
                      {"hypothesis.late.stage_prior.beta=3.0", "seed=9"});
    REQUIRE(study.points.size() == 2);
    REQUIRE(study.points[1].seed == 9);
  }
}

TEST_CASE("--set changes the lists of a sweep", "[engine][sweep]") {
  SECTION("whichever way the file spells the path") {
    for (const auto* sweep : {"[sweep]\n\"cohorts.participants\" = [30, 60]\nseed = [1]\n",
                              "[sweep]\ncohorts.participants = [30, 60]\nseed = [1]\n"})
      for (const auto* argument :
           {"sweep.cohorts.participants=[40, 50]", "sweep.\"cohorts.participants\"=[40, 50]"}) {
        const auto study = set_and_swept(sweep, {argument});
        REQUIRE(study.axes == std::vector<std::string>{"cohorts.participants", "seed"});
        REQUIRE(axis_values(study) == Values{{"40", "1"}, {"50", "1"}});
      }
  }
  SECTION("a new list is a new axis") {
    REQUIRE(axis_values(set_and_swept("", {"sweep.seed=[3, 4]"})) == Values{{"3"}, {"4"}});
    REQUIRE(axis_values(set_and_swept("[sweep]\ncohorts.test = [1]\n", {"sweep.seed=[3, 4]"})) ==
            Values{{"1", "3"}, {"1", "4"}});
  }
  SECTION("the lock file says what was run") {
    const auto study = set_and_swept("[sweep]\nseed = [1]\n", {"sweep.seed=[3, 4]"});
    REQUIRE(canonical_json(*study.lock.find("sweep")) == R"({"seed":[3,4]})");
  }
  SECTION("what is no list is a fault") {
    const auto faults = faults_of("seed = [1, 2]\n", {"sweep.seed=9"});
    REQUIRE(faults.size() == 1);
    REQUIRE_THAT(faults[0],
                 Catch::Matchers::StartsWith("--set sweep.seed=9: [sweep] 'seed' must be a "
                                             "list of values, not an integer"));
  }
}

TEST_CASE("seeds have 64 bits", "[engine]") {
  constexpr auto kLargest = std::numeric_limits<std::uint64_t>::max();
  const std::string digits = "18446744073709551615";
  REQUIRE(set_and_swept("", {"seed=" + digits}).points[0].seed == kLargest);
  REQUIRE(set_and_swept("", {"seed=9223372036854775808"}).points[0].seed == 1ull << 63);
  const auto study = study_of(edited("seed = 7", "seed = \"" + digits + "\""));
  REQUIRE(study.points[0].seed == kLargest);
  REQUIRE(canonical_json(*study.lock.find("seed")) == "\"" + digits + "\"");  // reads back the same
  REQUIRE(swept("seed = [1, \"" + digits + "\"]\n").points[1].seed == kLargest);
  SECTION("but no more, and no signs") {
    REQUIRE_THAT(faults_of("", {"seed=18446744073709551616"}).at(0),
                 Catch::Matchers::Contains("'seed' must be at most " + digits));
    for (const auto* wrong : {"seed=-1", "seed=many", "seed=+1", "seed=1e3"})
      REQUIRE_THAT(faults_of("", {wrong}).at(0),
                   Catch::Matchers::Contains("'seed' must be an integer"));
  }
}

TEST_CASE("what an experiment is called", "[engine]") {
  SECTION("by default as its file") { REQUIRE(study_of(kExperiment).name == "e"); }
  SECTION("or as it says") {
    REQUIRE(study_of("experiment.name = \"mine\"\n" + std::string(kExperiment)).name == "mine");
  }
}

}  // namespace tempo::test
