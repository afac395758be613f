// Statistics on the fits of one real cohort.

#include <cmath>

#include "analysis/agreement.hpp"
#include "analysis/counted_fits.hpp"
#include "analysis/group_stages.hpp"
#include "analysis/positional_variance.hpp"
#include "analysis/rank_table.hpp"
#include "analysis/recovery.hpp"
#include "analysis/spread.hpp"
#include "analysis/timeline.hpp"
#include "some_cohort.hpp"

namespace tempo::test {

TEST_CASE("ranks over fits have mean, sd and interval; ties share their places", "[analysis]") {
  const auto found = rank_table(some_cohort());
  REQUIRE(found.ranks[0] == std::vector{2.5, 1.0, 2.5});
  // ABETA 1, 1, 2; MMSE 2.5, 3, 1; TAU 2.5, 2, 3.
  REQUIRE(found.rows == std::vector<std::size_t>{1, 0, 2});
  REQUIRE(found.across[1].mean == Approx(4.0 / 3.0));
  REQUIRE(*found.across[1].sd == Approx(std::sqrt(1.0 / 3.0)));
  REQUIRE(*found.across[1].half_width == Approx(4.302652729911275 / 3.0));  // t with two degrees
  // Within the model: P(rank) of MMSE is 0, 1/4, 3/4.
  REQUIRE(found.posterior[1][0]->mean == Approx(2.75));
  REQUIRE(found.posterior[1][0]->sd == Approx(std::sqrt(3.0) / 4.0));
  REQUIRE(found.posterior[1][0]->low == 2.0);
  REQUIRE(found.posterior[1][0]->high == 3.0);
  REQUIRE(found.posterior[1][1]->sd == 0.0);
  REQUIRE_FALSE(found.posterior[0][0]);
  // MMSE over replicates: 1, 1, 2, 1.
  REQUIRE(found.replicates[2][0]->mean == 1.25);
  REQUIRE(found.replicates[2][0]->sd == 0.5);
  REQUIRE_FALSE(found.replicates[2][0]->has_interval);  // four replicates
}

TEST_CASE("the mean of two values has the interval of Student's t", "[analysis]") {
  REQUIRE(*spread({1.0, 3.0})->half_width == Approx(12.706204736432095));  // sd / sqrt(n) is 1
  REQUIRE_FALSE(spread({1.0})->half_width);
  REQUIRE(*spread({2.0, 2.0})->half_width == 0.0);
}

TEST_CASE("replicates have a 95 % interval from 20 on", "[analysis]") {
  std::vector<double> values;
  for (int i = 19; i > 0; --i) values.push_back(i);
  REQUIRE_FALSE(within(values)->has_interval);
  REQUIRE(within(values)->mean == 10.0);
  values.push_back(0.0);
  const auto found = within(values);
  REQUIRE(found->has_interval);
  REQUIRE(found->low == Approx(0.475));  // 2.5 % of the way from 0 to 19
  REQUIRE(found->high == Approx(18.525));
  REQUIRE_FALSE(within({1.0}));
}

TEST_CASE("a posterior's interval leaves at most 2.5 % on either side", "[analysis]") {
  const std::vector<double> p{0.02, 0.005, 0.95, 0.02, 0.005};
  const auto found = within_posterior(p, 0.0);
  REQUIRE(found.low == 2.0);   // 0.025 below
  REQUIRE(found.high == 2.0);  // 0.025 above
  const auto edge = within_posterior(std::vector{0.03, 0.97}, 1.0);
  REQUIRE(edge.low == 1.0);
  REQUIRE(edge.high == 2.0);
  REQUIRE(within_posterior(std::vector{1.0}, 1.0).high == 1.0);
}

TEST_CASE("positional variance: over fits, by a posterior, over replicates", "[analysis]") {
  const auto found = positional_variance(some_cohort());
  REQUIRE(found.size() == 3);
  REQUIRE(found[0].shares(0, 0) == Approx(1.0 / 3.0));  // MMSE: half of 2 and 3 by one, 3, 1
  REQUIRE(found[0].shares(0, 1) == Approx(0.5 / 3.0));
  REQUIRE(found[0].shares(0, 2) == Approx(1.5 / 3.0));
  REQUIRE(found[1].source == PositionalVariance::Source::posterior);
  REQUIRE(found[1].shares(0, 2) == 0.75);
  REQUIRE(found[2].count == 4);
  REQUIRE(found[2].shares == matrix({{0.75, 0.25, 0}, {0.25, 0.75, 0}, {0, 0, 1}}));
}

TEST_CASE("times are rescaled by each fit's first and last event", "[analysis]") {
  const auto found = timeline(some_cohort());
  REQUIRE(found.fits == std::vector<std::size_t>{1, 2});
  REQUIRE(found.times[0] == std::vector{1.0, 0.0, 0.5});
  REQUIRE(found.across[2].mean == 0.75);
  // ABETA over replicates: 0.5, 0.25, 0 (the first of the third), 0.5.
  REQUIRE(found.replicates[1][1]->mean == 0.3125);
  REQUIRE_FALSE(found.replicates[0][1]);
  REQUIRE(rescaled({2.0, 2.0}) == std::vector{0.5, 0.5});
}

TEST_CASE("fits that know an order only have no times, unless they are asked for", "[analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].times_are_ranks = true;
  auto found = timeline(cohort);
  REQUIRE(found.fits == std::vector<std::size_t>{2});
  REQUIRE(found.left_out.size() == 2);
  REQUIRE(found.left_out[0].fits == std::vector<std::size_t>{1});
  REQUIRE(found.left_out[0].can_be_asked_for());
  REQUIRE(found.left_out[0].why == LeftOut::Why::ranks);
  REQUIRE(found.left_out[1].fits == std::vector<std::size_t>{0});  // it gives no times whatsoever
  REQUIRE_FALSE(found.left_out[1].can_be_asked_for());
  REQUIRE(found.across[2].mean == 1.0);
  cohort.fits[1].is_asked_for = true;
  found = timeline(cohort);
  REQUIRE(found.fits == std::vector<std::size_t>{1, 2});
  REQUIRE(found.left_out.size() == 1);
  REQUIRE(found.across[2].mean == 1.0);  // of times alone
  REQUIRE_FALSE(found.across_ranks);
  cohort.fits[2].times_are_ranks = true;
  REQUIRE(timeline(cohort).fits == std::vector<std::size_t>{1});
  REQUIRE(timeline(cohort).across_ranks);
}

TEST_CASE("a fit that has all events at one time says nothing of when", "[analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].event_times = std::vector{1.0, 1.0, 1.0};
  REQUIRE(timeline(cohort).fits == std::vector<std::size_t>{2});
  REQUIRE(timeline(cohort).left_out[0].why == LeftOut::Why::constant);
  cohort.fits[1].is_asked_for = true;
  REQUIRE(timeline(cohort).times[0] == std::vector{0.5, 0.5, 0.5});
}

TEST_CASE("posteriors of times are on the scale of the fit's times", "[analysis]") {
  auto cohort = some_cohort();  // MMSE 0.75, ABETA 0.25, TAU 0.5: a range of 1/2 from 1/4 on
  cohort.fits[1].time_posterior = {
      {0.75, 0.05, 0.625, 0.875}, {0.25, 0.1, 0.125, 0.5}, {0.5, 0.05, 0.375, 0.75}};
  const auto found = timeline(cohort);
  const auto& abeta = *found.posterior[0][1];
  REQUIRE(abeta.mean == 0.0);
  REQUIRE(abeta.sd == Approx(0.2));
  REQUIRE(abeta.low == Approx(-0.25));
  REQUIRE(abeta.high == Approx(0.5));
  REQUIRE_FALSE(found.posterior[1][1]);
}

TEST_CASE("stages by diagnosis: means, counts, and whether they rise", "[analysis]") {
  const auto found = group_stages(some_cohort());
  REQUIRE(found[0].groups[2]->mean == 2.5);
  REQUIRE(*found[0].groups[2]->sd == Approx(std::sqrt(0.5)));
  REQUIRE_FALSE(found[0].groups[1]->sd);  // one participant
  REQUIRE(found[0].rises == true);
  REQUIRE(found[1].rises == false);                                     // 0.5, 0.5, 2.75
  REQUIRE(found[2].rises == false);                                     // all at 1
  REQUIRE(found[1].counts[1] == std::vector<std::size_t>{1, 0, 0, 0});  // 0.5 to even
  REQUIRE(found[1].counts[2] == std::vector<std::size_t>{0, 0, 1, 1});  // 2.5 to even
}

TEST_CASE("diagnoses whose stage the label tells are not compared: they cannot rise",
          "[analysis]") {
  auto cohort = some_cohort();
  // Two diagnoses of healthy participants, both at 0 by the label, then two of diseased ones.
  cohort.group_names = {"CN", "SMC", "MCI", "AD"};
  cohort.groups = {0, 1, 2, 3, 3};
  REQUIRE(group_stages(cohort)[0].rises == false);  // 0, 0, 1, 2.5
  cohort.fits[0].stages_by_label = true;
  REQUIRE(group_stages(cohort)[0].rises == true);
  cohort.fits[0].stages = {0, 0, 2, 2, 2};
  REQUIRE(group_stages(cohort)[0].rises == false);
  cohort.groups = {0, 1, 2, 2, 2};  // one diagnosis is left to compare
  REQUIRE_FALSE(group_stages(cohort)[0].rises.has_value());
}

TEST_CASE("the mean of each diagnosis over the fits that count", "[analysis]") {
  auto cohort = some_cohort();  // MCI: 1, 0.5, 1; AD: 2.5, 2.75, 1
  auto means = group_means(cohort, group_stages(cohort));
  REQUIRE(means.size() == 3);
  REQUIRE(means[1]->mean == Approx(2.5 / 3.0));
  REQUIRE(means[2]->mean == Approx(6.25 / 3.0));
  REQUIRE(means[2]->count == 3);
  cohort.fits[2].training_warned = true;
  means = group_means(cohort, group_stages(cohort));
  REQUIRE(means[1]->mean == 0.75);
  REQUIRE(means[2]->mean == 2.625);
  REQUIRE(*means[2]->sd == Approx(std::sqrt(0.03125)));
  cohort.groups = {0, 0, 2, 2, 2};
  REQUIRE_FALSE(group_means(cohort, group_stages(cohort))[1]);
}

TEST_CASE("fits of refuted hypotheses and of trainings that warned do not count over fits",
          "[analysis]") {
  auto cohort = some_cohort();
  using Why = UncountedFit::Why;
  REQUIRE(counted_fits(cohort).fits == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(counted_fits(cohort).left_out.empty());
  cohort.refuted = {{"h8", "h1", "bayes", -50.0, 10.0}};
  cohort.fits[2].doubts = {"its chains disagree"};  // in doubt, and counts
  auto found = counted_fits(cohort);
  REQUIRE(found.fits == std::vector<std::size_t>{0, 2});
  REQUIRE(found.left_out.size() == 1);
  REQUIRE(found.left_out[0].fit == 1);
  REQUIRE(found.left_out[0].why == Why::refuted);
  REQUIRE_FALSE(found.none_left);
  // Without the one that has TAU before MMSE: ABETA 1 and 2, MMSE 2.5 and 1, TAU 2.5 and 3.
  const auto table = consensus_table(cohort);
  REQUIRE(table.mean_ranks == std::vector{1.75, 1.5, 2.75});
  REQUIRE(table.borda.order[0] == 1);
  REQUIRE(table.borda_distances.size() == 3);
  REQUIRE(table.borda.distances.size() == 2);
  REQUIRE(table.borda_distances[1] == Approx(1.0 / 3.0));  // one pair, of the fit left out
  REQUIRE(table.borda.mean_distance ==
          Approx((table.borda_distances[0] + table.borda_distances[2]) / 2.0));
  REQUIRE(rank_table(cohort).across[0].count == 2);
  REQUIRE(positional_variance(cohort)[0].count == 2);
  REQUIRE(timeline(cohort).fits == std::vector<std::size_t>{1, 2});  // it is shown,
  REQUIRE(timeline(cohort).across[2].mean == 1.0);                   // and does not count

  cohort.fits[1].is_asked_for = true;
  REQUIRE(counted_fits(cohort).fits.size() == 3);
  cohort.fits[1].is_asked_for = false;
  cohort.fits[2].training_warned = true;
  found = counted_fits(cohort);
  REQUIRE(found.fits == std::vector<std::size_t>{0});
  REQUIRE(found.left_out[1].why == Why::training);
  // Nothing is left: then all count.
  cohort.fits.erase(cohort.fits.begin());
  found = counted_fits(cohort);
  REQUIRE(found.none_left);
  REQUIRE(found.fits == std::vector<std::size_t>{0, 1});
  REQUIRE(found.left_out.empty());
}

TEST_CASE("stages rise only along a known order of two groups or more", "[analysis]") {
  auto cohort = some_cohort();
  cohort.groups_ordered = false;
  for (const auto& of_fit : group_stages(cohort)) REQUIRE_FALSE(of_fit.rises.has_value());
  cohort.groups_ordered = true;
  cohort.groups = {1, 1, 1, 1, 1};
  REQUIRE_FALSE(group_stages(cohort)[0].rises.has_value());
  cohort.groups = {0, 0, 2, 2, 2};  // nobody in the middle
  REQUIRE(group_stages(cohort)[0].rises == true);
}

TEST_CASE("every pair of fits is compared once", "[analysis]") {
  const auto found = agreement(some_cohort());
  REQUIRE(found.size() == 3);
  REQUIRE(*found[1].tau == Approx(0.0).margin(1e-12));  // debm and h9: one pair alike, one not
  REQUIRE(*found[2].tau == Approx(-1.0 / 3.0));
  REQUIRE_FALSE(found[1].spearman);  // h9 has all at one stage
}

TEST_CASE("stages are compared among the diseased: the label puts the healthy at 0", "[analysis]") {
  auto cohort = some_cohort();
  // Opposite among the three diseased; alike only in that both healthy are at 0.
  cohort.fits[0].stages = {0, 0, 1, 2, 3};
  cohort.fits[1].stages = {0, 0, 3, 2, 1};
  REQUIRE(*agreement(cohort)[0].spearman == Approx(-1.0));
  cohort.diseased.clear();  // nobody can say who is
  REQUIRE(*agreement(cohort)[0].spearman > -0.5);
}

TEST_CASE("how near fits come to a truth that knows of more", "[analysis]") {
  auto cohort = some_cohort();  // the true order of its three: ABETA, TAU, MMSE
  const auto found = recovery(cohort);
  using Of = Recovery::Of;
  REQUIRE(found.size() == 5);
  // debm has MMSE and TAU at one time, which is half a pair; h8 is right; h9 has two of three pairs
  // wrong.
  REQUIRE(found[0].all->tau == Approx(0.5 / 3.0));
  REQUIRE(found[0].all->by_chance == Approx(1.0 / 6.0));  // an order of one wrong pair is farther
  REQUIRE(found[1].all->tau == 0.0);
  REQUIRE(found[1].all->by_chance == Approx(1.0 / 6.0));
  REQUIRE(found[2].all->tau == Approx(2.0 / 3.0));
  REQUIRE_FALSE(found[1].separating);
  // Events of these three by then: p3 1 (FDG is none of them), p4 3, p5 1.
  REQUIRE(*found[0].stage_mae ==
          Approx((0.0 + 0.0 + 0.0 + 1.0 + 2.0) / 5.0));  // 0, 0, 1, 2, 3 of 0, 0, 1, 3, 1
  REQUIRE(*found[0].diseased_mae == Approx((0.0 + 1.0 + 2.0) / 3.0));
  REQUIRE(*found[1].stage_mae ==
          Approx((0.0 + 1.0 + 1.0 + 1.0 + 2.0) / 5.0));  // 0, 1, 0 (half to even), 2, 3
  REQUIRE(found[3].of == Of::consensus);
  REQUIRE_FALSE(found[3].stage_mae);
  REQUIRE(found[4].of == Of::median);
  REQUIRE_FALSE(found[4].all);
  REQUIRE(*found[4].diseased_mae == Approx((0.0 + 2.0 + 0.0) / 3.0));  // at 1
  REQUIRE(*found[4].stage_mae == Approx(2.0 / 5.0));
  cohort.not_separating = std::vector<std::string>{"ABETA"};
  REQUIRE(recovery(cohort)[2].separating->tau == 1.0);
  REQUIRE(recovery(cohort)[2].separating->by_chance == 1.0);
  cohort.fits.resize(1);
  REQUIRE(recovery(cohort).size() == 2);  // one fit is its own consensus
}

}  // namespace tempo::test
