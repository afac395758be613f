#include "subtype_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

std::vector<Ranks> ranks_of_all(std::span<const Progression> progressions) {
  std::vector<Ranks> out;
  for (const auto& progression : progressions) out.push_back(progression.event_ranks);
  return out;
}

void expect_progressions(std::size_t found, std::size_t true_ones) {
  if (found == 0 || true_ones == 0)
    throw ShapeError("subtypes: expected at least one order found and one true one, got " +
                     std::to_string(found) + " and " + std::to_string(true_ones));
}

/// [K, L] distances of each true order to each that was found.
Matrix distances(const Matrix& event_scores, const std::vector<Ranks>& truth) {
  Matrix out(truth.size(), event_scores.rows());
  for (std::size_t s = 0; s < truth.size(); ++s)
    for (std::size_t t = 0; t < event_scores.rows(); ++t)
      out(s, t) = tau_distance(event_scores.row(t), truth[s]);
  return out;
}

/// @param distance  [K, L]
double mean_of_matched(const Matrix& distance) {
  const auto K = distance.rows(), L = distance.cols();
  const auto copies = (K + L - 1) / L;
  Matrix cost(K, copies * L);
  for (std::size_t s = 0; s < K; ++s)
    for (std::size_t column = 0; column < cost.cols(); ++column)
      cost(s, column) = distance(s, column % L);
  const auto matched = least_assignment(cost);
  double sum = 0.0;
  for (std::size_t s = 0; s < K; ++s) sum += cost(s, matched[s]);
  return sum / static_cast<double>(K);
}

/// The number of pairs within groups of these sizes.
template <class Sizes>
double pairs_within(const Sizes& sizes) {
  double pairs = 0.0;
  for (const auto& [name, size] : sizes)
    pairs += 0.5 * static_cast<double>(size) * static_cast<double>(size - 1);
  return pairs;
}

}  // namespace

std::vector<std::size_t> least_assignment(const Matrix& cost) {
  const auto n = cost.rows(), m = cost.cols();
  if (n > m)
    throw ShapeError("assignment: expected at least as many columns as rows, got [" +
                     std::to_string(n) + ", " + std::to_string(m) + "]");
  constexpr auto kNobody = std::numeric_limits<std::size_t>::max();
  std::vector<double> row_price(n, 0.0), column_price(m, 0.0);
  std::vector<std::size_t> row_of(m, kNobody);
  for (std::size_t added = 0; added < n; ++added) {
    // From the new row to a free column, by the cheapest path over reduced costs, none below 0.
    std::vector<double> least(m, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(m, kNobody);  // the column that a path comes from
    std::vector<char> is_done(m, 0);
    auto row = added;
    auto at = kNobody;
    double length = 0.0;
    for (;;) {
      auto next = kNobody;
      for (std::size_t column = 0; column < m; ++column) {
        if (is_done[column] != 0) continue;
        const double through = length + cost(row, column) - row_price[row] - column_price[column];
        if (through < least[column]) {
          least[column] = through;
          before[column] = at;
        }
        if (next == kNobody || least[column] < least[next]) next = column;
      }
      at = next;
      length = least[at];
      is_done[at] = 1;
      if (row_of[at] == kNobody) break;
      row = row_of[at];
    }
    row_price[added] += length;
    for (std::size_t column = 0; column < m; ++column) {
      if (is_done[column] == 0 || column == at) continue;
      column_price[column] -= length - least[column];
      row_price[row_of[column]] += length - least[column];
    }
    for (; before[at] != kNobody; at = before[at]) row_of[at] = row_of[before[at]];
    row_of[at] = added;
  }
  std::vector<std::size_t> out(n);
  for (std::size_t column = 0; column < m; ++column)
    if (row_of[column] != kNobody) out[row_of[column]] = column;
  return out;
}

double matched_tau_distance(const Matrix& event_scores, std::span<const Progression> truth) {
  expect_progressions(event_scores.rows(), truth.size());
  return mean_of_matched(distances(event_scores, ranks_of_all(truth)));
}

double assigned_tau_distance(const Matrix& event_scores, std::span<const std::size_t> assigned,
                             const TrueSubtypes& truth) {
  expect_progressions(event_scores.rows(), truth.progressions.size());
  if (assigned.size() != truth.subtype.size())
    throw ShapeError("assigned subtypes: expected [J=" + std::to_string(truth.subtype.size()) +
                     "], got [" + std::to_string(assigned.size()) + "]");
  const auto distance = distances(event_scores, ranks_of_all(truth.progressions));
  double sum = 0.0;
  std::size_t diseased = 0;
  for (std::size_t j = 0; j < assigned.size(); ++j) {
    if (truth.subtype[j] < 0) continue;
    sum += distance(static_cast<std::size_t>(truth.subtype[j]), assigned[j]);
    ++diseased;
  }
  return diseased == 0 ? kUndefined : sum / static_cast<double>(diseased);
}

double adjusted_rand_index(std::span<const std::size_t> found, std::span<const std::size_t> truth) {
  if (found.size() != truth.size())
    throw ShapeError("partitions: expected as many items in both, got " +
                     std::to_string(found.size()) + " and " + std::to_string(truth.size()));
  std::map<std::size_t, std::size_t> in_found, in_truth;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> in_both;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ++in_found[found[i]];
    ++in_truth[truth[i]];
    ++in_both[{found[i], truth[i]}];
  }
  const double n = static_cast<double>(found.size());
  const double all = 0.5 * n * (n - 1.0), both = pairs_within(in_both);
  const double of_found = pairs_within(in_found), of_truth = pairs_within(in_truth);
  // Multiplied by the number of all pairs, so that whole numbers stay whole.
  const double above = both * all - of_found * of_truth;
  const double most = 0.5 * (of_found + of_truth) * all - of_found * of_truth;
  return most == 0.0 ? 1.0 : above / most;
}

