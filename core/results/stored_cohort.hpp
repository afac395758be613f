#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/covariates.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// A real cohort, kept once for all its fits.
struct StoredCohort {
  std::vector<std::string> axis_values;   ///< of its point of the sweep
  std::string name;                       ///< the path it was read from, as the experiment names it
  std::vector<std::string> participants;  ///< ids [J]
  std::vector<std::uint8_t> diseased;     ///< [J]
  std::vector<std::string> diagnoses;     ///< [J], or empty where not known
  std::vector<std::string> groups;      ///< distinct diagnoses in an order of the user's, or empty
  std::vector<std::string> biomarkers;  ///< names [B], the columns of its fits
  std::string intake;                   ///< what became of the participants, for people
  /// Biomarkers that do not tell healthy from diseased, by estimated_biomarkers; absent where
  /// nobody can say.
  std::optional<std::vector<std::string>> not_separating = {};
  Covariates covariates = {};  ///< that values are adjusted for, as they were read; or none
};

/// What new patients are compared with: the one real cohort of a run as it was read.
struct CohortContent {
  std::string key;  ///< cohort_key
  Cohort cohort;
  Adjustment adjustment;
  /// Before and after events, as the run had them; empty if it had none.
  BiomarkerTable distributions;
};

}  // namespace tempo
