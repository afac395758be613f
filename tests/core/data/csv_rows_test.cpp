#include "data/csv_rows.hpp"

#include <fmt/format.h>

#include "support.hpp"

namespace tempo::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<CsvRow> tokens(const std::string& text, const CsvFormat& format = {}) {
  std::vector<CsvRow> rows;
  Problems problems;
  for_each_csv_row(
      text, "t.csv", problems, [&](const CsvRow& row) { rows.push_back(row); }, format);
  REQUIRE(problems.report() == "");
  return rows;
}

Rows fields(const std::string& text, const CsvFormat& format = {}) {
  Rows out;
  for (const auto& row : tokens(text, format)) {
    out.emplace_back();
    for (const auto& field : row) out.back().push_back(field.text);
  }
  return out;
}

std::vector<std::size_t> offsets(const std::string& text, const CsvFormat& format = {}) {
  std::vector<std::size_t> out;
  for (const auto& row : tokens(text, format))
    for (const auto& field : row) out.push_back(field.offset);
  return out;
}

/// The number of rows before the fault, and its report.
std::pair<std::size_t, std::string> fault(const std::string& text) {
  std::size_t rows = 0;
  Problems problems;
  for_each_csv_row(text, "t.csv", problems, [&](const CsvRow&) { ++rows; });
  return {rows, problems.report()};
}

}  // namespace

TEST_CASE("rows of a CSV file", "[data][csv_rows]") {
  SECTION("every end of a line ends a row, and the last line may lack it") {
    const Rows expected{{"a", "b"}, {"1", "2"}};
    for (const std::string text : {"a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2\r", "a,b\n1,2"})
      REQUIRE(fields(text) == expected);
  }
  SECTION("empty fields are fields, blank lines are no rows") {
    REQUIRE(fields(",,\n\n \t\n1,,\n\r\n,\n") == Rows{{"", "", ""}, {"1", "", ""}, {"", ""}});
    REQUIRE(fields("").empty());
    REQUIRE(fields("\n\r\n\n").empty());
  }
  SECTION("blanks around a field are skipped, those within it and in quotes are not") {
    REQUIRE(fields(" a , b c,\" d \", \"e\" \n") == Rows{{"a", "b c", " d ", "e"}});
  }
  SECTION("quotes enclose separators, ends of lines and doubled quotes") {
    REQUIRE(fields("\"a,b\",\"c\nd\",\"e\"\"f\",\"\"\n1,2,3,4\n") ==
            Rows{{"a,b", "c\nd", "e\"f", ""}, {"1", "2", "3", "4"}});
  }
  SECTION("other separators") {
    REQUIRE(fields("a;\"b;c\"; d,e\n", {';', {}, 0}) == Rows{{"a", "b;c", "d,e"}});
    // Between tabs an empty field is a missing value, not a blank.
    REQUIRE(fields("a\t\t b\t\n", {'\t', {}, 0}) == Rows{{"a", "", "b", ""}});
  }
  SECTION("lines at the top and comments are skipped") {
    REQUIRE(fields("3\n\"open\na,b\n1,2\n", {',', {}, 2}) == Rows{{"a", "b"}, {"1", "2"}});
    REQUIRE(fields("# one\na,b\n#1,2\n3,#4\n##\n", {',', "#", 0}) == Rows{{"a", "b"}, {"3", "#4"}});
    REQUIRE(fields("//a\n/b\n", {',', "//", 0}) == Rows{{"/b"}});
    REQUIRE(fields("a\n", {',', {}, 5}).empty());
  }
}

TEST_CASE("where fields of a CSV file begin", "[data][csv_rows]") {
  SECTION("at their first character, a quote included, blanks before it not") {
    REQUIRE(offsets("ab, c,\"d\",\n") == std::vector<std::size_t>{0, 4, 6, 10});
    REQUIRE(offsets("\n\r\n a\r\n\tb,c") == std::vector<std::size_t>{4, 8, 10});
  }
  SECTION("also after lines that were skipped") {
    REQUIRE(offsets("x\n#y\na,b\n", {',', "#", 1}) == std::vector<std::size_t>{5, 7});
  }
  SECTION("after a quoted field of two lines") {
    REQUIRE(offsets("\"a\nb\",c\nd\n") == std::vector<std::size_t>{0, 6, 8});
  }
  SECTION("an empty last field begins at the end of its line, or of the text") {
    REQUIRE(offsets("a,\nb,") == std::vector<std::size_t>{0, 2, 3, 5});
  }
}

