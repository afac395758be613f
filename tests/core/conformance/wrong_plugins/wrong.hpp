#pragma once

// What the wrong plugins of this folder share. Each is right as long as its setting `fault` is
// "none", and has one thing wrong otherwise.

#include <string>

#include "tempo/plugin.hpp"

namespace tempo::test {

struct Faulty {
  explicit Faulty(Parameters& keys) : fault(keys.text("fault", "none", "what is wrong")) {}
  bool has(const char* name) const { return fault == name; }

  std::string fault;
};

constexpr PluginInfo wrong_info(const char* id) {
  return {.id = id,
          .version = "1.0.0",
          .licence = "MIT",
          .summary = "a test",
          .source = "none",
          .labels = LabelUse::fit,
          .missing = MissingData::marginal};
}

}  // namespace tempo::test
