#include "data/cohort_csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "faulty_input.hpp"
#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {
namespace {

using namespace std::string_literals;

const std::string kHeader = "participant,biomarker,measurement,diseased\n";

CohortFile read_cohort(const std::string& text) {
  Problems problems;
  auto file = read_cohort_csv_text(text, "t.csv", problems);
  REQUIRE(problems.report() == "");
  check(file.cohort);
  return file;
}

const std::vector<FaultyInput> kFaultyCsv{
    {"an empty file", "",
     "t.csv:1:1: is empty; expected a header: participant,biomarker,measurement,diseased"},
    {"blank lines only",
     "\n"
     "\n"
     "  \n",
     "t.csv:1:1: is empty; expected a header: participant,biomarker,measurement,diseased"},
    {"a header without rows", "participant,biomarker,measurement,diseased\n",
     "t.csv:1:1: has a header but no rows below it"},
    {"counts above a wide table (S1 of the lessons)",
     "N,B,CN,AD\r\n"
     "726,12,152,574\r\n"
     "1,2,3,4",
     "t.csv:1:1: this is no long table: expected the columns participant, biomarker, measurement, "
     "diseased (one row per participant and biomarker), found N, B, CN, AD"},
    {"semicolons",
     "participant;biomarker;measurement;diseased\n"
     "0;a;1;True\n",
     "t.csv:1:1: the columns are separated by ';'; expected commas"},
    {"tabs", "participant\tbiomarker\tmeasurement\tdiseased\n",
     "t.csv:1:1: the columns are separated by tabs; expected commas"},
    {"no column of labels",
     "participant,biomarker,measurement\n"
     "0,a,1\n",
     "t.csv:1:1: missing column 'diseased'"},
    {"a misspelt column",
     "participant,biomarker,mesurement,diseased\n"
     "0,a,1,True\n",
     "t.csv:1:23: unknown column 'mesurement'; expected 'participant', 'biomarker', 'measurement', "
     "'diseased' or 'diagnosis'; did you mean 'measurement'?"},
    {"a column twice",
     "participant,biomarker,measurement,diseased,biomarker\n"
     "0,a,1,True,a\n",
     "t.csv:1:44: column 'biomarker' is given twice; first as column 2"},
    {"an unknown column",
     "participant,biomarker,measurement,diseased,age\n"
     "0,a,1,True,70\n",
     "t.csv:1:44: unknown column 'age'; expected 'participant', 'biomarker', 'measurement', "
     "'diseased' or 'diagnosis'"},
    {"a column of row numbers, as pandas writes it",
     ",participant,biomarker,measurement,diseased\n"
     "0,0,a,1,True\n",
     "t.csv:1:1: unknown column ''; expected 'participant', 'biomarker', 'measurement', 'diseased' "
     "or 'diagnosis'"},
    {"capitals",
     "Participant,Biomarker,Measurement,Diseased\n"
     "0,a,1,True\n",
     "t.csv:1:1: unknown column 'Participant'; expected 'participant', 'biomarker', 'measurement', "
     "'diseased' or 'diagnosis'; did you mean 'participant'?\n"
     "t.csv:1:13: unknown column 'Biomarker'; expected 'participant', 'biomarker', 'measurement', "
     "'diseased' or 'diagnosis'; did you mean 'biomarker'?\n"
     "t.csv:1:23: unknown column 'Measurement'; expected 'participant', 'biomarker', "
     "'measurement', 'diseased' or 'diagnosis'; did you mean 'measurement'?\n"
     "t.csv:1:35: unknown column 'Diseased'; expected 'participant', 'biomarker', 'measurement', "
     "'diseased' or 'diagnosis'; did you mean 'diseased'?"},
    {"a short row",
     "participant,biomarker,measurement,diseased\n"
     "0,a,1\n",
     "t.csv:2:1: found 3 fields, expected 4 as in the header"},
    {"a decimal comma",
     "participant,biomarker,measurement,diseased\n"
     "0,a,3,14,True\n",
     "t.csv:2:1: found 5 fields, expected 4 as in the header (a decimal comma? numbers are written "
     "3.14)"},
    {"no participant",
     "participant,biomarker,measurement,diseased\n"
     ",a,1,True\n",
     "t.csv:2:1: the participant is empty"},
    {"no biomarker",
     "participant,biomarker,measurement,diseased\n"
     "0,,1,True\n",
     "t.csv:2:3: the biomarker is empty"},
    {"measurements that are no numbers",
     "participant,biomarker,measurement,diseased\n"
     "0,a,high,True\n"
     "0,b,1.5x,True\n"
     "0,c,N/A,True\n"
     "0,d,-,True\n",
     "t.csv:2:5: measurement 'high' is not a finite number; where it is missing, leave it empty or "
     "write NA\n"
     "t.csv:3:5: measurement '1.5x' is not a finite number; where it is missing, leave it empty or "
     "write NA\n"
     "t.csv:4:5: measurement 'N/A' is not a finite number; where it is missing, leave it empty or "
     "write NA\n"
     "t.csv:5:5: measurement '-' is not a finite number; where it is missing, leave it empty or "
     "write NA"},
    {"measurements that are not finite",
     "participant,biomarker,measurement,diseased\n"
     "0,a,inf,True\n"
     "0,b,-Infinity,True\n"
     "0,c,1e999,True\n",
     "t.csv:2:5: measurement 'inf' is not a finite number; where it is missing, leave it empty or "
     "write NA\n"
     "t.csv:3:5: measurement '-Infinity' is not a finite number; where it is missing, leave it "
     "empty or write NA\n"
     "t.csv:4:5: measurement '1e999' is beyond the range of numbers"},
    {"labels that are none",
     "participant,biomarker,measurement,diseased\n"
     "0,a,1,yes\n"
     "0,b,1,\n",
     "t.csv:2:7: diseased is 'yes'; expected True or False (or 1 or 0)\n"
     "t.csv:3:7: diseased is ''; expected True or False (or 1 or 0); a cohort without diagnosis "
     "has no such column"},
    {"two visits",
     "participant,biomarker,measurement,diseased\n"
     "0,a,1,True\n"
     "0,b,2,True\n"
     "0,a,3,True\n",
     "t.csv:4:1: participant '0' has biomarker 'a' already in line 2; a cohort is one visit per "
     "participant: keep one of them, such as the first visit"},
    {"a participant with two labels, said once",
     "participant,biomarker,measurement,diseased\n"
     "0,a,1,True\n"
     "0,b,2,False\n"
     "0,c,2,False\n",
     "t.csv:3:7: participant '0' is healthy here but diseased in line 2"},
    {"a participant with two diagnoses",
     "participant,biomarker,measurement,diseased,diagnosis\n"
     "0,a,1,True,AD\n"
     "0,b,2,True,MCI\n",
     "t.csv:3:12: participant '0' has diagnosis 'MCI' here but 'AD' in line 2"},
    {"a quote that is never closed",
     R"(participant,biomarker,measurement,diseased
0,a,1,True
1,"a,1,True
2,a,1,True
)",
     "t.csv:3:3: the quote that opens this field is never closed"},
    {"text after a closing quote",
     R"(participant,biomarker,measurement,diseased
0,a,1,True
1,"a"b,1,True
)",
     R"(t.csv:3:6: misplaced quote in the field that begins in line 3, column 3; quotes enclose a whole field, and one inside it is doubled: "")"},
    {"a quote within a field",
     R"(participant,biomarker,measurement,diseased
0,a"b,1,True
)",
     R"(t.csv:2:4: misplaced quote in the field that begins in line 2, column 3; quotes enclose a whole field, and one inside it is doubled: "")"},
    {"a binary file", "PK\003\004\000\000"s, "t.csv: is a binary file; expected text in UTF-8"},
    {"Latin-1",
     "participant,biomarker,measurement,diseased\n"
     "0,caf\351,1,True\n",
     "t.csv:2:6: byte 0xE9 is not UTF-8; save the file as UTF-8"},
    {"UTF-16",
     "\377\376p\000a\000r\000t\000i\000c\000i\000p\000a\000n\000t\000,"
     "\000b\000i\000o\000m\000a\000r\000k\000e\000r\000,"
     "\000m\000e\000a\000s\000u\000r\000e\000m\000e\000n\000t\000,"
     "\000d\000i\000s\000e\000a\000s\000e\000d\000\n"
     "\000"s,
     "t.csv: is UTF-16 text; save it as UTF-8"},
    {"columns count characters, not bytes",
     "participant,biomarker,measurement,diseased\n"
     "\303\251\303\251,a,x,True\n",
     "t.csv:2:6: measurement 'x' is not a finite number; where it is missing, leave it empty or "
     "write NA"},
    {"CRLF is one end of line",
     "participant,biomarker,measurement,diseased\r\n"
     "0,a,1,True\r\n"
     "0,b,x,True\r\n",
     "t.csv:3:5: measurement 'x' is not a finite number; where it is missing, leave it empty or "
     "write NA"},
    {"CR is an end of line", "participant,biomarker,measurement,diseased\r0,a,1,True\r0,b,x,True\r",
     "t.csv:3:5: measurement 'x' is not a finite number; where it is missing, leave it empty or "
     "write NA"},
    {"a field of two lines",
     R"(participant,biomarker,measurement,diseased
"0
1",a,x,True
)",
     "t.csv:3:6: measurement 'x' is not a finite number; where it is missing, leave it empty or "
     "write NA"},
    {"a wide table with the names of a long one",
     "participant,ABETA,TAU,PTAU,diseased\n"
     "0,1,2,3,True\n",
     "t.csv:1:1: this is no long table: expected the columns participant, biomarker, measurement, "
     "diseased (one row per participant and biomarker), found participant, ABETA, TAU, PTAU, "
     "diseased"},
    {"a wide table",
     "id,ABETA,TAU,PTAU,MMSE,ADAS13,dx\n"
     "1,2,3,4,5,6,AD\n",
     "t.csv:1:1: this is no long table: expected the columns participant, biomarker, measurement, "
     "diseased (one row per participant and biomarker), found id, ABETA, TAU, PTAU, MMSE, ADAS13, "
     "..."},
    {"many faults, in the order of the rows",
     "participant,biomarker,measurement,diseased\n"
     ",a,x,maybe\n"
     "0,a,1,True\n"
     "0,a,2,False\n"
     "0,b\n",
     "t.csv:2:1: the participant is empty\n"
     "t.csv:2:4: measurement 'x' is not a finite number; where it is missing, leave it empty or "
     "write NA\n"
     "t.csv:2:6: diseased is 'maybe'; expected True or False (or 1 or 0)\n"
     "t.csv:4:1: participant '0' has biomarker 'a' already in line 3; a cohort is one visit per "
     "participant: keep one of them, such as the first visit\n"
     "t.csv:4:7: participant '0' is healthy here but diseased in line 3\n"
     "t.csv:5:1: found 2 fields, expected 4 as in the header"},
};

}  // namespace

