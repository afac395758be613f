#include "tempo/toolkit/order_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "processor_digest.hpp"
#include "support.hpp"
#include "tempo/toolkit/order_search.hpp"

namespace tempo::test {
using namespace tempo::toolkit;

namespace {

using Order = std::vector<std::size_t>;
constexpr double kNever = -std::numeric_limits<double>::infinity();

Matrix random_ratios(std::size_t J, std::size_t B, double sd, RandomStream& draw) {
  Matrix out(J, B);
  for (double& value : out.values())
    value = draw.uniform() < 0.1 ? std::nan("") : sd * draw.normal();
  return out;
}

/// log of w_k exp(r of the first k events), k = 0..B.
std::vector<double> stage_terms(const Matrix& ratios, std::size_t j, const Order& order,
                                const std::vector<double>& log_weights) {
  std::vector<double> out;
  double sum = 0.0;
  for (std::size_t k = 0; k <= order.size(); ++k) {
    out.push_back(log_weights[k] + sum);
    if (k < order.size() && !std::isnan(ratios(j, order[k]))) sum += ratios(j, order[k]);
  }
  return out;
}

/// As the formula is written.
double directly(const Matrix& ratios, const Order& order, const std::vector<double>& log_weights) {
  double sum = 0.0;
  for (std::size_t j = 0; j < ratios.rows(); ++j) {
    const auto terms = stage_terms(ratios, j, order, log_weights);
    const double top = *std::max_element(terms.begin(), terms.end());
    double stages = 0.0;
    for (const double term : terms) stages += std::exp(term - top);
    sum += top + std::log(stages);
  }
  return sum;
}

std::vector<double> some_weights(std::size_t B, bool stage_0) {
  std::vector<double> out;
  for (std::size_t k = 0; k <= B; ++k) out.push_back(-2.0 + 0.3 * static_cast<double>((7 * k) % 5));
  if (!stage_0) out[0] = kNever;
  return out;
}

/// P(event b has rank r + 1) by enumeration of all orders.
Matrix exact_ranks(const Matrix& ratios, const std::vector<double>& log_weights,
                   double temperature) {
  const std::size_t B = ratios.cols();
  Order order(B);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double reference = directly(ratios, order, log_weights);
  Matrix out(B, B);
  double total = 0.0;
  do {
    const double weight =
        std::exp((directly(ratios, order, log_weights) - reference) / temperature);
    total += weight;
    for (std::size_t i = 0; i < B; ++i) out(order[i], i) += weight;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& share : out.values()) share /= total;
  return out;
}

}  // namespace

TEST_CASE("order sampler", "[toolkit][order_sampler]") {
  auto draw = stream(5);

  SECTION("value and places are the formula's, for any size and any stage weights") {
    for (const std::size_t J : {1u, 15u, 16u, 17u, 100u})
      for (const std::size_t B : {1u, 2u, 7u})
        for (const bool stage_0 : {true, false}) {
          INFO("J " << J << ", B " << B << ", stage 0 " << stage_0);
          const auto ratios = random_ratios(J, B, 3.0, draw);
          const auto weights = some_weights(B, stage_0);
          OrderSampler sampler(J, B);
          sampler.set_evidence(ratios);
          sampler.set_stage_weights(weights);
          const auto order = draw.permutation(B);
          sampler.set_order(order);
          REQUIRE(sampler.value() ==
                  Approx(directly(ratios, order, weights)).epsilon(1e-12).margin(1e-12));
          const std::size_t b = draw.index(B);
          const auto places = sampler.places(b);
          for (std::size_t p = 0; p < B; ++p) {
            Order other = order;
            other.erase(std::find(other.begin(), other.end(), b));
            other.insert(other.begin() + static_cast<std::ptrdiff_t>(p), b);
            REQUIRE(places[p] ==
                    Approx(directly(ratios, other, weights)).epsilon(1e-12).margin(1e-12));
          }
        }
  }
  SECTION("overwhelming evidence neither overflows nor vanishes") {
    // Six events that have happened for certain and six that have not, in the worst order.
    Matrix ratios(20, 12);
    Order order(12);
    for (std::size_t i = 0; i < 12; ++i) {
      order[i] = i;
      for (std::size_t j = 0; j < 20; ++j) ratios(j, i) = i < 6 ? -100.0 : 100.0;
    }
    const auto weights = some_weights(12, true);
    OrderSampler sampler(20, 12);
    sampler.set_evidence(ratios);
    sampler.set_stage_weights(weights);
    sampler.set_order(order);
    REQUIRE(sampler.value() == Approx(directly(ratios, order, weights)).margin(1e-8));
    for (int i = 0; i < 5; ++i) sampler.sweep(draw);
    for (std::size_t i = 0; i < 6; ++i) REQUIRE(sampler.order()[i] >= 6);
    ratios(3, 0) = -1e9;  // bounded
    sampler.set_evidence(ratios);
    REQUIRE(std::isfinite(sampler.value()));
  }
  SECTION("each kind of move keeps the posterior, at any temperature") {
    // Few participants, so that the posterior is spread over the 120 orders.
    const auto ratios = random_ratios(5, 5, 1.5, draw);
    const auto weights = some_weights(5, false);
    OrderSampler sampler(5, 5);
    sampler.set_evidence(ratios);
    sampler.set_stage_weights(weights);
    sampler.refresh();
    for (const double temperature : {1.0, 3.0}) {
      const auto expected = exact_ranks(ratios, weights, temperature);
      for (const std::string kind : {"place", "segment", "sweep"}) {
        INFO(kind << " at temperature " << temperature);
        constexpr int kDraws = 8000;
        Matrix shares(5, 5);
        for (int i = 0; i < kDraws; ++i) {
          if (kind == "sweep")
            sampler.sweep(draw, temperature);
          else
            for (int step = 0; step < 25; ++step)
              kind == "place" ? sampler.place(draw.index(5), draw, temperature)
                              : sampler.move_segment(draw, temperature);
          for (std::size_t r = 0; r < 5; ++r) shares(sampler.order()[r], r) += 1.0 / kDraws;
        }
        // Draws of 25 steps (a sweep: 8) are nearly independent: a share has a standard error of at
        // most 0.5 / sqrt(8000) = 0.0056. Allow five; a wrong share is off by more with certainty.
        for (std::size_t i = 0; i < 25; ++i)
          REQUIRE(shares.values()[i] == Approx(expected.values()[i]).margin(0.028));
        REQUIRE(sampler.value() ==
                Approx(directly(ratios, sampler.order(), weights)).epsilon(1e-12));
      }
    }
  }
  SECTION("stages are drawn from their posterior") {
    const auto ratios = random_ratios(18, 4, 1.5, draw);
    const auto weights = some_weights(4, false);
    const Order order = {2, 0, 3, 1};
    OrderSampler sampler(18, 4);
    sampler.set_evidence(ratios);
    sampler.set_stage_weights(weights);
    sampler.set_order(order);
    Matrix counts(18, 5);
    std::vector<double> stages(32);
    constexpr int kDraws = 10000;  // standard error of a share at most 0.005: allow five
    for (int i = 0; i < kDraws; ++i) {
      sampler.draw_stages(draw, stages);
      for (std::size_t j = 0; j < 18; ++j)
        counts(j, static_cast<std::size_t>(stages[j])) += 1.0 / kDraws;
    }
    for (std::size_t j = 0; j < 18; ++j) {
      const auto terms = stage_terms(ratios, j, order, weights);
      double total = 0.0;
      for (const double term : terms) total += std::exp(term);
      for (std::size_t k = 0; k <= 4; ++k)
        REQUIRE(counts(j, k) == Approx(std::exp(terms[k]) / total).margin(0.025));
      REQUIRE(counts(j, 0) == 0.0);
    }
  }
}

TEST_CASE("a sample of orders", "[toolkit][order_search]") {
  auto draw = stream(7);
  const auto ratios = random_ratios(6, 5, 1.5, draw);
  OrderSampler sampler(6, 5);
  sampler.set_evidence(ratios);
  const Order columns = {0, 1, 2, 3, 4};

  SECTION("has the posterior over all orders, and ends once chains agree") {
    const auto sample = sample_orders(sampler, {}, draw);
    REQUIRE_FALSE(sample.tempered);
    REQUIRE(sample.sweeps < 500);
    Inference inference;
    sample.traces.report(columns, inference);
    REQUIRE(inference.warnings.empty());
    // A share from m effective draws has a standard error below 0.5 / sqrt(m): allow five.
    const double allowed = 2.5 / std::sqrt(inference.chains->effective_samples);
    const auto expected = exact_ranks(ratios, std::vector<double>(6, 0.0), 1.0);
    for (std::size_t i = 0; i < 25; ++i)
      REQUIRE(inference.rank_posterior->values()[i] ==
              Approx(expected.values()[i]).margin(allowed));
  }
  SECTION("of two modes far apart has both, by tempering") {
    // Participants know that either 0, 1, 2 or 3, 4, 5 come first, and hardly which: between the
    // two orders no single event can move.
    Matrix blocks(80, 6);
    for (std::size_t j = 0; j < 80; ++j)
      for (std::size_t b = 0; b < 6; ++b) blocks(j, b) = (b < 3) == (j % 2 == 0) ? 1.2 : -1.2;
    OrderSampler two(80, 6);
    two.set_evidence(blocks);
    const auto sample = sample_orders(two, {}, draw);
    Inference inference;
    sample.traces.report({{0, 1, 2, 3, 4, 5}}, inference);
    for (std::size_t b = 0; b < 6; ++b)
      REQUIRE(inference.event_scores[b] == Approx(3.5).margin(0.6));  // by symmetry
  }
  SECTION("a chain that may not go on says so") {
    Matrix far(400, 8);
    for (double& value : far.values()) value = 2.0 * draw.normal();
    OrderSampler hard(400, 8);
    hard.set_evidence(far);
    const auto sample =
        sample_orders(hard, {.start_iterations = 1, .iterations = 8, .burn_in = 0}, draw);
    REQUIRE(sample.traces.length() == 8);
    Inference inference;
    sample.traces.report({{0, 1, 2, 3, 4, 5, 6, 7}}, inference);
    REQUIRE(inference.warnings.size() == 1);
    REQUIRE(inference.log_likelihood_trace->rows() == 4);
    REQUIRE(inference.log_likelihood_trace->cols() == 4);
  }
  SECTION("chains of which too little would be used are refused") {
    REQUIRE_THROWS_WITH(
        sample_orders(sampler, {.iterations = 100, .burn_in = 200}, draw),
        Catch::Matchers::Contains("of 100 sweeps, 200 of them burn-in and one in 1 kept, "
                                  "fewer than 4 draws would be used"));
    REQUIRE_THROWS_AS(sample_orders(sampler, {.iterations = 6, .burn_in = 0}, draw), ShapeError);
  }
  SECTION("thinned ones are first looked at when there is something to see") {
    const auto sample =
        sample_orders(sampler, {.iterations = 800, .burn_in = 0, .thinning = 100}, draw);
    REQUIRE(sample.traces.length() == 8);
    REQUIRE(sample.sweeps == 800);
  }
  SECTION("one event has one order") {
    OrderSampler single(5, 1);
    Inference inference;
    sample_orders(single, {}, draw).traces.report({{0}}, inference);
    REQUIRE(inference.event_scores == std::vector{1.0});
  }
}

TEST_CASE("with and without AVX2 the toolkit gives the same bits",
          "[toolkit][order_sampler][stage_likelihood]") {
  const auto here = digest_for_this_processor(), portable = digest_for_any_processor();
  REQUIRE(here.size() > 500);
  REQUIRE(here == portable);
}

}  // namespace tempo::test
