#pragma once

#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo::cli {

/// The cohort with these biomarkers in this order; a column that it lacks is empty.
Cohort with_biomarkers(const Cohort& cohort, const std::vector<std::string>& biomarkers);

/// Says on standard error which columns of a cohort are left out because they are none of these.
/// @param whose  biomarkers these are, in words
void note_unknown(const Cohort& cohort, const std::vector<std::string>& biomarkers,
                  const std::string& file, const std::string& whose);

/// Complains about biomarkers that a cohort lacks.
/// @param hint  the end of the complaint; may be empty
void expect_biomarkers(const Cohort& cohort, const std::vector<std::string>& biomarkers,
                       const std::string& file, const std::string& whose, const std::string& hint,
                       Problems& problems);

}  // namespace tempo::cli