TEST_CASE("long CSV", "[data][cohort_csv]") {
  const Cohort two{{"0", "1"}, {"a", "b"}, matrix({{1.5, 2}, {3, 4}}), {1, 0}, {}};

  SECTION("rows and columns in any order give the same cohort") {
    const auto file = read_cohort(kHeader + "0,a,1.5,True\n0,b,2,True\n1,a,3,False\n1,b,4,False\n");
    REQUIRE(file.cohort == two);
    REQUIRE(file.rows == 4);
    REQUIRE(file.absent_rows == 0);
    // The public files list biomarkers in their true order, which must leave no trace.
    REQUIRE(read_cohort(kHeader + "1,b,4,False\n0,b,2,True\n1,a,3,False\n0,a,1.5,True\n").cohort ==
            two);
    REQUIRE(read_cohort("diseased,measurement,participant,biomarker\nTrue,1.5,0,a\nTrue,2,0,b\n"
                        "False,3,1,a\nFalse,4,1,b\n")
                .cohort == two);
  }
  SECTION("byte order mark, CRLF, blank lines, blanks, quotes, no line feed at the end") {
    REQUIRE(read_cohort("\357\273\277participant,biomarker,measurement,diseased\r\n\r\n"
                        "0, a ,+1.5,true\r\n0,\"b\",2e0,1\r\n \t\r\n1,a,\"3\",0\r\n1,b,4,FALSE")
                .cohort == two);
  }
  SECTION("the ways to write a label") {
    for (const auto& [yes, no] :
         {std::pair("True", "False"), {"true", "false"}, {"TRUE", "FALSE"}, {"1", "0"}}) {
      const auto cohort = read_cohort(kHeader + "0,a,1," + yes + "\n1,a,1," + no + "\n").cohort;
      REQUIRE(cohort.diseased == std::vector<std::uint8_t>{1, 0});
    }
  }
  SECTION("integer ids come in numeric order, others as they appear (S5 of the lessons)") {
    const auto ids = [&](const std::vector<std::string>& in_file) {
      auto text = kHeader;
      for (const auto& id : in_file) text += id + ",a,1,True\n";
      return read_cohort(text).cohort.participants;
    };
    REQUIRE(ids({"10", "-3", "9", "2"}) == std::vector<std::string>{"-3", "2", "9", "10"});
    REQUIRE(ids({"7", "007", "1"}) == std::vector<std::string>{"1", "7", "007"});
    REQUIRE(ids({"p10", "p9", "p2"}) == std::vector<std::string>{"p10", "p9", "p2"});
    REQUIRE(ids({"10", "9", "x"}) == std::vector<std::string>{"10", "9", "x"});
    REQUIRE(ids({"2.0", "1"}) == std::vector<std::string>{"2.0", "1"});
    REQUIRE(ids({"99999999999999999999", "1"}) ==
            std::vector<std::string>{"99999999999999999999", "1"});
  }
  SECTION("the same rows under text ids give the same numbers (S5 of the lessons)") {
    auto numbers = kHeader;
    auto gaps = kHeader;
    auto texts = kHeader;
    for (int j = 0; j < 12; ++j) {
      const auto row = [&](const std::string& id) {
        return fmt::format("{},a,{},{}\n{},b,{},{}\n", id, j * 0.5, j % 3 == 0 ? "False" : "True",
                           id, -j, j % 3 == 0 ? "False" : "True");
      };
      numbers += row(std::to_string(j));
      gaps += row(std::to_string(1 + 3 * j));
      texts += row(fmt::format("p{}", j + 1));
    }
    const auto expected = read_cohort(numbers).cohort;
    for (const auto& text : {gaps, texts}) {
      const auto cohort = read_cohort(text).cohort;
      REQUIRE(cohort.measurements == expected.measurements);
      REQUIRE(cohort.diseased == expected.diseased);
      REQUIRE(cohort.participants != expected.participants);
    }
  }
  SECTION("missing measurements and absent rows are counted by group (S2 of the lessons)") {
    const auto file = read_cohort(kHeader +
                                  "h,a,,False\nh,b,NA,False\nd,a,1,True\nd,b,NaN,True\n"
                                  "e,c,nan,True\ne,b,2,True\n");
    REQUIRE(file.cohort == Cohort{{"h", "d", "e"},
                                  {"a", "b", "c"},
                                  matrix({{kMissing, kMissing, kMissing},
                                          {1, kMissing, kMissing},
                                          {kMissing, 2, kMissing}}),
                                  {0, 1, 1},
                                  {}});
    REQUIRE(file.absent_rows == 3);  // (h, c), (d, c), (e, a)
    REQUIRE(file.missing == MissingValues{1, 2, {{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 2}}, {"h"}});
    REQUIRE(file.missing.total() == 7);
    REQUIRE(file.missing.report() ==
            "missing  healthy (of 1)  diseased (of 2)\n"
            "a                     1                1\n"
            "b                     1                1\n"
            "c                     1                2\n"
            "no measurement at all: h\n");
    REQUIRE(read_cohort(kHeader + "0,a,1,True\n").missing.report() == "");
  }
  SECTION("S2 of the lessons: 30 % of one biomarker, 1 % of the others, one empty participant") {
    const std::size_t J = 200;
    auto text = kHeader;
    for (std::size_t j = 0; j < J; ++j)
      for (std::size_t b = 0; b < 3; ++b) {
        const bool missing = j == J - 1 || (b == 1 ? j % 10 < 3 : j % 100 == b);
        text += fmt::format("{},b{},{},{}\n", j, b, missing ? "" : "1.25", j % 4 != 0);
      }
    const auto missing = read_cohort(text).missing;
    // b1: 60 of 200 by rule; ten blocks of 20 hold 2 multiples of 4 among the six (0 and 12 of 0,
    // 1, 2, 10, 11, 12). The last participant, 199, is diseased and lacks all three.
    REQUIRE(missing.columns ==
            std::vector<MissingValues::Column>{{"b0", 2, 1}, {"b1", 20, 41}, {"b2", 0, 3}});
    REQUIRE(missing.empty_participants == std::vector<std::string>{"199"});
  }
  SECTION("a column of diagnoses") {
    const auto cohort =
        read_cohort(
            "participant,biomarker,measurement,diseased,diagnosis\n0,a,1,True,EMCI\n1,a,2,False,\n")
            .cohort;
    REQUIRE(cohort.diagnoses == std::vector<std::string>{"EMCI", ""});
    REQUIRE(read_cohort(to_csv(cohort)).cohort == cohort);
  }
  SECTION("a cohort of one participant and one biomarker") {
    REQUIRE(read_cohort(kHeader + "x,y,0,0").cohort ==
            Cohort{{"x"}, {"y"}, matrix({{0}}), {0}, {}});
  }
}

