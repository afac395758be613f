// What core checks of a method's optional parts.

#include <cmath>

#include "support.hpp"
#include "tempo/error.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::test {
namespace {

const Cohort kCohort{{"p", "q"}, {"a", "b", "c"}, Matrix(2, 3), {0, 1}, {}};

Inference plain() {
  Inference out;
  out.event_scores = {1, 2, 3};
  out.stages = {0, 1};
  return out;
}

}  // namespace

TEST_CASE("chains agree if every R-hat says so", "[model][inference]") {
  ChainAgreement chains{.r_hat = 1.04, .effective_samples = 300.0, .r_hat_log_likelihood = 1.05};
  REQUIRE(chains.agreed());
  chains.r_hat_traits = 1.06;
  REQUIRE_FALSE(chains.agreed());
  chains.r_hat_traits = 1.0;
  REQUIRE(chains.agreed());
  chains.r_hat_log_likelihood = std::nan("");
  REQUIRE_FALSE(chains.agreed());
}

TEST_CASE("evidence is checked", "[model][inference]") {
  auto inference = plain();
  auto& evidence = inference.evidence.emplace();
  evidence.log_scores = {-1.0, -2.0};
  evidence.clipped_biomarkers = {2};
  evidence.elpd_mcse = std::nan("");  // not known
  REQUIRE_NOTHROW(check(inference, kCohort));
  SECTION("as many scores as participants") {
    evidence.log_scores = {-1.0};
    REQUIRE_THROWS_WITH(check(inference, kCohort), "log scores: expected [J=2], got [1]");
  }
  SECTION("finite ones") {
    evidence.log_scores[1] = std::nan("");
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "log scores: participant 'q' has no finite score");
  }
  SECTION("columns that there are") {
    evidence.clipped_biomarkers = {3};
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "clipped biomarkers: expected one below B=3, got 3");
  }
}

TEST_CASE("several progressions are checked", "[model][inference]") {
  auto inference = plain();
  auto& found = inference.subtypes.emplace();
  found.event_scores = matrix({{1, 2, 3}, {3, 2, 1}});
  found.shares = {0.25, 0.75};
  found.posterior = matrix({{0.5, 0.5}, {0.1, 0.9}});
  found.log_evidence = {-20.0, -10.0, -12.0};
  REQUIRE_NOTHROW(check(inference, kCohort));
  SECTION("their number") {
    found.shares = {};
    REQUIRE_THROWS_WITH(check(inference, kCohort), "subtypes: expected at least 1 share, got none");
  }
  SECTION("scores of each") {
    found.event_scores = matrix({{1, 2, 3}});
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "event scores of subtypes: expected [2, 3], got [1, 3]");
    found.event_scores = matrix({{1, 2, 3}, {3, std::nan(""), 1}});
    REQUIRE_THROWS_AS(check(inference, kCohort), NumericError);
  }
  SECTION("shares") {
    found.shares = {0.25, 0.5};
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "shares of subtypes: they sum to 0.750000, not to 1");
    found.shares = {-0.25, 1.25};
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "shares of subtypes: expected values in [0, 1], found -0.250000");
  }
  SECTION("everybody's posterior") {
    found.posterior = matrix({{0.5, 0.5}, {0.1, 0.1}});
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "subtype posterior: row 1 sums to 0.200000, not to 1");
    found.posterior = matrix({{1}, {1}});
    REQUIRE_THROWS_AS(check(inference, kCohort), ShapeError);
  }
  SECTION("ranks in each") {
    const auto sure = matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    found.rank_posteriors = {sure, sure};
    REQUIRE_NOTHROW(check(inference, kCohort));
    found.rank_posteriors = {sure};
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "rank posteriors of subtypes: expected [K=2], got [1]");
    found.rank_posteriors = {sure, matrix({{1, 0, 0}, {0, 1, 0}, {0, 1, 1}})};
    REQUIRE_THROWS_WITH(check(inference, kCohort),
                        "rank posterior of a subtype: row 2 sums to 2.000000, not to 1");
    found.rank_posteriors = {sure, matrix({{1}})};
    REQUIRE_THROWS_AS(check(inference, kCohort), ShapeError);
  }
  SECTION("evidence") {
    found.log_evidence[1] = std::nan("");
    REQUIRE_THROWS_AS(check(inference, kCohort), NumericError);
  }
}

}  // namespace tempo::test
