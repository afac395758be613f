#include "run/inference_details.hpp"

#include "support.hpp"

namespace tempo::test {
namespace {

SimulatedCohort cohort() {
  return {{{"p", "q"}, {"a", "b"}, matrix({{1, 2}, {3, 4}}), {0, 1}, {}}, {}};
}

Inference inference() {
  Inference out;
  out.event_scores = {1.0, 2.0};
  out.stages = {0.0, 1.0};
  return out;
}

}  // namespace

TEST_CASE("numbers of evidence and chains get types, the rest stays free", "[run][details]") {
  auto found = inference();
  found.log_scores = {-1.0, -2.0};
  found.diagnostics = {{"elpd_loo", -3.0},
                       {"elpd_loo_se", 0.5},
                       {"elpd_waic", -3.5},
                       {"elpd_waic_se", 0.25},
                       {"elpd_mcse", 0.125},
                       {"pareto_k_high", 2.0},
                       {"evidence_draws", 100.0},
                       {"evidence_states", 7.0},
                       {"clipped_biomarkers", 1.0},
                       {"r_hat", 1.01},
                       {"effective_samples", 50.0},
                       {"r_hat_log_likelihood", 1.02},
                       {"effective_samples_log_likelihood", 60.0},
                       {"r_hat_traits", 1.03},
                       {"iterations", 400.0}};
  const auto details = details_of(found, cohort(), {});
  REQUIRE(details.diagnostics == std::map<std::string, double>{{"iterations", 400.0}});
  const auto& evidence = details.evidence.value();
  REQUIRE(evidence.log_scores == std::vector{-1.0, -2.0});
  REQUIRE(std::vector{evidence.elpd_loo, evidence.elpd_loo_se, evidence.elpd_waic,
                      evidence.elpd_waic_se,
                      evidence.elpd_mcse} == std::vector{-3.0, 0.5, -3.5, 0.25, 0.125});
  REQUIRE(std::vector{evidence.pareto_k_high, evidence.draws, evidence.states,
                      evidence.clipped_biomarkers} == std::vector<std::size_t>{2, 100, 7, 1});
  const auto& chains = details.chains.value();
  REQUIRE(std::vector{chains.r_hat, chains.effective_samples, chains.r_hat_log_likelihood,
                      chains.effective_samples_log_likelihood,
                      chains.r_hat_traits.value()} == std::vector{1.01, 50.0, 1.02, 60.0, 1.03});
}

TEST_CASE("a method without evidence or chains has neither", "[run][details]") {
  auto found = inference();
  found.diagnostics = {{"acceptance", 0.25}};
  const auto details = details_of(found, cohort(), {});
  REQUIRE_FALSE(details.evidence);
  REQUIRE_FALSE(details.chains);
  REQUIRE(details.diagnostics == found.diagnostics);
}

TEST_CASE("checks name their biomarkers", "[run][details]") {
  auto found = inference();
  found.checks.push_back({1, true, "sd", 1.5, 1.0, 0.25, 0.125});
  const auto check = details_of(found, cohort(), {}).checks.front();
  REQUIRE(check.biomarker == "b");
  REQUIRE(check.diseased);
  REQUIRE(check.statistic == "sd");
  REQUIRE(std::vector{check.observed, check.mean, check.sd, check.p} ==
          std::vector{1.5, 1.0, 0.25, 0.125});
}

}  // namespace tempo::test
