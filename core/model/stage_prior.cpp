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

}  // namespace tempo
