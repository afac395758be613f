#include "data/table_format.hpp"

#include <algorithm>

namespace tempo {
namespace {

using Named = TableDescription::Named;

std::size_t count_unquoted(std::string_view line, char separator) {
  std::size_t count = 0;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == separator && !quoted) ++count;
  }
  return count;
}

/// Counts lines above the header that begin with `#`, unless the description has a column of such a
/// name.
std::size_t count_remarks(std::string_view text, std::size_t begin,
                          const TableDescription& description) {
  constexpr char kRemark = '#';
  if (description.comment || !description.header.empty()) return 0;
  const auto is_remark = [](const Named& column) { return column.text.starts_with(kRemark); };
  for (const auto* column : {&description.participant, &description.diagnosis,
                             &description.visit_column, &description.biomarker, &description.value})
    if (is_remark(*column)) return 0;
  for (const auto* columns : {&description.ignore, &description.covariates})
    if (std::any_of(columns->begin(), columns->end(), is_remark)) return 0;
  for (const auto& biomarker : description.biomarkers)
    if (is_remark(biomarker.column) || is_remark(biomarker.over)) return 0;
  std::size_t lines = 0;
  for (; begin < text.size() && text[begin] == kRemark; ++lines) begin = next_line(text, begin);
  return lines;
}

/// The most frequent separator in the first line.
char guess_separator(std::string_view text, std::size_t begin,
                     const TableDescription& description) {
  const auto passed_over = [&](std::string_view rest) {
    return rest.front() == '\n' || rest.front() == '\r' ||
           (description.comment && !description.comment->empty() &&
            rest.starts_with(*description.comment));
  };
  while (begin < text.size() && passed_over(text.substr(begin))) begin = next_line(text, begin);
  const auto line = text.substr(begin, next_line(text, begin) - begin);
  char best = ',';
  std::size_t most = 0;
  // The comma comes last where it may be a decimal one.
  for (const char separator :
       description.decimal == ',' ? std::string_view(";\t|,") : std::string_view(",;\t|")) {
    const auto count = count_unquoted(line, separator);
    const bool decimal = separator == ',' && description.decimal == ',' && most > 0;
    if (count > most && !decimal) {
      best = separator;
      most = count;
    }
  }
  return best;
}

}  // namespace

TableFormat format_of(std::string_view text, const TableDescription& description) {
  std::size_t begin = 0;
  for (std::size_t line = 0; line < description.skip; ++line) begin = next_line(text, begin);
  TableFormat out;
  out.remarks = count_remarks(text, begin, description);
  for (std::size_t line = 0; line < out.remarks; ++line) begin = next_line(text, begin);
  out.csv.separator = description.separator.empty() ? guess_separator(text, begin, description)
                                                    : description.separator[0];
  out.csv.comment = description.comment.value_or("");
  out.csv.skip = description.skip + out.remarks;
  return out;
}

}  // namespace tempo
