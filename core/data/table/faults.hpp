#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "data/text_file.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// What can be wrong with a table of participants, whichever reader reads it.
enum class TableFault : std::size_t {
  header,
  field_count,
  empty_participant,
  empty_biomarker,
  empty_visit,
  visit_time,
  repeated_row,
  disagreement,
  measurement,
  censored,
  divisor,
  logarithm,
  covariate,
  label,
  two_labels,
  two_diagnoses,
};

/// The faults of a table: the first ten of a kind in full, the rest as a number, so that a file
/// that is wrong throughout fills no screen.
class TableFaults {
 public:
  /// @param text   from checked_text; it and `name` have to outlive the object
  /// @param name   what places call the text
  /// @param kinds  those that can be added, in the order in which add_the_rest lists them
  TableFaults(std::string_view text, const std::string& name, std::span<const TableFault> kinds,
              Problems& problems)
      : text_(text), name_(name), kinds_(kinds), problems_(problems) {}

  /// @param offset  byte of the text
  /// @param words   makes the message; called only if the message is shown
  template <class Words>
  void add(TableFault kind, std::size_t offset, const Words& words) {
    if (++counts_[static_cast<std::size_t>(kind)] <= kShown) add(offset, words());
  }
  /// A fault that a table has once.
  void add(std::size_t offset, const std::string& message);

  /// Says how many faults of each kind were not shown.
  void add_the_rest();

  /// The line of a byte, for messages that refer to an earlier row.
  std::size_t line(std::size_t offset) const { return place_in_text(text_, offset, name_).line; }

 private:
  static constexpr std::size_t kShown = 10;
  static constexpr std::size_t kKinds = static_cast<std::size_t>(TableFault::two_diagnoses) + 1;

  std::string_view text_;
  const std::string& name_;
  std::span<const TableFault> kinds_;
  Problems& problems_;
  std::array<std::size_t, kKinds> counts_{};
};

}  // namespace tempo
