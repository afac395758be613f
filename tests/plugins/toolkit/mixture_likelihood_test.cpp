#include "tempo/toolkit/mixture_likelihood.hpp"

#include <cmath>
#include <limits>

#include "support.hpp"
#include "tempo/toolkit/order_placement.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo::toolkit {
namespace {

using Catch::Matchers::WithinAbs;
using test::stream;

constexpr std::size_t kEvents = 5, kPeople = 21, kSubtypes = 3;

/// Log ratios, orders and shares without any structure; one cell is missing.
struct Example {
  ParticipantColumns values{kEvents, kPeople}, log_ratios{kEvents, kPeople};
  OrderSet orders;
  std::vector<std::vector<double>> log_pi;
  std::vector<double> log_shares{std::log(0.5), std::log(0.2), std::log(0.3)};

  explicit Example(bool has_stage_0) {
    auto random = stream(6);
    for (std::size_t b = 0; b < kEvents; ++b)
      for (std::size_t j = 0; j < kPeople; ++j) {
        values[b][j] = random.normal();
        log_ratios[b][j] = 3.0 * random.normal();
      }
    values[2][4] = std::numeric_limits<double>::quiet_NaN();
    log_ratios[2][4] = 0.0;
    for (std::size_t s = 0; s < kSubtypes; ++s) {
      orders.push_back(random.permutation(kEvents));
      auto pi = random.dirichlet(std::vector<double>(kEvents + (has_stage_0 ? 1 : 0), 1.0));
      for (double& share : pi) share = std::log(share);
      if (!has_stage_0) pi.insert(pi.begin(), -std::numeric_limits<double>::infinity());
      log_pi.push_back(pi);
    }
  }

  /// w_s pi_sk exp(S_j(k)).
  double joint(std::size_t j, std::size_t s, std::size_t k) const {
    double sum = log_shares[s] + log_pi[s][k];
    for (std::size_t i = 0; i < k; ++i) sum += log_ratios[orders[s][i]][j];
    return std::exp(sum);
  }
  double total(std::size_t j) const {
    double sum = 0.0;
    for (std::size_t s = 0; s < kSubtypes; ++s)
      for (std::size_t k = 0; k <= kEvents; ++k) sum += joint(j, s, k);
    return sum;
  }
  double log_likelihood() const {
    double sum = 0.0;
    for (std::size_t j = 0; j < kPeople; ++j) sum += std::log(total(j));
    return sum;
  }
  std::vector<SubtypeTerms> terms(MixtureLikelihood& likelihood) const {
    std::vector<SubtypeTerms> out(kSubtypes);
    for (std::size_t s = 0; s < kSubtypes; ++s)
      likelihood.weigh(log_ratios, orders[s], log_pi[s], out[s]);
    return out;
  }
};

}  // namespace

TEST_CASE("the likelihood of several orders is that of its definition", "[bebms]") {
  const Example example(GENERATE(true, false));
  MixtureLikelihood likelihood(example.values);
  const auto terms = example.terms(likelihood);
  REQUIRE_THAT(likelihood.log_likelihood(terms, example.log_shares),
               WithinAbs(example.log_likelihood(), 1e-10));

  SECTION("so are the moments of what has happened") {
    MixtureMoments moments;
    likelihood.moments(terms, example.log_shares, moments);
    for (std::size_t b = 0; b < kEvents; ++b) {
      double weight = 0.0, x = 0.0, xx = 0.0;
      for (std::size_t j = 0; j < kPeople; ++j) {
        double happened = 0.0;
        for (std::size_t s = 0; s < kSubtypes; ++s) {
          bool is_before = false;  // whether b is among the first k events
          for (std::size_t k = 1; k <= kEvents; ++k) {
            is_before |= example.orders[s][k - 1] == b;
            if (is_before) happened += example.joint(j, s, k) / example.total(j);
          }
        }
        const double value = example.values[b][j];
        if (std::isnan(value)) continue;
        weight += happened;
        x += happened * value;
        xx += happened * value * value;
      }
      REQUIRE_THAT(moments.weight[b], WithinAbs(weight, 1e-10));
      REQUIRE_THAT(moments.x[b], WithinAbs(x, 1e-10));
      REQUIRE_THAT(moments.xx[b], WithinAbs(xx, 1e-10));
    }
  }
  SECTION("so are the numbers of people by subtype and stage") {
    const auto counts = likelihood.counts(terms, example.log_shares, example.orders);
    for (std::size_t s = 0; s < kSubtypes; ++s)
      for (std::size_t k = 0; k <= kEvents; ++k) {
        double expected = 0.0;
        for (std::size_t j = 0; j < kPeople; ++j)
          expected += example.joint(j, s, k) / example.total(j);
        REQUIRE_THAT(counts[s].stages[k], WithinAbs(expected, 1e-10));
      }
  }
  SECTION("drawn subtypes and stages come as often as they should") {
    auto random = stream(9);
    constexpr int kDraws = 4000;
    SubtypeAssignment drawn;
    std::vector<double> participants(kSubtypes, 0.0);
    double last_stages = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      REQUIRE(likelihood.assign(terms, example.log_shares, example.orders, random, drawn) ==
              likelihood.log_likelihood(terms, example.log_shares));
      for (std::size_t s = 0; s < kSubtypes; ++s) {
        participants[s] += drawn.counts[s].participants / kDraws;
        last_stages += drawn.counts[s].stages[kEvents] / kDraws;
      }
    }
    const auto counts = likelihood.counts(terms, example.log_shares, example.orders);
    double expected_last = 0.0;
    for (const auto& of_subtype : counts) expected_last += of_subtype.stages[kEvents];
    // A sum of n indicators has an sd of sqrt(n) / 2 at most; five standard errors.
    const double tolerance = 5.0 * 0.5 * std::sqrt(kPeople) / std::sqrt(kDraws);
    for (std::size_t s = 0; s < kSubtypes; ++s)
      REQUIRE_THAT(participants[s], WithinAbs(counts[s].participants, tolerance));
    REQUIRE_THAT(last_stages, WithinAbs(expected_last, tolerance));
  }
}

TEST_CASE("every place of an event has the likelihood of the order with it there", "[bebms]") {
  const Example example(GENERATE(true, false));
  MixtureLikelihood likelihood(example.values);
  const auto terms = example.terms(likelihood);
  OrderPlacement placement(kEvents, likelihood.padded());
  for (std::size_t s = 0; s < kSubtypes; ++s) {
    placement.set_others(terms, example.log_shares, s);
    for (std::size_t event = 0; event < kEvents; ++event) {
      auto others = example.orders[s];
      std::erase(others, event);
      const auto found = placement.log_likelihoods(example.log_ratios, others, event,
                                                   example.log_pi[s], example.log_shares[s]);
      std::vector<double> expected;
      for (std::size_t place = 0; place < kEvents; ++place) {
        auto moved = example;
        moved.orders[s] = others;
        moved.orders[s].insert(moved.orders[s].begin() + static_cast<std::ptrdiff_t>(place), event);
        expected.push_back(moved.log_likelihood());
      }
      for (std::size_t place = 1; place < kEvents; ++place)
        REQUIRE_THAT(found[place] - found[0], WithinAbs(expected[place] - expected[0], 1e-10));
    }
  }
}

}  // namespace tempo::toolkit
