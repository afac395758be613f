#pragma once

#include <string>

#include "data/covariates.hpp"
#include "data/table/faults.hpp"
#include "data/table_description.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// What every step from a described table's rows to its cohort reads, and where it complains.
struct TableInput {
  const TableDescription& description;
  Labels labels = Labels::needed;
  const Adjustment* earlier = nullptr;  ///< of later participants: how the cohort that they are
                                        ///< compared with was adjusted; else null
  const std::string& name;              ///< what messages call the table
  Problems& problems;                   ///< of this table alone
  TableFaults& faults;                  ///< counted ones; adds to `problems`

  bool is_long() const { return description.layout == TableDescription::Layout::tall; }
};

}  // namespace tempo
