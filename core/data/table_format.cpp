#include "data/table_format.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "model/look_alike.hpp"
#include "model/lower_case.hpp"

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

constexpr char kRemark = '#';

/// The separator of a line such as `sep=;`, by which Excel knows it; or nothing.
std::optional<char> separator_said_by(std::string_view line) {
  constexpr std::string_view kStart = "sep=";
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.size() != kStart.size() + 1 || in_lower_case(line.substr(0, kStart.size())) != kStart)
    return std::nullopt;
  return line.back();
}

/// Counts lines above the header that begin with `#`, unless the description has a column of such a
/// name.
std::size_t count_remarks(std::string_view text, std::size_t begin,
                          const TableDescription& description) {
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

/// Whether a line has the columns of the description for fields.
bool has_columns(std::string_view line, char separator, const TableDescription& description) {
  if (!description.participant.given() && !description.diagnosis.given()) return false;
  std::vector<std::string> names;
  Problems ignored;
  for_each_csv_row(line, "", ignored,
                   [&](const CsvRow& row) {
                     for (const auto& field : row) names.push_back(field.text);
                   },
                   {separator, "", 0});
  for (const auto* column : {&description.participant, &description.diagnosis})
    if (column->given() && std::find(names.begin(), names.end(), column->text) == names.end())
      return false;
  return true;
}

/// The separator that gives the first line the columns of the description, or else the one that it
/// has most of.
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
    if (count > 0 && has_columns(line, separator, description)) return separator;
    if (count > most && !decimal) {
      best = separator;
      most = count;
    }
  }
  return best;
}

/// Whether a line that begins with `#` has the columns of the description for fields: then it is
/// the header, and no remark.
bool is_marked_header(std::string_view line, const TableDescription& description) {
  line.remove_prefix(1);
  return has_columns(line, guess_separator(line, 0, description), description);
}

/// Whether nothing of a text prints, as of blanks in quotes.
bool is_blank(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  return text.find_first_not_of(kBlanks) == std::string_view::npos ||
         (static_cast<unsigned char>(text.front()) >= 0x80 &&
          without_hidden(text).find_first_not_of(kBlanks) == std::string::npos);
}

bool has_blank_field(const CsvRow& row) {
  return std::any_of(row.begin(), row.end(), [](const CsvField& field) {
    return !field.text.empty() && is_blank(field.text);
  });
}

/// The row with nothing in fields of blanks.
CsvRow without_blanks(CsvRow row) {
  for (auto& field : row)
    if (is_blank(field.text)) field.text.clear();
  return row;
}

/// The header without its mark.
CsvRow without_mark(CsvRow header) {
  auto& name = header.front().text;
  name.erase(0, name.find_first_not_of(" \t", name.find(kRemark) + 1));
  return header;
}

}  // namespace

TableFormat format_of(std::string_view text, const TableDescription& description) {
  std::size_t begin = 0;
  for (std::size_t line = 0; line < description.skip; ++line) begin = next_line(text, begin);
  TableFormat out;
  const auto line_at = [&](std::size_t at) { return text.substr(at, next_line(text, at) - at); };
  const auto said = separator_said_by(line_at(begin));
  out.said_separator = said;
  if (said) begin = next_line(text, begin);
  out.remarks = count_remarks(text, begin, description);
  auto last = begin;  // of the remarks
  for (std::size_t line = 0; line < out.remarks; ++line) {
    last = begin;
    begin = next_line(text, begin);
  }
  if (out.remarks > 0 && is_marked_header(line_at(last), description)) {
    out.header_is_marked = true;
    --out.remarks;
    begin = last;
  }
  out.csv.separator = !description.separator.empty() ? description.separator[0]
                      : said                         ? *said
                                                     : guess_separator(text, begin, description);
  out.csv.comment = description.comment.value_or("");
  if (!out.csv.comment.empty())
    for (auto at = begin; at < text.size(); at = next_line(text, at))
      if (text.substr(at).starts_with(out.csv.comment)) ++out.comments;
  out.csv.skip = description.skip + (said ? 1 : 0) + out.remarks;
  return out;
}

void for_each_table_row(std::string_view text, const std::string& name, Problems& problems,
                        const std::function<void(const CsvRow&)>& take, const TableFormat& format) {
  bool is_marked = format.header_is_marked;
  const auto take_row = [&](const CsvRow& row) {
    if (std::exchange(is_marked, false))
      take(without_mark(row));
    else if (has_blank_field(row))
      take(without_blanks(row));
    else
      take(row);
  };
  for_each_csv_row(text, name, problems, take_row, format.csv);
}

CsvRow table_row_at(std::string_view text, std::size_t offset, const TableFormat& format) {
  return without_blanks(csv_row_at(text, offset, format.csv.separator));
}

}  // namespace tempo
