#include "tempo/toolkit/subtype_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "tempo/toolkit/most_likely_stage.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {
namespace {

/// How far apart two orders are, in pairs.
double discordant_pairs(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> place(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) place[b[i]] = i;
  double pairs = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t later = i + 1; later < a.size(); ++later)
      if (place[a[i]] > place[a[later]]) pairs += 1.0;
  return pairs;
}

/// Of each row a column of its own, the sum of costs least: rows join one by one, each by the
/// cheapest chain of exchanges. Source: Kuhn 1955, Naval Research Logistics Quarterly 2(1-2),
/// 83-97.
std::vector<std::size_t> cheapest_pairs(const Matrix& cost) {
  const std::size_t K = cost.rows();
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  std::vector<double> of_row(K, 0.0), of_column(K, 0.0);  // prices: cost less both is at least 0
  std::vector<std::size_t> owner(K, kNone);               // row of each column
  for (std::size_t newcomer = 0; newcomer < K; ++newcomer) {
    std::vector<double> slack(K, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> from(K, kNone);  // column on the way to each
    std::vector<std::size_t> reached;         // columns that have owners, as found
    std::vector<bool> is_reached(K, false);
    std::size_t row = newcomer, way = kNone, free_column = kNone;
    while (free_column == kNone) {
      std::size_t nearest = kNone;
      for (std::size_t column = 0; column < K; ++column) {
        if (is_reached[column]) continue;
        const double left = cost(row, column) - of_row[row] - of_column[column];
        if (left < slack[column]) {
          slack[column] = left;
          from[column] = way;
        }
        if (nearest == kNone || slack[column] < slack[nearest]) nearest = column;
      }
      const double step = slack[nearest];
      of_row[newcomer] += step;
      for (const auto column : reached) {
        of_column[column] -= step;
        of_row[owner[column]] += step;
      }
      for (std::size_t column = 0; column < K; ++column)
        if (!is_reached[column]) slack[column] -= step;
      if (owner[nearest] == kNone) {
        free_column = nearest;
      } else {
        is_reached[nearest] = true;
        reached.push_back(nearest);
        way = nearest;
        row = owner[nearest];
      }
    }
    for (auto column = free_column; column != kNone; column = from[column])
      owner[column] = from[column] == kNone ? newcomer : owner[from[column]];
  }
  std::vector<std::size_t> out(K);
  for (std::size_t column = 0; column < K; ++column) out[owner[column]] = column;
  return out;
}

}  // namespace

