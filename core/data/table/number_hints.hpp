#pragma once

#include <string>

#include "data/table/input.hpp"
#include "data/table/numbers.hpp"

namespace tempo {

/// Why the text of a biomarker's cell is no number, and what its table or its description could say
/// instead.
std::string why_no_number(const std::string& biomarker, const std::string& text,
                          const TableInput& input, const TableNumbers& numbers);

}  // namespace tempo
