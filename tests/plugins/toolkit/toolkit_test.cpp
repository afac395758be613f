#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support.hpp"
#include "tempo/toolkit/bias_corrected_mixtures.hpp"
#include "tempo/toolkit/central_order.hpp"
#include "tempo/toolkit/most_likely_stage.hpp"
#include "tempo/toolkit/normal_mixture.hpp"

namespace tempo::test {
using namespace tempo::toolkit;

namespace {

Matrix random_probabilities(std::size_t J, std::size_t B, RandomStream& draw) {
  Matrix p(J, B);
  for (double& value : p.values()) value = draw.uniform();
  return p;
}

/// The procedure that the closed form replaces. A participant's own order is by descending p;
/// walking `order`, an event that is still behind others in it is moved forward and pays the
/// difference of p to each event it overtakes.
double cost_by_insertion(const Matrix& p, const std::vector<std::size_t>& order) {
  double sum = 0.0;
  for (std::size_t j = 0; j < p.rows(); ++j) {
    std::vector<std::size_t> own = order;
    std::sort(own.begin(), own.end(),
              [&](std::size_t a, std::size_t b) { return p(j, a) > p(j, b); });
    for (std::size_t place = 0; place < order.size(); ++place) {
      const auto from = std::find(own.begin(), own.end(), order[place]);
      for (auto overtaken = own.begin() + static_cast<std::ptrdiff_t>(place); overtaken != from;
           ++overtaken)
        sum += p(j, *overtaken) - p(j, *from);
      std::rotate(own.begin() + static_cast<std::ptrdiff_t>(place), from, from + 1);
    }
  }
  return sum / static_cast<double>(p.rows());
}

Cohort two_groups(const std::vector<double>& controls, const std::vector<double>& diseased) {
  Cohort cohort;
  cohort.biomarkers = {"x"};
  cohort.measurements = Matrix(controls.size() + diseased.size(), 1);
  for (std::size_t j = 0; j < cohort.measurements.rows(); ++j) {
    const bool ill = j >= controls.size();
    cohort.participants.push_back(std::to_string(j));
    cohort.diseased.push_back(ill);
    cohort.measurements(j, 0) = ill ? diseased[j - controls.size()] : controls[j];
  }
  return cohort;
}

}  // namespace

TEST_CASE("weighted Mallows cost", "[toolkit][central_order]") {
  auto draw = stream(11);
  const std::size_t J = 40, B = 7;
  const auto p = random_probabilities(J, B, draw);

  SECTION("the closed form is what literal insertion pays") {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto order = draw.permutation(B);
      REQUIRE(mallows_cost(p, order) == Approx(cost_by_insertion(p, order)).margin(1e-12));
    }
  }
  SECTION("exchanging neighbours changes the cost by the difference of their means") {
    const auto order = draw.permutation(B);
    const auto means = column_means(p);
    for (std::size_t i = 0; i + 1 < B; ++i) {
      auto exchanged = order;
      std::swap(exchanged[i], exchanged[i + 1]);
      const double gain = cost_by_insertion(p, order) - cost_by_insertion(p, exchanged);
      REQUIRE(adjacent_gain(p, order, i) == Approx(gain).margin(1e-12));
      REQUIRE(means[order[i + 1]] - means[order[i]] == Approx(gain).margin(1e-12));
    }
  }
  SECTION("one swap at most, and the best one") {
    std::vector<std::size_t> order(B);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double best = mallows_cost(p, order);
    for (std::size_t i = 0; i + 1 < B; ++i) {
      auto exchanged = order;
      std::swap(exchanged[i], exchanged[i + 1]);
      best = std::min(best, mallows_cost(p, exchanged));
    }
    REQUIRE(apply_best_adjacent_swap(p, order));
    REQUIRE(mallows_cost(p, order) == Approx(best).margin(1e-12));
  }
  SECTION("descending means cost least of all orders") {
    auto negated = column_means(p);
    for (double& mean : negated) mean = -mean;
    const auto best = order_by(negated, {});
    auto kept = best;
    REQUIRE_FALSE(apply_best_adjacent_swap(p, kept));
    for (int repeat = 0; repeat < 200; ++repeat)
      REQUIRE(mallows_cost(p, best) <= mallows_cost(p, draw.permutation(B)) + 1e-12);
  }
  SECTION("a pair with a missing event costs nothing") {
    // Participant 2 has only event 1; participant 1 prefers event 1 by 0.5.
    const auto q = matrix({{0.2, 0.7}, {kMissing, 0.9}});
    REQUIRE(mallows_cost(q, std::vector<std::size_t>{0, 1}) == Approx(0.25));
    REQUIRE(adjacent_gain(q, std::vector<std::size_t>{0, 1}, 0) == Approx(0.25));
  }
}

