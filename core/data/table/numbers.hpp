#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "data/names.hpp"

namespace tempo {

/// Whether a point or comma in a number may part its thousands, as in `1.270` and `12,500`: three
/// digits follow it, one to three stand before it, and the first is no zero.
bool may_part_thousands(std::string_view text);

/// The text with usual blanks and apostrophes in place of those of print, which may part thousands.
std::string with_plain_marks(std::string_view text);

/// What a cell of a table holds where nothing was measured.
inline constexpr double kMissingValue = std::numeric_limits<double>::quiet_NaN();

/// How a table writes numbers and missing values: the conversion of a field's text, apart from the
/// tokeniser that found the field. What every cell needs is inline.
class TableNumbers {
 public:
  /// @param decimal          `.` or `,`; absent: the first value that shows it settles it, and a
  ///                         point is assumed until then
  /// @param missing_markers  texts that stand for a missing value, beside an empty field
  /// @param thousands        what parts the digits of large numbers; absent: nothing does
  TableNumbers(std::optional<char> decimal, std::vector<std::string> missing_markers,
               std::optional<char> thousands = std::nullopt);

  /// Settles the decimal point, unless that is done, by a value with a point, or with a comma that
  /// does not part thousands (the comma of `1,234` may).
  void settle(std::string_view text) {
    if (!decimal_) settle_by(text);
  }
  bool has_decimal_commas() const { return decimal_ == ','; }

  /// Reads the number that is the whole of the text; `+` may precede it. Infinity and NaN are
  /// numbers here.
  std::errc read(std::string_view text, double& value) const {
    if (text.starts_with('+')) text.remove_prefix(1);
    if (thousands_) return read_with_thousands(text, value);
    return has_decimal_commas() ? read_with_comma(text, value) : parse_number(text, value);
  }
  std::optional<double> read(std::string_view text) const {
    double value = 0.0;
    return read(text, value) == std::errc() ? std::optional(value) : std::nullopt;
  }
  /// The same, absent unless the number is finite.
  std::optional<double> read_finite(std::string_view text) const {
    const auto number = read(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
  }

  /// Whether the field is empty or a marker, letter by letter.
  bool is_missing(const std::string& text) const {
    return text.empty() || std::find(missing_markers_.begin(), missing_markers_.end(), text) !=
                               missing_markers_.end();
  }
  /// Whether a number is a marker however it is written: -4.0 is the marker -4.
  bool is_missing(double number) const {
    return std::find(missing_numbers_.begin(), missing_numbers_.end(), number) !=
           missing_numbers_.end();
  }
  /// Either of the two.
  bool is_missing_however_written(const std::string& text) const;

 private:
  void settle_by(std::string_view text);
  std::errc read_with_thousands(std::string_view text, double& value) const;
  std::errc read_with_comma(std::string_view text, double& value) const;
  void read_markers();

  std::optional<char> decimal_, thousands_;
  std::vector<std::string> missing_markers_;
  std::vector<double> missing_numbers_;
};

}  // namespace tempo
