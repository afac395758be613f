#pragma once

#include <cstddef>
#include <map>

#include "tempo/problem.hpp"

namespace tempo {

/// Where the user asked for something that only a builder can look up.
struct Asked {
  Place place;
  /// Number of faults that the reader had found by then. A builder's faults come after these:
  /// FaultsInOrder.
  std::size_t after = 0;
};

/// Faults that a builder finds, among those of the reader: in the order in which one pass over the
/// file would find all.
class FaultsInOrder {
 public:
  Problems& at(const Asked& asked) { return found_[asked.after]; }
  /// All faults.
  Problems among(const Problems& of_reader) const;

 private:
  std::map<std::size_t, Problems> found_;
};

}  // namespace tempo
