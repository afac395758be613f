#include "mutated_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tempo::test {
namespace {

using Row = std::vector<std::string>;
using Edit = std::function<std::string(const std::string&)>;

const Row kBiomarkers{"MMSE", "ABETA", "TAU", "HIPPO", "ADAS"};

double number(const std::string& text) { return std::stod(text); }

std::string with(std::string text, char from, const std::string& to) {
  if (const auto at = text.find(from); at != std::string::npos) text.replace(at, 1, to);
  return text;
}

/// 1234.5 with a mark before the hundreds.
std::string with_thousands(const std::string& text, const std::string& mark) {
  const auto end = std::min(text.find('.'), text.size());
  return end <= 3 ? text : text.substr(0, end - 3) + mark + text.substr(end - 3);
}

/// A change of one cell of a biomarker.
auto in_a_cell(const Edit& edit) {
  return [edit](Sheet& sheet, RandomStream& stream) {
    auto& cell = sheet.rows[sheet.a_row(stream)][sheet.a_biomarker(stream)];
    cell = edit(cell);
  };
}

/// A change of one biomarker's cells, of every n-th participant.
auto in_a_column(const Edit& edit, std::size_t every = 1, const std::string& name = {}) {
  return [=](Sheet& sheet, RandomStream& stream) {
    const auto column = name.empty() ? sheet.a_biomarker(stream) : sheet.column(name);
    for (std::size_t row = 1; row < sheet.rows.size(); row += every)
      sheet.rows[row][column] = edit(sheet.rows[row][column]);
  };
}

auto in_all_cells(const Edit& edit) {
  return [edit](Sheet& sheet, RandomStream&) {
    for (std::size_t row = 1; row < sheet.rows.size(); ++row)
      for (const auto& name : kBiomarkers) {
        auto& cell = sheet.rows[row][sheet.column(name)];
        cell = edit(cell);
      }
  };
}

auto in_a_row_of(const std::string& column, const Edit& edit) {
  return [=](Sheet& sheet, RandomStream& stream) {
    auto& cell = sheet.rows[sheet.a_row(stream)][sheet.column(column)];
    cell = edit(cell);
  };
}

auto in_the_header(const std::string& column, const Edit& edit) {
  return [=](Sheet& sheet, RandomStream&) {
    auto& cell = sheet.rows[0][sheet.column(column)];
    cell = edit(cell);
  };
}

/// One text in several cells of a biomarker.
auto code(const std::string& text, std::size_t count) {
  return [=](Sheet& sheet, RandomStream& stream) {
    const auto column = sheet.a_biomarker(stream);
    for (std::size_t i = 0; i < count; ++i) sheet.rows[sheet.a_row(stream)][column] = text;
  };
}

auto to(const std::string& text) {
  return [text](const std::string&) { return text; };
}
auto before(const std::string& text) {
  return [text](const std::string& cell) { return text + cell; };
}
auto behind(const std::string& text) {
  return [text](const std::string& cell) { return cell + text; };
}
auto times(double factor, double plus = 0.0) {
  return [=](const std::string& cell) { return fmt::format("{}", number(cell) * factor + plus); };
}

/// How the sheet is written.
auto written(const std::function<void(Sheet&)>& change) {
  return [change](Sheet& sheet, RandomStream&) { change(sheet); };
}

void insert_row(Sheet& sheet, RandomStream& stream, Row row) {
  sheet.rows.insert(sheet.rows.begin() + static_cast<std::ptrdiff_t>(1 + sheet.a_row(stream)),
                    std::move(row));
}

void append_column(Sheet& sheet, const std::string& name,
                   const std::function<std::string(std::size_t)>& cell) {
  sheet.rows[0].push_back(name);
  for (std::size_t row = 1; row < sheet.rows.size(); ++row) sheet.rows[row].push_back(cell(row));
}

auto copied_column(const std::string& name, const Edit& edit) {
  return [=](Sheet& sheet, RandomStream& stream) {
    const auto column = sheet.a_biomarker(stream);
    const auto title = name.empty() ? sheet.rows[0][column] : name;
    append_column(sheet, title, [&](std::size_t row) { return edit(sheet.rows[row][column]); });
  };
}

auto copied_row(const std::function<void(Row&)>& change) {
  return [=](Sheet& sheet, RandomStream& stream) {
    auto row = sheet.rows[sheet.a_row(stream)];
    change(row);
    insert_row(sheet, stream, row);
  };
}

std::vector<Mutation> of_encodings() {
  return {
      {"a byte order mark", written([](Sheet& s) { s.before = "\xEF\xBB\xBF"; })},
      {"UTF-16", written([](Sheet&) {}), {"UTF-16"}, "utf-16"},
      {"Latin-1", in_the_header("MMSE", behind(" \xE9")), {"UTF-8"}},
      {"bytes of zero", in_a_cell(behind(std::string(1, '\0'))), {"binary"}},
      {"lines of Windows", written([](Sheet& s) { s.line_end = "\r\n"; })},
      {"lines of old Macs", written([](Sheet& s) { s.line_end = "\r"; })},
      {"no end of line", written([](Sheet& s) { s.after = "\x01"; })},
      {"accents apart", in_the_header("MMSE", behind("\u00e9")), {"MMSE"}, "accents apart"},
      {"an invisible character in the header", in_the_header("ID", before("\u200b")), {"U+200B"}},
      {"an invisible character in an id", in_a_row_of("ID", behind("\u200b"))},
      {"an invisible character in a label", in_a_row_of("DX", behind("\u200b")), {"U+200B"}},
      {"a no-break space in a label", in_a_row_of("DX", behind("\u00a0")), {"U+00A0"}},
      {"a no-break space in a cell", in_a_cell(to("\u00a0")), {"missing"}},
      {"a Cyrillic label", in_a_row_of("DX", to("\u0410D")), {"U+0410"}},
      {"a no-break space before a number", in_a_cell(before("\u00a0"))},
      {"a sign of another font", in_a_cell([](const std::string& x) { return "\u2212" + x; })},
      {"wide digits", in_a_cell(to("\uff11\uff12"))},
  };
}

std::vector<Mutation> of_separators() {
  const auto by = [](const std::string& separator) {
    return written([separator](Sheet& s) { s.separator = separator; });
  };
  return {
      {"semicolons", by(";")},
      {"tabs", by("\t")},
      {"bars", by("|")},
      {"semicolons and decimal commas",
       [by](Sheet& sheet, RandomStream& stream) {
         by(";")(sheet, stream);
         in_all_cells([](const std::string& x) { return with(x, '.', ","); })(sheet, stream);
       }},
      {"a line that says semicolons", written([](Sheet& s) {
         s.before = "sep=;\n";
         s.separator = ";";
       })},
      {"a line that says the wrong separator", written([](Sheet& s) { s.before = "sep=;\n"; })},
      {"quotes around all", written([](Sheet& s) { s.are_quoted = true; })},
      {"a comma at the end of each row", written([](Sheet& s) {
         for (auto& row : s.rows) row.emplace_back();
       })},
      {"a comma at the end of some rows",
       [](Sheet& sheet, RandomStream& stream) {
         for (int i = 0; i < 5; ++i) sheet.rows[sheet.a_row(stream)].emplace_back();
       },
       {"fields"}},
      {"a field too few",
       [](Sheet& sheet, RandomStream& stream) { sheet.rows[sheet.a_row(stream)].pop_back(); },
       {"fields"}},
      {"a quote that is not closed", in_a_row_of("ID", before("\"")), {"quote"}},
      {"a quote that another closes, rows below",
       [](Sheet& sheet, RandomStream& stream) {
         const auto row = sheet.a_row(stream);
         const auto other = row < sheet.rows.size() / 2 ? row + 9 : row - 9;
         append_column(sheet, "NOTE", [&](std::size_t at) -> std::string {
           return at == std::min(row, other) ? "\"ill" : at == std::max(row, other) ? "well\"" : "";
         });
       },
       {"quote"}},
      {"a quote in the middle", in_a_cell(behind("\"")), {"quote"}},
      {"decimal commas between commas",
       in_a_cell([](const std::string& x) { return x + ",5"; }),
       {"fields"}},
      {"a line feed in quotes",
       in_a_row_of("ID", [](const std::string& x) { return "\"" + x + "\n\""; })},
      {"blank lines at the end", written([](Sheet& s) { s.after = "\n\n\n"; })},
      {"commas alone at the end", written([](Sheet& s) { s.after = ",,,,,,,,\n,,,,,,,,\n"; })},
  };
}

std::vector<Mutation> of_numbers() {
  return {
      {"a decimal comma in quotes",
       in_a_cell([](const std::string& x) { return "\"" + with(x, '.', ",") + "\""; })},
      {"a column of decimal commas",
       in_a_column([](const std::string& x) { return "\"" + with(x, '.', ",") + "\""; })},
      {"commas before the hundreds",
       in_a_column([](const std::string& x) { return "\"" + with_thousands(x, ",") + "\""; }, 1,
                   "HIPPO")},
      {"points before the hundreds",
       in_a_column([](const std::string& x) { return with_thousands(x, "."); }, 1, "HIPPO")},
      {"points before the hundreds of some",
       in_a_column([](const std::string& x) { return with_thousands(x, "."); }, 3, "HIPPO")},
      {"commas before the hundreds of some",
       in_a_column([](const std::string& x) { return "\"" + with_thousands(x, ",") + "\""; }, 4,
                   "HIPPO")},
      {"blanks before the hundreds",
       in_a_column([](const std::string& x) { return with_thousands(x, " "); }, 1, "HIPPO")},
      {"no-break spaces before the hundreds",
       in_a_column([](const std::string& x) { return with_thousands(x, "\u202f"); }, 1, "HIPPO")},
      {"apostrophes before the hundreds",
       in_a_column([](const std::string& x) { return with_thousands(x, "'"); }, 1, "HIPPO")},
      {"powers of ten",
       in_a_column([](const std::string& x) { return fmt::format("{:.12e}", number(x)); })},
      {"plus signs", in_a_column(before("+"))},
      {"zeros at the end", in_a_column([](const std::string& x) {
         return x.find('.') == std::string::npos ? x + ".0" : x + "0";
       })},
      {"an apostrophe in front", in_a_cell(before("'"))},
      {"a unit behind one", in_a_cell(behind(" mg"))},
      {"a unit behind all", in_a_column(behind("%"))},
      {"below what is measured", in_a_cell(before("<"))},
      {"above what is measured", in_a_column(before(">"), 7)},
      {"about", in_a_cell(before("~"))},
      {"brackets", in_a_cell([](const std::string& x) { return "(" + x + ")"; })},
      {"two values in one cell", in_a_cell([](const std::string& x) { return x + "/" + x; })},
      {"an error of a spreadsheet", in_a_cell(to("#DIV/0!"))},
      {"an error of a spreadsheet in each cell", in_a_column(to("#REF!"))},
      {"hexadecimal", in_a_cell(to("0x1F"))},
      {"infinity", in_a_cell(to("inf"))},
      {"beyond numbers", in_a_cell(to("1e999"))},
      {"a day where a number was", in_a_cell(to("1-Mar"))},
      {"a day of spreadsheets as a number", in_a_cell(to("39508"))},
      {"times a thousand, once", in_a_cell(times(1000.0))},
      {"times a thousand, some", in_a_column(times(1000.0), 3)},
      {"a sign lost, once", in_a_cell([](const std::string& x) { return "-" + x; })},
      {"a sign lost, some", in_a_column(before("-"), 5)},
      {"a decimal point lost",
       in_a_column([](const std::string& x) { return with(x, '.', ""); }, 9, "ADAS")},
      {"letters for digits", in_a_cell([](const std::string& x) { return with(x, x[0], "O"); })},
  };
}

std::vector<Mutation> of_codes() {
  return {
      {"-999 in some", code("-999", 4)},
      {"-999 in one", code("-999", 1)},
      {"-4 in some", code("-4", 5)},
      {"-1 in some", code("-1", 3)},
      {"9999 in some", code("99999", 3)},
      {"88888 in some", code("88888", 3)},
      {"95 to 98, each once",
       [](Sheet& sheet, RandomStream& stream) {
         const auto row = sheet.a_row(stream) / 2;
         for (int i = 0; i < 4; ++i)
           sheet.rows[1 + row + 3 * i][sheet.column("MMSE")] = std::to_string(95 + i);
       },
       {"MMSE is 95"}},
      {"zeros in some",
       [](Sheet& sheet, RandomStream& stream) {
         const auto row = sheet.a_row(stream) / 2;
         for (int i = 0; i < 3; ++i) sheet.rows[1 + row + 4 * i][sheet.column("HIPPO")] = "0";
       },
       {"HIPPO is 0"}},
      {"means of both groups put in",
       [](Sheet& sheet, RandomStream&) {
         for (std::size_t row = 1; row < sheet.rows.size(); row += 4) {
           const bool is_healthy = sheet.rows[row][sheet.column("DX")] == "CN";
           sheet.rows[row][sheet.column("ABETA")] = is_healthy ? "1290.37" : "1041.52";
         }
       },
       {"filled in"}},
      {"NA", code("NA", 3), {"missing"}},
      {"NaN", code("NaN", 3), {"missing"}},
      {"N/A", code("N/A", 3)},
      {"null", code("null", 3)},
      {"a point", code(".", 3)},
      {"a dash", code("-", 2)},
      {"a question mark", code("?", 2)},
      {"words", code("not done", 4)},
      {"nothing", code("", 3), {"missing"}},
      {"blanks in quotes", code("\"  \"", 3), {"missing"}},
      {"a column of nothing", in_a_column(to("")), {"no value", "missing"}},
      {"a column of one code", in_a_column(to("-9")), {"one value", "-9"}},
      {"a diagnosis that is missing", in_a_row_of("DX", to("")), {"diagnosis"}},
      {"a diagnosis that is NA", in_a_row_of("DX", to("NA")), {"diagnosis"}},
      {"a diagnosis that is a code", in_a_row_of("DX", to("9")), {"'9'"}},
      {"a diagnosis in another case", in_a_row_of("DX", to("ad")), {"'ad'"}},
      {"a diagnosis by another name", in_a_row_of("DX", to("Alzheimer")), {"Alzheimer"}},
      {"an id that is missing", in_a_row_of("ID", to("")), {"participant"}},
      {"an id that is NA", in_a_row_of("ID", to("NA")), {"'NA'"}},
  };
}

std::vector<Mutation> of_copies() {
  return {
      {"a row twice", copied_row([](Row&) {}), {"already"}},
      {"a participant twice", copied_row([](Row& row) { row[4] = "11"; }), {"already"}},
      {"a row under another id", copied_row([](Row& row) { row[0] = "x1"; }), {"x1"}},
      {"a row under an id in capitals",
       copied_row([](Row& row) { row[0] = "P" + row[0].substr(1); }),
       {"case"}},
      {"a row under an id with a blank",
       copied_row([](Row& row) { row[0] = "\"" + row[0] + " \""; }),
       {"blanks"}},
      {"a column twice", copied_column("", [](const std::string& x) { return x; }), {"column"}},
      {"a column under another name",
       copied_column("COPY", [](const std::string& x) { return x; }),
       {"COPY"}},
      {"a column in another unit", copied_column("COPY", times(1000.0)), {"COPY"}},
      {"a column with another origin", copied_column("COPY", times(1.8, 32.0)), {"COPY"}},
      {"a column that is rounded",
       copied_column("COPY", [](const std::string& x) { return fmt::format("{:.0f}", number(x)); }),
       {"COPY"}},
      {"a column of logarithms",
       copied_column("COPY",
                     [](const std::string& x) { return fmt::format("{}", std::log(number(x))); }),
       {"COPY"}},
      {"a block of rows pasted once more",
       [](Sheet& sheet, RandomStream& stream) {
         const auto first = 1 + stream.index(20), distance = 8 + stream.index(20);
         for (std::size_t row = first; row < first + 6; ++row)
           for (const auto* name : {"ABETA", "TAU"})
             sheet.rows[row + distance][sheet.column(name)] = sheet.rows[row][sheet.column(name)];
       },
       {"pasted"}},
      {"a score filled down",
       [](Sheet& sheet, RandomStream& stream) {
         const auto first = 1 + stream.index(30);
         for (std::size_t row = first; row < first + 14; ++row)
           sheet.rows[row][sheet.column("MMSE")] = "24";
       },
       {"filled down"}},
      {"z-scores of one site",
       in_a_column(
           [](const std::string& x) { return fmt::format("{:.2f}", (number(x) - 1150) / 250); }, 3,
           "ABETA"),
       {"two scales"}},
      {"two visits, of which ids tell",
       [](Sheet& sheet, RandomStream&) {
         const auto rows = sheet.rows.size();
         for (std::size_t row = 1; row < rows; ++row) {
           sheet.rows.push_back(sheet.rows[row]);
           sheet.rows.back()[0] += "_m12";
           auto& value = sheet.rows.back()[sheet.column("ADAS")];
           value = fmt::format("{:.2f}", number(value) + 0.5);
           sheet.rows[row][0] += "_bl";
         }
       },
       {"a visit only"}},
      {"two tables, one below the other",
       [](Sheet& sheet, RandomStream& stream) { insert_row(sheet, stream, sheet.rows[0]); }},
      {"all rows twice, with other ids",
       [](Sheet& sheet, RandomStream&) {
         const auto rows = sheet.rows;
         for (std::size_t row = 1; row < rows.size(); ++row) {
           sheet.rows.push_back(rows[row]);
           sheet.rows.back()[0] = fmt::format("second{}", row);
         }
       },
       {"equal values"}},
      {"a row of means at the end",
       [](Sheet& sheet, RandomStream&) {
         Row row(sheet.rows[0].size(), "20");
         row[0] = "mean";
         row[1] = "";
         sheet.rows.push_back(row);
       },
       {"diagnosis"}},
      {"a row of another study under an id",
       copied_row([](Row& row) { row[2] = row[2] == "F" ? "M" : "F"; }),
       {"already"}},
  };
}

std::vector<Mutation> of_headers() {
  return {
      {"a title above", written([](Sheet& s) { s.before = "Study of memory\n"; })},
      {"a title above, as wide", written([](Sheet& s) { s.before = "Study,,,,,,,,\n"; })},
      {"a remark above", written([](Sheet& s) { s.before = "# exported 2020-01-01\n"; })},
      {"blank lines above", written([](Sheet& s) { s.before = "\n\n"; })},
      {"a mark before the header", written([](Sheet& s) { s.before = "#"; })},
      {"units below",
       [](Sheet& sheet, RandomStream&) {
         sheet.rows.insert(sheet.rows.begin() + 1,
                           {"", "", "", "years", "points", "pg/ml", "pg/ml", "mm3", "points"});
       }},
      {"a second line of names",
       [](Sheet& sheet, RandomStream&) {
         sheet.rows.insert(sheet.rows.begin(),
                           {"", "", "", "", "tests", "CSF", "", "MRI", "tests"});
       }},
      {"a name without a column", in_the_header("TAU", to("")), {"TAU", "column"}},
      {"two columns of one name", in_the_header("TAU", to("ADAS")), {"ADAS"}},
      {"a name in other letters", in_the_header("TAU", to("tau")), {"tau", "TAU"}},
      {"a name with a unit", in_the_header("TAU", behind(" (pg/ml)")), {"TAU"}},
      {"a name with a blank in quotes", in_the_header("TAU", to("\" TAU\"")), {"TAU"}},
      {"a name over two lines", in_the_header("TAU", to("\"TAU\npg/ml\"")), {"TAU"}},
      {"no header", [](Sheet& sheet, RandomStream&) { sheet.rows.erase(sheet.rows.begin()); }},
      {"numbers of rows without a name",
       [](Sheet& sheet, RandomStream&) {
         for (std::size_t row = 0; row < sheet.rows.size(); ++row)
           sheet.rows[row].insert(sheet.rows[row].begin(), row == 0 ? "" : std::to_string(row));
       }},
      {"numbers of rows that the header does not count",
       [](Sheet& sheet, RandomStream&) {
         for (std::size_t row = 1; row < sheet.rows.size(); ++row)
           sheet.rows[row].insert(sheet.rows[row].begin(), std::to_string(row));
       },
       {"fields"}},
      {"numbers of rows with a name",
       [](Sheet& sheet, RandomStream&) {
         append_column(sheet, "row.number", [](std::size_t row) { return std::to_string(row); });
       },
       {"row.number"}},
      {"another order of columns",
       [](Sheet& sheet, RandomStream&) {
         for (auto& row : sheet.rows) std::reverse(row.begin(), row.end());
       }},
      {"another order of rows",
       [](Sheet& sheet, RandomStream&) { std::reverse(sheet.rows.begin() + 1, sheet.rows.end()); }},
  };
}

std::vector<Mutation> of_columns() {
  const auto further = [](const std::string& name,
                          const std::function<std::string(std::size_t)>& cell) {
    return [=](Sheet& sheet, RandomStream&) { append_column(sheet, name, cell); };
  };
  return {
      {"a column of days",
       further("SEEN",
               [](std::size_t row) {
                 return fmt::format("2010-{:02}-{:02}", 1 + row % 12, 1 + row % 28);
               }),
       {"SEEN"}},
      {"a column of days as numbers",
       further("SEEN",
               [](std::size_t row) {
                 return fmt::format("2010{:02}{:02}", 1 + row % 12, 1 + row % 28);
               }),
       {"SEEN"}},
      {"a column of days of spreadsheets",
       further("SEEN", [](std::size_t row) { return std::to_string(39000 + (row * 7919) % 900); }),
       {"SEEN"}},
      {"a column of years of birth",
       further("JG", [](std::size_t row) { return std::to_string(1930 + row * 7 % 19); }),
       {"JG"}},
      {"a column of months as numbers",
       further(
           "SEEN",
           [](std::size_t row) { return fmt::format("20{:02}{:02}", 10 + row % 9, 1 + row % 12); }),
       {"SEEN"}},
      {"a column of times to an event",
       further("time_to_event", [](std::size_t row) { return fmt::format("{}.5", row * 31 % 97); }),
       {"time_to_event"}},
      {"a column of remarks",
       further("NOTES", [](std::size_t row) { return row % 3 == 0 ? "seen twice" : "fine"; }),
       {"NOTES"}},
      {"a column of remarks, mostly empty",
       further("NOTES", [](std::size_t row) { return row % 9 == 0 ? "seen twice" : ""; }),
       {"NOTES"}},
      {"an outcome",
       further("status", [](std::size_t row) { return std::to_string(row % 2); }),
       {"status"}},
      {"a truth",
       further("gt_stage", [](std::size_t row) { return std::to_string(row % 6); }),
       {"gt_stage"}},
      {"another id",
       further("RID", [](std::size_t row) { return std::to_string(1000 + row); }),
       {"RID"}},
      {"another id in no order",
       further("chart", [](std::size_t row) { return std::to_string(10007 * row % 99991); }),
       {"chart"}},
      {"a flag",
       further("treated", [](std::size_t row) { return row % 4 == 0 ? "1" : "0"; }),
       {"treated"}},
      {"a constant", further("batch", [](std::size_t) { return "3"; }), {"batch"}},
      {"values of two columns exchanged in one row",
       [](Sheet& sheet, RandomStream& stream) {
         auto& row = sheet.rows[sheet.a_row(stream)];
         std::swap(row[sheet.column("MMSE")], row[sheet.column("HIPPO")]);
       },
       {"MMSE", "HIPPO"}},
      {"values of two columns exchanged in some rows",
       [](Sheet& sheet, RandomStream& stream) {
         for (int i = 0; i < 6; ++i) {
           auto& row = sheet.rows[sheet.a_row(stream)];
           std::swap(row[sheet.column("ADAS")], row[sheet.column("ABETA")]);
         }
       },
       {"ADAS", "ABETA"}},
      {"a row moved by one cell",
       [](Sheet& sheet, RandomStream& stream) {
         auto& row = sheet.rows[sheet.a_row(stream)];
         std::rotate(row.begin() + 4, row.begin() + 5, row.end());
       }},
      {"a column without its name's values",
       [](Sheet& sheet, RandomStream&) {
         for (auto& row : sheet.rows) row.erase(row.begin() + 5);
         sheet.rows[0].insert(sheet.rows[0].begin() + 5, "ABETA");
       },
       {"fields"}},
  };
}

}  // namespace

