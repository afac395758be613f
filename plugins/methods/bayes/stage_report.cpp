#include "stage_report.hpp"

#include <numeric>

namespace tempo::bayes {

void report_stages(const Matrix& sums, std::span<const std::size_t> diseased,
                   std::size_t participants, Inference& inference) {
  inference.stages.assign(participants, 0.0);
  auto& posterior = inference.stage_posterior.emplace(participants, sums.cols());
  for (std::size_t j = 0; j < participants; ++j) posterior(j, 0) = 1.0;
  for (std::size_t i = 0; i < diseased.size(); ++i) {
    const auto row = posterior.row(diseased[i]);
    const auto shares = sums.row(i);
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    double below = 0.0;
    std::size_t median = 0;
    for (std::size_t k = 0; k < sums.cols(); ++k) {
      row[k] = shares[k] / total;
      if (below < 0.5) median = k;
      below += row[k];
    }
    inference.stages[diseased[i]] = static_cast<double>(median);
  }
}

}  // namespace tempo::bayes
