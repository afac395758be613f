// What the page of `tempo report` is given: the numbers of the store, and nothing that breaks the
// page.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/doubts_text.hpp"
#include "report/report_page.hpp"
#include "results/store.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

// ---- A store made by hand -----------------------------------------------------------------------

/// No name, and no key of anything.
const std::string kAwkward = "</script><b>\"a\" & 'b' \xF0\x9F\xA7\xA0";

/// Fits as a run would plan them, with what came of each.
class Made {
 public:
  enum class Done { yes, not_yet };
  void add(const std::string& hypothesis, std::size_t cohort, const std::string& method,
           const std::string& trained_on, FitRecord record, Done done = Done::yes) {
    PlannedFit fit;
    fit.id.axis_values = {"100"};
    fit.id.origin = hypothesis.empty() ? CohortOrigin::real : CohortOrigin::hypothesis;
    fit.id.hypothesis = hypothesis;
    fit.id.cohort = cohort;
    fit.id.method = method;
    fit.id.trained_on = trained_on;
    fit.id.labels = trained_on.empty() ? "fit" : "infer";
    fit.key = "key " + std::to_string(fits_.size());
    fit.recipe = "recipe";
    fit.slot = "slot " + std::to_string(fits_.size());
    fits_.push_back(fit);
    records_.push_back(std::move(record));
    is_done_.push_back(done == Done::yes);
  }
  /// Writes all into a store.
  void put_into(Store& store, const RunDescription& description,
                const std::vector<StoredCohort>& real = {}) const {
    store.set_plan({.name = "made",
                    .axes = {"cohorts.participants"},
                    .fits = fits_,
                    .recipes = {{"recipe", "{}"}},
                    .cohorts = real});
    for (std::size_t i = 0; i < fits_.size(); ++i)
      if (is_done_[i]) store.add({{&fits_[i], records_[i]}});
    store.set_description(description);
  }

 private:
  std::vector<PlannedFit> fits_;
  std::vector<FitRecord> records_;
  std::vector<bool> is_done_;
};

FitRecord scored(double tau_distance, const std::vector<std::string>& warnings = {}) {
  FitRecord record;
  record.result.status = FitStatus::ok;
  record.result.scores = {tau_distance, 10.0 * tau_distance, 20.0 * tau_distance};
  record.result.seconds = tau_distance + 1.0;
  for (const auto& text : warnings) record.result.warnings.push_back({Warning::Kind::method, text});
  return record;
}

FitRecord failed(const std::string& error) {
  FitRecord record;
  record.result.status = FitStatus::failed;
  record.result.error = error;
  record.result.seconds = 9.0;
  return record;
}

ChainAgreement disagreeing() {
  ChainAgreement out;
  out.r_hat = 1.3;
  return out;
}

/// Two hypotheses; `limit` infers exactly, `net` was trained on h1 and tried on both, one fit is
/// yet to be made.
Made some_fits() {
  Made made;
  auto sure = scored(0.0);
  sure.details.biomarkers = {"x", "y"};
  sure.details.true_ranks = {2, 1};
  sure.details.chains = disagreeing();
  sure.details.rank_posterior = matrix({{0.7504, 0.2496}, {0.25, 0.75}});
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
  made.add("h2", 1, kAwkward, "", {}, Made::Done::not_yet);
  made.add("h2", 1, "net", "h1", scored(1.0));
  return made;
}

class SomeStore {
 public:
  SomeStore() : store(folder_.path() / "results.sqlite", Database::Mode::create) {
    RunDescription description;
    description.limit = "limit";
    some_fits().put_into(store, description);
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
    const auto& [id, result] = results.rows[i];
    INFO(i);
    REQUIRE(data["hypotheses"][fits["hypothesis"][i].get<std::size_t>()] == id.hypothesis);
    REQUIRE(data["methods"][fits["method"][i].get<std::size_t>()]["id"] == id.method);
    REQUIRE(data["methods"][fits["method"][i].get<std::size_t>()]["labels"] == id.labels);
    REQUIRE(fits["cohort"][i] == id.cohort);
    const auto& model = fits["trained_on"][i];
    REQUIRE((model.is_null() ? "" : data["trained_on"][model.get<std::size_t>()]) == id.trained_on);
    REQUIRE(fits["in_distribution"][i] == (id.trained_on.empty() || id.hypothesis == "h1" ? 1 : 0));
    REQUIRE(fits["status"][i] == static_cast<int>(result.status));
    for (const auto& [name, value] : {std::pair("tau_distance", result.scores.tau_distance),
                                      {"stage_mae", result.scores.stage_mae},
                                      {"sequence_mae", result.scores.sequence_mae},
                                      {"seconds", result.seconds}}) {
      INFO(name);
      REQUIRE(fits[name][i] == (result.status == FitStatus::ok ? json(value) : json()));
    }
  }
}

