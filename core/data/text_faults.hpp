#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "data/text_file.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// The faults of a file: the first ten of a kind in full, the rest as a number, so that a file that
/// is wrong throughout fills no screen.
/// @tparam Kind an enumeration 0..count-1
template <class Kind, std::size_t count>
class TextFaults {
 public:
  /// @param in_words what there are more of, by kind, in the plural
  TextFaults(std::string_view text, const std::string& name,
             const std::array<std::string_view, count>& in_words, Problems& problems)
      : text_(text), name_(name), in_words_(in_words), problems_(problems) {}

  /// @param words makes the message, if it is wanted
  template <class Words>
  void add(Kind kind, std::size_t offset, const Words& words) {
    if (++counts_[static_cast<std::size_t>(kind)] <= kShown) add(offset, words());
  }
  void add(std::size_t offset, const std::string& message) {
    problems_.add(place_in_text(text_, offset, name_), message);
  }
  void add_the_rest() {
    for (std::size_t kind = 0; kind < count; ++kind)
      if (counts_[kind] > kShown)
        problems_.add({name_},
                      fmt::format("and {} more {}", counts_[kind] - kShown, in_words_[kind]));
  }
  std::size_t line(std::size_t offset) const { return place_in_text(text_, offset, name_).line; }

 private:
  static constexpr std::size_t kShown = 10;

  std::string_view text_;
  const std::string& name_;
  const std::array<std::string_view, count>& in_words_;
  Problems& problems_;
  std::array<std::size_t, count> counts_{};
};

}  // namespace tempo
