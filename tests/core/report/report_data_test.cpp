// What the page of `tempo report` is given: the numbers of the store, and nothing that breaks the
// page.

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/analysis.hpp"
#include "report/about_run.hpp"
#include "report/report_page.hpp"
#include "small_experiment.hpp"

namespace tempo::test {
namespace {

using nlohmann::json;
using Status = ResultRow::Status;
using Catch::Matchers::Contains;

// ---- A store made by hand -----------------------------------------------------------------------

/// No name, and no key of anything.
const std::string kAwkward = "</script><b>\"a\" & 'b' \xF0\x9F\xA7\xA0";

/// Fits as a run would plan them, with what came of each.
class Made {
 public:
  void add(const std::string& hypothesis, std::size_t cohort, const std::string& method,
           const std::string& trained_on, FitRecord record, bool is_done = true) {
    PlannedFit fit;
    fit.row.axis_values = {"100"};
    fit.row.hypothesis = hypothesis;
    fit.row.cohort = cohort;
    fit.row.method = method;
    fit.row.trained_on = trained_on;
    fit.row.labels = trained_on.empty() ? "fit" : "infer";
    fit.key = "key " + std::to_string(fits_.size());
    fit.recipe = "recipe";
    fit.slot = "slot " + std::to_string(fits_.size());
    fits_.push_back(fit);
    records_.push_back(std::move(record));
    is_done_.push_back(is_done);
  }
  /// Writes all into a store.
  void put_into(Store& store, const std::string& about,
                const std::vector<StoredCohort>& real = {}) const {
    store.set_plan("made", {"cohorts.participants"}, fits_, {{"recipe", "{}"}}, real);
    for (std::size_t i = 0; i < fits_.size(); ++i)
      if (is_done_[i]) store.add({{&fits_[i], records_[i]}});
    store.set_about(about);
  }

 private:
  std::vector<PlannedFit> fits_;
  std::vector<FitRecord> records_;
  std::vector<bool> is_done_;
};

FitRecord scored(double tau_distance, std::vector<std::string> warnings = {}) {
  FitRecord record;
  record.status = Status::ok;
  record.tau_distance = tau_distance;
  record.stage_mae = 10.0 * tau_distance;
  record.sequence_mae = 20.0 * tau_distance;
  record.seconds = tau_distance + 1.0;
  record.warnings = std::move(warnings);
  record.details = "{}";
  return record;
}

FitRecord failed(const std::string& error) {
  FitRecord record;
  record.error = error;
  record.seconds = 9.0;
  return record;
}

/// Two hypotheses; `limit` infers exactly, `net` was trained on h1 and tried on both, one fit is
/// yet to be made.
Made some_fits() {
  Made made;
  auto sure = scored(0.0);
  sure.details = R"({"biomarkers": ["x", "y"], "true_ranks": [2, 1], "diagnostics": {"r_hat": 1.3},
                     "rank_posterior": [[0.7504, 0.2496], [0.25, 0.75]]})";
  made.add("h1", 0, "limit", "", sure);
  made.add("h1", 0, kAwkward, "", scored(0.25, {"few", "odd"}));
  made.add("h1", 0, "net", "h1", scored(0.125));
  made.add("h1", 1, "limit", "", scored(0.125));
  made.add("h1", 1, kAwkward, "", failed("no \"x\""));
  made.add("h1", 1, "net", "h1", scored(0.375, {"few"}));
  made.add("h2", 0, "limit", "", scored(0.25));
  made.add("h2", 0, kAwkward, "", scored(0.5));
  made.add("h2", 0, "net", "h1", sure);
  made.add("h2", 1, "limit", "", failed("no \"x\""));
  made.add("h2", 1, kAwkward, "", {}, false);
  made.add("h2", 1, "net", "h1", scored(1.0));
  return made;
}

class SomeStore {
 public:
  SomeStore() : store(folder_.path() / "results.sqlite", Database::Mode::create) {
    some_fits().put_into(store, R"({"limit": "limit"})");
  }

 private:
  TemporaryFolder folder_;

 public:
  Store store;
};

/// The row of a table for a method (and a hypothesis).
json row_of(const json& rows, const std::string& method, const std::string& hypothesis = "") {
  for (const auto& row : rows)
    if (row["method"] == method && (hypothesis.empty() || row["hypothesis"] == hypothesis))
      return row;
  return nullptr;
}

}  // namespace

