#include "analysis/fitted_cohorts.hpp"

#include <cmath>
#include <tuple>

#include "stored_run.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

/// A run of one real cohort of three participants and two biomarkers.
class RealRun : public StoredRun {
 public:
  void add(const std::string& method, const std::string& trained_on, std::size_t cohort,
           FitDetails details) {
    PlannedFit fit;
    fit.id.origin = CohortOrigin::real;
    fit.id.cohort = cohort;
    fit.id.method = method;
    fit.id.trained_on = trained_on;
    add(std::move(fit), std::move(details));
  }
  void add(PlannedFit fit, FitDetails details) {
    FitRecord record;
    record.result.status = FitStatus::ok;
    record.result.warnings = {{Warning::Kind::method, "something odd"},
                              {Warning::Kind::missing_values, "some are missing"}};
    record.details = std::move(details);
    StoredRun::add(std::move(fit), std::move(record));
  }
  std::vector<FittedCohort> read(const WantedOfFits& wanted) {
    StoredCohort cohort;
    cohort.name = "c.csv";
    cohort.participants = {"1", "2", "3"};
    cohort.diseased = {0, 1, 1};
    cohort.biomarkers = {"a", "b"};
    cohort.not_separating = {"b"};
    finish({cohort});
    return fitted_cohorts(store, wanted);
  }
};

FitDetails found() {
  FitDetails out;
  out.event_scores = {1.0, 2.0};
  out.event_times = {0.25, 0.75};
  out.stages = {0, 1, 2};
  out.rank_posterior = matrix({{1, 0}, {0, 1}});
  out.stage_posterior = matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  return out;
}

FitDetails with_r_hat(double r_hat) {
  auto out = found();
  out.chains.emplace().r_hat = r_hat;
  return out;
}

}  // namespace

TEST_CASE("fits whose chains disagree are in doubt", "[analysis][fitted_cohorts]") {
  RealRun run;
  run.add("agrees", "", 0, with_r_hat(1.05));
  run.add("disagrees", "", 0, with_r_hat(1.3));
  run.add("stuck", "", 0, with_r_hat(std::nan("")));
  run.add("no chains", "", 0, found());
  const auto cohort = run.read({}).at(0);
  REQUIRE(cohort.fits[0].doubts.empty());
  REQUIRE(cohort.fits[1].doubts ==
          std::vector<std::string>{"its chains have not settled on the order (R-hat 1.30)"});
  REQUIRE(cohort.fits[2].doubts == std::vector<std::string>{"its chains end in different orders"});
  REQUIRE(cohort.fits[3].doubts.empty());
  REQUIRE(*cohort.not_separating == std::vector<std::string>{"b"});
}

TEST_CASE("fits of models are in doubt for what training and model warn of, but for gaps",
          "[analysis][fitted_cohorts]") {
  RealRun run;
  ModelRecord model;
  model.key = "the model";
  model.name = "net.h1";
  model.warnings = {"no better than chance"};
  run.store.add(model);
  PlannedFit trained;
  trained.id.origin = CohortOrigin::real;
  trained.id.method = "net";
  trained.id.trained_on = "h1";
  trained.model = "the model";
  run.add(trained, found());
  run.add("untrained", "", 0, found());
  const auto cohort = run.read({}).at(0);
  REQUIRE(cohort.fits[0].doubts ==
          std::vector<std::string>{"no better than chance", "something odd"});
  REQUIRE(cohort.fits[0].model == "the model");
  REQUIRE(cohort.fits[0].training_warned);
  REQUIRE_FALSE(cohort.fits[1].training_warned);
  REQUIRE(cohort.fits[1].doubts.empty());
  REQUIRE(cohort.fits[1].model.empty());
}