TEST_CASE("misplaced and unclosed quotes", "[data][csv_rows]") {
  const auto misplaced = [](int column) {
    return fmt::format(
        "t.csv:2:4: misplaced quote in the field that begins in line 2, column {}; quotes enclose "
        "a whole field, and one inside it is doubled: \"\"",
        column);
  };
  REQUIRE(fault("a,b\n1,2\"\n3,4\n") == std::pair(std::size_t{1}, misplaced(3)));
  REQUIRE(fault("a,b\n\"1\"x,2\n") == std::pair(std::size_t{1}, misplaced(1)));
  REQUIRE(fault("a,b\n1,2\n3, \"4\n5,6\n") ==
          std::pair(std::size_t{2},
                    std::string("t.csv:3:4: the quote that opens this field is never closed")));
}

TEST_CASE("a row of more than 100,000 fields is refused, and read no further", "[data][csv_rows]") {
  const std::string widest(99'999, ',');
  REQUIRE(fault(widest + "\n" + widest + "\n") == std::pair(std::size_t{2}, std::string()));
  REQUIRE(
      fault("a,b\n" + widest + "," + widest + "\n1,2\n") ==
      std::pair(std::size_t{1}, std::string("t.csv:2:100001: the row has more than 100000 fields; "
                                            "tempo reads no wider tables")));
}

TEST_CASE("a quote left open that swallows rows", "[data][csv_rows]") {
  const auto table = [](const std::string& open, const std::string& close) {
    return "id,dx,x,y,note\np1,CN,1.5,20,\np2,CN,2.5,21," + open +
           "\np3,AD,3.5,22,\np4,AD,4.5,23," + close;
  };
  const std::string swallowed =
      "t.csv:3:14: the field of lines 3 to 5 holds whole rows: a quote left open?";
  SECTION("is refused where it opens") {
    REQUIRE(fault(table("\"ill", "better\"\n")) == std::pair(std::size_t{2}, swallowed));
    REQUIRE(fault(table("\"ill", "better\"")) == std::pair(std::size_t{2}, swallowed));
  }
  SECTION("of one row, in any column, whatever ends lines") {
    REQUIRE(fault("id,x,note,y\np1,1,,2\np2,1,\"ill,3\np3,2,well\",4\n").second ==
            "t.csv:3:6: the field of lines 3 to 4 holds whole rows: a quote left open?");
    REQUIRE(fault("id,x,y\r\np1,1,2\r\n\"p2,1,3\r\np3,2,5\r\np4\",2,4\r\n").second ==
            "t.csv:3:1: the field of lines 3 to 5 holds whole rows: a quote left open?");
  }
  SECTION("is none where a text has lines of its own") {
    REQUIRE(
        fault(table("\"\"", "\"ill, two years,\nat home, in pain, alone, weak, well\"")).second ==
        "");
    REQUIRE(fault("id,note,x\np1,\"seen by a doctor\nwell, then ill\",2\n").second == "");
    REQUIRE(fault("note\n\"one\ntwo\nthree\"\n").second == "");
  }
}

TEST_CASE("fields as a CSV file has them", "[data][csv_rows]") {
  REQUIRE(csv_field("plain") == "plain");
  REQUIRE(csv_field("two words") == "two words");
  REQUIRE(csv_field("") == "\"\"");
  REQUIRE(csv_field("a,b") == "\"a,b\"");
  REQUIRE(csv_field("a\"b") == "\"a\"\"b\"");
  REQUIRE(csv_field(" a") == "\" a\"");
  REQUIRE(csv_field("a\t") == "\"a\t\"");

  SECTION("any text reads back") {
    auto random = stream(3);
    const std::string letters = "ab ,\"\n\r\t;#\303\251";
    for (int row = 0; row < 500; ++row) {
      std::vector<std::string> expected;
      std::string text;
      for (std::size_t f = 0; f < 1 + random.index(4); ++f) {
        std::string field;
        for (auto length = random.index(6); length > 0; --length)
          field += letters[random.index(letters.size())];
        if (f > 0) text += ',';
        text += csv_field(field);
        expected.push_back(field);
      }
      INFO(text);
      REQUIRE(fields("x\n" + text + "\n") == Rows{{"x"}, expected});
    }
  }
}

TEST_CASE("the line after a byte", "[data][csv_rows]") {
  const std::string text = "ab\ncd\r\ne\rf";
  REQUIRE(next_line(text, 0) == 3);
  REQUIRE(next_line(text, 2) == 3);
  REQUIRE(next_line(text, 3) == 7);
  REQUIRE(next_line(text, 7) == 9);
  REQUIRE(next_line(text, 9) == text.size());
}

}  // namespace tempo::test
