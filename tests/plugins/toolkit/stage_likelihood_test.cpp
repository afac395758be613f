#include "tempo/toolkit/stage_likelihood.hpp"

#include <cmath>
#include <limits>

#include "support.hpp"
#include "tempo/error.hpp"
#include "tempo/toolkit/mcmc_diagnostics.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/two_means.hpp"

namespace tempo::test {
using namespace tempo::toolkit;

namespace {

/// J participants (more than a block, no whole number of them), B biomarkers, some cells missing.
struct Example {
  static constexpr std::size_t J = 37, B = 5;
  ParticipantColumns values{B, J}, ratios{B, J};
  std::vector<std::size_t> order = {3, 0, 4, 1, 2};
  std::vector<double> log_pi, u;

  Example() {
    auto draw = stream(1);
    const double shares[] = {0.1, 0.3, 0.2, 0.15, 0.25};
    for (const double share : shares) log_pi.push_back(std::log(share));
    u.assign(values.padded(), 0.5);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = 0; j < J; ++j) {
        const bool missing = draw.uniform() < 0.1;
        values[b][j] = missing ? kMissing : draw.normal();
        ratios[b][j] = missing ? 0.0 : 3.0 * draw.normal();
      }
    for (std::size_t j = 0; j < J; ++j) u[j] = draw.uniform();
  }

