#pragma once

// The published rows of methods that look for subtypes, on the cohorts that they are of. Includes
// Catch2 last.

#include <string>
#include <vector>

#include "method_support.hpp"

namespace tempo::test {

/// The published scores of a method on a data set, or ours.
struct SubtypeRow {
  double tau_distance, stage_mae, subtype_score;
};

/// Ours and theirs of the seven cohorts of one hypothesis.
struct SubtypeRows {
  std::string hypothesis;
  std::vector<SubtypeRow> ours, theirs;
};

/// Fits all 63 cohorts.
/// @param name  of the rows
std::vector<SubtypeRows> beside_published_rows(const std::string& name, const std::string& plugin,
                                               const std::vector<Setting>& settings);

/// Requires the means of every hypothesis to be within three standard errors of the difference,
/// both taken as independent: with chains of another program some are beyond two. Both are of the
/// same cohorts, some of which are harder than others: paired differences would err less, and this
/// is laxer than they were.
void require_as_published(const std::vector<SubtypeRows>& rows);

}  // namespace tempo::test
