#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "tempo/problem.hpp"

namespace tempo {

/// How deep lists and objects of a JSON text may lie in each other: whatever goes through a value
/// calls itself as often.
inline constexpr std::size_t kMostJsonLevels = 64;

/// Where a JSON text first goes deeper than that, if it does: asked before it is parsed.
std::optional<std::size_t> too_deep_at(std::string_view text);

/// `lists and objects lie more than 64 deep in each other`: what is said of such a text.
std::string too_deep_in_words();

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
