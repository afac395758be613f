#include "whole_stage_law.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace tempo::bayes {

WholeStageLaw whole_stage_law(const StagePrior& prior, std::size_t biomarkers) {
  const std::size_t B = biomarkers;
  WholeStageLaw out;
  out.log_weights.assign(B + 1, -std::numeric_limits<double>::infinity());
  if (const auto* law = prior.ordinal_law()) {
    const auto& alpha = out.concentrations = law->concentrations(B);
    const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
    for (std::size_t k = 1; k <= B; ++k) out.log_weights[k] = std::log(alpha[k - 1] / total);
    return out;
  }
  std::vector<double> edges(B + 1);
  std::iota(edges.begin(), edges.end(), 0.0);
  const auto below = prior.continuous_law()->cumulative(B, edges);
  for (std::size_t k = 0; k < B; ++k) out.log_weights[k] = std::log(below[k + 1] - below[k]);
  return out;
}

}  // namespace tempo::bayes