TEST_CASE("most likely stage", "[toolkit][most_likely_stage]") {
  SECTION("products and log ratios agree with the definition") {
    auto draw = stream(5);
    const std::size_t J = 50, B = 6;
    const auto y = random_probabilities(J, B, draw);
    Matrix n(J, B), ratios(J, B);
    for (std::size_t i = 0; i < J * B; ++i) {
      n.values()[i] = 1.0 - y.values()[i];
      ratios.values()[i] = std::log(y.values()[i] / n.values()[i]);
    }
    const auto order = draw.permutation(B);
    const auto linear = stages_by_products(y, n, order);
    const auto logarithmic = stages_by_log_ratios(ratios, order);
    REQUIRE(linear == logarithmic.stages);
    for (std::size_t j = 0; j < J; ++j) {
      std::vector<double> likelihood(B + 1, 1.0);
      for (std::size_t k = 0; k <= B; ++k)
        for (std::size_t i = 0; i < B; ++i)
          likelihood[k] *= i < k ? y(j, order[i]) : n(j, order[i]);
      const auto best = std::max_element(likelihood.begin(), likelihood.end());
      REQUIRE(linear[j] == static_cast<double>(best - likelihood.begin()));
      const double sum = std::accumulate(likelihood.begin(), likelihood.end(), 0.0);
      for (std::size_t k = 0; k <= B; ++k)
        REQUIRE(logarithmic.posterior(j, k) == Approx(likelihood[k] / sum).margin(1e-12));
    }
  }
  SECTION("products that underflow give stage 0, log ratios the answer") {
    const std::vector<std::size_t> order = {0, 1, 2};
    const auto y = matrix({{1e-200, 1e-200, 1e-210}}), n = matrix({{1e-210, 1e-210, 1e-200}});
    REQUIRE(stages_by_products(y, n, order)[0] == 0.0);
    const double ten = std::log(1e10);
    REQUIRE(stages_by_log_ratios(matrix({{ten, ten, -ten}}), order).stages[0] == 2.0);
  }
  SECTION("a missing value has no say, and equals give the lowest stage") {
    const std::vector<std::size_t> order = {0, 1};
    REQUIRE(stages_by_products(matrix({{kMissing, 0.9}}), matrix({{kMissing, 0.1}}), order)[0] ==
            2.0);
    REQUIRE(stages_by_log_ratios(matrix({{kMissing, kMissing}}), order).stages[0] == 0.0);
  }
}

