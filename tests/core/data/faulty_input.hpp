#pragma once

#include <string>

namespace tempo::test {

/// An input with faults, and word for word what a reader has to say about it.
struct FaultyInput {
  std::string what;
  std::string text;
  std::string report;
};

}  // namespace tempo::test