TEST_CASE("the page gets every fit of the store, and no score where there is none",
          "[report][page]") {
  SomeStore made;
  const json data = report_data(made.store, "the lock");
  REQUIRE(data["name"] == "made");
  REQUIRE(data["lock"] == "the lock");
  REQUIRE(data["axes"] == json{"cohorts.participants"});
  REQUIRE(data["points"] == json{{"100"}});
  const auto& fits = data["fits"];
  const auto results = made.store.results();
  REQUIRE(results.rows.size() == 12);
  for (const auto& [column, values] : fits.items()) {
    INFO(column);
    REQUIRE(values.size() == results.rows.size());
  }
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const auto& row = results.rows[i];
    INFO(i);
    REQUIRE(data["hypotheses"][fits["hypothesis"][i].get<std::size_t>()] == row.hypothesis);
    REQUIRE(data["methods"][fits["method"][i].get<std::size_t>()]["id"] == row.method);
    REQUIRE(data["methods"][fits["method"][i].get<std::size_t>()]["labels"] == row.labels);
    REQUIRE(fits["cohort"][i] == row.cohort);
    const auto& model = fits["trained_on"][i];
    REQUIRE((model.is_null() ? "" : data["trained_on"][model.get<std::size_t>()]) ==
            row.trained_on);
    REQUIRE(fits["in_distribution"][i] ==
            (row.trained_on.empty() || row.hypothesis == "h1" ? 1 : 0));
    REQUIRE(fits["status"][i] == static_cast<int>(row.status));
    for (const auto& [name, value] : {std::pair("tau_distance", row.tau_distance),
                                      {"stage_mae", row.stage_mae},
                                      {"sequence_mae", row.sequence_mae},
                                      {"seconds", row.seconds}}) {
      INFO(name);
      REQUIRE(fits[name][i] == (row.status == Status::ok ? json(value) : json()));
    }
  }
}

TEST_CASE("the page's tables count what failed and what is missing", "[report][page]") {
  SomeStore made;
  const json data = report_data(made.store, "");
  SECTION("over all hypotheses, a trained method where it was trained") {
    const auto& taus = data["overall"]["tau_distance"];
    REQUIRE(taus.size() == 3);
    REQUIRE(row_of(taus, "limit")["mean"] == 0.125);
    REQUIRE(row_of(taus, "limit")["scored"] == 3);
    REQUIRE(row_of(taus, "limit")["planned"] == 4);
    REQUIRE(row_of(taus, kAwkward)["mean"] == 0.375);
    REQUIRE(row_of(taus, kAwkward)["scored"] == 2);
    REQUIRE(row_of(taus, kAwkward)["planned"] == 4);  // one failed, one is yet to be made
    REQUIRE(row_of(taus, "net")["mean"] == 0.25);
    REQUIRE(row_of(taus, "net")["planned"] == 2);  // none of h2
    REQUIRE(row_of(data["overall"]["stage_mae"], "net")["mean"] == 2.5);
    REQUIRE(row_of(data["overall"]["sequence_mae"], "net")["mean"] == 5.0);
    REQUIRE(row_of(data["overall"]["seconds"], "net")["mean"] == 1.25);
  }
  SECTION("by hypothesis") {
    const auto& taus = data["summaries"]["tau_distance"];
    REQUIRE(row_of(taus, "limit", "h1")["mean"] == 0.0625);
    REQUIRE(row_of(taus, "limit", "h1")["half_width_95"].get<double>() ==
            Approx(1.96 * 0.125 / std::sqrt(2.0) / std::sqrt(2.0)));
    REQUIRE(row_of(taus, kAwkward, "h2")["mean"] == 0.5);
    REQUIRE(row_of(taus, kAwkward, "h2")["half_width_95"].is_null());
    REQUIRE(row_of(taus, kAwkward, "h2")["scored"] == 1);
    REQUIRE(row_of(taus, kAwkward, "h2")["planned"] == 2);
  }
  SECTION("against the limit, on the cohorts of both") {
    const auto& taus = data["against_limit"]["tau_distance"];
    REQUIRE(row_of(taus, kAwkward, "h1")["mean"] == 0.25);
    REQUIRE(row_of(taus, "net", "h1")["mean"] == 0.1875);
    REQUIRE(row_of(taus, kAwkward, "h2")["mean"] == 0.25);
    REQUIRE(row_of(taus, "limit").is_null());
  }
  SECTION("a model on other hypotheses") {
    const auto& table = data["cross"]["tau_distance"][0];
    REQUIRE(table["method"] == "net");
    REQUIRE(table["trained_on"] == json{"h1"});
    REQUIRE(table["tested_on"] == json{"h1", "h2"});
    REQUIRE(table["cells"][0][0]["mean"] == 0.25);
    REQUIRE(table["cells"][0][1]["mean"] == 0.5);
  }
}

