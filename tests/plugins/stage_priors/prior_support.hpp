#pragma once

#include <memory>
#include <vector>

#include "statistics.hpp"
#include "support.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo::test {

/// k of `diseased` participants of one cohort with B biomarkers.
inline std::vector<double> stages(const StagePrior& prior, std::size_t B, std::size_t diseased,
                                  RandomStream random) {
  std::vector<double> out(diseased);
  prior.draw(B, random, out);
  return out;
}

}  // namespace tempo::test
