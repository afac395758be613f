#include "tempo/toolkit/published_event_model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tempo/error.hpp"
#include "tempo/toolkit/most_likely_stage.hpp"

namespace tempo::toolkit {
namespace {

/// Derivative with respect to the index, one-sided at the ends.
std::vector<double> differences(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<double> out(n);
  out[0] = values[1] - values[0];
  out[n - 1] = values[n - 1] - values[n - 2];
  for (std::size_t i = 1; i + 1 < n; ++i) out[i] = (values[i + 1] - values[i - 1]) / 2.0;
  return out;
}

/// The value that stands for a missing one.
double undecided_value(const StateDensities& densities, std::size_t b,
                       const std::vector<double>& observed) {
  constexpr std::size_t kPoints = 1000;
  const auto [least, most] = std::minmax_element(observed.begin(), observed.end());
  std::vector<double> points(kPoints), distance(kPoints), post(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i)
    points[i] =
        *least + (*most - *least) * static_cast<double>(i) / static_cast<double>(kPoints - 1);
  densities(b, points, distance, post);
  for (std::size_t i = 0; i < kPoints; ++i) distance[i] = std::abs(distance[i] - post[i]);
  const auto bend = differences(differences(distance));
  const double sharpest = *std::max_element(bend.begin(), bend.end());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < kPoints; ++i)
    if (bend[i] == sharpest) places.push_back(i);
  if (places.empty())
    throw NumericError(
        "a missing cell stands at the value where both densities are about equal, and the "
        "densities of a biomarker are no numbers there");
  return points[places[places.size() / 2]];
}

}  // namespace

CellDensities cell_densities(const Cohort& cohort, const StateDensities& densities) {
  const std::size_t J = cohort.participant_count(), B = cohort.biomarker_count();
  CellDensities out{Matrix(J, B), Matrix(J, B)};
  std::vector<double> x(J), pre(J), post(J);
  for (std::size_t b = 0; b < B; ++b) {
    const auto observed = values_of(cohort, b).pooled;
    const double instead = observed.size() < J ? undecided_value(densities, b, observed) : 0.0;
    for (std::size_t j = 0; j < J; ++j) {
      const double measured = cohort.measurements(j, b);
      x[j] = std::isnan(measured) ? instead : measured;
    }
    densities(b, x, pre, post);
    for (std::size_t j = 0; j < J; ++j) {
      out.pre(j, b) = pre[j];
      out.post(j, b) = post[j];
    }
  }
  return out;
}

Inference infer_from_densities(const Cohort& cohort, const StateDensities& densities,
                               const EventBasedSettings& settings, RandomStream& stream) {
  const auto [n, y] = cell_densities(cohort, densities);
  OrderLikelihood likelihood(y, n, kPublishedFloor);
  const auto search = search_as_published(likelihood, settings.search, stream);
  auto inference = inference_of(search);
  inference.stages = stages_by_products(y, n, staging_order(search, settings.stage_with));
  return inference;
}

}  // namespace tempo::toolkit
