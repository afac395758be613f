#include "run/inference_details.hpp"

#include "support.hpp"

namespace tempo::test {
namespace {

SimulatedCohort small_cohort() {
  return {{{"p", "q"}, {"a", "b"}, matrix({{1, 2}, {3, 4}}), {0, 1}, {}}, {}};
}

Inference inference() {
  Inference out;
  out.event_scores = {1.0, 2.0};
  out.stages = {0.0, 1.0};
  return out;
}

}  // namespace

TEST_CASE("evidence, chains and free numbers are kept as the method gave them", "[run][details]") {
  auto found = inference();
  found.evidence = Evidence{{-1.0, -2.0}, -3.0, 0.5, -3.5, 0.25, 0.125, 2, 100, 7, {1}};
  found.chains = ChainAgreement{1.01, 50.0, 1.02, 60.0, 1.03};
  found.diagnostics = {{"iterations", 400.0}};
  const auto details = details_of(found, small_cohort(), {});
  REQUIRE(details.diagnostics == found.diagnostics);
  const auto& evidence = details.evidence.value();
  REQUIRE(evidence.log_scores == std::vector{-1.0, -2.0});
  REQUIRE(std::vector{evidence.elpd_loo, evidence.elpd_loo_se, evidence.elpd_waic,
                      evidence.elpd_waic_se,
                      evidence.elpd_mcse} == std::vector{-3.0, 0.5, -3.5, 0.25, 0.125});
  REQUIRE(evidence.pareto_k_high == 2);
  REQUIRE(evidence.states == 7);
  REQUIRE(evidence.clipped_biomarkers == std::vector<std::size_t>{1});
  const auto& chains = details.chains.value();
  REQUIRE(std::vector{chains.r_hat, chains.effective_samples, chains.r_hat_log_likelihood,
                      chains.effective_samples_log_likelihood,
                      chains.r_hat_traits.value()} == std::vector{1.01, 50.0, 1.02, 60.0, 1.03});
}

TEST_CASE("a method without evidence or chains has neither", "[run][details]") {
  auto found = inference();
  found.diagnostics = {{"acceptance", 0.25}};
  const auto details = details_of(found, small_cohort(), {});
  REQUIRE_FALSE(details.evidence);
  REQUIRE_FALSE(details.chains);
  REQUIRE(details.diagnostics == found.diagnostics);
}

TEST_CASE("where the truth lies in posteriors is kept", "[run][details]") {
  auto cohort = small_cohort();
  cohort.truth.event_ranks = Ranks({2, 1});
  cohort.truth.ordinal_stages = {0, 2};
  auto found = inference();
  found.rank_posterior = matrix({{0.0, 1.0}, {0.5, 0.5}});
  found.stage_posterior = matrix({{0.5, 0.5, 0.0}, {0.0, 0.0, 1.0}});
  SECTION("of ranks and stages") {
    const auto details = details_of(found, cohort, {});
    // All of 0 to 1, and 0 to 0.5, of which 0.05 to 0.5 is inside.
    REQUIRE(details.rank_calibration->truths == 2);
    REQUIRE(details.rank_calibration->inside == Approx(0.9 + 0.9));
    REQUIRE(details.rank_calibration->tenths.front() == Approx(0.1 + 0.2));
    REQUIRE(details.rank_calibration->tenths.back() == Approx(0.1));
    REQUIRE(details.stage_calibration->truths == 2);
    REQUIRE(details.stage_calibration->tenths.front() == Approx(0.2 + 0.1));
  }
  SECTION("not of healthy participants whose label says their stage") {
    const auto details = details_of(found, cohort, {.labels = LabelUse::infer});
    REQUIRE(details.stage_calibration->truths == 1);
    REQUIRE(details.stage_calibration->tenths.front() == Approx(0.1));
  }
  SECTION("not where nobody knows the truth") {
    const auto details = details_of(found, cohort, {.names = false});
    REQUIRE_FALSE(details.rank_calibration);
    REQUIRE_FALSE(details.stage_calibration);
  }
}

TEST_CASE("checks name their biomarkers", "[run][details]") {
  auto found = inference();
  found.checks.push_back({1, true, "sd", 1.5, 1.0, 0.25, 0.125});
  const auto check = details_of(found, small_cohort(), {}).checks.front();
  REQUIRE(check.biomarker == "b");
  REQUIRE(check.diseased);
  REQUIRE(check.statistic == "sd");
  REQUIRE(std::vector{check.observed, check.mean, check.sd, check.p} ==
          std::vector{1.5, 1.0, 0.25, 0.125});
}

}  // namespace tempo::test