Inference subtype_answer(std::span<const std::size_t> columns, const Matrix& ranks,
                         std::vector<double> shares, std::span<const Matrix> posterior) {
  const std::size_t K = posterior.size(), B = columns.size(), J = posterior.front().rows();
  Inference out;
  out.event_scores.assign(B, 0.0);
  auto& subtypes = out.subtypes.emplace();
  subtypes.event_scores = Matrix(K, B);
  for (std::size_t s = 0; s < K; ++s)
    for (std::size_t b = 0; b < B; ++b) {
      subtypes.event_scores(s, columns[b]) = ranks(s, b);
      out.event_scores[columns[b]] += shares[s] * ranks(s, b);
    }
  subtypes.shares = std::move(shares);
  subtypes.posterior = Matrix(J, K);
  auto& stages = out.stage_posterior.emplace(J, B + 1);
  for (std::size_t j = 0; j < J; ++j) {
    double sum = 0.0;
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t k = 0; k <= B; ++k) {
        subtypes.posterior(j, s) += posterior[s](j, k);
        stages(j, k) += posterior[s](j, k);
        sum += posterior[s](j, k);
      }
    for (double& value : subtypes.posterior.row(j)) value /= sum;
    for (double& value : stages.row(j)) value /= sum;
    const auto row = stages.row(j);
    out.stages.push_back(
        static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return out;
}

void warn_of_too_many_subtypes(std::size_t subtypes, std::size_t participants,
                               std::size_t biomarkers, Inference& inference) {
  if (subtypes > participants)
    inference.warnings.push_back(
        fmt::format("more subtypes ({}) than participants who may be of one ({}): ask for fewer",
                    subtypes, participants));
  std::size_t orders = 1;
  for (std::size_t b = 2; b <= biomarkers && orders < subtypes; ++b) orders *= b;
  if (orders < subtypes)
    inference.warnings.push_back(
        fmt::format("{} subtypes are more than the possible orders of the biomarkers ({}), so that "
                    "some are the same: ask for fewer",
                    subtypes, orders));
}

Matrix ranks_of_orders(const OrderSet& orders) {
  Matrix out(orders.size(), orders.empty() ? 0 : orders.front().size());
  for (std::size_t s = 0; s < orders.size(); ++s)
    for (std::size_t i = 0; i < orders[s].size(); ++i)
      out(s, orders[s][i]) = static_cast<double>(i + 1);
  return out;
}

std::vector<Matrix> stage_likelihoods(const ParticipantColumns& log_ratios,
                                      const OrderSet& orders) {
  const std::size_t B = log_ratios.biomarkers(), J = log_ratios.participants();
  std::vector<Matrix> out(orders.size(), Matrix(J, B + 1));
  for (std::size_t j = 0; j < J; ++j) {
    double top = 0.0;
    for (std::size_t s = 0; s < orders.size(); ++s)
      for (std::size_t k = 0; k < B; ++k) {
        out[s](j, k + 1) = out[s](j, k) + log_ratios[orders[s][k]][j];
        top = std::max(top, out[s](j, k + 1));
      }
    for (auto& of_subtype : out)
      for (double& value : of_subtype.row(j)) value = portable_exp(value - top);
  }
  return out;
}

SubtypeMatch match_subtypes(const SubtypeState& reference, const SubtypeState& draw) {
  const std::size_t K = reference.orders.size(), B = reference.orders.front().size();
  const double all_pairs = std::max(0.5 * static_cast<double>(B) * static_cast<double>(B - 1), 1.0);
  Matrix distance(K, K), cost(K, K);
  for (std::size_t s = 0; s < K; ++s)
    for (std::size_t t = 0; t < K; ++t) {
      distance(s, t) = discordant_pairs(reference.orders[s], draw.orders[t]) / all_pairs;
      cost(s, t) = distance(s, t) + std::abs(portable_exp(reference.log_shares[s]) -
                                             portable_exp(draw.log_shares[t]));
    }
  SubtypeMatch out{cheapest_pairs(cost)};
  for (std::size_t s = 0; s < K; ++s)
    out.order_distance += distance(s, out.of_reference[s]) / static_cast<double>(K);
  return out;
}

PlaceCounts::PlaceCounts(std::size_t subtypes, std::size_t events)
    : counts_(subtypes, Matrix(events, events)) {}

void PlaceCounts::add(const OrderSet& orders, std::span<const std::size_t> label) {
  for (std::size_t s = 0; s < counts_.size(); ++s) {
    const auto& order = orders[label[s]];
    for (std::size_t place = 0; place < order.size(); ++place)
      counts_[s](order[place], place) += 1.0;
  }
  orders_ += 1.0;
}

std::vector<Matrix> PlaceCounts::rank_posteriors(std::span<const std::size_t> columns) const {
  std::vector<Matrix> out(counts_.size(), Matrix(columns.size(), columns.size()));
  for (std::size_t s = 0; s < out.size(); ++s)
    for (std::size_t event = 0; event < columns.size(); ++event)
      for (std::size_t place = 0; place < columns.size(); ++place)
        out[s](columns[event], place) = counts_[s](event, place) / orders_;
  return out;
}

SubtypeMean::SubtypeMean(SubtypeState reference, std::size_t participants)
    : reference_(std::move(reference)),
      places_(reference_.orders.size(), reference_.orders.front().size()),
      ranks_(reference_.orders.size(), reference_.orders.front().size()),
      shares_(ranks_.rows(), 0.0),
      posterior_(ranks_.rows(), Matrix(participants, ranks_.cols() + 1)) {}

void SubtypeMean::add(const SubtypeState& draw, std::span<const Matrix> weights) {
  const auto label = match_subtypes(reference_, draw).of_reference;
  const auto ranks = ranks_of_orders(draw.orders);
  const std::size_t K = label.size();
  for (std::size_t j = 0; j < posterior_.front().rows(); ++j) {
    double sum = 0.0;
    for (const auto& of_subtype : weights)
      for (const double weight : of_subtype.row(j)) sum += weight;
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t k = 0; k < weights[s].cols(); ++k)
        posterior_[s](j, k) += weights[label[s]](j, k) / sum;
  }
  for (std::size_t s = 0; s < K; ++s) {
    shares_[s] += portable_exp(draw.log_shares[label[s]]);
    for (std::size_t b = 0; b < ranks.cols(); ++b) ranks_(s, b) += ranks(label[s], b);
  }
  places_.add(draw.orders, label);
  draws_ += 1.0;
}

Inference SubtypeMean::answer(std::span<const std::size_t> columns) const {
  auto ranks = ranks_;
  for (double& rank : ranks.values()) rank /= draws_;
  auto shares = shares_;
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  auto out = subtype_answer(columns, ranks, std::move(shares), posterior_);
  out.subtypes->rank_posteriors = places_.rank_posteriors(columns);
  for (std::size_t j = 0; j < out.stages.size(); ++j)
    out.stages[j] = median_stage(std::as_const(*out.stage_posterior).row(j));
  return out;
}

}  // namespace tempo::toolkit
