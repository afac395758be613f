#include "stage_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tempo::bayes {
namespace {

/// Grid steps per stage.
std::size_t resolution(const EventTimes& times, std::size_t B, bool ordinal) {
  const bool on_stages = times.kind == EventTimes::Kind::permutation && times.noise_sd == 0.0;
  if (on_stages && ordinal) return 1;
  const std::size_t most = std::max<std::size_t>(1, (on_stages ? 200 : 400) / B);
  if (on_stages) return std::min<std::size_t>(most, 4);
  if (times.noise_sd == 0.0) return std::min<std::size_t>(most, 8);
  constexpr double kStepsPerNoise = 4.8;
  const double steps = kStepsPerNoise / (times.noise_sd * static_cast<double>(B));
  return std::min(most, static_cast<std::size_t>(std::clamp(std::ceil(steps), 1.0, 16.0)));
}

}  // namespace

StageNodes stage_nodes(const ComposedProcess& process) {
  const auto& prior = process.stage_prior();
  StageNodes out;
  out.biomarkers = process.biomarkers().size();
  const std::size_t B = out.biomarkers;
  const auto alpha = prior.concentrations(B);
  out.per_stage = resolution(process.event_times(), B, alpha.has_value());
  if (alpha) {
    out.stride = out.first = out.per_stage;
    out.concentrations = *alpha;
    const double total = std::accumulate(alpha->begin(), alpha->end(), 0.0);
    for (const double a : *alpha) out.masses.push_back(a / total);
    return out;
  }
  out.offset = 0.5;
  std::vector<double> edges(out.times());
  for (std::size_t i = 0; i < edges.size(); ++i)
    edges[i] = static_cast<double>(i) / static_cast<double>(out.per_stage);
  const auto below = prior.cumulative(B, edges).value();
  for (std::size_t q = 0; q + 1 < below.size(); ++q) out.masses.push_back(below[q + 1] - below[q]);
  return out;
}

}  // namespace tempo::bayes
