#include "analysis/consensus.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace tempo {
namespace {

/// Runs of equal scores along the order: calls visit(order, begin, end) for each.
template <class Visit>
void for_each_tie(std::span<const double> scores, const Visit& visit) {
  const auto order = sequence_by_score(scores);
  for (std::size_t begin = 0; begin < order.size();) {
    auto end = begin + 1;
    while (end < order.size() && scores[order[end]] == scores[order[begin]]) ++end;
    visit(order, begin, end);
    begin = end;
  }
}

/// How many pairs two rankings order alike, differently, and which either has as equal.
struct Pairs {
  double alike = 0.0, different = 0.0, tied_in_a = 0.0, tied_in_b = 0.0, tied = 0.0, all = 0.0;
};

Pairs compare_pairs(std::span<const double> a, std::span<const double> b) {
  Pairs out;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = i + 1; k < a.size(); ++k) {
      ++out.all;
      const bool equal_a = a[i] == a[k], equal_b = b[i] == b[k];
      out.tied_in_a += equal_a;
      out.tied_in_b += equal_b;
      if (equal_a || equal_b)
        ++out.tied;
      else
        ++((a[i] < a[k]) == (b[i] < b[k]) ? out.alike : out.different);
    }
  return out;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> mean_ranks(const std::vector<std::vector<double>>& rankings) {
  std::vector<double> means(rankings.front().size(), 0.0);
  for (const auto& ranking : rankings) {
    const auto ranks = shared_ranks(ranking);
    for (std::size_t b = 0; b < means.size(); ++b) means[b] += ranks[b];
  }
  for (auto& mean : means) mean /= static_cast<double>(rankings.size());
  return means;
}

Consensus with_distances(Sequence order, const std::vector<std::vector<double>>& rankings,
                         bool exact) {
  const auto places = ranks_of(order);
  const std::vector<double> own(places.begin(), places.end());
  Consensus out{std::move(order), {}, 0.0, exact};
  for (const auto& ranking : rankings) out.distances.push_back(order_distance(own, ranking));
  out.mean_distance = mean_of(out.distances);
  return out;
}

/// Of an order's neighbours in Borda's: (i, k) = twice the rankings that have its i-th before its
/// k-th, a tie counting one.
std::vector<std::vector<std::int64_t>> votes(const std::vector<std::vector<double>>& rankings,
                                             const Sequence& borda) {
  const auto B = borda.size();
  std::vector<std::vector<std::int64_t>> before(B, std::vector<std::int64_t>(B, 0));
  for (const auto& ranking : rankings)
    for (std::size_t i = 0; i < B; ++i)
      for (std::size_t k = 0; k < B; ++k) {
        const double first = ranking[borda[i]], second = ranking[borda[k]];
        before[i][k] += first < second ? 2 : first == second ? 1 : 0;
      }
  return before;
}

/// Positions in Borda's order, cheapest first to last: cost[S] is the least that an order pays
/// which begins with the set S; the last of S is the one latest by Borda among those equally cheap.
std::vector<std::size_t> cheapest_order(const std::vector<std::vector<std::int64_t>>& before) {
  const auto B = before.size();
  const std::size_t sets = std::size_t{1} << B;
  std::vector<std::int64_t> cost(sets, 0);
  std::vector<std::uint8_t> last(sets, 0);
  for (std::size_t set = 1; set < sets; ++set) {
    cost[set] = std::numeric_limits<std::int64_t>::max();
    for (std::size_t k = 0; k < B; ++k) {
      if ((set >> k & 1) == 0) continue;
      const auto rest = set & ~(std::size_t{1} << k);
      auto paid = cost[rest];
      for (std::size_t i = 0; i < B; ++i)
        if ((rest >> i & 1) != 0) paid += before[k][i];
      if (paid > cost[set]) continue;
      cost[set] = paid;
      last[set] = static_cast<std::uint8_t>(k);
    }
  }
  std::vector<std::size_t> order(B);
  for (std::size_t set = sets - 1, place = B; set != 0; set &= ~(std::size_t{1} << last[set]))
    order[--place] = last[set];
  return order;
}

/// Moves one biomarker at a time to its best place until none gains.
std::vector<std::size_t> settled_order(const std::vector<std::vector<std::int64_t>>& before) {
  std::vector<std::size_t> order(before.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t from = 0; from < order.size(); ++from) {
      std::int64_t best = 0;
      std::size_t to = from;
      std::int64_t gain = 0;
      for (std::size_t i = from; i-- > 0;) {  // ahead of the one at i
        gain += before[order[from]][order[i]] - before[order[i]][order[from]];
        if (gain > best) best = gain, to = i;
      }
      gain = 0;
      for (std::size_t i = from + 1; i < order.size(); ++i) {  // behind the one at i
        gain += before[order[i]][order[from]] - before[order[from]][order[i]];
        if (gain > best) best = gain, to = i;
      }
      if (best == 0) continue;
      const auto biomarker = order[from];
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), biomarker);
      moved = true;
    }
  }
  return order;
}

}  // namespace

