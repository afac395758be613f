#include "maximisation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace tempo::sustain {
namespace {

using Rows = std::vector<std::size_t>;

constexpr int kMostPasses = 100;
constexpr double kLeastGain = 1e-6;  // of the log-likelihood, relative

/// Moves every event of every subtype to its best place, shares to what orders say, by turns.
class Ascent {
 public:
  Ascent(DensityMixture& mixture, OrderSet orders, std::vector<double> shares)
      : mixture_(mixture),
        at_{std::move(orders), std::move(shares), 0.0},
        terms_(at_.orders.size()) {
    for (std::size_t s = 0; s < terms_.size(); ++s) mixture_.weigh(at_.orders[s], terms_[s]);
    at_.log_likelihood = mixture_.log_likelihood(terms_, at_.shares);
  }

  Solution climb(RandomStream& stream) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const double before = at_.log_likelihood;
      set_shares();
      for (const auto s : stream.permutation(terms_.size())) place_events(s, stream);
      at_.log_likelihood = mixture_.log_likelihood(terms_, at_.shares);
      if (std::abs((at_.log_likelihood - before) / std::max(at_.log_likelihood, before)) <
          kLeastGain)
        break;
    }
    return at_;
  }

 private:
  void set_shares() {
    const auto belongs = mixture_.responsibilities(terms_, at_.shares);
    for (std::size_t s = 0; s < at_.shares.size(); ++s) {
      double sum = 0.0;
      for (std::size_t j = 0; j < belongs.rows(); ++j) sum += belongs(j, s);
      at_.shares[s] = sum / static_cast<double>(belongs.rows());
    }
  }

  void place_events(std::size_t s, RandomStream& stream) {
    mixture_.set_others(terms_, at_.shares, s);
    auto& order = at_.orders[s];
    for (const auto event : stream.permutation(order.size())) {
      std::erase(order, event);
      const auto values = mixture_.places(order, event, at_.shares[s]);
      const auto best = std::max_element(values.begin(), values.end()) - values.begin();
      order.insert(order.begin() + best, event);
    }
    mixture_.weigh(order, terms_[s]);
  }

  DensityMixture& mixture_;
  Solution at_;
  std::vector<std::vector<double>> terms_;  // [K]
};

std::vector<double> equal_shares(std::size_t subtypes) {
  return std::vector<double>(subtypes, 1.0 / static_cast<double>(subtypes));
}

void keep_better(std::optional<Solution>& best, Solution found) {
  if (!best || found.log_likelihood > best->log_likelihood) best = std::move(found);
}

/// Each of the rows in one of two halves by lot, none of them empty.
/// @pre two rows at least
std::pair<Rows, Rows> cut(const Rows& rows, RandomStream& stream) {
  std::pair<Rows, Rows> halves;
  while (halves.first.empty() || halves.second.empty()) {
    halves = {};
    for (const auto row : rows)
      (stream.index(2) == 0 ? halves.first : halves.second).push_back(row);
  }
  return halves;
}

class Search {
 public:
  Search(const CellDensities& densities, std::int64_t starts, RandomStream& stream)
      : densities_(densities), starts_(starts), stream_(stream), rows_(densities.post.rows()) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  }

  Solution one_order() {
    DensityMixture everyone(densities_, rows_);
    std::optional<Solution> best;
    for (std::int64_t start = 0; start < starts_; ++start)
      keep_better(best, fitted_order(everyone));
    return *best;
  }

  /// One subtype more.
  Solution split(const Solution& found) {
    DensityMixture everyone(densities_, rows_);
    const auto groups = groups_of(found, everyone);
    std::optional<Solution> best;
    for (std::size_t s = 0; s < groups.size(); ++s) {
      if (groups[s].size() < 2) continue;
      auto orders = found.orders;
      auto pair = best_pair(groups[s]);
      orders[s] = std::move(pair.front());
      orders.insert(orders.begin() + static_cast<std::ptrdiff_t>(s) + 1, std::move(pair.back()));
      keep_better(best, best_of_starts(everyone, orders));
    }
    if (best) return *best;
    auto orders = found.orders;  // nobody shares a subtype: there is nothing to be split
    orders.push_back(stream_.permutation(everyone.biomarkers()));
    return best_of_starts(everyone, orders);
  }

 private:
  Solution fitted_order(DensityMixture& mixture) {
    return Ascent(mixture, {stream_.permutation(mixture.biomarkers())}, {1.0}).climb(stream_);
  }

  Solution best_of_starts(DensityMixture& mixture, const OrderSet& orders) {
    std::optional<Solution> best;
    for (std::int64_t start = 0; start < starts_; ++start)
      keep_better(best, Ascent(mixture, orders, equal_shares(orders.size())).climb(stream_));
    return *best;
  }

  /// The participants of each subtype, everybody where likeliest; the first of equals.
  std::vector<Rows> groups_of(const Solution& found, const DensityMixture& everyone) const {
    std::vector<std::vector<double>> terms(found.orders.size());
    for (std::size_t s = 0; s < terms.size(); ++s) everyone.weigh(found.orders[s], terms[s]);
    const Matrix belongs = everyone.responsibilities(terms, found.shares);
    std::vector<Rows> out(terms.size());
    for (const auto row : rows_) {
      const auto chances = belongs.row(row);
      out[static_cast<std::size_t>(std::max_element(chances.begin(), chances.end()) -
                                   chances.begin())]
          .push_back(row);
    }
    return out;
  }

  OrderSet best_pair(const Rows& group) {
    DensityMixture whole(densities_, group);
    std::optional<Solution> best;
    for (std::int64_t start = 0; start < starts_; ++start) {
      const auto [first, second] = cut(group, stream_);
      DensityMixture of_first(densities_, first), of_second(densities_, second);
      auto one = fitted_order(of_first), other = fitted_order(of_second);
      keep_better(best, Ascent(whole, {one.orders.front(), other.orders.front()}, equal_shares(2))
                            .climb(stream_));
    }
    return best->orders;
  }

  const CellDensities& densities_;
  std::int64_t starts_;
  RandomStream& stream_;
  Rows rows_;
};

}  // namespace

Solution find_subtypes(const CellDensities& densities, std::size_t subtypes, std::int64_t starts,
                       RandomStream& stream) {
  Search search(densities, starts, stream);
  auto found = search.one_order();
  while (found.orders.size() < subtypes) found = search.split(found);
  return found;
}

}  // namespace tempo::sustain
