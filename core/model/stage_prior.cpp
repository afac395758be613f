#include "tempo/stage_prior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tempo/error.hpp"

namespace tempo {

StagePrior::~StagePrior() = default;

void StagePrior::draw(std::size_t biomarkers, RandomStream& stream,
                      std::span<double> stages) const {
  std::fill(stages.begin(), stages.end(), std::numeric_limits<double>::quiet_NaN());
  guard("drawing stages", [&] { do_draw(biomarkers, stream, stages); });
  const bool whole = ordinal();
  for (const auto stage : stages)
    if (!(stage > 0.0 && stage <= static_cast<double>(biomarkers)) ||
        (whole && stage != std::floor(stage)))
      throw NumericError(blame("drawing stages") + "expected " +
                         (whole ? "whole numbers 1..B=" : "values in (0, B=") +
                         std::to_string(biomarkers) + (whole ? "" : "]") + ", got " +
                         std::to_string(stage));
}

std::optional<std::vector<double>> StagePrior::concentrations(std::size_t biomarkers) const {
  std::optional<std::vector<double>> out;
  guard("giving its concentrations", [&] { out = do_concentrations(biomarkers); });
  if (!out) return out;
  const auto prefix = blame("giving its concentrations");
  if (!ordinal()) throw NumericError(prefix + "its stages are not ordinal");
  if (out->size() != biomarkers)
    throw ShapeError(prefix + "expected " + std::to_string(biomarkers) + ", got " +
                     std::to_string(out->size()));
  for (const auto value : *out)
    if (!(value > 0.0 && std::isfinite(value)))
      throw NumericError(prefix + "expected positive numbers, got " + std::to_string(value));
  return out;
}

std::optional<std::vector<double>> StagePrior::cumulative(std::size_t biomarkers,
                                                          std::span<const double> stages) const {
  std::optional<std::vector<double>> out;
  guard("giving its law", [&] { out = do_cumulative(biomarkers, stages); });
  if (!out) return out;
  const auto prefix = blame("giving its law");
  if (ordinal())
    throw NumericError(prefix + "its stages are ordinal: it has concentrations, or no law");
  if (out->size() != stages.size())
    throw ShapeError(prefix + "expected " + std::to_string(stages.size()) + " values, got " +
                     std::to_string(out->size()));
  double before = 0.0;
  for (const auto value : *out) {
    if (!(value >= before && value <= 1.0))
      throw NumericError(prefix + "expected probabilities that do not fall, got " +
                         std::to_string(value) + " after " + std::to_string(before));
    before = value;
  }
  return out;
}

std::optional<std::vector<double>> StagePrior::do_concentrations(std::size_t) const { return {}; }

std::optional<std::vector<double>> StagePrior::do_cumulative(std::size_t,
                                                             std::span<const double>) const {
  return {};
}

}  // namespace tempo
