#include "report/staging.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tempo/error.hpp"

namespace tempo {
namespace {

/// But for the constant that both states share.
double log_density(const Normal& normal, double x) {
  const double z = (x - normal.mean) / normal.sd;
  return -0.5 * z * z - std::log(normal.sd);
}

}  // namespace

Matrix event_based_stages(const Cohort& cohort, const Sequence& order,
                          const BiomarkerTable& biomarkers) {
  const auto B = cohort.biomarker_count();
  if (order.size() != B || biomarkers.size() != B)
    throw ShapeError("stages: expected an order and distributions of B=" + std::to_string(B) +
                     " biomarkers, got " + std::to_string(order.size()) + " and " +
                     std::to_string(biomarkers.size()));
  Matrix out(cohort.participant_count(), B + 1);
  for (std::size_t j = 0; j < out.rows(); ++j) {
    auto stages = out.row(j);  // first log odds against stage 0
    for (std::size_t k = 1; k <= B; ++k) {
      const auto b = order[k - 1];
      const double x = cohort.measurements(j, b);
      stages[k] = stages[k - 1];
      if (!std::isnan(x))
        stages[k] += log_density(biomarkers[b].theta, x) - log_density(biomarkers[b].phi, x);
    }
    const double top = *std::max_element(stages.begin(), stages.end());
    double sum = 0.0;
    for (auto& stage : stages) sum += stage = std::exp(stage - top);
    for (auto& stage : stages) stage /= sum;
  }
  return out;
}

double most_likely_stage(std::span<const double> probabilities) {
  return static_cast<double>(
      std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
}

}  // namespace tempo
