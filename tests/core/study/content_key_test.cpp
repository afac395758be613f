// What makes a result stale, and what does not.

#include "data/content_key.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "data/public_cohort_writer.hpp"
#include "data/public_cohorts.hpp"
#include "probes.hpp"
#include "small_experiment.hpp"
#include "study/plan.hpp"

namespace tempo::test {
namespace {

const std::string kTwoMethods = std::string(kExperiment) + R"([[method]]
plugin = "labelled_probe"
)";

/// A plan and the study it belongs to, made beside a biomarker table.
class Planned {
 public:
  explicit Planned(const std::string& text, const std::string& table = kTable,
                   const Registry& plugins = shipped_and_probes(), const std::string& words = "") {
    folder_.write("five.toml", table);
    folder_.write("words.txt", words);
    Problems problems;
    study_ = read_study(folder_.write("e.toml", text), {}, plugins, problems);
    INFO(problems.report());
    REQUIRE(problems.empty());
    plan_ = make_plan(study_, plugins);
  }

  const Plan& plan() const { return plan_; }
  const Study& study() const { return study_; }

  /// The rows `hypothesis cohort method` whose key is in no other plan: what would have to run.
  std::vector<std::string> not_in(const Planned& other) const {
    std::vector<std::string> rows;
    for (const auto& fit : plan_.fits) {
      const auto same = [&](const PlannedFit& known) { return known.key == fit.key; };
      if (std::none_of(other.plan_.fits.begin(), other.plan_.fits.end(), same))
        rows.push_back(fit.id.hypothesis + " " + std::to_string(fit.id.cohort) + " " +
                       fit.id.method);
    }
    return rows;
  }

 private:
  Workplace folder_;
  Study study_;
  Plan plan_;
};

/// What has to run after a change of the experiment with two methods.
std::vector<std::string> stale_after(const std::string& from, const std::string& to) {
  return Planned(edited(kTwoMethods, from, to)).not_in(Planned(kTwoMethods));
}

const std::vector<std::string> kNone;
const std::vector<std::string> kAll{
    "h3 0 probe",   "h3 0 labelled_probe",   "h3 1 probe",   "h3 1 labelled_probe",
    "h3 2 probe",   "h3 2 labelled_probe",   "late 0 probe", "late 0 labelled_probe",
    "late 1 probe", "late 1 labelled_probe", "late 2 probe", "late 2 labelled_probe"};
const std::vector<std::string> kOfProbe{"h3 0 probe",   "h3 1 probe",   "h3 2 probe",
                                        "late 0 probe", "late 1 probe", "late 2 probe"};
const std::vector<std::string> kOfLate{"late 0 probe", "late 0 labelled_probe",
                                       "late 1 probe", "late 1 labelled_probe",
                                       "late 2 probe", "late 2 labelled_probe"};

}  // namespace

TEST_CASE("what a number depends on makes it stale", "[engine][content_key]") {
  const auto [from, to, stale] =
      GENERATE(table<std::string, std::string, std::vector<std::string>>({
          {"seed = 7", "seed = 8", kAll},
          {"participants = 60", "participants = 61", kAll},
          {"participants = 60", "participants = 60\nhealthy_ratio = 0.5", kAll},
          {"[cohorts]", "[experiment]\nstage_posteriors = true\n[cohorts]", kAll},
          {"plugin = \"probe\"", "plugin = \"probe\"\nshift = 1.0", kOfProbe},
          {"plugin = \"probe\"", "plugin = \"probe\"\ncolumn_order = \"truth\"", kOfProbe},
          {"alpha = 8.0", "alpha = 9.0", kOfLate},
          {"ebm_normal", "ebm_non_normal", kOfLate},
          // The id names the stream its cohorts are drawn from.
          {"id = \"late\"",
           "id = \"other\"",
           {"other 0 probe", "other 0 labelled_probe", "other 1 probe", "other 1 labelled_probe",
            "other 2 probe", "other 2 labelled_probe"}},
      }));
  INFO(from << " -> " << to);
  REQUIRE(stale_after(from, to) == stale);
}

