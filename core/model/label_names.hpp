#pragma once

#include <optional>
#include <string_view>

#include "tempo/method_abilities.hpp"

namespace tempo {

/// The use of that name (to_string); nothing for another word.
inline std::optional<LabelUse> label_use(std::string_view name) {
  for (const auto use : {LabelUse::none, LabelUse::fit, LabelUse::infer, LabelUse::optional})
    if (name == to_string(use)) return use;
  return std::nullopt;
}

}  // namespace tempo