double subtype_score(std::span<const std::size_t> assigned, const TrueSubtypes& truth) {
  if (assigned.size() != truth.subtype.size())
    throw ShapeError("assigned subtypes: expected [J=" + std::to_string(truth.subtype.size()) +
                     "], got [" + std::to_string(assigned.size()) + "]");
  std::vector<std::size_t> found, true_ones;
  for (std::size_t j = 0; j < assigned.size(); ++j) {
    if (truth.subtype[j] < 0) continue;
    found.push_back(assigned[j]);
    true_ones.push_back(static_cast<std::size_t>(truth.subtype[j]));
  }
  if (truth.progressions.size() < 2 || found.size() < 2) return kUndefined;
  return adjusted_rand_index(found, true_ones);
}

std::size_t most_probable(std::span<const double> probabilities) {
  return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                  probabilities.begin());
}

std::vector<std::size_t> most_probable(const Matrix& posterior) {
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < posterior.rows(); ++j) out.push_back(most_probable(posterior.row(j)));
  return out;
}

SubtypeChance subtype_chance(const Truth& truth, std::size_t draws, RandomStream& stream) {
  if (!truth.subtypes || draws == 0)
    throw ShapeError("chance of subtypes: expected subtypes and at least one draw");
  const auto B = truth.event_ranks.size();
  const auto ranks = ranks_of_all(truth.subtypes->progressions);
  SubtypeChance out;
  Matrix scores(ranks.size(), B);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    for (std::size_t s = 0; s < ranks.size(); ++s) {
      const auto order = stream.permutation(B);
      std::copy(order.begin(), order.end(), scores.row(s).begin());
    }
    out.matched_tau_distance += mean_of_matched(distances(scores, ranks));
  }
  out.matched_tau_distance /= static_cast<double>(draws);
  // The mean of |k - y| over k = 0..B.
  double sum = 0.0;
  for (const int stage : truth.ordinal_stages) {
    const double below = stage, above = static_cast<double>(B) - below;
    sum += 0.5 * (below * (below + 1.0) + above * (above + 1.0));
  }
  out.stage_mae =
      sum / static_cast<double>(truth.ordinal_stages.size()) / static_cast<double>(B + 1);
  return out;
}

SubtypeNumberChance subtype_number_chance(std::size_t truth, std::size_t most) {
  if (truth == 0 || most == 0)
    throw ShapeError("number of subtypes: expected at least 1 of each, got " +
                     std::to_string(truth) + " and " + std::to_string(most));
  return {truth <= most ? 1.0 / static_cast<double>(most) : 0.0,
          0.5 * static_cast<double>(most + 1) - static_cast<double>(truth)};
}

Progression consensus_of(const TrueSubtypes& subtypes, bool has_times) {
  if (subtypes.progressions.empty()) throw ShapeError("subtypes: there is no progression");
  std::vector<double> followers(subtypes.progressions.size(), 0.0);
  for (const int subtype : subtypes.subtype)
    if (subtype >= 0) followers.at(static_cast<std::size_t>(subtype)) += 1.0;
  const double all = std::accumulate(followers.begin(), followers.end(), 0.0);
  if (all == 0.0) throw ShapeError("subtypes: nobody follows a progression");
  std::vector<double> times(subtypes.progressions.front().event_times.size(), 0.0);
  for (std::size_t s = 0; s < followers.size(); ++s)
    for (std::size_t b = 0; b < times.size(); ++b)
      times[b] += followers[s] * subtypes.progressions[s].event_times.at(b);
  // Numbers of participants times ranks are whole: equal averages are equal until here.
  const auto first = sequence_of(subtypes.progressions.front().event_ranks);
  std::vector<std::size_t> order(first.begin(), first.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  Progression out{{}, ranks_of(Sequence(std::move(order)))};
  if (has_times)
    for (const double sum : times) out.event_times.push_back(sum / all);
  else
    out.event_times.assign(out.event_ranks.begin(), out.event_ranks.end());
  return out;
}

}  // namespace tempo
