#pragma once

#include <string>

namespace tempo::test {

/// An input with faults, and the exact message of its reader.
struct FaultyInput {
  std::string what;
  std::string text;
  std::string report;
};

}  // namespace tempo::test
