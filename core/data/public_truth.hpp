#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// The truth of a cohort as JSON, with the keys that public_cohorts.hpp lists.

/// The file of truths in the folder of a hypothesis.
inline constexpr const char* kTruthFileName = "true_order_and_stages.json";
/// Beside it: the folder of the CSVs of cohorts with subtypes.
inline constexpr const char* kSubtypeData = "data";

/// The truth of one data set in a file of several; null, and a problem, if it is not there.
/// @param file  what messages call the file
const nlohmann::json* find_truth(const nlohmann::json& root, const std::string& file,
                                 const std::string& stem, Problems& problems);

/// Where a truth stands, and the cohort that it has to agree with.
struct TruthPlace {
  std::string file;      ///< what messages call the file
  std::string stem;      ///< of a file of several truths; else empty
  const Cohort& cohort;  ///< biomarkers sorted by name
  std::string whose;     ///< what the cohort was read from, in words: `the CSV`
};

/// Reads a truth and compares everything with its cohort. Both results are of use only if no
/// problem was added.
/// @param biomarkers  set where the truth says how the cohort was drawn
void read_truth_entry(const nlohmann::json& entry, const TruthPlace& place, Problems& problems,
                      Truth& truth, std::optional<BiomarkerTable>& biomarkers);

/// The cohort of a truth as far as the truth tells it: the names, and which participants have a
/// stage and so are diseased. read_truth_entry complains of values that do not fit together.
Cohort named_cohort(const nlohmann::json& entry);

/// The truth of a cohort that check(truth, cohort) accepts.
/// @param biomarkers  how the cohort was drawn, or null
nlohmann::json truth_to_json(const Cohort& cohort, const Truth& truth,
                             const BiomarkerTable* biomarkers);

}  // namespace tempo
