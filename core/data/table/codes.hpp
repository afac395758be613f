#pragma once

#include <vector>

#include "data/table/value_counts.hpp"

namespace tempo {

/// Whether a number is made of nines or eights (-9, 99, 888.8), or one of the numbers next to these
/// by which registers say why a value is missing (95 to 98, 995 to 998, ...), or -1, -4 or -8.
bool is_usual_code(double x);

/// Codes, and the values that are none.
struct CodesAndValues {
  std::vector<double> codes;  ///< ascending
  std::vector<Count> others;
};

/// Takes codes for missing values away from both ends, until neither has any: a code at one end
/// hides one at the other.
/// @param values  of a biomarker, ascending
CodesAndValues without_codes(std::vector<Count> values);

}  // namespace tempo
