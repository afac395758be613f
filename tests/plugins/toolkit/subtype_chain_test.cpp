#include "tempo/toolkit/subtype_chain.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "support.hpp"
#include "tempo/toolkit/subtype_agreement.hpp"

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

std::vector<double> equal_stages(const std::vector<double>& counts, std::vector<double>&,
                                 RandomStream&) {
  return std::vector<double>(counts.size(), -std::log(static_cast<double>(counts.size())));
}

SubtypeState with_shares(OrderSet orders, const std::vector<double>& shares) {
  SubtypeState out{std::move(orders), {}, {}};
  for (const double share : shares) out.log_shares.push_back(std::log(share));
  return out;
}

/// An attempt that ends as likely, and as probable beforehand, as its number says.
struct ScriptedChain {
  std::int64_t attempt;
  SubtypeState at;
  std::size_t participants() const { return kMembers; }
  const SubtypeState& state() const { return at; }
  double log_likelihood() const { return attempt == 0 ? -10.0 : -11.0; }
  double log_prior() const { return attempt == 0 ? -5.0 : -2.0; }
};

}  // namespace

TEST_CASE("a chain over two orders draws each pair as often as its posterior says", "[subtypes]") {
  const auto log_ratios = some_log_ratios();
  const bool has_priors = GENERATE(false, true);
  const double log_prior = has_priors ? -1.0 : 0.0;  // of the second order, beside the first
  SubtypeChain chain(ParticipantColumns(kTwo, kMembers), kTwo, equal_stages, test::stream(6));
  chain.set_log_ratios(log_ratios);
  SubtypeChain::AddPriors add_priors;
  if (has_priors)
    add_priors = [&](const std::vector<std::size_t>& others, std::size_t event,
                     std::span<double> of_places) {
      for (std::size_t place = 0; place < of_places.size(); ++place) {
        const auto first = place == 0 ? event : others[0];
        if (first == 1) of_places[place] += log_prior;
      }
    };
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
    chain.place_events(1.0, add_priors);
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
  const auto reference = with_shares({{0, 1, 2, 3}, {3, 2, 1, 0}}, {0.2, 0.8});
  const auto exchanged = with_shares({{3, 2, 0, 1}, {0, 1, 3, 2}}, {0.8, 0.2});
  REQUIRE(match_subtypes(reference, exchanged).of_reference == std::vector<std::size_t>{1, 0});
  SubtypeMean mean(reference, 1);
  std::vector<Matrix> weights(2, Matrix(1, 5));
  weights[0](0, 4) = 3.0;  // of the draw's first subtype, the reference's second
  weights[1](0, 1) = 1.0;
  mean.add(exchanged, weights);
  const auto found = mean.answer(std::vector<std::size_t>{0, 1, 2, 3});
  REQUIRE_THAT(found.subtypes->shares[1], WithinAbs(0.8, 1e-12));
  REQUIRE_THAT(found.subtypes->posterior(0, 1), WithinAbs(0.75, 1e-12));
  REQUIRE(found.subtypes->event_scores(1, 3) == 1.0);
  REQUIRE(found.stages == std::vector{4.0});
}

