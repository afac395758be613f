#include "tempo/toolkit/subtype_chain.hpp"

#include <cmath>
#include <map>

#include "support.hpp"

namespace tempo::toolkit {
namespace {

using Catch::Matchers::WithinAbs;

constexpr std::size_t kTwo = 2, kMembers = 9;

/// Two events, in one order or the other.
const std::vector<std::size_t> kForwards{0, 1}, kBackwards{1, 0};

ParticipantColumns some_log_ratios() {
  ParticipantColumns out(kTwo, kMembers);
  auto random = test::stream(5);
  for (std::size_t b = 0; b < kTwo; ++b)
    for (std::size_t j = 0; j < kMembers; ++j) out[b][j] = 2.0 * random.normal();
  return out;
}

/// p(x_j | order) with stages 0..2 equally likely.
double term(const ParticipantColumns& log_ratios, const std::vector<std::size_t>& order,
            std::size_t j) {
  const double first = log_ratios[order[0]][j], second = log_ratios[order[1]][j];
  return (1.0 + std::exp(first) + std::exp(first + second)) / 3.0;
}

/// The integral of the likelihood over a share that is uniform in [0, 1].
double evidence(const ParticipantColumns& log_ratios, const OrderSet& orders) {
  constexpr int kSteps = 2000;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double share = (i + 0.5) / kSteps;
    double product = 1.0;
    for (std::size_t j = 0; j < kMembers; ++j)
      product *=
          share * term(log_ratios, orders[0], j) + (1.0 - share) * term(log_ratios, orders[1], j);
    sum += product / kSteps;
  }
  return sum;
}

std::vector<double> equal_stages(const std::vector<double>& counts, RandomStream&) {
  return std::vector<double>(counts.size(), -std::log(static_cast<double>(counts.size())));
}

}  // namespace

TEST_CASE("a chain over two orders draws each pair as often as its posterior says", "[subtypes]") {
  const auto log_ratios = some_log_ratios();
  const bool has_priors = GENERATE(false, true);
  const double log_prior = has_priors ? -1.0 : 0.0;  // of the second order, beside the first
  SubtypeChain chain(ParticipantColumns(kTwo, kMembers), kTwo, equal_stages, test::stream(6));
  chain.set_log_ratios(log_ratios);
  if (has_priors)
    chain.set_priors([&](const std::vector<std::size_t>& others, std::size_t event,
                         std::span<double> of_places) {
      for (std::size_t place = 0; place < of_places.size(); ++place) {
        const auto first = place == 0 ? event : others[0];
        if (first == 1) of_places[place] += log_prior;
      }
    });
  std::map<OrderSet, double> expected, found;
  double sum = 0.0;
  for (const auto& one : {kForwards, kBackwards})
    for (const auto& other : {kForwards, kBackwards}) {
      const double backwards = (one == kBackwards ? 1.0 : 0.0) + (other == kBackwards ? 1.0 : 0.0);
      sum += expected[{one, other}] =
          evidence(log_ratios, {one, other}) * std::exp(log_prior * backwards);
    }
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    chain.place_events();
    chain.draw_members();
    chain.refresh();
    found[chain.state().orders] += 1.0 / kDraws;
  }
  for (const auto& [orders, weight] : expected) {
    CAPTURE(orders);
    REQUIRE_THAT(found[orders], WithinAbs(weight / sum, 0.03));  // draws depend on each other
  }
}

TEST_CASE("places of an event are weighed by what they make likely, whatever the log ratios",
          "[subtypes]") {
  const auto log_ratios = some_log_ratios();
  SubtypeChain chain(ParticipantColumns(kTwo, kMembers), kTwo, equal_stages, test::stream(6));
  const auto other = chain.state().orders[1];
  std::vector<double> offsets;  // of the likelihood as it is
  for (const double factor : {1.0, -2.0, 5.0}) {
    auto scaled = log_ratios;
    for (std::size_t b = 0; b < kTwo; ++b)
      for (double& ratio : scaled[b]) ratio *= factor;
    for (std::size_t b = 0; b < kTwo; ++b) chain.set_log_ratios(b, scaled[b]);
    const auto values = chain.values_of_places(0, 0);
    for (const auto& order : {kForwards, kBackwards}) {
      double sum = 0.0;
      for (std::size_t j = 0; j < kMembers; ++j)
        sum += std::log(0.5 * (term(scaled, order, j) + term(scaled, other, j)));
      offsets.push_back(values[order == kForwards ? 0 : 1] - sum);
    }
  }
  for (const double offset : offsets) REQUIRE_THAT(offset, WithinAbs(offsets[0], 1e-10));
}

TEST_CASE("draws are numbered as the reference is", "[subtypes]") {
  const OrderSet reference{{0, 1, 2, 3}, {3, 2, 1, 0}};
  const OrderSet exchanged{{3, 2, 0, 1}, {0, 1, 3, 2}};
  REQUIRE(matching_subtypes(reference, exchanged) == std::vector<std::size_t>{1, 0});
  SubtypeMean mean(reference, 1);
  std::vector<Matrix> weights(2, Matrix(1, 5));
  weights[0](0, 4) = 3.0;  // of the draw's first subtype, the reference's second
  weights[1](0, 1) = 1.0;
  mean.add(exchanged, std::vector{std::log(0.8), std::log(0.2)}, weights);
  const auto found = mean.answer(std::vector<std::size_t>{0, 1, 2, 3});
  REQUIRE_THAT(found.subtypes->shares[1], WithinAbs(0.8, 1e-12));
  REQUIRE_THAT(found.subtypes->posterior(0, 1), WithinAbs(0.75, 1e-12));
  REQUIRE(found.subtypes->event_scores(1, 3) == 1.0);
  REQUIRE(found.stages == std::vector{4.0});
}

}  // namespace tempo::toolkit
