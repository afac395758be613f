#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/method_abilities.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// What a program found in a cohort, as `tempo infer --format json` writes it:
//
//   cohort   the cohort's file; may be absent, then the file itself is called like the cohort
//   plugin   what found it
//   labels   none, fit or infer: what it did with the diagnosis; may be absent
//   events   a list of: biomarker; score (smaller: earlier) or rank (1..B, each once); perhaps
//            rank_probabilities [B] of the ranks 1..B
//   stages   a list of: participant, stage; perhaps stage_probabilities [B + 1] of 0..B
//
// Other keys are not looked at.

/// One cohort's part of such a file.
struct FoundEntry {
  std::string file;    ///< it stands in
  std::string cohort;  ///< as the file calls it
  std::string plugin;  ///< empty if it does not say
  std::optional<LabelUse> labels;
  nlohmann::json content;
};

/// The entries of a file: one object, or a list of them. Empty, and a problem, if there are faults.
std::vector<FoundEntry> read_found(const std::string& file, Problems& problems);

/// What an entry says of the cohort that it is about: scores, stages, and the posteriors that it
/// has of all biomarkers or participants. Absent, and a problem for each fault, where something is
/// missing, unknown, given twice or out of range.
std::optional<Inference> found_in(const FoundEntry& entry, const Cohort& cohort,
                                  Problems& problems);

}  // namespace tempo
