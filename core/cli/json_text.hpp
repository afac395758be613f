#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tempo::cli {

/// As people read it. Names of files and words of plugins may be no UTF-8.
inline std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tempo::cli
