#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace tempo {

/// `0-4,7` -> 0, 1, 2, 3, 4, 7; absent if the text is no such list. A number has six digits at
/// most.
std::optional<std::set<std::size_t>> parse_number_list(const std::string& text);

}  // namespace tempo