std::vector<double> shared_ranks(std::span<const double> scores) {
  std::vector<double> ranks(scores.size());
  for_each_tie(scores, [&](const Sequence& order, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      ranks[order[i]] = (static_cast<double>(begin + 1) + static_cast<double>(end)) / 2.0;
  });
  return ranks;
}

Matrix shared_positions(std::span<const double> scores) {
  Matrix out(scores.size(), scores.size());
  for_each_tie(scores, [&](const Sequence& order, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t place = begin; place < end; ++place)
        out(order[i], place) = 1.0 / static_cast<double>(end - begin);
  });
  return out;
}

double order_distance(std::span<const double> a, std::span<const double> b) {
  const auto pairs = compare_pairs(a, b);
  return pairs.all == 0.0 ? 0.0 : (pairs.different + 0.5 * pairs.tied) / pairs.all;
}

std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b) {
  const auto pairs = compare_pairs(a, b);
  const double scale = std::sqrt((pairs.all - pairs.tied_in_a) * (pairs.all - pairs.tied_in_b));
  if (scale == 0.0) return std::nullopt;
  return (pairs.alike - pairs.different) / scale;
}

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2) return std::nullopt;
  const auto x = shared_ranks(a), y = shared_ranks(b);
  const double mean = (static_cast<double>(a.size()) + 1.0) / 2.0;
  double xx = 0.0, yy = 0.0, xy = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    xx += (x[j] - mean) * (x[j] - mean);
    yy += (y[j] - mean) * (y[j] - mean);
    xy += (x[j] - mean) * (y[j] - mean);
  }
  if (xx == 0.0 || yy == 0.0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

std::optional<double> absolute_agreement(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2) return std::nullopt;
  // By values: squares about a rounded mean are not exactly 0.
  const auto is_first = [&](double value) { return value == a[0]; };
  if (std::all_of(a.begin(), a.end(), is_first) && std::all_of(b.begin(), b.end(), is_first))
    return std::nullopt;
  const auto n = static_cast<double>(a.size());
  const double mean_a = mean_of(a), mean_b = mean_of(b), mean = (mean_a + mean_b) / 2.0;
  double rows = 0.0, errors = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double of_row = (a[j] + b[j]) / 2.0 - mean;
    const double residual = (a[j] - mean_a - (b[j] - mean_b)) / 2.0;
    rows += 2.0 * of_row * of_row;
    errors += 2.0 * residual * residual;
  }
  rows /= n - 1.0;    // mean squares of participants,
  errors /= n - 1.0;  // of what is left,
  const double columns = n * (mean_a - mean_b) * (mean_a - mean_b) / 2.0;  // and of raters
  const double scale = rows + errors + 2.0 / n * (columns - errors);
  if (!(scale > 0.0)) return std::nullopt;
  return (rows - errors) / scale;
}

Consensus borda_order(const std::vector<std::vector<double>>& rankings,
                      const std::vector<std::string>& names) {
  const auto means = mean_ranks(rankings);
  std::vector<std::size_t> order(means.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return means[a] != means[b] ? means[a] < means[b] : names[a] < names[b];
  });
  return with_distances(Sequence(std::move(order)), rankings, /*exact=*/true);
}

Consensus kemeny_order(const std::vector<std::vector<double>>& rankings,
                       const std::vector<std::string>& names) {
  const auto borda = borda_order(rankings, names).order;
  const auto before = votes(rankings, borda);
  const bool exact = borda.size() <= kExactBiomarkers;
  auto order = exact ? cheapest_order(before) : settled_order(before);
  for (auto& biomarker : order) biomarker = borda[biomarker];
  return with_distances(Sequence(std::move(order)), rankings, exact);
}

}  // namespace tempo