TEST_CASE("normal mixtures", "[toolkit][normal_mixture]") {
  std::vector<double> values;
  auto draw = stream(3);
  for (int j = 0; j < 60; ++j) values.push_back((j % 3 == 0 ? 4.0 : 0.0) + 1.5 * draw.normal());
  const NormalMixture::Parameters p = {0.3, 1.4, 3.5, 1.1, 0.7};

  SECTION("both objectives are the negative log-likelihood") {
    double expected = 0.0;
    for (const double x : values)
      expected -= std::log(0.7 * density({0.3, 1.4}, x) + 0.3 * density({3.5, 1.1}, x));
    MixtureObjective linear(values, {});
    LogMixtureObjective logarithmic(values);
    REQUIRE(linear.value(p) == Approx(expected).epsilon(1e-13));
    REQUIRE(logarithmic.value(p) == Approx(expected).epsilon(1e-13));
  }
  SECTION("the gradient is that of the value") {
    LogMixtureObjective f(values);
    NormalMixture::Parameters g{};
    f.gradient(p, g);
    for (std::size_t i = 0; i < p.size(); ++i) {
      auto up = p, down = p;
      up[i] += 1e-5;
      down[i] -= 1e-5;
      REQUIRE(g[i] == Approx((f.value(up) - f.value(down)) / 2e-5).epsilon(1e-6));
    }
  }
  SECTION("values known to be pre-event add their own likelihood, and its gradient") {
    const std::vector<double> known = {0.1, -0.4, 2.0};
    LogMixtureObjective with(values, known), without(values);
    double expected = without.value(p);
    for (const double x : known) expected -= log_density({0.3, 1.4}, x);
    REQUIRE(with.value(p) == Approx(expected).epsilon(1e-13));
    NormalMixture::Parameters g{};
    with.gradient(p, g);
    for (std::size_t i = 0; i < p.size(); ++i) {
      auto up = p, down = p;
      up[i] += 1e-5;
      down[i] -= 1e-5;
      REQUIRE(g[i] == Approx((with.value(up) - with.value(down)) / 2e-5).epsilon(1e-6));
    }
  }
  SECTION("moving one parameter gives the same bits as evaluating afresh") {
    for (std::size_t i = 0; i < p.size(); ++i) {
      MixtureObjective f(values, {.added = 1e-100}), fresh(values, {.added = 1e-100});
      f.value(p);
      auto moved = p;
      moved[i] += 1.4901161193847656e-8;
      REQUIRE(f.value_moved(moved, i) == fresh.value(moved));
      REQUIRE(f.value(p) == fresh.value(p));
    }
  }
  SECTION("a value far from both components counts by the floor") {
    MixtureObjective added({1e6}, {.added = 1e-100}), replaced({1e6}, {.instead_of_0 = 1e-16});
    REQUIRE(added.value(p) == Approx(100.0 * std::log(10.0)));
    REQUIRE(replaced.value(p) == Approx(16.0 * std::log(10.0)));
    LogMixtureObjective neither({1e6});
    REQUIRE(std::isfinite(neither.value(p)));
  }
  SECTION("the posterior and the log odds are one number") {
    const auto mixture = NormalMixture::from(p);
    for (const double x : {-2.0, 0.0, 1.9, 6.0})
      REQUIRE(posterior(mixture, x, 0.0) ==
              Approx(1.0 / (1.0 + std::exp(-log_odds_post(mixture, x)))).epsilon(1e-12));
    REQUIRE(std::isnan(posterior(mixture, kMissing, 0.0)));
    REQUIRE(std::isnan(log_odds_post(mixture, kMissing)));
  }
  SECTION("a pairwise sum loses less than one after the other") {
    std::vector<double> tiny(1001, 1e-16);
    tiny[0] = 1.0;
    REQUIRE(std::accumulate(tiny.begin(), tiny.end(), 0.0) == 1.0);
    REQUIRE(pairwise_sum(tiny) == Approx(1.0 + 1e-13).epsilon(1e-15));
    REQUIRE(pairwise_sum(std::vector<double>{1, 2, 4}) == 7.0);
    REQUIRE(pairwise_sum({}) == 0.0);
  }
  SECTION("moments divide by n") {
    const auto moments = population_moments(std::vector<double>{1.0, 3.0});
    REQUIRE(moments.mean == 2.0);
    REQUIRE(moments.sd == 1.0);
  }
}

TEST_CASE("rejection step", "[toolkit][bias_corrected_mixtures]") {
  SECTION("values nearer to the other group are dropped") {
    // x -> 10 - x exchanges the groups, so that the densities cross at 5: control 9 and diseased 1
    // go. The rest are -1, 0, 1 and 9, 10, 11, with variance 2/3.
    const auto values = values_of(two_groups({-1, 0, 1, 9}, {9, 10, 11, 1}), 0);
    const double sd = std::sqrt(2.0 / 3.0);
    const auto paper = reject_mislabelled(values, Fidelity::paper);
    REQUIRE(paper.controls == 3);
    REQUIRE(paper.diseased == 3);
    REQUIRE(paper.mixture.pre.mean == Approx(0.0).margin(1e-12));
    REQUIRE(paper.mixture.pre.sd == Approx(sd + 0.001));
    REQUIRE(paper.mixture.post.mean == Approx(10.0));
    REQUIRE(paper.mixture.post.sd == Approx(sd + 0.001));
    REQUIRE(paper.mixture.mix == 0.5);
    const auto repaired = reject_mislabelled(values, Fidelity::repaired);
    REQUIRE(repaired.controls == 3);
    REQUIRE(repaired.mixture.post.sd == Approx(sd));
  }
  SECTION(
      "a group of which nothing would be left stays whole when repaired, and is NaN in the paper") {
    // Equal groups: every posterior is 0.5, so that no diseased value is kept.
    const auto values = values_of(two_groups({0, 1, 2}, {0, 1, 2}), 0);
    const auto repaired = reject_mislabelled(values, Fidelity::repaired);
    REQUIRE(repaired.controls == 3);
    REQUIRE(repaired.diseased == 3);
    REQUIRE(repaired.mixture.post.mean == Approx(1.0));
    const auto paper = reject_mislabelled(values, Fidelity::paper);
    REQUIRE(paper.diseased == 0);
    REQUIRE(std::isnan(paper.mixture.post.mean));
  }
}

}  // namespace tempo::test
