#pragma once

#include <memory>
#include <string>

#include "data/toml_table.hpp"
#include "support.hpp"
#include "tempo/process_law.hpp"

namespace tempo::test {

/// The hypothesis `composed` with settings as an experiment writes them.
inline std::unique_ptr<GenerativeProcess> composed(const std::string& toml,
                                                   const BiomarkerTable& biomarkers) {
  Problems problems;
  const auto settings = read_toml_text(toml, "test", problems);
  problems.throw_if_any();
  return shipped().hypothesis({"composed", settings, {}}, biomarkers);
}

}  // namespace tempo::test
