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

}  // namespace tempo
