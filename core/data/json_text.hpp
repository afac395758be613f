#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "tempo/problem.hpp"

namespace tempo {

/// Parses JSON; a key given twice, of which the library would keep only one, is a problem. Absent
/// if there was any.
/// @param name  what places call the text
std::optional<nlohmann::json> parse_json(std::string_view text, const std::string& name,
                                         Problems& problems);

/// What a value is, for messages: `an object`, `a list`, or a plain value as it is written.
std::string kind_of_json(const nlohmann::json& value);

/// How many faults of one list are told; then how many more there are.
inline constexpr std::size_t kShownFaults = 10;

}  // namespace tempo
