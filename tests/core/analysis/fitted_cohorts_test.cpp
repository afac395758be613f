#include "analysis/fitted_cohorts.hpp"

#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

using nlohmann::json;

/// A run of one real cohort of three people and two biomarkers, with a replicate.
class Run {
 public:
  Run() : store(folder_.path() / "results.sqlite", Database::Mode::create) {}

  void add(const std::string& method, const std::string& trained_on, std::size_t cohort,
           const json& details) {
    PlannedFit fit;
    fit.row.hypothesis = "real";
    fit.row.cohort = cohort;
    fit.row.method = method;
    fit.row.trained_on = trained_on;
    fit.key = fit.slot = method + trained_on + std::to_string(cohort);
    fit.recipe = "recipe";
    fits_.push_back(fit);
    FitRecord record;
    record.status = ResultRow::Status::ok;
    record.details = details.dump();
    record.warnings = {"nothing that says much"};
    records_.push_back(record);
  }
  std::vector<FittedCohort> read(const WantedOfFits& wanted) {
    StoredCohort cohort{{},        "real",
                        "c.csv",   {"1", "2", "3"},
                        {0, 1, 1}, {},
                        {},        {"a", "b"},
                        "",        std::vector<std::string>{"b"}};
    store.set_plan("run", {}, fits_, {{"recipe", "{}"}}, {cohort});
    std::vector<std::pair<const PlannedFit*, FitRecord>> finished;
    for (std::size_t i = 0; i < fits_.size(); ++i) finished.emplace_back(&fits_[i], records_[i]);
    store.add(finished);
    return fitted_cohorts(store, wanted);
  }

 private:
  TemporaryFolder folder_;
  std::vector<PlannedFit> fits_;
  std::vector<FitRecord> records_;

 public:
  Store store;
};

json found(const json& more) {
  json out{{"event_scores", {1.0, 2.0}},
           {"event_times", {0.25, 0.75}},
           {"stages", {0, 1, 2}},
           {"rank_posterior", {{1, 0}, {0, 1}}},
           {"stage_posterior", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  out.update(more);
  return out;
}

}  // namespace

TEST_CASE("fits whose chains disagree are in doubt", "[report][fitted_cohorts]") {
  Run run;
  run.add("agrees", "", 0, found({{"diagnostics", {{"r_hat", 1.05}}}}));
  run.add("disagrees", "", 0, found({{"diagnostics", {{"r_hat", 1.3}}}}));
  run.add("stuck", "", 0, found({{"diagnostics", {{"r_hat", nullptr}}}}));
  run.add("no chains", "", 0, found(json::object()));
  const auto cohort = run.read({}).at(0);
  REQUIRE(cohort.fits[0].doubts.empty());
  REQUIRE(cohort.fits[1].doubts ==
          std::vector<std::string>{"its chains disagree on the order (R-hat 1.30)"});
  REQUIRE(cohort.fits[2].doubts == std::vector<std::string>{"its chains end in different orders"});
  REQUIRE(cohort.fits[3].doubts.empty());
  REQUIRE(*cohort.not_separating == std::vector<std::string>{"b"});
}

TEST_CASE("of fits what is wanted is read, and no more", "[report][fitted_cohorts]") {
  Run run;
  run.add("one", "", 0, found({{"event_time_spreads", {{0.125, 0.0, 0.5}, {0.25, 0.5, 1.0}}}}));
  run.add("one", "", 1, {{"event_scores", {2.0, 1.0}}});
  const auto fit = [&](const std::string& table) {
    return run.read(wanted_for({table})).at(0).fits.at(0);
  };
  const auto orders = fit("orders");
  REQUIRE(orders.event_scores == std::vector{1.0, 2.0});
  REQUIRE(orders.stages.empty());
  REQUIRE_FALSE(orders.rank_posterior);
  REQUIRE_FALSE(orders.time_posterior);
  REQUIRE(orders.replicate_scores.empty());
  REQUIRE(orders.replicates_planned == 1);
  const auto timeline = fit("timeline");
  REQUIRE(timeline.time_posterior->at(1).mean == 0.75);
  REQUIRE(timeline.time_posterior->at(1).sd == 0.25);
  REQUIRE(timeline.time_posterior->at(0).high == 0.5);
  REQUIRE(timeline.replicate_scores.size() == 1);
  REQUIRE(fit("ranks").rank_posterior);
  REQUIRE(fit("groups").stages.size() == 3);
  REQUIRE_FALSE(fit("groups").stage_posterior);
  REQUIRE(fit("participants").stage_posterior->rows() == 3);
}

TEST_CASE("times are ranks where the hypothesis has no other", "[report][fitted_cohorts]") {
  Run run;
  for (const std::string hypothesis : {"h6", "h9", "all", ""})
    run.add("one", hypothesis, 0, found(json::object()));
  run.store.set_about(json{{"hypotheses",
                            {{{"id", "h6"}, {"events_have_times", false}},
                             {{"id", "h9"}, {"events_have_times", true}},
                             {{"id", "real"}}}}}
                          .dump());
  const auto cohort = run.read({}).at(0);
  REQUIRE(cohort.fits[0].times_are_ranks);
  REQUIRE_FALSE(cohort.fits[1].times_are_ranks);
  REQUIRE(cohort.fits[2].times_are_ranks);  // learned from both
  REQUIRE_FALSE(cohort.fits[3].times_are_ranks);
}

}  // namespace tempo::test