TEST_CASE("the page gets scores of subtypes where cohorts have some", "[report][page][subtypes]") {
  Made made;
  auto several = scored(0.25);
  several.result.scores.matched_tau_distance = 0.125;
  several.result.scores.assigned_tau_distance = 0.375;
  several.result.scores.subtype_score = -0.5;
  several.result.scores.subtype_number_error = -1.0;
  made.add("mixed", 0, "m", "", several);
  made.add("h1", 0, "m", "", scored(0.5));
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  made.put_into(store, {});
  const json data = report_data(store, "");
  REQUIRE(data["fits"]["subtype_score"] == json{-0.5, nullptr});
  REQUIRE(data["fits"]["subtype_number_error"] == json{-1.0, nullptr});
  REQUIRE(row_of(data["overall"]["matched_tau_distance"], "m")["mean"] == 0.125);
  // Of one cohort there is no matched distance: methods are ranked by what all have.
  REQUIRE(data["ranked_by"] == "tau_distance");
  const auto& metrics = data["metrics"];
  const auto is_of = [](const char* name) {
    return [name](const json& metric) { return metric["name"] == name; };
  };
  const auto score = *std::find_if(metrics.begin(), metrics.end(), is_of("subtype_score"));
  REQUIRE(score["better"] == "higher");
  REQUIRE(score["least"] == -1.0);
  const auto number = *std::find_if(metrics.begin(), metrics.end(), is_of("subtype_number_error"));
  REQUIRE(number["better"] == "neither");
  REQUIRE(number["least"].is_null());
  SomeStore without;
  const json whole = report_data(without.store, "");
  REQUIRE(whole["metrics"].size() == 4);
  for (const auto& metric : whole["metrics"]) REQUIRE(metric["name"] != "subtype_score");
  REQUIRE(whole["ranked_by"] == "tau_distance");
  Made all;
  all.add("mixed", 0, "m", "", several);
  all.add("mixed", 1, "m", "", failed("it broke"));
  Store of_all(folder.path() / "all.sqlite", Database::Mode::create);
  all.put_into(of_all, {});
  REQUIRE(report_data(of_all, "")["ranked_by"] == "matched_tau_distance");
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
            Approx(12.7062047 * 0.125 / std::sqrt(2.0) / std::sqrt(2.0)));  // Student's t, n = 2
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
  REQUIRE(data["warnings"][0]["replicates"] == 0);
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
  REQUIRE(posterior["doubts"] == json{"its chains have not settled on the order (R-hat 1.30)"});
}

