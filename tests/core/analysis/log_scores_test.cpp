#include "analysis/log_scores.hpp"

#include <cmath>

#include "support.hpp"

namespace tempo::test {

TEST_CASE("log scores are means of what posteriors say of the truth", "[analysis][log_scores]") {
  SimulatedCohort cohort;
  cohort.cohort.participants = {"0", "1", "2"};
  cohort.cohort.biomarkers = {"a", "b"};
  cohort.cohort.diseased = {0, 1, 1};
  cohort.truth.event_ranks = Ranks({2, 1});
  cohort.truth.ordinal_stages = {0, 1, 2};
  Inference found;
  REQUIRE_FALSE(rank_log_score(found, cohort.truth));
  REQUIRE_FALSE(stage_log_score(found, cohort, LabelUse::none));

  found.rank_posterior = matrix({{0.5, 0.5}, {0.25, 0.75}});
  REQUIRE(rank_log_score(found, cohort.truth)->mean ==
          Approx((std::log(0.5) + std::log(0.25)) / 2.0));
  found.stage_posterior = matrix({{1.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.5, 0.0}});
  const double least = std::log(1e-6);  // stage 2 was held impossible
  const auto all = stage_log_score(found, cohort, LabelUse::none);
  REQUIRE(all->mean == Approx((0.0 + std::log(0.5) + least) / 3.0));
  REQUIRE(all->impossible == 1);
  // Where the label says the stage of the healthy, nothing is to be won by knowing it.
  const auto ill = stage_log_score(found, cohort, LabelUse::infer);
  REQUIRE(ill->mean == Approx((std::log(0.5) + least) / 2.0));
  cohort.cohort.diseased = {0, 0, 0};
  REQUIRE_FALSE(stage_log_score(found, cohort, LabelUse::infer));
}

}  // namespace tempo::test
