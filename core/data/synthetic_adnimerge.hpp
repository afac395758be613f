#pragma once

#include <cstddef>
#include <string>

#include "tempo/cohort.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

/// A table of the shape of ADNIMERGE.csv, whose original needs a permission: the same columns,
/// several visits of a participant, labels (SMC and none among them), limits of the assays
/// (`>1700`), gaps. Its numbers are drawn and belong to no real participant.
struct SyntheticAdnimerge {
  std::string csv;
  std::string truth;         ///< JSON with the keys of true_order_and_stages.json
  std::size_t rows = 0;      ///< visits
  std::size_t complete = 0;  ///< participants that the preset `adnimerge` keeps
  std::size_t controls = 0;  ///< of these
};

/// Makes the table of a simulated cohort. Healthy participants are CN, a few of the incomplete ones
/// SMC. Patients are EMCI, LMCI and AD in shares of 0.4, 0.35 and 0.25, by their stage with noise
/// of a fifth of the range. `complete` participants, floor(complete * healthy_ratio) of them
/// healthy, have every biomarker at baseline and a label that the preset keeps. All others lack
/// some or are SMC, so that an import keeps as many participants as the paper has. Volumes are
/// written in mm^3, scores as whole numbers.
/// @param simulated  biomarkers of the shipped table adni-12, in any order
/// @throws ShapeError if it has others
SyntheticAdnimerge synthesize_adnimerge(const SimulatedCohort& simulated, std::size_t complete,
                                        double healthy_ratio, RandomStream& stream);

}  // namespace tempo