TEST_CASE("what no number depends on leaves all of them", "[engine][content_key]") {
  const auto [from, to] = GENERATE(table<std::string, std::string>({
      {"schema = 1\nseed = 7", "seed = 7\nschema = 1"},
      {"participants = 60\ntest = 3", "test = 3\nparticipants = 60"},
      {"alpha = 8.0, beta = 2.0", "beta = 2, alpha = 8"},
      {"test = 3", "test = 3\nhealthy_ratio = 0.21\nsource = \"simulate\""},
      {"plugin = \"probe\"", "plugin = \"probe\"\nshift = 0.0\nwarns = false"},
      {"plugin = \"probe\"", "plugin = \"probe\"\ncolumn_order = \"random\""},
      {"plugin = \"probe\"", "plugin = \"probe\"\nid = \"renamed\""},
      {"[cohorts]", "[experiment]\nname = \"other\"\ndescription = \"of the same\"\n[cohorts]"},
      {"[[method]]\nplugin = \"labelled_probe\"\n", ""},
      {"test = 3", "test = 2"},
  }));
  INFO(from << " -> " << to);
  REQUIRE(stale_after(from, to) == kNone);
}

TEST_CASE("additions leave what is there", "[engine][content_key]") {
  REQUIRE(stale_after("test = 3", "test = 4") ==
          std::vector<std::string>{"h3 3 probe", "h3 3 labelled_probe", "late 3 probe",
                                   "late 3 labelled_probe"});
  REQUIRE(stale_after("[[hypothesis]]\nplugin = \"h3\"",
                      "[[hypothesis]]\nplugin = \"h1\"\n[[hypothesis]]\nplugin = \"h3\"") ==
          std::vector<std::string>{"h1 0 probe", "h1 0 labelled_probe", "h1 1 probe",
                                   "h1 1 labelled_probe", "h1 2 probe", "h1 2 labelled_probe"});
  REQUIRE(
      stale_after("[[method]]\nplugin = \"probe\"",
                  "[[method]]\nplugin = \"probe\"\nid = \"new\"\nshift = 2.0\n[[method]]\nplugin "
                  "= \"probe\"")
          .size() == 6);
}

TEST_CASE("of a biomarker table its numbers count, not its name", "[engine][content_key]") {
  const Planned before(kTwoMethods);
  REQUIRE(Planned(kTwoMethods, edited(kTable, "sd = 1.5", "sd = 1.6")).not_in(before) == kAll);
  REQUIRE(Planned(kTwoMethods, edited(kTable, "\"b3\"", "\"b5\"")).not_in(before) == kAll);
  REQUIRE(Planned(kTwoMethods, edited(kTable, "\"five\"", "\"5\"\ndescription = \"again\""))
              .not_in(before) == kNone);
}

TEST_CASE("a new version of a plugin makes its results stale", "[engine][content_key]") {
  const Registry later({{TEMPO_LATER_PROBES, "test", true},
                        {TEMPO_PROBES, "test", true},
                        {TEMPO_TEST_PLUGINS, "build", true}});
  REQUIRE(Planned(kTwoMethods, kTable, later).not_in(Planned(kTwoMethods)) == kOfProbe);
}

TEST_CASE("a new version of a part makes results stale, whatever the hypothesis that made it",
          "[engine][content_key]") {
  const Registry later({{TEMPO_LATER_PROBES, "test", true},
                        {TEMPO_PROBES, "test", true},
                        {TEMPO_TEST_PLUGINS, "build", true}});
  const auto text = edited(edited(kTwoMethods, "plugin = \"h3\"", "plugin = \"own_parts\""),
                           "[[method]]\nplugin = \"probe\"\n", "");
  const Planned before(text), after(text, kTable, later);
  REQUIRE(after.not_in(before) == std::vector<std::string>{"own_parts 0 labelled_probe",
                                                           "own_parts 1 labelled_probe",
                                                           "own_parts 2 labelled_probe"});
  const auto recipe =
      nlohmann::json::parse(before.plan().recipes.at(before.plan().fits.front().recipe));
  REQUIRE(recipe["cohorts"]["process"]["parts"] == nlohmann::json{{"probe_prior", "1.0.0"}});
}

TEST_CASE("of cohorts in files the bytes count", "[engine][content_key]") {
  const TemporaryFolder folder;
  PublicCohortWriter writer(folder.path() / "cohorts", "h3", 0.5);
  const auto process = shipped().hypothesis(part("h3"), plain_biomarkers(3));
  for (std::size_t number = 0; number < 2; ++number) {
    auto random = stream(number);
    const auto [cohort, truth] = process->simulate({20, 0.5}, random);
    writer.add(number, cohort, truth);
  }
  writer.finish();
  const auto text = "schema = 1\nseed = 7\n[cohorts]\nsource = \"folder\"\npath = \"" +
                    (folder.path() / "cohorts").string() + "\"\n[[method]]\nplugin = \"probe\"\n";
  const Planned before(text);
  REQUIRE(Planned(text).not_in(before) == kNone);

  const auto csv = "cohorts/exp3/" + public_stem("h3", 20, 0.5, 1) + ".csv";
  const auto bytes = read_text(folder.path() / csv);
  folder.write(csv, bytes + "\n");
  REQUIRE(Planned(text).not_in(before) == std::vector<std::string>{"h3 1 probe"});
  folder.write(csv, bytes);
  REQUIRE(Planned(text).not_in(before) == kNone);

  // One file holds the truth of all cohorts of a hypothesis.
  const std::string truth = "cohorts/exp3/true_order_and_stages.json";
  folder.write(truth, read_text(folder.path() / truth) + "\n");
  REQUIRE(Planned(text).not_in(before) == std::vector<std::string>{"h3 0 probe", "h3 1 probe"});
}

