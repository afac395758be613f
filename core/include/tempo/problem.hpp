#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tempo/error.hpp"
#include "tempo/export.hpp"

namespace tempo {

/// Where in the user's input something stands. Line and column count from 1; 0 = not known.
struct Place {
  std::string file;  ///< a path as the user wrote it, or the name of another source (`--set`)
  std::size_t line = 0;
  std::size_t column = 0;
};

/// `file:line:column`, `file:line` or `file`, whatever is known.
TEMPO_API std::string to_string(const Place& place);

/// One fault in the user's input.
struct Problem {
  Place place;
  std::string message;  ///< what was found; what was expected; did you mean
};

/// All faults of some input, in the order found. Readers add to it and go on, so that one look
/// shows a user everything there is to mend.
class TEMPO_API Problems {
 public:
  void add(const Place& place, std::string message);
  void append(const Problems& others);
  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  const std::vector<Problem>& all() const { return problems_; }
  /// One line per fault: `file:line:column: message`. Of more than 3,000 bytes the middle is left
  /// out.
  std::string report() const;
  /// @throws InputError carrying all faults, if there is any.
  void throw_if_any() const;

 private:
  std::vector<Problem> problems_;
};

/// The user's input has faults. Programs print the report and exit with code 2.
class TEMPO_API InputError : public Error {
 public:
  explicit InputError(Problems problems);
  ~InputError() override;
  const Problems& problems() const { return problems_; }

 private:
  Problems problems_;
};

/// The candidate nearest to `word`: no more than a third of the letters wrong, or else the only one
/// that begins alike (three letters, half of the word), as `tau_distance` does for `tau`; or empty.
TEMPO_API std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// `; did you mean 'X'?` or empty: the usual end of a message about an unknown name.
TEMPO_API std::string did_you_mean(std::string_view word,
                                   const std::vector<std::string>& candidates);

/// `'a', 'b' or 'c'`.
TEMPO_API std::string one_of(const std::vector<std::string>& names);

}  // namespace tempo
