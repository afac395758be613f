#include "answer.hpp"

#include <algorithm>
#include <utility>

#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bebms {

Inference answer_of(const Study& study, const Matrix& ranks, std::vector<double> shares,
                    std::span<const Matrix> posterior) {
  const std::size_t K = posterior.size(), B = study.biomarkers(), J = study.everyone.participants();
  Inference out;
  out.event_scores.assign(B, 0.0);
  auto& subtypes = out.subtypes.emplace();
  subtypes.event_scores = Matrix(K, B);
  for (std::size_t s = 0; s < K; ++s)
    for (std::size_t b = 0; b < B; ++b) {
      subtypes.event_scores(s, study.columns[b]) = ranks(s, b);
      out.event_scores[study.columns[b]] += shares[s] * ranks(s, b);
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

Matrix ranks_of_orders(std::span<const std::vector<std::size_t>> orders) {
  Matrix out(orders.size(), orders.empty() ? 0 : orders.front().size());
  for (std::size_t s = 0; s < orders.size(); ++s)
    for (std::size_t i = 0; i < orders[s].size(); ++i)
      out(s, orders[s][i]) = static_cast<double>(i + 1);
  return out;
}

std::vector<Matrix> stage_likelihoods(const ParticipantColumns& log_ratios,
                                      std::span<const std::vector<std::size_t>> orders) {
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
      for (double& value : of_subtype.row(j)) value = toolkit::portable_exp(value - top);
  }
  return out;
}

}  // namespace tempo::bebms
