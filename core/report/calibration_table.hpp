#pragma once

#include <string>
#include <vector>

#include "analysis/calibration.hpp"
#include "report/table.hpp"

namespace tempo {

/// How often truths are where posteriors said. For people: a row per hypothesis and method, with
/// the share of truths in 90 % intervals and the emptiest and fullest tenth. For programs: a row
/// per kind of posterior (`ranks`, `stages`) with all tenths, as shares of the truths.
/// @param axes  as in RunResults
Table calibration_table(const std::vector<MethodCalibration>& methods,
                        const std::vector<std::string>& axes);

/// Whether a method is calibrated under a hypothesis, for tempo calibrate.
struct HypothesisCalibration {
  std::string hypothesis, method;
  std::size_t participants = 0;           ///< of each cohort
  std::size_t cohorts = 0;                ///< fits that went well
  std::optional<PosteriorPlaces> ranks;   ///< absent where the method has no such posterior
  std::optional<PosteriorPlaces> stages;  ///< likewise

  bool disagree() const;
};
/// For people: a row per kind of posterior, and a verdict. For programs: the same rows with all
/// tenths.
Table places_table(const HypothesisCalibration& found);

}  // namespace tempo
