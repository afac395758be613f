#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tempo {

/// The columns that a UTF-8 text takes on a terminal: two for a wide character (汉), none for one
/// that is added to another (an accent).
std::size_t display_width(std::string_view text);

/// The text in lines of at most `width` columns: broken between words, and within those that are
/// longer than a line. Further lines are indented by `indent` and as the first is. A line at least.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);
/// Each line of a text, wrapped, and joined again.
std::string wrapped_lines(std::string_view lines, std::size_t width);

/// `0.123 ± 0.045`, or the mean alone where there is no interval.
std::string with_half_width(double mean, const std::optional<double>& half_width, int decimals);

/// The text, cut to `width` columns by an ellipsis in place of its end.
std::string shortened(std::string_view text, std::size_t width);

/// Columns of texts, padded to equal width, two spaces between them. Where the table is wider than
/// `width`, names are broken into lines, then columns of numbers go into further blocks, each with
/// the columns of names before it. Nothing is cut.
/// @param rows          the first is the head; all printable
/// @param name_columns  how many columns, from the first, hold names
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t name_columns,
                    std::size_t width);
/// Whether `aligned` needs neither further lines nor further blocks.
bool fits(const std::vector<std::vector<std::string>>& rows, std::size_t width);

}  // namespace tempo