TEST_CASE("rank posteriors of runs that kept no true order come without", "[report][page]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  Made made;
  auto old = scored(0.0);
  old.details.biomarkers = {"x", "y"};
  old.details.rank_posterior = matrix({{1, 0}, {0, 1}});
  made.add("h1", 0, "limit", "", old);
  made.put_into(store, {});
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
  const auto found = [](std::optional<std::vector<double>> event_times) {
    auto record = scored(0.0);
    record.details.event_scores = {1.0, 2.0};
    record.details.event_times = std::move(event_times);
    record.details.stages = {0, 1};
    return record;
  };
  auto in_doubt = found({});
  in_doubt.details.chains = disagreeing();
  Made made;
  made.add("", 0, "orders only", "", in_doubt);
  made.add("", 0, "net", "h6", found({{0.25, 0.75}}));
  made.add("", 0, "net", "h9", found({{0.5, 0.5}}));
  made.add("", 0, "net", "h8", found({{0.25, 0.75}}));
  RunDescription description;
  description.hypotheses.resize(1);
  description.hypotheses[0].id = "h6";
  description.hypotheses[0].events = EventScale::ranks;
  StoredCohort cohort;
  cohort.axis_values = {"100"};
  cohort.name = "c.csv";
  cohort.participants = {"1", "2"};
  cohort.diseased = {0, 1};
  cohort.biomarkers = {"a", "b"};
  cohort.not_separating = {"b"};
  made.put_into(store, description, {cohort});
  const json data = report_data(store, "");
  REQUIRE(data["analysis"]["cohorts"].size() == 1);
  const auto& said = data["analysis"]["cohorts"][0];
  REQUIRE(said["cohort"] == "c.csv");
  REQUIRE(said["sweep"]["cohorts.participants"] == "100");
  REQUIRE(said["doubts"] == json::parse(R"~([{"method": "orders only", "trained_on": "",
                                              "why": ["its chains have not settled on the order (R-hat 1.30)"]}])~"));
  REQUIRE(said["not_separating"] == json{"b"});
  REQUIRE(said["why_not_separating"] == kNotSeparating);
  REQUIRE(said["groups_ordered"] == true);
  REQUIRE(said["left_out"].empty());
  REQUIRE(said["over_fits"].empty());
  REQUIRE(data["analysis"]["consensus"]["kind"][0] == "borda");
  REQUIRE(data["analysis"]["distributions"].empty());  // this run kept no values
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
  model.history = {{"epoch", "loss"}, {{1, 0.5}, {2, std::nan("")}}};
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

TEST_CASE("the page has names where there are some, the ids by them, and marks scores from outside",
          "[report]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  RunDescription about;
  about.limit = "limit";
  for (const auto& [id, name] : {std::pair("limit", "Hypothesis 1"), {"net", "The network"}})
    about.methods.push_back(
        {.id = id, .plugin = "p", .settings = "{}", .distributions = {}, .name = name});
  about.hypotheses.emplace_back().id = "h1";
  about.hypotheses.back().name = "Hypothesis 1";
  some_fits().put_into(store, about);
  auto results = store.results();
  auto mine = results.rows.front();
  mine.id.method = "mine";
  results.rows.push_back(mine);
  results.outside = {"mine"};
  const auto data = report_data(store, "", results);
  // A method and a hypothesis may share a name.
  REQUIRE(data["names"]["methods"] == json{{"Hypothesis 1", "limit"}, {"The network", "net"}});
  REQUIRE(data["names"]["hypotheses"] == json{{"Hypothesis 1", "h1"}});
  REQUIRE(data["hypotheses"] == json{"Hypothesis 1", "h2"});
  REQUIRE(data["trained_on"] == json{"Hypothesis 1"});
  std::vector<std::string> methods;
  for (const auto& method : data["methods"]) {
    methods.push_back(method["id"]);
    REQUIRE(method.contains("outside") == (method["id"] == "mine"));
  }
  REQUIRE(methods == std::vector<std::string>{"Hypothesis 1", kAwkward, "The network", "mine"});
  REQUIRE(data["rank_posteriors"].back()["method"] == "Hypothesis 1");
}

TEST_CASE("a page grows with the number of distinct warnings, and not with its square",
          "[report][report_data]") {
  const auto size_with = [](std::size_t warnings) {
    const TemporaryFolder folder;
    Store store(folder.path() / "results.sqlite", Database::Mode::create);
    Made made;
    for (std::size_t cohort = 0; cohort < 4; ++cohort) {
      FitRecord record;
      record.result.status = FitStatus::ok;
      for (std::size_t i = 0; i < warnings; ++i)
        record.result.warnings.push_back(
            {Warning::Kind::method, fmt::format("odd value {} of cohort {}", 100'000 + i, cohort)});
      made.add("h3", cohort, "debm", "", record);
    }
    made.put_into(store, {});
    return static_cast<double>(report_data(store, "").dump().size());
  };
  const auto once = size_with(2'000);
  REQUIRE(once > 4 * 2'000 * 20.0);
  REQUIRE(size_with(4'000) / once == Approx(2.0).epsilon(0.05));
}

}  // namespace tempo::test