TEST_CASE("the evidence of fits refutes hypotheses of their cohort", "[analysis][fitted_cohorts]") {
  RealRun run;
  const auto add = [&](const std::string& method, const std::string& assumed,
                       std::vector<double> log_scores) {
    PlannedFit fit;
    fit.id.origin = CohortOrigin::real;
    fit.id.method = method;
    fit.id.assumed = assumed;
    auto details = found();
    details.evidence.emplace().log_scores = std::move(log_scores);
    run.add(fit, details);
  };
  add("exact", "h1", {-1.0, -1.0, -1.0});
  add("exact", "h2", {-11.0, -12.0, -13.0});  // -33, standard error 3^(1/2)
  add("exact", "h3", {-1.5, -1.5, -1.5});
  add("without hypothesis", "", {-100.0, -100.0, -100.0});
  const auto cohort = run.read({}).at(0);
  REQUIRE(cohort.refuted.size() == 1);
  REQUIRE(cohort.refuted[0].hypothesis == "h2");
  REQUIRE(cohort.refuted[0].best == "h1");
  REQUIRE(cohort.refuted[0].method == "exact");
  REQUIRE(cohort.refuted[0].difference == Approx(-33.0));
  REQUIRE(cohort.refuted[0].difference_se == Approx(std::sqrt(3.0)));
  REQUIRE(cohort.not_judging.empty());
}

TEST_CASE("evidence with distributions that were not sampled refutes nothing",
          "[analysis][fitted_cohorts]") {
  RealRun run;
  for (const auto& [method, assumed, score] :
       {std::tuple("exact", "h1", -1.0), {"exact", "h2", -11.0}, {"single", "h1", -1.0}}) {
    PlannedFit fit;
    fit.id.origin = CohortOrigin::real;
    fit.id.method = method;
    fit.id.assumed = assumed;
    auto details = found();
    details.evidence.emplace().log_scores = {score, score, score};
    run.add(fit, details);
  }
  RunDescription description;
  for (const auto* id : {"exact", "single"}) {
    auto& method = description.methods.emplace_back();
    method.id = method.plugin = id;
    method.settings = "{}";
    method.distributions = Distributions::known;
  }
  run.store.set_description(description);
  const auto cohort = run.read({}).at(0);
  REQUIRE(cohort.refuted.empty());
  REQUIRE(cohort.not_judging == std::vector<std::string>{"exact"});  // one alone has nothing to say
}

TEST_CASE("methods of one plugin that disagree by more than 0.3 are told",
          "[analysis][fitted_cohorts]") {
  RealRun run;
  const auto add = [&](const std::string& method, const std::string& assumed,
                       std::vector<double> scores) {
    PlannedFit fit;
    fit.id.origin = CohortOrigin::real;
    fit.id.method = method;
    fit.id.assumed = assumed;
    auto details = found();
    details.event_scores = std::move(scores);
    details.event_times.reset();
    run.add(fit, details);
  };
  add("plain", "", {1.0, 2.0});
  add("published", "", {2.0, 1.0});
  add("other", "", {2.0, 1.0});
  add("tied", "", {1.0, 1.0});  // half a pair: 0.5
  add("published", "h1", {2.0, 1.0});
  RunDescription description;
  for (const auto& [id, plugin, settings] :
       {std::tuple("plain", "debm", R"({"chains": 4, "fidelity": "repaired"})"),
        {"published", "debm", R"({"chains": 4, "fidelity": "paper"})"},
        {"other", "kde", "{}"},
        {"tied", "debm", R"({"chains": 2, "fidelity": "repaired", "x": 1})"}}) {
    auto& method = description.methods.emplace_back();
    method.id = id;
    method.plugin = plugin;
    method.settings = settings;
  }
  run.store.set_description(description);
  const auto found = run.read({}).at(0).disagreements;
  REQUIRE(found.size() == 3);
  REQUIRE(found[0].first == "plain");
  REQUIRE(found[0].second == "published");
  REQUIRE(found[0].distance == 1.0);
  REQUIRE(found[0].settings == std::vector<std::string>{"fidelity"});
  REQUIRE(found[1].second == "tied");
  REQUIRE(found[1].distance == 0.5);
  REQUIRE(found[1].settings == std::vector<std::string>{"chains", "x"});
  REQUIRE(found[2].first == "published");
}

