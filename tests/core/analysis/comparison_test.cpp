#include "analysis/comparison.hpp"

#include <limits>

#include "support.hpp"

namespace tempo::test {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

Cohort cohort_of(std::size_t participants) {
  Cohort cohort;
  cohort.biomarkers = {"b0"};
  cohort.participants.resize(participants, "p");
  return cohort;
}

/// A fit that scores each of 100 participants the same.
ComparedFit fit(const std::string& assumed, double score) {
  ComparedFit out{assumed, {}, {}, {}};
  out.evidence.log_scores.assign(100, score);
  return out;
}

}  // namespace

TEST_CASE("fits of a cohort are ranked, and what the verdict depends on is kept",
          "[analysis][comparison]") {
  auto best = fit("best", -1.0), near = fit("near", -1.01), far = fit("far", -3.0);
  best.evidence.pareto_k_high = 3;
  far.evidence.pareto_k_high = 5;  // not tied: nobody asks
  near.evidence.clipped_biomarkers = {0};
  near.evidence.elpd_mcse = 0.5;
  best.chains = ChainAgreement{};
  near.chains = ChainAgreement{.r_hat = 1.2, .r_hat_traits = {}};

  const auto [ranking, caveats] =
      compare_fits("c.csv", cohort_of(100), {far, near, best}, {"odd"}, Distributions::estimated);
  REQUIRE(ranking.cohort == "c.csv");
  REQUIRE(ranking.participants == 100);
  REQUIRE(ranking.biomarkers == 1);
  REQUIRE(ranking.hypotheses.size() == 3);
  REQUIRE(ranking.hypotheses[0].assumed == "best");
  REQUIRE(ranking.unsettled == std::vector<std::string>{"near"});
  REQUIRE(caveats.unsettled == ranking.unsettled);
  REQUIRE(caveats.not_ranked == std::vector<std::string>{"odd"});
  REQUIRE(caveats.clipped == std::vector<std::string>{"near"});
  REQUIRE(caveats.untrusted.size() == 1);
  REQUIRE(caveats.untrusted[0].assumed == "best");
  REQUIRE(caveats.untrusted[0].scores == 3);
  REQUIRE(caveats.disagreeing.empty());
  REQUIRE(caveats.unknown.empty());
  REQUIRE(caveats.are_estimated);
  REQUIRE_FALSE(caveats.few_participants);
}

TEST_CASE("Monte Carlo errors that count, or are not known, are caveats",
          "[analysis][comparison]") {
  auto large = fit("large", -1.0), unknown = fit("unknown", -1.0);
  large.evidence.elpd_mcse = kTiedNats + 1.0;
  unknown.evidence.elpd_mcse = kNotKnown;
  for (auto* found : {&large, &unknown}) found->evidence.log_scores.resize(99);
  const auto caveats = compare_fits("c.csv", cohort_of(99), {large, unknown}, {}, {}).caveats;
  REQUIRE(caveats.disagreeing.size() == 1);
  REQUIRE(caveats.disagreeing[0].assumed == "large");
  REQUIRE(caveats.disagreeing[0].mcse == kTiedNats + 1.0);
  REQUIRE(caveats.unknown == std::vector<std::string>{"unknown"});
  REQUIRE(caveats.few_participants);
  REQUIRE_FALSE(caveats.are_estimated);
}

}  // namespace tempo::test
