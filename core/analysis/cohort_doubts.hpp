#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// Something that makes a comparison of hypotheses on a cohort doubtful, whatever is assumed.
struct CohortDoubt {
  enum class Kind {
    no_healthy,           ///< nothing shows what biomarkers are before their events
    no_diseased,          ///< nothing shows the order of events or the stages
    not_measured,         ///< nobody has a value of the biomarker
    constant,             ///< `value` in everybody
    constant_in_healthy,  ///< `value`: distributions cannot be estimated
    few_values,           ///< `distinct` among `measured` participants: a scale, no measurement
    far_from_table,       ///< the healthy's median is `value`, `sds` from the table's `mean`
  };
  Kind kind = Kind::no_healthy;
  std::string biomarker = {};  ///< empty where it is about the whole cohort
  double value = 0.0;
  std::size_t distinct = 0;
  std::size_t measured = 0;
  double sds = 0.0;
  double mean = 0.0;
};

/// The doubts about a cohort: of groups first, then biomarker by biomarker.
/// @param cohort  with labels
/// @param known   distributions of its biomarkers in its columns; null: they are to be estimated
std::vector<CohortDoubt> cohort_doubts(const Cohort& cohort, const BiomarkerTable* known);

}  // namespace tempo
