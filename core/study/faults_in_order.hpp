#pragma once

#include <cstddef>
#include <map>

#include "tempo/problem.hpp"

namespace tempo {

/// Where the user asked for something that only a builder can look up.
struct Asked {
  Place place;
  /// How many faults the reader had found by then: what a builder finds wrong with it comes after
  /// these (FaultsInOrder).
  std::size_t after = 0;
};

/// Faults that a builder finds, each where a reader that looked things up at once had found it.
class FaultsInOrder {
 public:
  Problems& at(const Asked& asked) { return found_[asked.after]; }
  /// All faults.
  Problems among(const Problems& of_reader) const;

 private:
  std::map<std::size_t, Problems> found_;
};

}  // namespace tempo