TEST_CASE("the page says each failure and warning once, how often and where first",
          "[report][page]") {
  SomeStore made;
  const json data = report_data(made.store, "");
  REQUIRE(data["failures"].size() == 1);
  REQUIRE(data["failures"][0]["text"] == "no \"x\"");
  REQUIRE(data["failures"][0]["methods"] == json{kAwkward, "limit"});
  REQUIRE(data["failures"][0]["fits"] == 2);
  REQUIRE(data["failures"][0]["hypothesis"] == "h1");
  REQUIRE(data["failures"][0]["cohort"] == 1);
  REQUIRE(data["warnings"].size() == 2);
  REQUIRE(data["warnings"][0]["text"] == "few");
  REQUIRE(data["warnings"][0]["fits"] == 2);
  REQUIRE(data["warnings"][0]["methods"] == json{kAwkward, "net"});
  REQUIRE(data["warnings"][0]["cohort"] == 0);
  REQUIRE(data["warnings"][1]["text"] == "odd");
  REQUIRE(data["warnings"][1]["fits"] == 1);
}

TEST_CASE("the page gets rank posteriors of models where they were trained, rounded",
          "[report][page]") {
  SomeStore made;
  const json data = report_data(made.store, "");
  REQUIRE(data["rank_posteriors"].size() == 1);  // not that of `net` on h2
  const auto& posterior = data["rank_posteriors"][0];
  REQUIRE(posterior["method"] == "limit");
  REQUIRE(posterior["sweep"] == json{"100"});
  REQUIRE(posterior["biomarkers"] == json{"x", "y"});
  REQUIRE(posterior["per_mille"] == json{{750, 250}, {250, 750}});
  REQUIRE(posterior["true_ranks"] == json{2, 1});
  REQUIRE(posterior["doubts"] == json{"its chains disagree on the order (R-hat 1.30)"});
}

TEST_CASE("rank posteriors of runs that kept no true order come without", "[report][page]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  Made made;
  auto old = scored(0.0);
  old.details = R"({"biomarkers": ["x", "y"], "rank_posterior": [[1, 0], [0, 1]]})";
  made.add("h1", 0, "limit", "", old);
  made.put_into(store, "");
  const json posterior = report_data(store, "")["rank_posteriors"][0];
  REQUIRE(posterior["true_ranks"].is_null());
  REQUIRE(posterior["doubts"].empty());
}

TEST_CASE(
    "the page is told which fits and biomarkers of a real cohort are in doubt, and what a timeline "
    "leaves out",
    "[report][page]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const auto found = [](const std::string& more) {
    auto record = scored(0.0);
    record.details = R"({"event_scores": [1.0, 2.0], "stages": [0, 1])" + more + "}";
    return record;
  };
  Made made;
  made.add("real", 0, "orders only", "", found(R"(, "diagnostics": {"r_hat": 1.3})"));
  made.add("real", 0, "net", "h6", found(R"(, "event_times": [0.25, 0.75])"));
  made.add("real", 0, "net", "h9", found(R"(, "event_times": [0.5, 0.5])"));
  made.add("real", 0, "net", "h8", found(R"(, "event_times": [0.25, 0.75])"));
  made.put_into(store, R"({"hypotheses": [{"id": "h6", "events_have_times": false}]})",
                {{{"100"},
                  "real",
                  "c.csv",
                  {"1", "2"},
                  {0, 1},
                  {},
                  {},
                  {"a", "b"},
                  "",
                  std::vector<std::string>{"b"}}});
  const json data = report_data(store, "");
  REQUIRE(data["analysis"]["cohorts"].size() == 1);
  const auto& said = data["analysis"]["cohorts"][0];
  REQUIRE(said["cohort"] == "c.csv");
  REQUIRE(said["sweep"]["cohorts.participants"] == "100");
  REQUIRE(said["doubts"] == json::parse(R"~([{"method": "orders only", "trained_on": "",
                                              "why": ["its chains disagree on the order (R-hat 1.30)"]}])~"));
  REQUIRE(said["not_separating"] == json{"b"});
  REQUIRE(said["why_not_separating"] == kNotSeparating);
  REQUIRE(said["groups_ordered"] == true);
  REQUIRE(said["without_times"] == json::parse(R"([
    {"fits": [{"method": "net", "trained_on": "h6"}], "why": "under their hypotheses events have ranks, and no times"},
    {"fits": [{"method": "net", "trained_on": "h9"}], "why": "they have all events at one time"},
    {"fits": [{"method": "orders only", "trained_on": ""}], "why": "they give no times of events"}])"));
}

TEST_CASE("the page gets the histories of models, number by number", "[report][page]") {
  SomeStore made;
  ModelRecord model;
  model.key = "key";
  model.slot = model_slot({"100"}, "net", "h1");
  model.name = "net.h1.key";
  model.method = "net";
  model.trained_on = "h1";
  model.seconds = 2.5;
  model.warnings = {"slow"};
  model.history = "epoch,loss\n1,0.5\n2,nan\n";
  made.store.add(model);
  made.store.fill_slot(model.slot, model.key);
  const json data = report_data(made.store, "");
  REQUIRE(data["models"].size() == 1);
  REQUIRE(data["models"][0]["name"] == "net.h1.key");
  REQUIRE(data["models"][0]["seconds"] == 2.5);
  REQUIRE(data["models"][0]["warnings"] == json{"slow"});
  REQUIRE(data["models"][0]["columns"] == json{"epoch", "loss"});
  REQUIRE(data["models"][0]["epochs"] == json{{1, 0.5}, {2, nullptr}});
}