std::string Sheet::text() const {
  std::string out = before;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += separator;
      out += are_quoted ? "\"" + row[i] + "\"" : row[i];
    }
    out += line_end;
  }
  if (after == "\x01")
    out.pop_back();
  else
    out += after;
  return out;
}

std::size_t Sheet::column(const std::string& name) const {
  const auto clean = clean_sheet().rows[0];
  return static_cast<std::size_t>(std::find(clean.begin(), clean.end(), name) - clean.begin());
}

std::size_t Sheet::a_biomarker(RandomStream& stream) const {
  return column(kBiomarkers[stream.index(kBiomarkers.size())]);
}

std::size_t Sheet::a_row(RandomStream& stream) const { return 1 + stream.index(rows.size() - 1); }

Sheet clean_sheet() {
  static const auto sheet = [] {
    Sheet out;
    out.rows.push_back({"ID", "DX", "SEX", "AGE", "MMSE", "ABETA", "TAU", "HIPPO", "ADAS"});
    RandomStream stream(11, "clean sheet");
    for (int j = 0; j < 60; ++j) {
      const bool diseased = j % 5 > 1;
      const double stage = diseased ? stream.uniform() : 0.0;
      const auto value = [&](double mean, double sd, double change) {
        return mean + sd * stream.normal() + change * stage;
      };
      out.rows.push_back({fmt::format("p{}", j), diseased ? "AD" : "CN",
                          stream.uniform() < 0.5 ? "F" : "M",
                          fmt::format("{:.1f}", value(72, 6, 0)),
                          fmt::format("{:.0f}", std::min(30.0, value(28.5, 1.2, -10))),
                          fmt::format("{:.1f}", value(1300, 190, -500)),
                          fmt::format("{:.1f}", value(230, 50, 150)),
                          fmt::format("{:.0f}", value(7400, 500, -1500)),
                          fmt::format("{:.2f}", value(9, 2.5, 18))});
    }
    return out;
  }();
  return sheet;
}

const std::vector<Mutation>& mutations() {
  static const auto all = [] {
    std::vector<Mutation> out;
    for (auto kind : {of_encodings(), of_separators(), of_numbers(), of_codes(), of_copies(),
                      of_headers(), of_columns()})
      out.insert(out.end(), kind.begin(), kind.end());
    return out;
  }();
  return all;
}

}  // namespace tempo::test