  /// pi_k exp(S_j(k)), k = 1..B.
  std::vector<double> joint(std::size_t j, const std::vector<std::size_t>& sequence) const {
    std::vector<double> out;
    double ratio = 0.0;
    for (std::size_t i = 0; i < B; ++i) {
      ratio += ratios[sequence[i]][j];
      out.push_back(std::exp(log_pi[i] + ratio));
    }
    return out;
  }
  static double sum(const std::vector<double>& values) {
    double total = 0.0;
    for (const double value : values) total += value;
    return total;
  }
  double log_likelihood(const std::vector<std::size_t>& sequence) const {
    double total = 0.0;
    for (std::size_t j = 0; j < J; ++j) total += std::log(sum(joint(j, sequence)));
    return total;
  }
};

/// Each chain an autoregression of order one around its own mean.
Matrix autoregression(std::size_t chains, std::size_t draws, double coefficient,
                      double between = 0.0) {
  Matrix out(chains, draws);
  auto draw = stream(8);
  for (std::size_t c = 0; c < chains; ++c) {
    double value = draw.normal() / std::sqrt(1.0 - coefficient * coefficient);
    for (std::size_t i = 0; i < draws; ++i) {
      value = coefficient * value + draw.normal();
      out(c, i) = value + between * static_cast<double>(c);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("stage likelihood", "[toolkit][stage_likelihood]") {
  const Example example;
  StageLikelihood likelihood(example.values);
  StageSums sums;

  SECTION("expected weights are the definition's") {
    likelihood.expect(example.ratios, example.order, example.log_pi, Sums::moments, sums);
    REQUIRE(sums.log_likelihood == Approx(example.log_likelihood(example.order)).epsilon(1e-13));
    for (std::size_t i = 0; i < Example::B; ++i) {
      const std::size_t b = example.order[i];
      double happened = 0.0, weight = 0.0, x = 0.0, xx = 0.0;
      for (std::size_t j = 0; j < Example::J; ++j) {
        const auto joint = example.joint(j, example.order);
        double w = 0.0;
        for (std::size_t k = i; k < Example::B; ++k) w += joint[k] / Example::sum(joint);
        happened += w;
        const double value = example.values[b][j];
        if (std::isnan(value)) continue;
        weight += w;
        x += w * value;
        xx += w * value * value;
      }
      REQUIRE(sums.happened[i] == Approx(happened).margin(1e-12));
      REQUIRE(sums.weight[b] == Approx(weight).margin(1e-12));
      REQUIRE(sums.x[b] == Approx(x).margin(1e-12));
      REQUIRE(sums.xx[b] == Approx(xx).margin(1e-12));
    }
  }
  SECTION("assigned stages invert the distribution function") {
    likelihood.assign(example.ratios, example.order, example.log_pi, example.u, sums);
    for (std::size_t i = 0; i < Example::B; ++i) {
      double happened = 0.0;
      for (std::size_t j = 0; j < Example::J; ++j) {
        const auto joint = example.joint(j, example.order);
        double below = 0.0;  // P(k <= i): event i has not happened
        for (std::size_t k = 0; k < i; ++k) below += joint[k] / Example::sum(joint);
        happened += below < example.u[j];
      }
      REQUIRE(sums.happened[i] == happened);
    }
  }
  SECTION("ratios beyond what a double can hold are no exception") {
    ParticipantColumns extreme(2, 3);
    const double cells[2][3] = {{2000.0, -2000.0, 0.0}, {-2000.0, -2000.0, 2000.0}};
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t j = 0; j < 3; ++j) extreme[b][j] = cells[b][j];
    StageLikelihood small(ParticipantColumns(2, 3));
    const std::vector<double> log_pi(2, std::log(0.5));
    small.expect(extreme, std::vector<std::size_t>{0, 1}, log_pi, Sums::counts, sums);
    REQUIRE(sums.log_likelihood == Approx(2000.0 - 2000.0 + 2000.0 + 3.0 * std::log(0.5)));
  }
  SECTION("normal log ratios, 0 where missing or without a distribution") {
    ParticipantColumns out(Example::B, Example::J);
    likelihood.normal_log_ratios(2, {0.5, 2.0}, {1.5, 0.7}, out);
    for (std::size_t j = 0; j < Example::J; ++j) {
      const double x = example.values[2][j], z = (x - 0.5) / 2.0, y = (x - 1.5) / 0.7;
      const double expected = std::isnan(x) ? 0.0 : 0.5 * (z * z - y * y) + std::log(2.0 / 0.7);
      REQUIRE(out[2][j] == Approx(expected).margin(1e-12));
    }
  }
}

TEST_CASE("portable exp and log", "[toolkit][portable_math]") {
  for (double x = -690.0; x < 690.0; x += 0.37) {
    REQUIRE(portable_exp(x) == Approx(std::exp(x)).epsilon(1e-14));
    REQUIRE(portable_log(std::exp(x)) == Approx(x).epsilon(1e-14).margin(1e-15));
    Lanes four = Lanes{} + x, out;
    exp_lanes(four, out);
    REQUIRE(out[2] == portable_exp(x));
  }
  REQUIRE(portable_exp(0.0) == 1.0);
  REQUIRE(portable_log(1.0) == 0.0);
  REQUIRE(portable_exp(-1e9) == portable_exp(-700.0));
}

TEST_CASE("diagnostics of Markov chains", "[toolkit][mcmc_diagnostics]") {
  SECTION("independent draws count fully, and chains agree") {
    const auto draws = autoregression(4, 2000, 0.0);
    REQUIRE(split_r_hat(draws) == Approx(1.0).margin(0.005));
    REQUIRE(effective_sample_size(draws) == Approx(8000.0).epsilon(0.1));
  }
  SECTION("an autoregression of coefficient a counts (1 - a)/(1 + a) of its draws") {
    const auto draws = autoregression(4, 5000, 0.8);
    REQUIRE(effective_sample_size(draws) == Approx(20000.0 * 0.2 / 1.8).epsilon(0.15));
  }
  SECTION("chains around means that differ disagree") {
    // Means 0, 2, 4, 6 (each twice, as halves): variance 40/7 on top of 1.
    REQUIRE(split_r_hat(autoregression(4, 2000, 0.0, 2.0)) ==
            Approx(std::sqrt(1.0 + 40.0 / 7.0)).epsilon(0.05));
    REQUIRE(effective_sample_size(autoregression(4, 2000, 0.0, 2.0)) < 20.0);
  }
  SECTION("a chain that drifts disagrees with itself") {
    Matrix draws(1, 100);
    for (std::size_t i = 0; i < 100; ++i) draws(0, i) = static_cast<double>(i);
    REQUIRE(split_r_hat(draws) > 2.0);
  }
  SECTION("what does not vary agrees; constants that differ do not") {
    Matrix draws(2, 10, 3.0);
    REQUIRE(split_r_hat(draws) == 1.0);
    REQUIRE(effective_sample_size(draws) == 20.0);
    for (double& value : draws.row(1)) value = 4.0;
    REQUIRE(std::isinf(split_r_hat(draws)));
  }
  SECTION("fewer than four draws are refused") {
    REQUIRE_THROWS_AS(split_r_hat(Matrix(4, 3)), ShapeError);
    REQUIRE_THROWS_AS(effective_sample_size(Matrix(0, 10)), ShapeError);
  }
}

TEST_CASE("two means", "[toolkit][two_means]") {
  auto draw = stream(1);
  SECTION("clusters are by value, not by diagnosis, and phi is where most controls are") {
    const std::vector<double> values = {0, 1, 2, 11, 9, 10, 1};
    const std::vector<bool> diseased = {false, false, false, false, true, true, true};
    const auto found = two_means(values, diseased, 0.0, draw);
    REQUIRE_FALSE(found.by_diagnosis);
    // {0, 1, 2, 1}: mean 1, ddof 1 variance 2/3, times 4/5. {11, 9, 10}: mean 10, variance 1, times
    // 3/4.
    REQUIRE(found.phi.mean == Approx(1.0));
    REQUIRE(found.phi.sd == Approx(std::sqrt(2.0 / 3.0 * 4.0 / 5.0)));
    REQUIRE(found.theta.mean == Approx(10.0));
    REQUIRE(found.theta.sd == Approx(std::sqrt(3.0 / 4.0)));
  }
  SECTION("a cluster of one falls back to the diagnosis") {
    const std::vector<double> values = {0, 1, 2, 3, 2, 1e6};
    const std::vector<bool> diseased = {false, false, false, true, true, true};
    const auto found = two_means(values, diseased, 0.5, draw);
    REQUIRE(found.by_diagnosis);
    for (std::size_t i = 0; i < 3; ++i) REQUIRE_FALSE(found.in_theta[i]);
  }
}

}  // namespace tempo::test
