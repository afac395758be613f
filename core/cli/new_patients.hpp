#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/stage_basis.hpp"
#include "data/cohort_table.hpp"

namespace tempo::cli {

/// New patients, and those of their table who are not among them.
struct NewPatients {
  Cohort cohort;  ///< with the basis's biomarkers in their order
  /// [J] biomarkers whose values are far from the reference's
  std::vector<std::vector<std::string>> far;
  std::vector<CohortTable::LeftOut> left_out;
  std::vector<std::string> warnings;  ///< what makes their stages doubtful, a sentence each
};

/// Reads new patients as the reference was read. Says on standard error which participants are left
/// out, and what is made of values.
/// @param inputs  files that were read before, which --out must not overwrite either
/// @throws InputError
NewPatients read_new_patients(const std::string& file, const StageBasis& basis,
                              const Options& options, std::vector<std::filesystem::path> inputs);

}  // namespace tempo::cli
