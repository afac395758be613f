#include "stage_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tempo::bayes {
namespace {

/// Grid steps per stage.
std::size_t resolution(const EventTimes& times, std::size_t B, StageScale scale) {
  const bool on_stages = times.are_ranks() && times.noise_sd() == 0.0;
  const bool ordinal = scale == StageScale::ordinal;
  if (on_stages && ordinal) return 1;
  constexpr double kStepsPerNoise = 4.8, kStepsPerStage = 16.0, kStepsOnStages = 4.0;
  const double noise = times.noise_sd() * static_cast<double>(B);
  const double steps = on_stages     ? kStepsOnStages
                       : noise > 0.0 ? std::min(std::ceil(kStepsPerNoise / noise), 64.0)
                                     : kStepsPerStage;
  const std::size_t most = std::max<std::size_t>(1, (on_stages ? 200 : 400) / B);
  // More event times between ordinal nodes cost next to nothing.
  return std::min(most, static_cast<std::size_t>(steps)) * (ordinal ? 4 : 1);
}

/// Makes of the masses of cells weights of their middles by taking away a 24th of their second
/// difference, nothing lying beyond: the error of sums of smooth functions is then of fourth order
/// in the width of a cell instead of second. No weight falls below half.
void sharpen(std::vector<double>& masses) {
  const auto old = masses;
  const std::size_t n = old.size();
  for (std::size_t q = 0; q < n; ++q) {
    const double before = q > 0 ? old[q - 1] : 0.0, after = q + 1 < n ? old[q + 1] : 0.0;
    masses[q] = std::max(0.5 * old[q], old[q] - (before - 2.0 * old[q] + after) / 24.0);
  }
  masses.front() -= std::min(old.front() / 24.0, 0.25 * old.front());
  masses.back() -= std::min(old.back() / 24.0, 0.25 * old.back());
}

}  // namespace

std::vector<double> StageNodes::places(const std::vector<std::size_t>& order) const {
  std::vector<double> out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    out[order[i]] = static_cast<double>((i + 1) * per_stage);
  return out;
}

Matrix StageNodes::shares(std::vector<double> event_times) const {
  const std::size_t B = biomarkers, Q = size();
  std::sort(event_times.begin(), event_times.end());
  Matrix out(B + 1, Q);
  std::size_t stage = 0;
  for (std::size_t q = 0; q < Q; ++q) {
    const auto from = static_cast<double>(first + stride * q);
    if (ordinal()) {
      while (stage < B && event_times[stage] <= from) ++stage;
      out(stage, q) = 1.0;
      continue;
    }
    double done = 0.0;
    for (; stage < B && event_times[stage] < from + 1.0; ++stage) {
      const double part = std::max(event_times[stage] - from, 0.0);
      out(stage, q) += part - done;
      done = part;
    }
    out(stage, q) += 1.0 - done;
  }
  return out;
}

StageNodes stage_nodes(const ProcessLaw& process) {
  const auto& prior = process.stage_prior();
  StageNodes out;
  out.biomarkers = process.biomarkers().size();
  const std::size_t B = out.biomarkers;
  out.per_stage = resolution(process.event_times(), B, prior.scale());
  if (const auto* law = prior.ordinal_law()) {
    out.stride = out.first = out.per_stage;
    const auto& alpha = out.concentrations = law->concentrations(B);
    const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
    for (const double a : alpha) out.masses.push_back(a / total);
    return out;
  }
  out.offset = 0.5;
  std::vector<double> edges(out.times());
  for (std::size_t i = 0; i < edges.size(); ++i)
    edges[i] = static_cast<double>(i) / static_cast<double>(out.per_stage);
  const auto below = prior.continuous_law()->cumulative(B, edges);
  for (std::size_t q = 0; q + 1 < below.size(); ++q) out.masses.push_back(below[q + 1] - below[q]);
  sharpen(out.masses);
  return out;
}

}  // namespace tempo::bayes
