#include "tempo/toolkit/subtype_answer.hpp"

#include <algorithm>
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

std::vector<std::size_t> matching_subtypes(const OrderSet& reference, const OrderSet& draw) {
  const std::size_t K = reference.size();
  Matrix distance(K, K);
  for (std::size_t s = 0; s < K; ++s)
    for (std::size_t t = 0; t < K; ++t) distance(s, t) = discordant_pairs(reference[s], draw[t]);
  std::vector<std::size_t> out(K, K);
  std::vector<bool> is_taken(K, false);
  for (std::size_t round = 0; round < K; ++round) {
    std::size_t best_s = K, best_t = K;
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t t = 0; t < K; ++t)
        if (out[s] == K && !is_taken[t] &&
            (best_s == K || distance(s, t) < distance(best_s, best_t)))
          best_s = s, best_t = t;
    out[best_s] = best_t;
    is_taken[best_t] = true;
  }
  return out;
}

SubtypeMean::SubtypeMean(OrderSet reference, std::size_t participants)
    : reference_(std::move(reference)),
      ranks_(reference_.size(), reference_.front().size()),
      shares_(reference_.size(), 0.0),
      posterior_(reference_.size(), Matrix(participants, reference_.front().size() + 1)) {}

void SubtypeMean::add(const OrderSet& orders, std::span<const double> log_shares,
                      std::span<const Matrix> weights) {
  const auto label = matching_subtypes(reference_, orders);
  const auto ranks = ranks_of_orders(orders);
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
    shares_[s] += portable_exp(log_shares[label[s]]);
    for (std::size_t b = 0; b < ranks.cols(); ++b) ranks_(s, b) += ranks(label[s], b);
  }
  draws_ += 1.0;
}

Inference SubtypeMean::answer(std::span<const std::size_t> columns) const {
  auto ranks = ranks_;
  for (double& rank : ranks.values()) rank /= draws_;
  auto shares = shares_;
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  auto out = subtype_answer(columns, ranks, std::move(shares), posterior_);
  for (std::size_t j = 0; j < out.stages.size(); ++j)
    out.stages[j] = median_stage(std::as_const(*out.stage_posterior).row(j));
  return out;
}

}  // namespace tempo::toolkit