TEST_CASE("cohorts as long CSV", "[data][cohort_csv]") {
  SECTION("every bit is written and read back, odd names included") {
    const Cohort cohort{
        {"comma, quote \" line\nend", " blanks ", "caf\303\251"},
        {"B", "a\"b", "a,b"},
        matrix({{0.1, -0.0, 1e308}, {5e-324, kMissing, -1.0 / 3.0}, {1e22, 123456789, 2}}),
        {1, 0, 1},
        {}};
    const TemporaryFolder folder;
    write_cohort_csv(cohort, folder.path() / "odd.csv");
    Problems problems;
    const auto back = read_cohort_csv(folder.path() / "odd.csv", problems);
    REQUIRE(problems.report() == "");
    REQUIRE(back.cohort == cohort);
    REQUIRE(std::signbit(back.cohort.measurements(0, 1)));
  }
  SECTION("random numbers come back to the bit") {
    auto random = stream(11);
    Cohort cohort{{}, {"a", "b", "c"}, Matrix(500, 3), {}, {}};
    for (std::size_t j = 0; j < 500; ++j) {
      cohort.participants.push_back(std::to_string(j));
      cohort.diseased.push_back(j % 2 == 0 ? 1 : 0);
      for (auto& value : cohort.measurements.row(j))
        value = random.normal() * std::pow(10.0, 20.0 * random.normal());
    }
    REQUIRE(read_cohort(to_csv(cohort)).cohort == cohort);
  }
  SECTION("biomarkers are written by name, whatever their order") {
    const Cohort cohort{{"0"}, {"late", "early"}, matrix({{1, 2}}), {1}, {}};
    REQUIRE(to_csv(cohort) == kHeader + "0,early,2,True\n0,late,1,True\n");
  }
  SECTION("a cohort without labels is refused") {
    REQUIRE_THROWS_AS(to_csv(Cohort{{"0"}, {"a"}, matrix({{1}}), {}, {}}), ShapeError);
    REQUIRE_THROWS_AS(count_missing(Cohort{{"0"}, {"a"}, matrix({{1}}), {}, {}}), ShapeError);
  }
}

