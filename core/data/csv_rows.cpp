#include "data/csv_rows.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>

#include "data/swallowed_rows.hpp"
#include "data/text_file.hpp"
#include "data/unicode.hpp"

namespace tempo {
namespace {

constexpr std::string_view kBlank = " \t";
/// A row beyond has another reason than biomarkers, and each of its fields takes a record.
constexpr std::size_t kMostFields = 100'000;

/// libcsv's parser, and what its callbacks leave behind. The library reports fields but not where
/// they begin. A field ends only at a separator or at the end of a line, so the text is fed in
/// pieces that end there: a field that is reported ended with the last piece.
class Parser {
 public:
  explicit Parser(char separator) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// The number of bytes understood: fewer than given at a fault.
  std::size_t feed(std::string_view piece) {
    const auto count = csv_parse(&parser_, piece.data(), piece.size(), &on_field, &on_row, this);
    if (csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
    return count;
  }
  /// The end of the text; false if a quote is open.
  bool finish() { return csv_fini(&parser_, &on_field, &on_row, this) == 0; }

  CsvRow row;
  std::size_t field_begin = 0;  ///< of the field being read
  bool row_ended = false;

 private:
  // C calls these: they must not throw, except where the program ends anyway.
  static void on_field(void* text, std::size_t length, void* self) {
    auto& parser = *static_cast<Parser*>(self);
    parser.row.push_back(
        {composed(std::string(static_cast<const char*>(text), length)), parser.field_begin});
  }
  static void on_row(int, void* self) { static_cast<Parser*>(self)->row_ended = true; }

  csv_parser parser_{};
};

/// The fault of a field in quotes that begins and ends at these bytes, if lines of it are rows.
std::optional<std::string> fault_of_lines(std::string_view text, std::size_t begin, std::size_t end,
                                          const CsvRow& row, const CsvRow& above, char separator) {
  const auto field = text.substr(begin, end - begin);
  if (row.empty() || row.back().text.find_first_of("\r\n") == std::string::npos)
    return std::nullopt;
  const CsvRow before(row.begin(), row.end() - 1);
  if (!has_swallowed_rows(field, before, above, separator)) return std::nullopt;
  const auto last = begin + field.rfind('"');
  return fmt::format("the field of lines {} to {} holds whole rows: a quote left open?",
                     place_in_text(text, begin, "").line, place_in_text(text, last, "").line);
}

std::size_t end_of_piece(std::string_view text, std::size_t begin, char separator) {
  for (auto i = begin; i < text.size(); ++i)
    if (text[i] == separator || text[i] == '\n' || text[i] == '\r') return i + 1;
  return text.size();
}

}  // namespace

std::size_t next_line(std::string_view text, std::size_t offset) {
  const auto end = text.find_first_of("\r\n", offset);
  if (end == std::string_view::npos) return text.size();
  return end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
}

void for_each_csv_row(std::string_view text, const std::string& name, Problems& problems,
                      const std::function<void(const CsvRow&)>& take, const CsvFormat& format) {
  Parser parser(format.separator);
  const std::string_view blank = format.separator == '\t' ? " " : kBlank;
  std::size_t top = 0;
  for (std::size_t line = 0; line < format.skip; ++line) top = next_line(text, top);
  CsvRow above;
  const auto take_row = [&] {
    if (!parser.row_ended) return;
    take(parser.row);
    above.swap(parser.row);
    parser.row.clear();
    parser.row_ended = false;
  };
  // Whether the field that ends there holds rows, which is a problem.
  const auto is_faulty = [&](std::size_t end) {
    const auto fault =
        fault_of_lines(text, parser.field_begin, end, parser.row, above, format.separator);
    if (fault) problems.add(place_in_text(text, parser.field_begin, name), *fault);
    return fault.has_value();
  };
  bool at_field = true;  // the next field has not begun yet
  for (std::size_t begin = top; begin < text.size();) {
    if (at_field && parser.row.empty() && !format.comment.empty() &&
        text.substr(begin).starts_with(format.comment)) {
      begin = next_line(text, begin);
      continue;
    }
    const auto end = end_of_piece(text, begin, format.separator);
    if (at_field) {
      parser.field_begin = std::min(text.find_first_not_of(blank, begin), end - 1);
      const char first = text[parser.field_begin];
      // This is the end of a blank line, or the LF of a CRLF: no field begins here.
      if (parser.row.empty() && (first == '\n' || first == '\r')) {
        begin = end;
        continue;
      }
    }
    const auto fields_before = parser.row.size();
    const auto understood = parser.feed(text.substr(begin, end - begin));
    if (understood < end - begin) {
      const auto field = place_in_text(text, parser.field_begin, name);
      problems.add(place_in_text(text, begin + understood, name),
                   fmt::format("misplaced quote in the field that begins in line {}, column {}; "
                               "quotes enclose a whole field, and one inside it is doubled: \"\"",
                               field.line, field.column));
      return;
    }
    if (parser.row.size() > kMostFields) {
      problems.add(
          place_in_text(text, parser.field_begin, name),
          fmt::format("the row has more than {} fields; tempo reads no wider tables", kMostFields));
      return;
    }
    at_field = parser.row.size() > fields_before;
    if (at_field && is_faulty(end)) return;
    take_row();
    begin = end;
  }
  if (at_field) parser.field_begin = text.size();
  if (!parser.finish())
    problems.add(place_in_text(text, parser.field_begin, name),
                 "the quote that opens this field is never closed");
  else if (!is_faulty(text.size()))
    take_row();
}

CsvRow csv_row_at(std::string_view text, std::size_t offset, char separator) {
  auto end = offset;
  do {
    end = next_line(text, end);
    // A line end between quotes is a part of the row.
  } while (end < text.size() && std::count(text.begin() + static_cast<std::ptrdiff_t>(offset),
                                           text.begin() + static_cast<std::ptrdiff_t>(end), '"') %
                                        2 !=
                                    0);
  CsvRow out;
  Problems ignored;  // the row has been read before
  for_each_csv_row(text.substr(offset, end - offset), "", ignored,
                   [&](const CsvRow& row) { out = row; }, {separator, "", 0});
  return out;
}

std::string csv_field(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(",\"\n\r") == std::string::npos &&
                     kBlank.find(text.front()) == std::string_view::npos &&
                     kBlank.find(text.back()) == std::string_view::npos;
  if (plain) return text;
  std::string out(2 * text.size() + 2, '\0');
  out.resize(csv_write(out.data(), out.size(), text.data(), text.size()));
  return out;
}

}  // namespace tempo