TEST_CASE("of a real cohort what was read counts", "[engine][content_key]") {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const Cohort cohort{{"p1", "p2"}, {"a", "bc"}, matrix({{1, 0}, {nan, 2}}), {0, 1}, {"CN", "AD"}};
  const auto key = cohort_key(cohort);
  auto same = cohort;
  same.measurements(0, 1) = -0.0;
  same.measurements(1, 0) = -nan;
  REQUIRE(cohort_key(same) == key);

  std::vector<Cohort> others(8, cohort);
  others[0].participants = {"p1p", "2"};
  others[1].biomarkers = {"ab", "c"};
  others[2].measurements(0, 0) = std::nextafter(1.0, 2.0);
  others[3].measurements(1, 0) = 0.0;  // was missing
  others[4].diseased = {1, 1};
  others[5].diagnoses = {"CN", "MCI"};
  others[6] = with_columns(cohort, {1, 0});
  others[7].diagnoses.clear();
  std::set<std::string> keys{key};
  for (const auto& other : others) keys.insert(cohort_key(other));
  REQUIRE(keys.size() == 9);
}

TEST_CASE("of files that a part of a hypothesis names the content counts, not the folder",
          "[engine][content_key]") {
  const auto with_model = [](const std::string& settings, const std::string& words) {
    return Planned(edited(kTwoMethods, "measurement_model = \"ebm_normal\"",
                          "measurement_model = { plugin = \"worded_model\", " + settings + " }"),
                   kTable, shipped_and_probes(), words);
  };
  const auto before = with_model("files = [\"words.txt\"]", "one");
  REQUIRE(with_model("files = [\"words.txt\"]", "one").not_in(before) == kNone);
  REQUIRE(with_model("files = [\"words.txt\"]", "two").not_in(before) == kOfLate);
  REQUIRE(with_model("files = [\"words.txt\"], aside = true", "one").not_in(before) == kNone);
  REQUIRE(with_model("files = [\"words.txt\"], flag = true", "one").not_in(before) == kOfLate);
}

TEST_CASE("a stale fit says what changed", "[engine][content_key]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const Planned before(kTwoMethods);
  store.set_plan({"e", {}, before.plan().fits, before.plan().recipes});
  FitRecord record;
  record.result.status = FitStatus::ok;
  std::vector<std::pair<const PlannedFit*, FitRecord>> finished;
  for (const auto& fit : before.plan().fits) finished.emplace_back(&fit, record);
  store.add(finished);
  const auto why = [&](const Planned& after) {
    return why_stale(after.plan(), after.plan().fits.front(), store);
  };

  REQUIRE(why(Planned(edited(kTwoMethods, "seed = 7", "seed = 8"))) == "seed: 7 -> 8");
  REQUIRE(
      why(Planned(edited(kTwoMethods, "plugin = \"probe\"", "plugin = \"probe\"\nshift = 1.5"))) ==
      "method.settings.shift: 0 -> 1.5");
  REQUIRE(why(Planned(edited(kTwoMethods, "participants = 60",
                             "participants = 50\nhealthy_ratio = 0.3"))) ==
          "cohorts.healthy_ratio: 0.21 -> 0.3; cohorts.participants: 60 -> 50");
  REQUIRE(why(Planned(kTwoMethods, edited(kTable, "sd = 1.5", "sd = 1.6"))) ==
          "the biomarker table changed");
  const Registry later({{TEMPO_LATER_PROBES, "test", true},
                        {TEMPO_PROBES, "test", true},
                        {TEMPO_TEST_PLUGINS, "build", true}});
  REQUIRE(why(Planned(kTwoMethods, kTable, later)) == R"(method.version: "1.0.0" -> "2.0.0")");
  REQUIRE(why(Planned(edited(kTwoMethods, "plugin = \"probe\"", "plugin = \"probe\"\nid = \"x\"")))
              .empty());
}

}  // namespace tempo::test
