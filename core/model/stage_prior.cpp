#include "tempo/stage_prior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {

DirichletStageLaw::~DirichletStageLaw() = default;
ContinuousStageLaw::~ContinuousStageLaw() = default;

std::vector<double> DirichletStageLaw::concentrations(std::size_t biomarkers) const {
  std::vector<double> out;
  guard_quickly("giving its concentrations", [&] { out = do_concentrations(biomarkers); });
  if (out.size() != biomarkers)
    throw ShapeError(blame("giving its concentrations") + "expected " + std::to_string(biomarkers) +
                     ", got " + std::to_string(out.size()));
  for (const auto value : out)
    if (!(value > 0.0 && std::isfinite(value)))
      throw NumericError(blame("giving its concentrations") + "expected positive numbers, got " +
                         std::to_string(value));
  return out;
}

std::vector<double> ContinuousStageLaw::cumulative(std::size_t biomarkers,
                                                   std::span<const double> stages) const {
  std::vector<double> out;
  guard_quickly("giving its law", [&] { out = do_cumulative(biomarkers, stages); });
  if (out.size() != stages.size())
    throw ShapeError(blame("giving its law") + "expected " + std::to_string(stages.size()) +
                     " values, got " + std::to_string(out.size()));
  double before = 0.0;
  for (const auto value : out) {
    if (!(value >= before && value <= 1.0))
      throw NumericError(blame("giving its law") + "expected probabilities that do not fall, got " +
                         std::to_string(value) + " after " + std::to_string(before));
    before = value;
  }
  return out;
}

StagePrior::StagePrior(StageScale scale) : scale_(scale) {}
StagePrior::StagePrior(std::unique_ptr<DirichletStageLaw> law)
    : scale_(StageScale::ordinal), ordinal_law_(std::move(law)) {}
StagePrior::StagePrior(std::unique_ptr<ContinuousStageLaw> law)
    : scale_(StageScale::continuous), continuous_law_(std::move(law)) {}
StagePrior::~StagePrior() = default;

void StagePrior::set_plugin_id(std::string id) {
  if (ordinal_law_ != nullptr) ordinal_law_->set_plugin_id(id);
  if (continuous_law_ != nullptr) continuous_law_->set_plugin_id(id);
  PluginObject::set_plugin_id(std::move(id));
}

void StagePrior::draw(std::size_t biomarkers, RandomStream& stream,
                      std::span<double> stages) const {
  std::fill(stages.begin(), stages.end(), std::numeric_limits<double>::quiet_NaN());
  guard_quickly("drawing stages", [&] { do_draw(biomarkers, stream, stages); });
  const bool whole = scale_ == StageScale::ordinal;
  for (const auto stage : stages)
    if (!(stage > 0.0 && stage <= static_cast<double>(biomarkers)) ||
        (whole && stage != std::floor(stage)))
      throw NumericError(blame("drawing stages") + "expected " +
                         (whole ? "whole numbers 1..B=" : "values in (0, B=") +
                         std::to_string(biomarkers) + (whole ? "" : "]") + ", got " +
                         std::to_string(stage));
}

}  // namespace tempo
