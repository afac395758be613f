#include "stage_report.hpp"

#include <cmath>
#include <numeric>

namespace tempo::bayes {

std::size_t StageSums::begin(std::size_t block) const {
  double draw = static_cast<double>(burn_in_ + 1);
  for (std::size_t i = 0; i < block; ++i) draw = std::ceil(1.25 * draw);
  return static_cast<std::size_t>(draw);
}

Matrix& StageSums::of_draw(std::size_t draw) {
  std::size_t block = 0;
  while (begin(block + 1) <= draw) ++block;
  while (blocks_.size() <= block) blocks_.emplace_back(rows_, cols_);
  return blocks_[block];
}

Matrix StageSums::after(std::size_t first) const {
  Matrix out(rows_, cols_);
  for (std::size_t block = 0; block < blocks_.size(); ++block)
    if (begin(block) > first || block + 1 == blocks_.size())
      for (std::size_t i = 0; i < rows_; ++i)
        for (std::size_t k = 0; k < cols_; ++k) out(i, k) += blocks_[block](i, k);
  return out;
}

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