TEST_CASE("long CSV with faults", "[data][cohort_csv]") {
  for (const auto& [what, text, report] : kFaultyCsv) {
    DYNAMIC_SECTION(what) {
      Problems problems;
      const auto file = read_cohort_csv_text(text, "t.csv", problems);
      REQUIRE(problems.report() == report);
      REQUIRE(file.cohort == Cohort());
    }
  }
  SECTION("a file that is wrong throughout shows ten faults of a kind and counts the rest") {
    auto text = kHeader;
    for (int j = 0; j < 100000; ++j)
      text += fmt::format("{},a,x,{}\n", j, j < 12 ? "maybe" : "True");
    Problems problems;
    read_cohort_csv_text(text, "t.csv", problems);
    REQUIRE(problems.size() == 22);
    REQUIRE(problems.report().ends_with(
        "t.csv:11:7: diseased is 'maybe'; expected True or False (or 1 or 0)\n"
        "t.csv: and 99990 more measurements that are no numbers\n"
        "t.csv: and 2 more values of 'diseased' that are neither True nor False"));
  }
  SECTION("a file that is not there") {
    Problems problems;
    read_cohort_csv("no/such.csv", problems);
    REQUIRE(problems.report() == "no/such.csv: no such file");
  }
}

}  // namespace tempo::test
