#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tempo {

/// Why a column that is taken for numbers looks like categories, `SEX (1, 2, 9)`: it is called so,
/// or holds a few whole numbers, more than two of which no straight line fits. Absent if it does
/// not.
/// @param values  missing ones are NaN
std::optional<std::string> looks_like_categories(const std::string& name,
                                                 const std::vector<double>& values);

}  // namespace tempo