TEST_CASE("no text in the data ends an element or starts one", "[report][page]") {
  SomeStore made;
  nlohmann::ordered_json data = report_data(made.store, "<!-- {{report}} $& \xFF -->");
  const auto page = fill_page("<script>{{report}}</script><p>{{report}}</p>", data);
  const std::string start = "<script>", end = "</script><p>{{report}}</p>";
  REQUIRE(page.substr(0, start.size()) == start);
  REQUIRE(page.substr(page.size() - end.size()) == end);
  const auto text = page.substr(start.size(), page.size() - start.size() - end.size());
  REQUIRE(text.find('<') == std::string::npos);
  REQUIRE(std::all_of(text.begin(), text.end(),
                      [](char c) { return c > 0; }));  // whatever the page's encoding
  const auto read = json::parse(text);
  REQUIRE(read["methods"][1]["id"] == kAwkward);
  REQUIRE_THAT(read["lock"].get<std::string>(),
               Contains("<!-- {{report}} $& \xEF\xBF\xBD -->"));  // U+FFFD for no UTF-8
  REQUIRE_THROWS_WITH(fill_page("<script></script>", data), Contains("no place for data"));
}

// ---- What is said of a run beside its numbers
// ----------------------------------------------------

namespace {

Study study_of(const std::string& methods, const std::string& extra = "") {
  const Workplace folder;
  const auto text = edited(kExperiment, "[[method]]\nplugin = \"probe\"\n", methods) + extra;
  Problems problems;
  auto study = read_study(folder.write("e.toml", text), {}, shipped(), problems);
  INFO(problems.report());
  REQUIRE(problems.empty());
  return study;
}

const std::string kDebm = "[[method]]\nplugin = \"debm\"\nmax_iterations = 50\n";

std::string limit_beside_debm(const std::string& settings) {
  return limit_of(study_of(kDebm + "[[method]]\nid = \"exact\"\nplugin = \"bayes\"\n" + settings),
                  shipped());
}

}  // namespace

TEST_CASE("the limit is what infers under the true hypothesis with known distributions",
          "[report][page]") {
  REQUIRE(limit_beside_debm("") == "exact");
  REQUIRE(limit_beside_debm("parameters = \"known\"\nassume = \"matching\"\n") == "exact");
  REQUIRE(limit_beside_debm("parameters = \"estimate\"\n").empty());
  REQUIRE(limit_beside_debm("assume = \"h3\"\n").empty());
  REQUIRE(limit_of(study_of(kDebm), shipped()).empty());
  REQUIRE(limit_of(study_of("[[method]]\nplugin = \"bayes\"\n"), shipped()).empty());  // of nobody
}

TEST_CASE("a report says what its numbers were made by", "[report][page]") {
  const auto study = study_of(kDebm, "[experiment]\ndescription = \"Is \\\"late\\\" <hard>?\"\n");
  const auto plan = make_plan(study, shipped());
  const auto about = json::parse(about_run(study, plan, shipped()));
  REQUIRE(about["description"] == "Is \"late\" <hard>?");
  REQUIRE(about["seed"] == 7);
  REQUIRE(about["limit"] == "");
  REQUIRE(about["cohorts"]["source"] == "simulate");
  REQUIRE(about["cohorts"]["participants"] == 60);
  REQUIRE(about["hypotheses"] == json::parse(R"([
    {"id": "h3", "plugin": "h3", "event_times": "ranks", "events_have_times": false, "stages": "uniform",
     "measurements": "ebm_normal"},
    {"id": "late", "plugin": "composed", "event_times": "ranks", "events_have_times": false, "stages": "beta",
     "measurements": "ebm_normal"}])"));
  REQUIRE(about["methods"].size() == 1);
  REQUIRE(about["methods"][0]["settings"]["max_iterations"] == 50);
  REQUIRE(about["methods"][0]["settings"].contains("tolerance"));  // defaults, too
  std::vector<std::string> plugins;
  for (const auto& plugin : about["plugins"]) {
    plugins.push_back(plugin["id"]);
    INFO(plugins.back());
    REQUIRE(std::filesystem::exists(plugin["file"].get<std::string>()));
    REQUIRE(plugin["content"].get<std::string>().size() == 36);
    REQUIRE_FALSE(plugin["version"].get<std::string>().empty());
  }
  REQUIRE(plugins ==
          std::vector<std::string>{"composed", "h3", "ebm_normal", "debm", "beta", "uniform"});
}

}  // namespace tempo::test
