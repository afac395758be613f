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