TEST_CASE("subtypes are matched such that all pairs together are nearest", "[subtypes]") {
  SECTION("where the nearest pair of all leaves a far one") {
    const auto reference = with_shares({{0, 1, 2, 3}, {1, 2, 3, 0}}, {0.5, 0.5});
    const auto draw = with_shares({{1, 0, 2, 3}, {0, 2, 3, 1}}, {0.5, 0.5});
    const auto match = match_subtypes(reference, draw);
    REQUIRE(match.of_reference == std::vector<std::size_t>{1, 0});
    REQUIRE_THAT(match.order_distance, WithinAbs(2.0 / 6.0, 1e-12));
  }
  SECTION("by their shares where orders are as near") {
    const auto reference = with_shares({{0, 1, 2, 3}, {0, 1, 2, 3}}, {0.9, 0.1});
    const auto draw = with_shares({{0, 1, 3, 2}, {0, 1, 3, 2}}, {0.2, 0.8});
    REQUIRE(match_subtypes(reference, draw).of_reference == std::vector<std::size_t>{1, 0});
  }
  SECTION("as the best of all permutations") {
    constexpr std::size_t K = 6;
    auto random = test::stream(7);
    const std::vector<double> even(K, 1.0 / K);
    for (int i = 0; i < 20; ++i) {
      OrderSet one, other;
      for (std::size_t s = 0; s < K; ++s) one.push_back(random.permutation(5));
      for (std::size_t s = 0; s < K; ++s) other.push_back(random.permutation(5));
      const auto at = [&](std::size_t s, std::size_t t) {
        return match_subtypes(with_shares({one[s]}, {1.0}), with_shares({other[t]}, {1.0}))
            .order_distance;
      };
      std::vector<std::size_t> label{0, 1, 2, 3, 4, 5};
      double least = 1.0;
      do {
        double sum = 0.0;
        for (std::size_t s = 0; s < K; ++s) sum += at(s, label[s]) / K;
        least = std::min(least, sum);
      } while (std::next_permutation(label.begin(), label.end()));
      const auto match = match_subtypes(with_shares(one, even), with_shares(other, even));
      REQUIRE_THAT(match.order_distance, WithinAbs(least, 1e-12));
    }
  }
}

TEST_CASE("the attempt that goes on is the most probable, not the likeliest", "[subtypes]") {
  const auto start = likeliest_attempt<ScriptedChain>(
      2, 4,
      [](std::int64_t attempt) {
        return ScriptedChain{attempt, {}};
      },
      [](ScriptedChain&, double, std::int64_t, bool) {});
  REQUIRE(start.best->attempt == 1);
  REQUIRE(start.log_posteriors == std::vector{-15.0, -13.0});
}

TEST_CASE("more subtypes than there can be are told", "[subtypes]") {
  const auto told = [](std::size_t subtypes, std::size_t participants, std::size_t biomarkers) {
    Inference out;
    warn_of_too_many_subtypes(subtypes, participants, biomarkers, out);
    return out.warnings;
  };
  REQUIRE(told(3, 3, 3).empty());
  REQUIRE(told(20, 30, 100).empty());
  REQUIRE(
      told(3, 2, 3).at(0).starts_with("more subtypes (3) than participants who may be of one (2)"));
  REQUIRE(
      told(3, 9, 2).at(0).starts_with("3 subtypes are more than the possible orders of the "
                                      "biomarkers (2)"));
}

TEST_CASE("places of events are counted by subtype and column", "[subtypes]") {
  PlaceCounts places(2, 3);
  const std::vector<std::size_t> as_numbered{0, 1}, exchanged{1, 0};
  places.add({{0, 1, 2}, {2, 1, 0}}, as_numbered);
  places.add({{2, 0, 1}, {0, 2, 1}}, exchanged);
  const std::vector<std::size_t> columns{2, 0, 1};
  const auto found = places.rank_posteriors(columns);
  // Of the first subtype: 0 1 2 and 0 2 1; of the second: 2 1 0 and 2 0 1. Event 0 is column 2.
  REQUIRE(found[0] == test::matrix({{0, 0.5, 0.5}, {0, 0.5, 0.5}, {1, 0, 0}}));
  REQUIRE(found[1] == test::matrix({{0, 0.5, 0.5}, {1, 0, 0}, {0, 0.5, 0.5}}));
}

TEST_CASE("a start that ended at other orders is told", "[subtypes]") {
  const SubtypeState here{{{0, 1, 2}, {2, 1, 0}}, {std::log(0.5), std::log(0.5)}, {}};
  const SubtypeState near{{{0, 2, 1}, {2, 1, 0}}, here.log_shares, {}};
  const SubtypeState far{{{1, 2, 0}, {1, 0, 2}}, here.log_shares, {}};
  const SubtypeTrace draws{{&here, &near}, {0.0, 0.0}};
  const auto told = [&](const SubtypeState& end, double behind) {
    Inference out;
    warn_of_other_orders(std::vector{-10.0, -10.0 - behind}, std::vector{here, end}, here, draws,
                         "starts", out);
    return out.warnings.size();
  };
  REQUIRE(told(far, 1.0) == 1);
  REQUIRE(told(far, 3.5) == 0);   // it is less probable
  REQUIRE(told(near, 1.0) == 0);  // the chain was there
}

}  // namespace tempo::toolkit