TEST_CASE("fits tell what they learned from and what they assumed apart",
          "[analysis][fitted_cohorts]") {
  RealRun run;
  run.add("net", "h1", 0, found());
  PlannedFit assuming;
  assuming.id.origin = CohortOrigin::real;
  assuming.id.method = "exact";
  assuming.id.assumed = "h2";
  run.add(assuming, found());
  run.add("plain", "", 0, found());
  auto cohorts = run.read({});
  const auto& fits = cohorts.at(0).fits;
  REQUIRE(fits[0].trained_on == "h1");
  REQUIRE(fits[0].name() == "net on h1");
  REQUIRE(fits[1].trained_on.empty());
  REQUIRE(fits[1].assumed == "h2");
  REQUIRE(fits[1].name() == "exact on h2");
  REQUIRE(fits[2].name() == "plain");
  REQUIRE(keep_fits({"exact on h2", "plain", "exact on h1"}, cohorts) ==
          std::vector<std::string>{"exact on h1"});
  REQUIRE(cohorts[0].fits.size() == 2);
  REQUIRE(cohorts[0].planned == 3);
}

TEST_CASE("of fits what is wanted is read, and no more", "[analysis][fitted_cohorts]") {
  RealRun run;
  auto details = found();
  details.event_time_spreads = {{0.125, 0.0, 0.5}, {0.25, 0.5, 1.0}};
  run.add("one", "", 0, details);
  FitDetails replicate;
  replicate.event_scores = {2.0, 1.0};
  run.add("one", "", 1, replicate);
  const auto fit = [&](const WantedOfFits& wanted) { return run.read(wanted).at(0).fits.at(0); };
  const auto orders = fit({});
  REQUIRE(orders.event_scores == std::vector{1.0, 2.0});
  REQUIRE(orders.stages.empty());
  REQUIRE_FALSE(orders.rank_posterior);
  REQUIRE_FALSE(orders.time_posterior);
  REQUIRE(orders.replicate_scores.empty());
  REQUIRE(orders.replicates_planned == 1);
  const auto timeline = fit({{DetailPart::time_spreads}, WantedOfFits::Replicates::read});
  REQUIRE(timeline.time_posterior->at(1).mean == 0.75);
  REQUIRE(timeline.time_posterior->at(1).sd == 0.25);
  REQUIRE(timeline.time_posterior->at(0).high == 0.5);
  REQUIRE(timeline.replicate_scores.size() == 1);
  REQUIRE(fit({.parts = {DetailPart::rank_posterior}}).rank_posterior);
  const auto groups = fit({.parts = {DetailPart::stages}});
  REQUIRE(groups.stages.size() == 3);
  REQUIRE_FALSE(groups.stage_posterior);
  REQUIRE(
      fit({.parts = {DetailPart::stages, DetailPart::stage_posterior}}).stage_posterior->rows() ==
      3);
}

TEST_CASE("times are ranks where the hypothesis has no other", "[analysis][fitted_cohorts]") {
  RealRun run;
  for (const std::string hypothesis : {"h6", "h9", "all", ""})
    run.add("one", hypothesis, 0, found());
  RunDescription description;
  description.hypotheses.resize(3);
  description.hypotheses[0].id = "h6";
  description.hypotheses[0].events = EventScale::ranks;
  description.hypotheses[1].id = "h9";
  description.hypotheses[1].events = EventScale::times;
  description.hypotheses[2].id = "silent";
  run.store.set_description(description);
  const auto cohort = run.read({}).at(0);
  REQUIRE(cohort.fits[0].times_are_ranks);
  REQUIRE_FALSE(cohort.fits[1].times_are_ranks);
  REQUIRE(cohort.fits[2].times_are_ranks);  // learned from both
  REQUIRE_FALSE(cohort.fits[3].times_are_ranks);
}

}  // namespace tempo::test
