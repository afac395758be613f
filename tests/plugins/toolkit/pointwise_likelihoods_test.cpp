#include "tempo/toolkit/pointwise_likelihoods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "support.hpp"

namespace tempo::toolkit {
namespace {

double log_normal(double x, double mean, double variance) {
  return -0.5 * (x - mean) * (x - mean) / variance -
         0.5 * std::log(2.0 * std::numbers::pi * variance);
}

/// x_j ~ N(mu, 1), flat prior: mu | x ~ N(mean, 1 / n), x_j | others ~ N(their mean, 1 + 1 / (n -
/// 1)).
struct NormalMean {
  std::vector<double> x;

  double mean() const { return std::accumulate(x.begin(), x.end(), 0.0) / n(); }
  double n() const { return static_cast<double>(x.size()); }
  std::vector<double> log_likelihoods(double mu) const {
    std::vector<double> out;
    for (const double value : x) out.push_back(log_normal(value, mu, 1.0));
    return out;
  }
  double exact_score(std::size_t j) const {
    const double others = (n() * mean() - x[j]) / (n() - 1.0);
    return log_normal(x[j], others, 1.0 + 1.0 / (n() - 1.0));
  }
};

TEST_CASE("a Pareto tail is found in draws from one", "[pointwise_likelihoods]") {
  // 20,000 values: k is known to (1 + k) / sqrt(n), about 0.012; five of these.
  const double k = GENERATE(0.1, 0.5, 0.9), sigma = 3.0;
  auto stream = test::stream(31);
  std::vector<double> x;
  for (int i = 0; i < 20'000; ++i)
    x.push_back(sigma * std::expm1(-k * std::log(1.0 - stream.uniform())) / k);
  std::sort(x.begin(), x.end());
  const auto tail = fit_pareto_tail(x);
  REQUIRE(tail.k == Approx(k).margin(0.06));
  REQUIRE(tail.sigma == Approx(sigma).margin(0.2));
}

TEST_CASE("leave-one-out scores are those of the posterior without the participant",
          "[pointwise_likelihoods]") {
  // With 2000 draws the error of a score is below 0.02 for values within 2.5 sd, among 40.
  auto stream = test::stream(32);
  NormalMean model;
  for (int j = 0; j < 40; ++j) model.x.push_back(stream.normal());
  model.x[0] = 2.5;
  PointwiseLikelihoods pointwise(2, 40);
  for (std::size_t chain = 0; chain < 2; ++chain)
    for (std::size_t draw = 1; draw <= 2000; ++draw)
      pointwise.add(chain, draw,
                    draw <= 1000  // a chain that has not arrived: must not count
                        ? model.log_likelihoods(5.0)
                        : model.log_likelihoods(model.mean() + stream.normal() / std::sqrt(40.0)));
  Inference inference;
  pointwise.report(1000, inference);
  const auto& scores = inference.evidence->log_scores;
  double exact = 0.0;
  for (std::size_t j = 0; j < 40; ++j) {
    CAPTURE(j, model.x[j]);
    REQUIRE(scores[j] == Approx(model.exact_score(j)).margin(0.05));
    exact += model.exact_score(j);
  }
  // One parameter: what it costs to be judged by others is about 1 in all, far more than the
  // margin.
  const auto at_mean = model.log_likelihoods(model.mean());
  REQUIRE(std::accumulate(at_mean.begin(), at_mean.end(), 0.0) - exact > 0.5);
  REQUIRE(inference.evidence->elpd_loo == Approx(exact).margin(0.1));
  REQUIRE(inference.evidence->elpd_waic == Approx(exact).margin(0.15));
  REQUIRE(inference.evidence->pareto_k_high == 0);
  REQUIRE(inference.warnings.empty());
}

TEST_CASE("a participant who decides the posterior has a high Pareto k",
          "[pointwise_likelihoods]") {
  auto stream = test::stream(33);
  NormalMean model;
  for (int j = 0; j < 10; ++j) model.x.push_back(stream.normal());
  model.x[3] = 12.0;
  PointwiseLikelihoods pointwise(1, 10);
  for (std::size_t draw = 1; draw <= 2000; ++draw)
    pointwise.add(0, draw, model.log_likelihoods(model.mean() + stream.normal() / std::sqrt(10.0)));
  Inference inference;
  pointwise.report(0, inference);
  REQUIRE(inference.evidence->pareto_k_high == 1);
  REQUIRE(inference.warnings.size() == 1);
}

TEST_CASE("draws that are all alike leave scores as they are", "[pointwise_likelihoods]") {
  const std::vector<double> alike(500, -3.0);
  REQUIRE(leave_out(alike).log_score == Approx(-3.0));
  REQUIRE(leave_out(alike).pareto_k == 0.0);
  REQUIRE(leave_out(std::vector{-2.0, -4.0}).log_score ==
          Approx(-std::log(0.5 * (std::exp(2.0) + std::exp(4.0)))));  // harmonic mean
  Inference inference;
  PointwiseLikelihoods none(2, 3);
  none.report(0, inference);
  REQUIRE_FALSE(inference.evidence.has_value());
}

TEST_CASE("scores are finite where draws are few states, or weights hundreds of nats apart",
          "[pointwise_likelihoods]") {
  // 1000 draws: the 95 heaviest are the tail, and its grid has the point theta = 0 where they are
  // alike: a chain that visits two orders.
  std::vector<double> two(1000, -1.0);
  for (std::size_t i = 0; i < 95; ++i) two[10 * i] = -1.0 - std::log(2.0);
  // 905 draws of weight 1 / 2 and 95 of weight 1, the largest: the average is exact.
  const auto left_out = leave_out(two);
  REQUIRE(
      left_out.log_score ==
      Approx(std::log(1000.0 / (905.0 * std::exp(1.0) + 95.0 * std::exp(1.0) * 2.0))).margin(0.02));
  REQUIRE(std::isfinite(left_out.pareto_k));
  std::vector<double> apart;
  for (int i = 0; i < 1000; ++i) apart.push_back(-740.0 + 0.8 * i);
  REQUIRE(std::isfinite(leave_out(apart).log_score));
  REQUIRE(leave_out(apart).pareto_k > 0.7);
  std::vector<double> jump(1000, 0.0);  // the tail: all but twenty near 1e-320 of the largest
  for (int i = 0; i < 95; ++i) jump[static_cast<std::size_t>(i)] = i < 20 ? -736.0 : -0.5;
  REQUIRE(std::isfinite(leave_out(jump).log_score));
}

/// J participants under 120 orders: log p(x_j | s), and draws from the posterior.
struct Orders {
  explicit Orders(std::uint64_t seed) : stream(test::stream(seed)) {
    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    std::vector<std::array<double, 5>> x(kParticipants);
    for (auto& row : x) {
      const std::size_t stage = stream.index(6);
      for (std::size_t b = 0; b < 5; ++b) row[b] = stream.normal() + (b < stage ? kShift : 0.0);
    }
    do {
      auto& of_state = log_p.emplace_back();
      double total = 0.0;
      for (const auto& row : x) {
        double p = 1.0, log_ratio = 0.0;
        for (const std::size_t b : order)
          p += std::exp(log_ratio += kShift * (row[b] - 0.5 * kShift));
        of_state.push_back(std::log(p / 6.0));
        total += of_state.back();
      }
      totals.push_back(total);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  double exact_score(std::size_t j) const {
    const double top = *std::max_element(totals.begin(), totals.end());
    double with = 0.0, without = 0.0;
    for (std::size_t s = 0; s < totals.size(); ++s) {
      with += std::exp(totals[s] - top);
      without += std::exp(totals[s] - top - log_p[s][j]);
    }
    return std::log(with / without);
  }
  std::size_t draw() {
    const double top = *std::max_element(totals.begin(), totals.end());
    double all = 0.0;
    for (const double total : totals) all += std::exp(total - top);
    double left = stream.uniform() * all;
    std::size_t s = 0;
    while (s + 1 < totals.size() && (left -= std::exp(totals[s] - top)) >= 0.0) ++s;
    return s;
  }

  static constexpr std::size_t kParticipants = 40;
  static constexpr double kShift = 1.5;
  RandomStream stream;
  std::vector<std::vector<double>> log_p;  // [states][J]
  std::vector<double> totals;
};

TEST_CASE("of few orders, the scores that are not trusted are those that are wrong",
          "[pointwise_likelihoods]") {
  // Against all 120 orders, 20 cohorts. Smoothed as a Pareto tail, frequencies have 56 of 800
  // scores not to be trusted, nearly all of them right, and errors are more than three times as
  // large.
  std::size_t wrong = 0, wrong_unsaid = 0, said = 0;
  double error = 0.0, error_of_draws = 0.0;
  std::size_t said_of_draws = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Orders orders(seed + 50);
    constexpr std::size_t J = Orders::kParticipants;
    PointwiseLikelihoods by_state(2, J), by_draw(2, J);
    for (std::size_t i = 1; i <= 400; ++i) {
      const std::size_t s = orders.draw(), chain = i % 2;
      by_state.add(chain, i, orders.log_p[s], s);
      by_draw.add(chain, i, orders.log_p[s]);
    }
    Inference found, of_draws;
    by_state.report(0, found);
    by_draw.report(0, of_draws);
    REQUIRE(found.evidence->states.has_value());
    REQUIRE_FALSE(of_draws.evidence->states.has_value());
    std::size_t wrong_here = 0;
    for (std::size_t j = 0; j < J; ++j) {
      const double off = std::abs(found.evidence->log_scores[j] - orders.exact_score(j));
      error += off;
      error_of_draws += std::abs(of_draws.evidence->log_scores[j] - orders.exact_score(j));
      wrong_here += off > 0.1;
    }
    const auto said_here = found.evidence->pareto_k_high;
    wrong += wrong_here;
    wrong_unsaid += wrong_here - std::min(wrong_here, said_here);
    said += said_here;
    said_of_draws += of_draws.evidence->pareto_k_high;
  }
  CAPTURE(wrong, wrong_unsaid, said, said_of_draws, error, error_of_draws);
  REQUIRE(wrong_unsaid <= 1);
  REQUIRE(said <= wrong + 4);  // of 800
  REQUIRE(said_of_draws > 20);
  REQUIRE(error < 0.5 * error_of_draws);
}

TEST_CASE("what one chain alone found is doubted, however often", "[pointwise_likelihoods]") {
  // Two modes, each of one state, that chains hardly ever leave: nothing was drawn once, and what
  // each chain has missed is the better half.
  const std::vector<double> one{-1.0, -3.0, -2.0}, other{-3.0, -1.0, -2.0};
  const auto found = [&](bool stuck) {
    PointwiseLikelihoods pointwise(2, 3);
    for (std::size_t chain = 0; chain < 2; ++chain)
      for (std::size_t i = 1; i <= 200; ++i) {
        const bool in_one = stuck ? chain == 0 : i <= 100;
        pointwise.add(chain, i, in_one ? one : other, in_one ? 1 : 2);
      }
    Inference inference;
    pointwise.report(0, inference);
    REQUIRE(inference.evidence->states == 2u);
    return inference;
  };
  const auto stuck = found(true);
  REQUIRE(stuck.evidence->pareto_k_high == 3);
  REQUIRE(stuck.warnings.size() == 1);
  REQUIRE(found(false).evidence->pareto_k_high == 0);
  REQUIRE(found(false).warnings.empty());
}

TEST_CASE("how far chains are apart says how far their mean may be off",
          "[pointwise_likelihoods]") {
  // Four chains that do not move, of -1, -2, -3, -4 a participant, two participants: sums -2, -4,
  // -6, -8, sd sqrt(20 / 3). Student's t with 3 degrees of freedom is as seldom beyond 3.3070 as a
  // normal variable beyond 2.
  PointwiseLikelihoods pointwise(4, 2);
  for (std::size_t chain = 0; chain < 4; ++chain)
    for (std::size_t i = 1; i <= 50; ++i)
      pointwise.add(chain, i, std::vector<double>(2, -1.0 - static_cast<double>(chain)));
  Inference inference;
  pointwise.report(0, inference);
  REQUIRE(inference.evidence->elpd_mcse ==
          Approx(std::sqrt(20.0 / 3.0) / 2.0 * 3.3070 / 2.0).epsilon(1e-4));

  // One chain tells nothing of that.
  PointwiseLikelihoods alone(1, 2);
  for (std::size_t i = 1; i <= 50; ++i) alone.add(0, i, std::vector<double>(2, -1.0));
  Inference of_one;
  alone.report(0, of_one);
  REQUIRE(std::isnan(of_one.evidence->elpd_mcse));
}

TEST_CASE("states that draws do not return to are no states", "[pointwise_likelihoods]") {
  // A participant whom only one state suits, drawn once among few others: without it that state is
  // unlikely; without one that it does not suit it would be the likeliest, and its score is said
  // not to be trusted.
  const StateLikelihoods states{{-10.0, -10.5, -11.0}, {60, 39, 1}, {2, 2, 1}};
  REQUIRE(states.drawn_once() == Approx(0.01));
  REQUIRE(leave_out(states, std::vector{-1.0, -1.0, -1.0}).on_rare < 0.2);
  REQUIRE(leave_out(states, std::vector{-1.0, -1.0, -9.0}).on_rare > 0.9);
  REQUIRE(leave_out(states, std::vector{-1.0, -1.0, -1.0}).log_score == Approx(-1.0));
  // All draws of other states: weights by draws.
  PointwiseLikelihoods pointwise(1, 2);
  auto stream = test::stream(34);
  for (std::size_t i = 1; i <= 100; ++i) pointwise.add(0, i, std::vector{stream.normal(), -1.0}, i);
  Inference inference;
  pointwise.report(0, inference);
  REQUIRE_FALSE(inference.evidence->states.has_value());
}

TEST_CASE("long chains are thinned evenly", "[pointwise_likelihoods]") {
  // The log-likelihood grows along the chain: an even thinning keeps its mean.
  PointwiseLikelihoods pointwise(1, 1);
  constexpr std::size_t kDraws = 20'000;
  for (std::size_t draw = 1; draw <= kDraws; ++draw)
    pointwise.add(0, draw, std::vector{1e-6 * static_cast<double>(draw)});
  Inference inference;
  pointwise.report(kDraws / 2, inference);
  REQUIRE(inference.evidence->draws >= 500);
  REQUIRE(inference.evidence->draws <= 1000);
  REQUIRE(inference.evidence->log_scores[0] == Approx(1e-6 * 0.75 * kDraws).epsilon(0.01));
}

}  // namespace
}  // namespace tempo::toolkit
