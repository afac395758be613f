#pragma once

// What tests of inference methods share. Includes Catch2 last.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support.hpp"

namespace tempo::test {

using Setting = std::pair<std::string, std::variant<bool, std::int64_t, double, std::string>>;

/// A shipped method with these settings.
std::unique_ptr<InferenceMethod> method(const std::string& plugin,
                                        const std::vector<Setting>& settings);

/// Eight biomarkers of hypothesis 1, 400 participants, `shift` standard deviations from phi to
/// theta.
SimulatedCohort simulated(std::uint64_t seed = 4, double shift = 4.0);

/// Column b times `factor`, plus `shift`.
Cohort with_column(Cohort cohort, std::size_t b, double factor, double shift = 0.0);

/// Row i taken from row order[i], of as many rows as that has.
Cohort with_rows(const Cohort& cohort, const std::vector<std::size_t>& order);

}  // namespace tempo::test
