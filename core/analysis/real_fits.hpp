#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/fit_result.hpp"

namespace tempo {

/// How many fits of a real cohort went well, of one method and model or hypothesis assumed.
struct RealFits {
  std::vector<std::string> axis_values;
  std::string method;
  std::string labels;
  std::string rests_on;                               ///< as the column `trained_on` of results.csv
  std::size_t planned = 0, fitted = 0;                ///< fits of the cohort itself
  std::size_t replicates = 0, fitted_replicates = 0;  ///< planned, and fitted
  std::optional<double> seconds;  ///< mean over those that went well; absent if none did
};
/// In plan order; none if no fit is of a real cohort.
std::vector<RealFits> real_fits(const RunResults& results);

}  // namespace tempo
