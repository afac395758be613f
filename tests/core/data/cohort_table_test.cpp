#include "data/cohort_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/toml_table.hpp"
#include "faulty_tables.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

CohortTable read(const std::string& description, const std::string& table, Problems& problems) {
  const auto settings = read_toml_text(description, "t.toml", problems);
  if (!problems.empty()) return {};
  const auto read_description = table_description_from(settings, "", problems);
  if (!problems.empty()) return {};
  return read_cohort_table_text(read_description, table, read_description.file.string(), problems);
}

CohortTable read(const std::string& description, const std::string& table) {
  Problems problems;
  auto out = read(description, table, problems);
  REQUIRE(problems.report() == "");
  check(out.cohort);
  return out;
}

CohortTable read_file(const std::string& name) {
  Problems problems;
  const auto description = read_table_description(
      std::filesystem::path(TEMPO_TEST_SOURCES) / "tests/core/data/tables" / name, problems);
  REQUIRE(problems.report() == "");
  auto out = read_cohort_table(description, problems);
  REQUIRE(problems.report() == "");
  return out;
}

const std::string kLabels =
    "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n";
const std::string kWide = "file = \"t.csv\"\nparticipant = \"id\"\n" + kLabels;

/// The description with the column of diagnoses in capital letters.
std::string edited_diagnosis(std::string description) {
  const std::string from = "\"dx\"";
  return description.replace(description.find(from), from.size(), "\"DX\"");
}

std::vector<double> column(const Cohort& cohort, std::size_t b) {
  std::vector<double> out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    out.push_back(cohort.measurements(j, b));
  return out;
}

}  // namespace

TEST_CASE("tables with faults", "[data][cohort_table]") {
  REQUIRE(faulty_tables().size() >= 60);
  for (const auto& [what, description, table, report] : faulty_tables()) {
    DYNAMIC_SECTION(what) {
      Problems problems;
      const auto out = read(description, table, problems);
      REQUIRE(problems.report() == report);
      REQUIRE(out.cohort == Cohort());
    }
  }
  SECTION("another column taken for the diagnoses, or a header of nothing, fills no screen") {
    std::string people = "id,dx,a\n";
    for (int j = 0; j < 1000; ++j) people += fmt::format("{},x{},1\n", j, std::min(j, 900));
    Problems labels;
    read(kWide, people, labels);
    const auto report = labels.report();
    REQUIRE(labels.size() == 21);
    REQUIRE(report.starts_with("t.toml:3:13: diagnosis 'x900' (100 participants) is in none of"));
    REQUIRE(
        report.ends_with("t.toml:3:13: and 881 more diagnoses that none of these names: is 'dx' "
                         "the column of diagnoses?"));
    Problems header;
    std::string same = "id,dx";
    for (int i = 0; i < 51; ++i) same += ",a";
    read(kWide, same + "\n", header);
    REQUIRE(header.size() == 11);
    REQUIRE_THAT(header.report(),
                 EndsWith("t.csv: and 40 more columns without a name of their own"));
  }
  SECTION("a table that is wrong throughout shows ten faults of a kind and counts the rest") {
    std::string table = "id,dx,a\nfirst,CN,1\n";
    for (int j = 0; j < 5000; ++j) table += fmt::format("{},CN,x{}\n", j, j);
    Problems problems;
    read(kWide, table, problems);
    REQUIRE(problems.size() == 11);
    REQUIRE(problems.report().ends_with("t.csv: and 4990 more measurements that are no numbers"));
  }
  SECTION("equal cells and levels are one fault with their number") {
    std::string table = "id,dx,sex,a\nfirst,CN,F,1\n";
    for (int j = 0; j < 30; ++j)
      table += fmt::format("{},CN,{},{}\n", j, j % 3 == 0 ? "9" : "F", j % 2 == 0 ? "~2" : "3");
    Problems cells, levels;
    read(kWide + "biomarkers = [\"a\"]\n", table, cells);
    REQUIRE(cells.report() ==
            "t.csv:3:8: a '~2' is not a finite number; it has more than a number in "
            "it: correct it in the table (15 such cells)");
    for (auto at = table.find("~2"); at != std::string::npos; at = table.find("~2"))
      table.erase(at, 1);
    read(kWide +
             "biomarkers = [\"a\"]\nadjust = { covariates = [\"sex\"], levels = { sex = "
             "[\"F\", \"M\"] } }\n",
         table, levels);
    REQUIRE(levels.report() ==
            "t.csv:3:6: covariate sex of participant '0' and 9 more is '9'; expected 'F' or 'M'");
  }
  SECTION("what a cell could say instead") {
    const auto hint = [](const std::string& cell) {
      Problems problems;
      read(kWide, "id,dx,a\n1,CN,2.5\n2,AD,\"" + cell + "\"\n", problems);
      const auto report = problems.report();
      const auto begin = report.find("; ");
      return begin == std::string::npos ? report : report.substr(begin + 2);
    };
    const std::string correct = "it has more than a number in it: correct it in the table";
    REQUIRE(hint("\u22651700") == "write it as '>1700', without a unit");
    REQUIRE(hint("<200 pg/ml") == "write it as '<200', without a unit");
    REQUIRE(hint("&lt;200") == "write it as '<200', without a unit");
    REQUIRE(hint("> 1,700") == "a comma that parts thousands is read with thousands = \",\"");
    REQUIRE(hint("1.500.000") == "points that part thousands are read with thousands = \".\"");
    REQUIRE(hint("12,70,500") == correct);
    REQUIRE(hint("seen 2, then not") == correct);
    REQUIRE(hint("1,5") == "a decimal comma is read with decimal = \",\"");
    for (const std::string large : {"1e400", "-1.797693134862316e+308"})
      REQUIRE_THAT(hint(large), StartsWith("it is too large or too small for a number: "));
  }
  SECTION("separators that stand in names, and blanks") {
    REQUIRE(read(kWide + "biomarkers = [\"a (1, 2, 3)\"]\n", "id;dx;a (1, 2, 3)\n1;CN;1\n2;AD;2\n")
                .cohort.participant_count() == 2);
    Problems problems;
    read(kWide, "id  dx  a\n1  CN  2\n", problems);
    REQUIRE(problems.report().find("did you mean") == std::string::npos);
    REQUIRE_THAT(problems.report(), EndsWith("; blanks between columns are not read: put commas or "
                                             "tabs there)"));
  }
  SECTION("missing markers that no cell has are said") {
    REQUIRE(
        read(kWide +
                 "missing_markers = [\"NA\", \"-999\", \"-4\", \"-1\"]\nmissing = \"marginal\"\n",
             "id,dx,a\n1,CN,-4.0\n2,AD,2\n3,AD,-1\n")
            .notes.front() == "no cell is '-999', which 'missing_markers' names");
  }
  SECTION("a column of text is one fault") {
    std::string table = "id,dx,a,notes\n";
    for (int j = 0; j < 5000; ++j) table += fmt::format("{},CN,1,seen {}\n", j, j % 3);
    Problems problems;
    read(kWide, table, problems);
    REQUIRE(problems.report() ==
            "t.csv:2:8: notes is text in all of 5000 values ('seen 0', 'seen 1', 'seen 2'), and no "
            "number; name it in 'ignore' if it is no biomarker");
    Problems named;
    read(kWide + "biomarkers = [\"a\", \"notes\"]\n", table, named);
    REQUIRE_THAT(named.report(), EndsWith("and no number; is it the biomarker that was meant?"));
    Problems ignored;
    read(kWide + "ignore = [\"notes\"]\n", table, ignored);
    REQUIRE(ignored.empty());
  }
  SECTION("what prints alike is told apart by its characters") {
    const auto complaint = [](const std::string& description, const std::string& table) {
      Problems problems;
      read(description, table, problems);
      return problems.report();
    };
    REQUIRE_THAT(complaint(kWide, "\u200bid,dx,a\n1,CN,1\n"),
                 EndsWith("no column 'id'; did you mean '<U+200B>id'? (it has <U+200B>id, dx, a)"));
    REQUIRE_THAT(complaint(kWide, "id,dx,a\n1,CN,1\n2,\u0410D,1\n"),
                 EndsWith("did you mean 'AD'? (here it is '<U+0410>D')"));
    REQUIRE_THAT(complaint(kWide, "id,dx,a\n1,CN\u00a0,1\n2,AD,1\n"),
                 EndsWith("did you mean 'CN'? (here it is 'CN<U+00A0>')"));
    REQUIRE_THAT(complaint(kWide, "id,dx,a\n1,CN,\u00a05\n2,AD,1\n"),
                 StartsWith("t.csv:2:6: a '<U+00A0>5' is not a finite number"));
  }
}

TEST_CASE("tables as other programs have them", "[data][cohort_table]") {
  SECTION("kde_ebm: counts above, no names, CRLF, the label last, no end of line") {
    const auto table = read_file("kde.toml");
    REQUIRE(table.rows == 6);
    REQUIRE(table.cohort.participants == std::vector<std::string>{"1", "2", "3", "4", "5", "6"});
    REQUIRE(table.cohort.biomarkers == std::vector<std::string>{"ABETA", "MMSE", "TAU"});
    REQUIRE(table.cohort.diseased == std::vector<std::uint8_t>{0, 0, 1, 1, 1, 0});
    REQUIRE(column(table.cohort, 0) ==
            std::vector<double>{1308.2, 1370.5, 1012.4, 559, 744.3, 1746.7});
    REQUIRE(table.cohort.measurements(5, 2) == 261.8);
  }
  SECTION("pySuStaIn: ids with gaps, covariates to adjust for") {
    const auto table = read_file("sustain.toml");
    REQUIRE(table.cohort.participants ==
            std::vector<std::string>{"3", "10", "17", "24", "31", "38", "45"});
    REQUIRE(table.cohort.diagnoses == std::vector<std::string>{"0", "2", "0", "2", "0", "2", "0"});
    REQUIRE(table.notes == std::vector<std::string>{
                               "biomarkers were adjusted for Age, Sex = 1, by regression on the "
                               "healthy"});
  }
  SECTION("pyebm: a byte order mark, text ids, diagnoses as text, gaps") {
    const auto table = read_file("pyebm.toml");
    REQUIRE(table.cohort.participants[0] == "001");
    REQUIRE(table.cohort.biomarkers == std::vector<std::string>{"ABETA", "MMSE", "TAU"});
    REQUIRE(table.cohort.diagnoses ==
            std::vector<std::string>{"CN", "MCI", "AD", "CN", "MCI", "AD"});
    REQUIRE(table.missing ==
            MissingValues{2, 4, {{"ABETA", 0, 1}, {"MMSE", 0, 0}, {"TAU", 1, 1}}, {}});
  }
  SECTION("long visits, the last of each") {
    const auto table = read_file("long.toml");
    REQUIRE(table.cohort.participants == std::vector<std::string>{"s2", "s1"});
    REQUIRE(column(table.cohort, 0) == std::vector<double>{601.5, 1300});
    REQUIRE(column(table.cohort, 1) == std::vector<double>{21, 29});
  }
  SECTION("each by five lines") {
    for (const auto* name :
         {"kde.toml", "sustain.toml", "pyebm.toml", "long.toml", "visits.toml"}) {
      const auto text = read_text(source("tests/core/data/tables") / name);
      REQUIRE(std::count(text.begin(), text.end(), '\n') == 5);
    }
  }
  SECTION("long, several visits, decimal commas, a comment") {
    const auto table = read_file("visits.toml");
    REQUIRE(table.rows == 27);
    REQUIRE(table.cohort.participants == std::vector<std::string>{"p10", "p9", "p2"});
    REQUIRE(column(table.cohort, 0)[0] == 1248.2);  // at 0, not at 1.5, the first in the file
    REQUIRE(table.notes ==
            std::vector<std::string>{"a line above the header that begins with '#' was passed over",
                                     "values have decimal commas, and were read so",
                                     "6 of 9 visits were left out (visit = \"first\")"});
  }
  SECTION("decimal commas are seen where they show, also after values that leave it open") {
    const std::string text = "id;dx;a;b\n1;CN;1,234;2\n2;AD;<3,125;-0,5\n3;AD;7,5;2,25\n";
    const auto found = read(kWide + "censored = \"clamp\"\n", text);
    REQUIRE(found.cohort == read(kWide + "censored = \"clamp\"\ndecimal = \",\"\n", text).cohort);
    REQUIRE(column(found.cohort, 0) == std::vector<double>{1.234, 3.125, 7.5});
    REQUIRE(column(found.cohort, 1) == std::vector<double>{2, -0.5, 2.25});
  }
  SECTION("thousands are parted by what the description says") {
    const auto rows = [](const std::string& a, const std::string& b) {
      return "id;dx;a\n1;CN;" + a + "\n2;AD;" + b + "\n3;AD;853\n";
    };
    const auto read_by = [&](const std::string& keys, const std::string& text) {
      return column(read(kWide + keys, text).cohort, 0);
    };
    const std::vector<double> large{-1457, 1234567, 853}, small{1.457, 12.25, 853};
    REQUIRE(read_by("thousands = \".\"\n", rows("-1.457", "1.234.567")) == large);
    REQUIRE(read_by("thousands = \",\"\n", rows("-1,457", "1,234,567")) == large);
    REQUIRE(read_by("thousands = \"'\"\n", rows("-1'457", "1'234'567")) == large);
    REQUIRE(read_by("thousands = \"space\"\n", rows("-1 457", "1 234 567")) == large);
    REQUIRE(read_by("thousands = \".\"\n", rows("1.457,5", "1.234.567,25")) ==
            std::vector<double>{1457.5, 1234567.25, 853});
    REQUIRE(read_by("thousands = \",\"\n", rows("1,457.5", "1,234,567.25")) ==
            std::vector<double>{1457.5, 1234567.25, 853});
    Problems zero;
    read(kWide + "thousands = \".\"\n", rows("1.457", "0.500"), zero);
    REQUIRE(zero.size() == 1);  // 0.500 is no 500
    // What nobody can tell was said to be decimal; elsewhere other values show it.
    const auto said = read(kWide + "decimal = \".\"\n", rows("1.457", "2.125"));
    REQUIRE(column(said.cohort, 0) == std::vector<double>{1.457, 2.125, 853});
    REQUIRE_THAT(said.notes.front(),
                 Catch::Matchers::StartsWith("a: 2 values such as '1.457' have three digits behind "
                                             "the point, and 1 has no point; it was read"));
    REQUIRE(read_by("", rows("1.457", "12.25")) == small);
    REQUIRE(read_by("", rows("0.457", "0.125")) == std::vector<double>{0.457, 0.125, 853});
  }
  SECTION("dates order visits, whatever their place in the file") {
    const std::string text =
        "id,day,dx,a\n1,2009-10-01,CN,2\n1,2009-09-30,CN,1\n1,2010-01-15,CN,3\n2,2008-02-29,AD,"
        "4\n2,2008-03-01,AD,5\n";
    const auto by = [&](const std::string& keep) {
      return column(
          read(kWide + "visit = { column = \"day\", keep = \"" + keep + "\" }\n", text).cohort, 0);
    };
    REQUIRE(by("first") == std::vector<double>{1, 4});
    REQUIRE(by("last") == std::vector<double>{3, 5});
  }
}

TEST_CASE("faults of a description come with what its table lacks", "[data][cohort_table]") {
  const TemporaryFolder folder;
  const auto report = [&](const std::string& description, const std::string& table) {
    if (!table.empty()) folder.write("t.csv", table);
    const auto file = folder.write("t.toml", description);
    Problems problems;
    read_table_description(file, problems);
    auto text = problems.report();
    const auto prefix = folder.path().string() + "/";
    for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
      text.erase(at, prefix.size());
    return text;
  };
  const auto faulty = edited_diagnosis(kWide) + "missing = \"refus\"\n";
  REQUIRE(report(faulty, "ID,dx,a\n1,CN,1\n") ==
          "t.toml:4:11: 'missing' must be 'refuse', 'drop', 'marginal' or 'mean', not 'refus'; did "
          "you mean "
          "'refuse'?\n"
          "t.toml:2:15: t.csv has no column 'id'; did you mean 'ID'? (it has ID, dx, a)\n"
          "t.toml:3:24: t.csv has no column 'DX'; did you mean 'dx'? (it has ID, dx, a)");
  REQUIRE(report(kWide + "censored = 1\n", "id,dx,a\n1,CN,1\n") ==
          "t.toml:4:12: 'censored' must be 'error', 'clamp' or 'missing', not an integer");
  // An unknown key may be a misspelt key of format, so that the table is not looked at.
  REQUIRE_THAT(report(kWide + "seperator = \";\"\n", "id;dx;a\n1;CN;1\n"),
               Catch::Matchers::Contains("did you mean 'separator'?") &&
                   !Catch::Matchers::Contains("no column"));
  std::filesystem::remove(folder.path() / "t.csv");
  REQUIRE(report(kWide + "missing = \"refus\"\n", "") ==
          "t.toml:4:11: 'missing' must be 'refuse', 'drop', 'marginal' or 'mean', not 'refus'; did "
          "you mean "
          "'refuse'?\nt.csv: no such file");
}

TEST_CASE("what becomes of a table", "[data][cohort_table]") {
  SECTION("ids are text: 007 is not 7") {
    const auto table = read(kWide, "id,dx,a\n7,CN,1\n007,AD,2\n1,AD,3\n");
    REQUIRE(table.cohort.participants == std::vector<std::string>{"1", "7", "007"});
    REQUIRE(column(table.cohort, 0) == std::vector<double>{3, 1, 2});
  }
  SECTION("an accent is a part of its letter, however the file has it") {
    const auto described = kWide + "biomarkers = [\"Prot\u00e9ine\"]\n";
    const auto table = read(described, "id,dx,Prote\u0301ine\n1,CN,1\n2,AD,2\n");
    REQUIRE(table.cohort.biomarkers == std::vector<std::string>{"Prot\u00e9ine"});
    REQUIRE(
        read(kWide + "biomarkers = [\"Prote\u0301ine\"]\n", "id,dx,Prot\u00e9ine\n1,CN,1\n2,AD,2\n")
            .cohort == table.cohort);
  }
  SECTION("blanks in quotes are as missing as others") {
    const auto table = read(kWide + "missing = \"marginal\"\n",
                            "id,dx,a\n1,CN,\"  \"\n2,AD, \n3,AD,\"\u00a0\"\n4,AD,1\n");
    REQUIRE(table.missing.total() == 3);
  }
  SECTION("a row that is equal to an earlier one can be left out") {
    const std::string copies = "id,dx,a,b\n1,CN,1,2\n2,AD,3,\"4\"\n2,AD,3,4\n1, CN,1,2\n";
    Problems problems;
    read(kWide, copies, problems);
    REQUIRE(problems.report() ==
            "t.csv:4:1: participant '2' has a row already in line 3, and the two rows are equal; "
            "repeated_rows = \"drop\" leaves such copies out\n"
            "t.csv:5:1: participant '1' has a row already in line 2, and the two rows are equal; "
            "repeated_rows = \"drop\" leaves such copies out");
    const auto dropped = kWide + "repeated_rows = \"drop\"\n";
    const auto table = read(dropped, copies);
    REQUIRE(table.notes ==
            std::vector<std::string>{"2 rows equal to an earlier one were left out"});
    REQUIRE(column(table.cohort, 1) == std::vector<double>{2, 4});
    Problems different;
    read(dropped, "id,dx,a,b\n1,CN,1,2\n2,AD,3,4\n2,AD,3,5\n", different);
    REQUIRE_THAT(different.report(),
                 StartsWith("t.csv:4:1: participant '2' has a row already in line 3; a cohort is"));
    const auto tall = "layout = \"long\"\nbiomarker = \"b\"\nvalue = \"v\"\n" + dropped;
    REQUIRE(read(tall, "id,dx,b,v\n1,CN,a,1\n2,AD,a,3\n2,AD,a,3\n").notes ==
            std::vector<std::string>{"1 row equal to an earlier one was left out"});
  }
  SECTION("thousands may be parted by the blanks and apostrophes of print") {
    const auto values = [](const std::string& mark, const std::string& key) {
      return column(read(kWide + "thousands = \"" + key + "\"\n",
                         "id,dx,a\n1,CN,7" + mark + "412\n2,AD,12" + mark + "000.5\n")
                        .cohort,
                    0);
    };
    for (const auto* mark : {" ", "\u00a0", "\u2009", "\u202f"})
      REQUIRE(values(mark, "space") == std::vector<double>{7412, 12000.5});
    for (const auto* mark : {"'", "\u2019"})
      REQUIRE(values(mark, "'") == std::vector<double>{7412, 12000.5});
    Problems problems;
    read(kWide, "id,dx,a\n1,CN,7\u202f412\n2,AD,5\n", problems);
    REQUIRE(problems.report() ==
            "t.csv:2:6: a '7<U+202F>412' is not a finite number; a blank that parts thousands is "
            "read with thousands = \"space\"");
  }
  SECTION("what lasts a life long is compared between rows, whatever its column is for") {
    const auto visits = kWide + "visit_column = \"v\"\nvisit = \"first\"\n";
    const std::string text =
        "id,dx,SEX,v,a\n1,CN,F,1,5\n2,AD,M,1,6\n1,CN,M,2,7\n2,AD,,2,6\n3,AD,F,1,6\n";
    const std::string expected =
        "SEX differs between rows of 1 participant, as of '1': 'F' in line 2 and 'M' in line 4; "
        "two people under one id?";
    for (const std::string use : {"ignore = [\"SEX\"]\n", "biomarkers = [\"a\"]\n"})
      REQUIRE(read(visits + use, text).notes.front() == expected);
    REQUIRE(read(visits + "ignore = [\"SEX\"]\n",
                 "id,dx,SEX,v,a\n1,CN,F,1,5\n1,CN,F,2,7\n2,AD,"
                 "M,1,6\n")
                .notes ==
            std::vector<std::string>{"1 of 3 visits were left out (visit = \"first\")"});
  }
  SECTION("separators are found, quotes understood") {
    for (const std::string separator : {",", ";", "|", "\t"}) {
      std::string text = "\"id\",dx,\"a, or; b\"\r\n1,CN,\"1.5\"\r\n2,AD, 2 \r\n";
      for (auto at = text.find(','); at != std::string::npos; at = text.find(',', at + 1))
        if (text.compare(at, 2, ", ") != 0 || text.compare(at, 3, ", 2") == 0)
          text.replace(at, 1, separator);
      INFO(text);
      const auto cohort = read(kWide, text).cohort;
      REQUIRE(cohort.biomarkers == std::vector<std::string>{"a, or; b"});
      REQUIRE(column(cohort, 0) == std::vector<double>{1.5, 2});
    }
  }
  SECTION("a column that is left empty between tabs is a missing value") {
    const auto table =
        read(kWide + "missing = \"marginal\"\n", "id\tdx\ta\tb\n1\tCN\t\t2\n2\tAD\t3\t\n");
    REQUIRE(
        table.cohort ==
        Cohort{
            {"1", "2"}, {"a", "b"}, matrix({{kMissing, 2}, {3, kMissing}}), {0, 1}, {"CN", "AD"}});
  }
  SECTION("participants left out are counted, step by step") {
    const auto table = read(
        "file = \"t.csv\"\nparticipant = \"id\"\nvisit_column = \"v\"\nvisit = \"baseline\"\n"
        "baseline = [\"bl\"]\nmissing = \"drop\"\ndiagnosis = { column = \"dx\", healthy = "
        "[\"CN\"], diseased = [\"MCI\", \"AD\"], drop = [\"SMC\", \"\"] }\n",
        "id,v,dx,a\n1,m06,CN,9\n1,bl,CN,1\n2,bl,SMC,x\n3,bl,,2\n4,bl,MCI,\n5,bl,MCI,5\n6,m12,AD,"
        "7\n");
    REQUIRE(table.report() ==
            "participants\n"
            "  6  in the table\n"
            "  5  with a baseline visit\n"
            "  3  healthy or diseased (left out: '': 1, 'SMC': 1)\n"
            "  2  with all values (left out: 'MCI': 1)\n"
            "  1  healthy (CN: 1)\n"
            "  1  diseased (MCI: 1)\n"
            "biomarkers: a\n"
            "other columns: id (participant), v (visit), dx (diagnosis)\n"
            "missing  healthy (of 1)  diseased (of 2)\n"
            "a                     0                1\n"
            "no measurement at all: 4\n"
            "note: 2 of 7 visits were left out (visit = \"baseline\")\n"
            "note: no participant has diagnosis AD\n");
    REQUIRE(table.cohort.participants == std::vector<std::string>{"1", "5"});
    std::string left_out;
    for (const auto& [participant, why] : table.left_out)
      left_out += participant + ": " + why + "\n";
    REQUIRE(left_out ==
            "6: no baseline visit\n2: diagnosis 'SMC', which 'drop' names\n3: diagnosis '', which "
            "'drop' names\n"
            "4: lacks a\n");
  }
  SECTION("columns that look like covariates are not taken for biomarkers without a word") {
    std::string text = "id,dx,AGE,a,flag,constant\n";
    for (int j = 0; j < 12; ++j)
      text +=
          fmt::format("{},{},{},{},{},7\n", j, j < 5 ? "CN" : "AD", 60 + j, 0.5 * (j % 7), j % 2);
    const auto is_noted = [](const CohortTable& table, const std::string& expected) {
      return std::find(table.notes.begin(), table.notes.end(), expected) != table.notes.end();
    };
    REQUIRE(is_noted(read(kWide, text),
                     "without 'biomarkers' every other column is one, also AGE (by name), flag "
                     "(two values only): 'ignore' or [adjust] takes them out if they are none"));
    REQUIRE(is_noted(read(kWide + "ignore = [\"flag\"]\n", text),
                     "without 'biomarkers' every other column is one, also AGE (by name): 'ignore' "
                     "or [adjust] takes it out if it is none"));
    REQUIRE(read(kWide + "ignore = [\"AGE\", \"flag\"]\n", text).notes ==
            std::vector<std::string>{"constant is 7 in all 12 participants: it tells nothing"});
    REQUIRE(read(kWide + "biomarkers = [\"AGE\", \"flag\", \"a\"]\n", text)
                .notes.empty());  // the description names them
  }
  SECTION("each column is accounted for") {
    std::string text = "id,dx,v,AGE,site,x,a,b,c1,c2,c3,c4,c5,c6\n";
    for (int j = 0; j < 8; ++j)
      text +=
          fmt::format("{},{},bl,{},1,2,{},4,5,5,5,5,5,5\n", j, j < 4 ? "CN" : "AD", 60 + j * j, j);
    const auto table =
        read(kWide +
                 "visit = { column = \"v\", keep = \"baseline\", baseline = [\"bl\"] }\n"
                 "biomarkers = [{ name = \"r\", column = \"a\", over = \"b\" }]\n"
                 "ignore = [\"site\"]\n[adjust]\ncovariates = [\"AGE\"]\n",
             text);
    REQUIRE(table.other_columns ==
            std::vector<std::string>{"id (participant)", "dx (diagnosis)", "v (visit)",
                                     "AGE (covariate)", "site (ignored)",
                                     "x, c1, c2, c3, c4 and 2 more (not asked for)"});
  }
  SECTION("columns of numbers that measure nothing are not taken without a word") {
    std::string text = "id,dx,a,run,born,serial,k_j\n";
    for (int j = 0; j < 12; ++j)
      text += fmt::format("x{},{},{},{},{},{},0\n", j, j < 5 ? "CN" : "AD", 0.5 * (j % 7),
                          100.5 - j * j, 19500101 + 100 * (j % 12), (7 * j) % 12 + 1000);
    REQUIRE(read(kWide, text).notes ==
            std::vector<std::string>{
                "without 'biomarkers' every other column is one, also run (runs with the rows), "
                "born (days as numbers), serial (whole numbers, all different), k_j (by name): "
                "'ignore' or [adjust] takes them out if they are none",
                "k_j is 0 in all 12 participants: it tells nothing"});
  }
  SECTION("columns without a name are passed over, as R, pandas and Excel write them") {
    for (const std::string text :
         {",id,dx,a\n1,x,CN,1\n2,y,AD,3\n", "id,dx,a,\nx,CN,1,\ny,AD,3,\n",
          "\"\",\"id\",\"dx\",\"a\"\n\"1\",\"x\",\"CN\",1\n\"2\",\"y\",\"AD\",3\n"}) {
      const auto table = read(kWide, text);
      REQUIRE(table.cohort.biomarkers == std::vector<std::string>{"a"});
      REQUIRE(column(table.cohort, 0) == std::vector<double>{1, 3});
      REQUIRE_THAT(
          table.notes.front(),
          Catch::Matchers::StartsWith("1 column without a name, from which nothing was read: "));
    }
  }
  SECTION("a line that says the separator is passed over") {
    for (const std::string separator : {";", ",", "|"}) {
      auto text = "sep=" + separator + "\r\nid;dx;a\r\nx;CN;1\r\ny;AD;3\r\n";
      for (auto at = text.find(';', 6); at != std::string::npos; at = text.find(';', at + 1))
        text.replace(at, 1, separator);
      const auto table = read(kWide, text);
      REQUIRE(column(table.cohort, 0) == std::vector<double>{1, 3});
      REQUIRE(table.notes == std::vector<std::string>{"the line that says the separator ('" +
                                                      separator + "') was passed over"});
    }
    REQUIRE(read(kWide + "separator = \",\"\n", "sep=;\nid,dx,a\nx,CN,1\ny,AD,3\n").notes ==
            std::vector<std::string>{"the line that says the separator (';') was passed over: the "
                                     "description says ','"});
  }
  SECTION("a header behind '#' is read, with remarks above it or none") {
    for (const std::string above : {"", "# from the clinic\n"})
      for (const std::string mark : {"#", "# "}) {
        const auto table = read(kWide, above + mark + "id,dx,a\nx,CN,1\ny,AD,3\n");
        REQUIRE(table.cohort.participants == std::vector<std::string>{"x", "y"});
        REQUIRE(column(table.cohort, 0) == std::vector<double>{1, 3});
        REQUIRE(table.notes.back() == "the header begins with '#', and was read without it");
        REQUIRE(table.notes.size() == (above.empty() ? 1 : 2));
      }
  }
  SECTION("of several names of a baseline the first counts that a participant has") {
    const std::string rows = "id,v,dx,a\n1,sc,CN,1\n1,bl,CN,2\n2,sc,AD,3\n2,m06,AD,4\n3,bl,AD,5\n";
    const auto by = [&](const std::string& names) {
      return column(
          read(kWide + "visit_column = \"v\"\nvisit = \"baseline\"\nbaseline = " + names + "\n",
               rows)
              .cohort,
          0);
    };
    REQUIRE(by("[\"bl\", \"sc\"]") == std::vector<double>{2, 3, 5});
    REQUIRE(by("[\"sc\", \"bl\"]") == std::vector<double>{1, 3, 5});
  }
  SECTION("labels are texts or whole numbers, one or several") {
    const std::string start = "file = \"t.csv\"\nparticipant = \"id\"\n";
    const std::string rows = "id,dx,a\n1,0,1\n2,1,2\n3,2,3\n";
    const auto groups = [&](const std::string& labels) {
      return read(start + "diagnosis = { column = \"dx\", " + labels + " }\n", rows)
          .cohort.diseased;
    };
    const std::vector<std::uint8_t> expected{0, 1, 1};
    REQUIRE(groups("healthy = 0, diseased = [1, 2]") == expected);
    REQUIRE(groups("healthy = [0], diseased = [\"1\", 2]") == expected);
    REQUIRE(groups("healthy = \"0\", diseased = 1, drop = 2") == std::vector<std::uint8_t>{0, 1});
  }
  SECTION("a missing diagnosis or visit is one however it is marked, unless the marker is named") {
    const std::string start =
        "file = \"t.csv\"\nparticipant = \"id\"\nvisit_column = \"v\"\nvisit = "
        "\"baseline\"\nbaseline = [\"bl\"]\nmissing_markers = [\"NA\", \"-1\"]\n";
    const std::string rows = "id,v,dx,a\n1,bl,CN,1\n2,bl,NA,2\n3,bl,-1,3\n4,bl,AD,4\n4,NA,AD,5\n";
    const auto with = [&](const std::string& labels) {
      return read(start + "diagnosis = { column = \"dx\", " + labels + " }\n", rows);
    };
    const auto dropped = with("healthy = \"CN\", diseased = \"AD\", drop = \"\"");
    REQUIRE(dropped.cohort.participants == std::vector<std::string>{"1", "4"});
    REQUIRE(dropped.notes.front() == "1 row without a visit, which is no baseline");
    const auto named = with("healthy = \"CN\", diseased = [\"AD\", -1], drop = \"\"");
    REQUIRE(named.cohort.diagnoses == std::vector<std::string>{"CN", "-1", "AD"});
  }
  SECTION("a visit without a code is no baseline") {
    const auto table = read(kWide +
                                "visit_column = \"v\"\nvisit = \"baseline\"\n"
                                "baseline = [\"bl\"]\n",
                            "id,v,dx,a\n1,bl,CN,1\n1,,CN,8\n1,,CN,9\n2,bl,AD,3\n3,,AD,4\n");
    REQUIRE(table.cohort.participants == std::vector<std::string>{"1", "2"});
    REQUIRE(column(table.cohort, 0) == std::vector<double>{1, 3});
    REQUIRE(table.flow.front().participants == 3);
    REQUIRE(table.left_out.size() == 1);
    REQUIRE(table.left_out.front().why == "no baseline visit");
    REQUIRE(table.notes ==
            std::vector<std::string>{"3 rows without a visit, which are no baselines"});
  }
  SECTION("what a table seldom means is noted") {
    const auto notes = read(kWide,
                            "id,dx,a,b\n1,CN,1.5,3\n2,CN,2,-999\n3,AD,2.5,5\n4,AD,1.75,3.5\n"
                            "5,AD,2.25,-999\n")
                           .notes;
    REQUIRE(notes.size() == 1);
    REQUIRE_THAT(notes.front(), Catch::Matchers::StartsWith("b is -999 in 1 of 3 AD, 1 of 2 CN"));
  }
  SECTION("a header that begins with '#' is no remark if the description knows its first column") {
    const std::string text = "#n,id,dx,a\n1,x,CN,1\n2,y,AD,3\n";
    for (const std::string keys : {"ignore = [\"#n\"]\n", "biomarkers = [\"#n\", \"a\"]\n"})
      REQUIRE(read(kWide + keys, text).cohort.participants == std::vector<std::string>{"x", "y"});
  }
  SECTION("the last visit is that with the largest number, wherever it stands") {
    const auto cohort = read(kWide + "visit_column = \"t\"\nvisit = \"last\"\n",
                             "id,t,dx,a\n1,10,CN,1\n1,9,CN,2\n2,-1,AD,3\n2,0.5,AD,4\n")
                            .cohort;
    REQUIRE(column(cohort, 0) == std::vector<double>{1, 4});
  }
  SECTION("two visits at one time are an error where they would be kept, wherever they stand") {
    const auto keys = kWide + "visit = { column = \"t\", keep = \"first\" }\n";
    for (const std::string rows :
         {"1,0,CN,1\n1,1,CN,2\n1,1.0,CN,3\n", "1,1,CN,2\n1,1.0,CN,3\n1,0,CN,1\n"})
      REQUIRE(column(read(keys, "id,t,dx,a\n" + rows + "2,0,AD,4\n").cohort, 0) ==
              std::vector<double>{1, 4});
    for (const std::string rows :
         {"1,0,CN,1\n1,1,CN,2\n1,0.0,CN,3\n", "1,1,CN,2\n1,0,CN,3\n1,0.0,CN,1\n"}) {
      Problems problems;
      read(keys, "id,t,dx,a\n" + rows, problems);
      REQUIRE_THAT(
          problems.report(),
          StartsWith("t.csv:4:1: participant '1' has a row of visit '0.0' already in line"));
      REQUIRE(problems.size() == 1);
    }
  }
  SECTION("markers of missing values count as numbers in covariates as well") {
    const auto table = read(
        kWide +
            "missing = \"drop\"\nmissing_markers = [\"-4\"]\nadjust = { covariates = [\"age\"] }\n",
        "id,dx,age,a\n1,CN,-4.0,1\n2,CN,60,2\n3,CN,61,3\n4,CN,63,3\n5,AD,-4,2\n6,AD,70,1\n");
    REQUIRE(table.cohort.participants == std::vector<std::string>{"2", "3", "4", "6"});
    REQUIRE(table.left_out.front().why == "lacks age");
  }
  SECTION(
      "no visit called as a baseline is said where the visits are named, with what they are "
      "called") {
    Problems problems;
    read(kWide + "visit = { column = \"v\", keep = \"baseline\", baseline = [\"BL\"] }\n",
         "id,v,dx,a\n1,bl,CN,1\n1,m06,CN,2\n2,bl,AD,3\n", problems);
    REQUIRE(problems.report() ==
            "t.toml:4:20: no visit is called 'BL'; found bl, m06; did you mean 'bl'?");
  }
  SECTION("a quotient has to be finite") {
    Problems problems;
    read(kWide + "biomarkers = [{ name = \"q\", column = \"a\", over = \"b\" }]\n",
         "id,dx,a,b\n1,CN,1e300,1e-300\n2,AD,1,2\n", problems);
    REQUIRE(problems.report() ==
            "t.csv:2:6: 'q' of participant '1', 1e+300 divided by 1e-300, is not finite");
  }
  SECTION("markers of missing values count as numbers too: -4 is -4.0") {
    const auto table =
        read(kWide + "missing = \"marginal\"\nmissing_markers = [\"-4\", \"n.d.\"]\n",
             "id,dx,a\n1,CN,-4\n2,AD,-4.0\n3,AD,n.d.\n4,AD,-40\n");
    REQUIRE(table.missing.total() == 3);
    REQUIRE(table.cohort.measurements(3, 0) == -40);
  }
  SECTION("markers with decimal commas are no measurements, before the comma is known and after") {
    const auto table = read(
        kWide + "missing = \"marginal\"\nmissing_markers = [\"-99,9\", \"-9,999\"]\n",
        "id;dx;a\n1;CN;-9,999\n2;AD;-99,9\n3;AD;1,5\n4;AD;-99,90\n5;CN;-9,999\n6;AD;-9,9990\n");
    REQUIRE(table.missing.total() == 5);
    REQUIRE(table.cohort.measurements(2, 0) == 1.5);
  }
  SECTION("markers with decimal commas are none either where a covariate shows the comma") {
    const auto table = read(kWide +
                                "missing = \"drop\"\nmissing_markers = [\"-99,9\"]\n"
                                "adjust = { covariates = [\"age\"] }\n",
                            "id;dx;age;a\n1;CN;60,5;1\n2;CN;61,5;-99,90\n3;CN;62,5;2\n"
                            "4;CN;64,25;3\n5;AD;70,5;1\n");
    REQUIRE(table.cohort.participants == std::vector<std::string>{"1", "3", "4", "5"});
  }
  SECTION("censored values are clamped or missing, counted per diagnosis") {
    const std::string text = "id,dx,a,b\n1,CN,>1700,1\n2,AD,<= 8.5,2\n3,AD,>1700,3\n";
    const auto clamped = read(kWide + "censored = \"clamp\"\n", text);
    REQUIRE(column(clamped.cohort, 0) == std::vector<double>{1700, 8.5, 1700});
    REQUIRE(clamped.report().find("censored: a of AD: 1 below, 1 above\n"
                                  "censored: a of CN: 0 below, 1 above\n") != std::string::npos);
    const auto missing = read(kWide + "censored = \"missing\"\nmissing = \"marginal\"\n", text);
    REQUIRE(missing.missing.total() == 3);
    REQUIRE(missing.censored.size() == 2);
  }
  SECTION("the mean of a biomarker stands in for what is missing, if asked for") {
    const auto cohort =
        read(kWide + "missing = \"mean\"\n", "id,dx,a\n1,CN,1\n2,AD,\n3,AD,4\n").cohort;
    REQUIRE(column(cohort, 0) == std::vector<double>{1, 2.5, 4});
  }
  SECTION("volumes over the size of the head") {
    const auto cohort =
        read(kWide +
                 "biomarkers = [{ name = \"HippocampusNorm\", column = \"Hippocampus\", over = "
                 "\"ICV\" }]\n",
             "id,dx,Hippocampus,ICV,note\n1,CN,6000,1500000,x\n2,AD,4000,1600000,y\n")
            .cohort;
    REQUIRE(cohort.biomarkers == std::vector<std::string>{"HippocampusNorm"});
    REQUIRE(column(cohort, 0) == std::vector<double>{0.004, 0.0025});
  }
  SECTION("what was imported reads back as a long CSV") {
    const auto cohort = read_file("pyebm.toml").cohort;
    Problems problems;
    REQUIRE(read_cohort_csv_text(to_csv(cohort), "t.csv", problems).cohort == cohort);
    REQUIRE(problems.report() == "");
  }
}

TEST_CASE("covariates", "[data][cohort_table]") {
  // Controls: a = 10 + 2 (age - 60) + 5 [sex = M], without noise. Patients are 7 above that.
  const std::string adjust =
      kWide + "adjust = { covariates = [\"age\", \"sex\"], levels = { sex = [\"F\", \"M\"] } }\n";
  const auto text = [](double unit) {
    std::string out = "id,dx,age,sex,a\n";
    int id = 0;
    for (const auto& [dx, age, sex] : {std::tuple("CN", 60, "F"),
                                       {"CN", 62, "M"},
                                       {"CN", 65, "F"},
                                       {"CN", 70, "M"},
                                       {"CN", 63, "M"},
                                       {"AD", 80, "F"},
                                       {"AD", 75, "M"}})
      out += fmt::format(
          "{},{},{},{},{}\n", ++id, dx, age, sex,
          unit * (10 + 2 * (age - 60) + (*sex == 'M' ? 5 : 0) + (std::string(dx) == "AD" ? 7 : 0)));
    return out;
  };
  SECTION("what they explain among controls is taken away, and the mean of controls stays") {
    // Ages sum to 320 - 300 = 20 above 60: mean 10 + 2 * 4 + 5 * 3/5 = 21.
    const auto a = column(read(adjust, text(1)).cohort, 0);
    for (std::size_t j = 0; j < 5; ++j) REQUIRE(a[j] == Approx(21).epsilon(1e-12));
    for (std::size_t j = 5; j < 7; ++j) REQUIRE(a[j] == Approx(28).epsilon(1e-12));
  }
  SECTION("they are kept as they were read") {
    const auto [names, values] = read(adjust, text(1)).covariates;
    REQUIRE(names == std::vector<std::string>{"age", "sex = M"});
    REQUIRE(values(3, 0) == 70.0);
    REQUIRE(values(3, 1) == 1.0);
    REQUIRE(values(5, 1) == 0.0);
  }
  SECTION("patients are not used: other patients, same controls") {
    auto other = text(1);
    other += "8,AD,90,F,1000\n";
    const auto a = column(read(adjust, other).cohort, 0);
    REQUIRE(std::vector<double>(a.begin(), a.begin() + 7) ==
            column(read(adjust, text(1)).cohort, 0));
  }
  SECTION("units make no difference") {
    const auto a = column(read(adjust, text(1)).cohort, 0);
    const auto small = column(read(adjust, text(1e-6)).cohort, 0);
    for (std::size_t j = 0; j < a.size(); ++j)
      REQUIRE(small[j] * 1e6 == Approx(a[j]).epsilon(1e-10));
  }
}

TEST_CASE("the preset of ADNIMERGE", "[data][cohort_table]") {
  const std::string text =
      "RID,PTID,VISCODE,DX_bl,AGE,ADAS13,MMSE,RAVLT_immediate,ABETA,TAU,PTAU,Ventricles,"
      "Hippocampus,"
      "WholeBrain,Entorhinal,Fusiform,MidTemp,ICV\n"
      "2,011_S_0002,bl,CN,74.3,9,28,44,>1700,230.5,<8,30000,7000,1000000,3800,17000,20000,1500000\n"
      "2,011_S_0002,m06,CN,74.3,9,28,44,,,,,,,,,,\n"
      "3,011_S_0003,bl,AD,81.3,31,20,22,741.5,239.7,22.83,84599,5319,1129830,1791,15506,18422,"
      "1920690\n"
      "4,022_S_0004,bl,LMCI,67.5,21,27,37,1501,153.1,13.29,39605,6869,1154980,3983,19036,19615,\n";
  const auto table = read("file = \"t.csv\"\npreset = \"adnimerge\"\n", text);
  SECTION("baseline, complete cases, the paper's biomarkers") {
    REQUIRE(table.cohort.participants == std::vector<std::string>{"011_S_0002", "011_S_0003"});
    REQUIRE(table.cohort.biomarker_count() == 12);
    REQUIRE(table.cohort.diagnoses == std::vector<std::string>{"CN", "AD"});
    REQUIRE(table.flow.back().participants == 2);
  }
  SECTION("limits of the assays are clamped, volumes divided by the size of the head") {
    REQUIRE(table.cohort.biomarkers[0] == "ABETA");
    REQUIRE(table.cohort.measurements(0, 0) == 1700);
    const auto at = find_columns(table.cohort, {"HippocampusNorm", "PTAU"}).columns;
    REQUIRE(table.cohort.measurements(0, at[0]) == 7000.0 / 1500000.0);
    REQUIRE(table.cohort.measurements(0, at[1]) == 8);
  }
  SECTION("a key of the description goes before the preset's") {
    Problems problems;
    read("file = \"t.csv\"\npreset = \"adnimerge\"\ncensored = \"error\"\n", text, problems);
    REQUIRE(problems.report() ==
            "t.csv:2:33: ABETA '>1700' is beyond what is measured; choose censored = \"clamp\" "
            "(take the bound) or \"missing\"\n"
            "t.csv:2:45: PTAU '<8' is beyond what is measured; choose censored = \"clamp\" (take "
            "the bound) or \"missing\"");
  }
}

TEST_CASE("tables of the shape of ADNIMERGE by other names", "[data][cohort_table]") {
  const std::string preset = "file = \"t.csv\"\npreset = \"adnimerge\"\n";
  const std::string header =
      "RID,PTID,VISCODE,DX_bl,ADAS13,MMSE,RAVLT_immediate,ABETA,TAU,PTAU,Ventricles,Hippocampus,"
      "WholeBrain,Entorhinal,Fusiform,MidTemp,ICV\n";
  const std::string rows =
      "2,011_S_0002,bl,CN,9,28,44,1400,230.5,20,30000,7000,1000000,3800,17000,20000,1500000\n"
      "3,011_S_0003,bl,AD,30,20,22,500,400,40,50000,5000,900000,2800,15000,17000,1500000\n";
  const auto expected = read(preset, header + rows).cohort;
  const auto edit = [](std::string text, const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
  };
  SECTION("in lower case") {
    auto lower = header;
    for (auto& c : lower) c = static_cast<char>(std::tolower(c));
    const auto table = read(preset, lower + rows);
    REQUIRE(table.cohort == expected);
    REQUIRE_THAT(table.notes.front(),
                 StartsWith("columns read by other names: ptid as PTID, viscode as VISCODE, dx_bl "
                            "as DX_bl"));
  }
  SECTION("as R writes them") {
    const auto r = edit(edit(header, "DX_bl", "DX.bl"), "RAVLT_immediate", "RAVLT.immediate");
    REQUIRE(read(preset, r + rows).cohort == expected);
  }
  SECTION("with the diagnosis of the visit alone") {
    const auto visits = edit(rows, ",AD,", ",Dementia,");
    auto cohort = read(preset, edit(header, "DX_bl", "DX") + visits).cohort;
    REQUIRE(cohort.diagnoses == std::vector<std::string>{"CN", "Dementia"});
    cohort.diagnoses = expected.diagnoses;
    REQUIRE(cohort == expected);
  }
  SECTION("with another name of the baseline") {
    for (const std::string name : {"m00", "sc"})
      REQUIRE(read(preset,
                   header + edit(edit(rows, ",bl,", "," + name + ","), ",bl,", "," + name + ","))
                  .cohort == expected);
  }
  SECTION("of TADPOLE") {
    auto tadpole = header;
    for (const std::string name : {",ABETA,", ",TAU,", ",PTAU,"})
      tadpole = edit(tadpole, name, name.substr(0, name.size() - 1) + "_UPENNBIOMK9_04_19_17,");
    REQUIRE(read(preset, tadpole + rows).cohort == expected);
  }
  SECTION("without an id that has a name, by the number") {
    const auto table = read(preset, edit(header, ",PTID,", ",site,") + rows);
    REQUIRE(table.cohort.participants == std::vector<std::string>{"2", "3"});
  }
  SECTION(
      "as the published script has it: values beyond an assay are missing, and what that costs") {
    const auto beyond = edit(edit(rows, ",1400,", ",>1700,"), ",40,", ",<8,") +
                        "4,011_S_0004,bl,AD,,20,22,500,400,40,50000,5000,900000,2800,15000,17000,"
                        "1500000\n5,011_S_0005,bl,AD,30,20,22,500,400,40,50000,5000,900000,2800,"
                        "15000,17000,1500000\n";
    const auto paper = read(preset + "paper = true\n", header + beyond);
    REQUIRE(paper.cohort.participants == std::vector<std::string>{"011_S_0005"});
    REQUIRE(paper.flow.back().what ==
            "with all values (left out: 'AD': 2, 'CN': 1; 2 of them only for values beyond what is "
            "measured)");
    REQUIRE(read(preset, header + beyond).flow.back().what ==
            "with all values (left out: 'AD': 1)");
    Problems problems;
    read(kWide + "paper = true\n", "id,dx,a\n1,CN,1\n2,AD,2\n", problems);
    REQUIRE(problems.report() == "t.toml:4:9: 'paper' is read with a preset only");
  }
}

TEST_CASE("logarithms and directions of biomarkers", "[data][cohort_table]") {
  const auto with = [](const std::string& keys) {
    return kWide + "biomarkers = [{ name = \"a\", " + keys + " }]\n";
  };
  const std::string text = "id,dx,a,b\n1,CN,1,2\n2,CN,4,2\n3,AD,8,2\n4,AD,16,2\n";
  SECTION("the logarithm is taken after the division") {
    REQUIRE(column(read(with("over = \"b\", transform = \"log\""), text).cohort, 0) ==
            std::vector<double>{std::log(0.5), std::log(2.0), std::log(4.0), std::log(8.0)});
  }
  SECTION("what has none is a fault, and a missing value none") {
    Problems problems;
    read(with("transform = \"log\"") + "missing = \"marginal\"\n",
         "id,dx,a\n1,CN,0\n2,AD,-1\n3,AD,\n4,AD,2\n", problems);
    REQUIRE(problems.report() ==
            "t.csv:2:6: 'a' of participant '1' is 0, which has no logarithm\n"
            "t.csv:3:6: 'a' of participant '2' is -1, which has no logarithm");
  }
  SECTION("a direction that the groups contradict is named") {
    REQUIRE(read(with("direction = \"rises\""), text).notes.empty());
    REQUIRE(read(with("direction = \"falls\""), text).notes ==
            std::vector<std::string>{"a falls by its description, but its median is 2.5 of the "
                                     "healthy and 12 of the diseased"});
  }
  SECTION("skewed values of the healthy are named, unless logarithms do not help") {
    std::string skewed = "id,dx,a,b\n";
    for (int j = 0; j < 60; ++j)
      skewed += fmt::format("{},{},{},{}\n", j, j < 40 ? "CN" : "AD",
                            std::exp(0.16 * ((j * 17) % 40)), (j * 23) % 40 + 1);
    const auto notes = read(kWide + "biomarkers = [\"a\", \"b\"]\n", skewed).notes;
    REQUIRE(notes.size() == 1);
    REQUIRE(notes.front() ==
            "skewed among the healthy: a (1.8); after taking logarithms less than half as much: "
            "transform = \"log\" in 'biomarkers' does that");
    REQUIRE(read(with("transform = \"log\""), skewed).notes.empty());
  }
}

TEST_CASE("a slipped value turns neither an adjustment nor a mean", "[data][cohort_table]") {
  // The others are what they are without the slipped value.
  const auto text = [](const std::string& cell_of_7) {
    std::string out = "id,dx,age,a\n";
    for (int j = 0; j < 40; ++j)
      out += fmt::format("{},{},{},{}\n", j, j < 25 ? "CN" : "AD", 60 + j % 11,
                         j == 30  ? std::string()
                         : j == 7 ? cell_of_7
                                  : fmt::format("{}", 10 + 2 * (j % 11) + 0.5 * (j % 3)));
    return out;
  };
  const std::string policy = GENERATE(
      "missing = \"marginal\"\nadjust = { covariates = [\"age\"] }\n", "missing = \"mean\"\n");
  CAPTURE(policy);
  const auto without_it = column(read(kWide + policy, text("")).cohort, 0);
  const auto slipped = column(read(kWide + policy, text("240000")).cohort, 0);
  for (std::size_t j = 0; j < slipped.size(); ++j) {
    CAPTURE(j);
    if (std::isnan(without_it[j]))
      REQUIRE((j == 7 || std::isnan(slipped[j])));
    else if (j == 7)
      REQUIRE(slipped[j] == 240000.0);  // named, and left as it is
    else
      REQUIRE(slipped[j] == without_it[j]);
  }
}

TEST_CASE("participants without a covariate", "[data][cohort_table]") {
  const std::string text =
      "id,dx,age,sex,a\n1,CN,60,F,10\n2,CN,62,M,14\n3,CN,65,F,20\n4,CN,,F,16\n5,CN,69,M,28\n"
      "6,CN,64,M,18\n7,AD,70,,37\n8,AD,72,F,41\n";
  const auto adjusted = [](const std::string& missing) {
    return kWide + "adjust = { covariates = [\"age\", \"sex\"], levels = { sex = [\"F\", \"M\"] }" +
           missing + " }\n";
  };
  SECTION("are refused, unless something is said") {
    Problems problems;
    read(adjusted(""), text, problems);
    REQUIRE(problems.report() ==
            "t.toml:4:26: 1 participant lacks covariate 'age'; [adjust] missing = \"drop\" "
            "leaves them out, \"mean\" takes that of the healthy\n"
            "t.toml:4:33: 1 participant lacks covariate 'sex'; [adjust] missing = \"drop\" "
            "leaves them out, \"mean\" takes that of the healthy");
  }
  SECTION("are left out alone, whatever is done with missing measurements") {
    auto gap = text;
    gap.replace(gap.find("72,F,41"), 7, "72,F,");
    const auto table = read(adjusted(", missing = \"drop\"") + "missing = \"marginal\"\n", gap);
    REQUIRE(table.cohort.participants == std::vector<std::string>{"1", "2", "3", "5", "6", "8"});
    REQUIRE(table.missing.total() == 1);
    REQUIRE(table.flow.back().what == "with all covariates (left out: 'AD': 1, 'CN': 1)");
    REQUIRE(table.left_out.back().why == "lacks sex");
  }
  SECTION("get the mean of the healthy: sex and age alike") {
    const auto table = read(adjusted(", missing = \"mean\""), text);
    REQUIRE(table.cohort.participant_count() == 8);
    REQUIRE(table.notes.front() ==
            "2 participants without a covariate got the mean of the healthy");
    // Of the healthy half are F: a patient of unknown sex lies between the two.
    const auto patient_of = [&](const std::string& sex) {
      auto known = text;
      known.replace(known.find("70,,37"), 6, "70," + sex + ",37");
      return column(read(adjusted(", missing = \"mean\""), known).cohort, 0)[6];
    };
    REQUIRE(column(table.cohort, 0)[6] ==
            Approx(0.5 * (patient_of("F") + patient_of("M"))).epsilon(1e-12));
  }
  SECTION("among later patients are left out, and the others staged") {
    const TemporaryFolder folder;
    folder.write("t.csv", "id,age,a\n1,70,5\n2,,6\n3,61,7\n");
    const Adjustment earlier{{"age"}, {"a"}, matrix({{0.5}}), matrix({{60.0}})};
    const auto read_later = [&](const std::string& missing) {
      const auto file =
          folder.write("t.toml",
                       "file = \"t.csv\"\nparticipant = \"id\"\nadjust = { covariates "
                       "= [\"age\"]" +
                           missing + " }\n");
      Problems problems;
      const auto description = read_table_description(file, problems, Labels::ignored);
      auto out = read_later_table(description, Labels::ignored, earlier, problems);
      REQUIRE(problems.report() == "");
      return out;
    };
    const auto table = read_later("");
    REQUIRE(column(table.cohort, 0) == std::vector<double>{0.0, 6.5});
    REQUIRE(table.left_out.size() == 1);
    REQUIRE(table.left_out.front().participant == "2");
    REQUIRE(table.left_out.front().why == "lacks age");
    REQUIRE(table.flow.back().what == "with all covariates (left out: 1)");
    // With the mean the value stays: the earlier healthy's mean has nothing to take away.
    REQUIRE(column(read_later(", missing = \"mean\"").cohort, 0) ==
            std::vector<double>{0.0, 6.0, 6.5});
  }
}

TEST_CASE("what a cohort does not show as it is in the table is looked at, too",
          "[data][cohort_table]") {
  std::string text = "id,dx,age,a,size,b\n";
  for (int j = 0; j < 30; ++j)
    text += fmt::format("{},{},{},{},{},{}\n", j, j < 12 ? "CN" : "AD", j == 20 ? 999 : 60 + j % 17,
                        j % 9 == 4 ? -9 : 5000 + 37 * (j % 11), 1500 + 10 * (j % 13),
                        (j % 3 == 0 ? 1000.0 : 1.0) * (200 + j));
  const auto notes =
      read(
          kWide +
              "adjust = { covariates = [\"age\"] }\nbiomarkers = [{ name = \"q\", column = \"a\", over "
              "= \"size\" }, { name = \"l\", column = \"b\", transform = \"log\" }]\n",
          text)
          .notes;
  const auto is_said = [&](const std::string& beginning) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.starts_with(beginning); });
  };
  REQUIRE(is_said("age is 999 in 1 of 18 AD, all others are 60 to 76: a code"));
  REQUIRE_FALSE(is_said("covariates taken for numbers"));
  REQUIRE(is_said("a is -9 in 2 of 18 AD, 1 of 12 CN, all others are 5000 to 5370: a code"));
  REQUIRE(is_said("b is 201 to 229 in 20 participants and 200000 to 227000 in 10, with nothing"));
}

TEST_CASE("columns that are described are looked at as covariates are", "[data][cohort_table]") {
  const auto notes_of = [](const std::function<std::string(int)>& cell) {
    std::string text = "id,dx,z,a\n";
    for (int j = 0; j < 40; ++j)
      text += fmt::format("{},{},{},{}\n", j, j < 16 ? "CN" : "AD", cell(j), 0.5 + j * j % 23);
    Problems problems;
    auto description = table_description_from(
        read_toml_text(kWide + "biomarkers = [\"a\"]\n", "t.toml", problems), "", problems);
    description.described = {{"z", {"--baseline"}}};
    auto table = read_cohort_table_text(description, text, "t.csv", problems);
    REQUIRE(problems.report() == "");
    REQUIRE(table.described.size() == 1);
    return std::pair(table.notes, std::holds_alternative<std::vector<std::string>>(
                                      table.described.front().values));
  };
  using Found = std::pair<std::vector<std::string>, bool>;  // notes, and whether they are levels
  const auto age = [](int j) { return std::to_string(60 + j % 17); };
  REQUIRE(notes_of(age) == Found{{}, false});
  REQUIRE(
      notes_of([&](int j) { return j % 9 == 5 ? "999" : age(j); }) ==
      Found{{"z is 999 in 2 of 24 AD, 2 of 16 CN, all others are 60 to 76: a code for a missing "
             "value? 'missing_markers' takes it"},
            false});
  REQUIRE(notes_of([&](int j) { return j == 7    ? ">89"
                                       : j == 30 ? "unknown"
                                                 : age(j); }) ==
          Found{{"2 values of z are no number and count as missing where z is described: '>89', "
                 "'unknown'"},
                false});
  REQUIRE(notes_of([](int j) { return std::to_string(j % 8 == 0 ? 9 : 1 + j % 2); }) ==
          Found{{"described as numbers: z (1, 2, 9); are these categories?"}, false});
  REQUIRE(notes_of([](int j) { return j % 2 == 0 ? "F" : "M"; }) == Found{{}, true});
  REQUIRE(notes_of([](int j) {
            return j == 4 ? "f" : j == 9 ? "female" : j % 2 == 0 ? "F" : "M";
          }) == Found{{"levels of z may be one: 'F', 'f', 'female'"}, true});
}

TEST_CASE("units of a long table are compared", "[data][cohort_table]") {
  const auto text = [](const std::string& other) {
    return "id,dx,biomarker,value,unit\n1,CN,TAU,200,pg/mL\n1,CN,MMSE,29,\n2,AD,TAU,13," + other +
           "\n2,AD,MMSE,21,\n";
  };
  for (const std::string same : {"pg/mL", "pg/ml", "ng/L"})
    REQUIRE(read(kWide + "layout = \"long\"\n", text(same)).notes.empty());
  REQUIRE(read(kWide + "layout = \"long\"\n", text("pmol/L")).notes ==
          std::vector<std::string>{
              "TAU is in several units: pg/mL, pmol/L; values were read as they are"});
}

TEST_CASE("a long table's column that says '<' is not passed over", "[data][cohort_table]") {
  const auto notes = [](const std::string& here, const std::string& there) {
    return read(kWide + "layout = \"long\"\n",
                "id,dx,biomarker,qualifier,value\n1,CN,TAU,=,200\n1,CN,ABETA," + here +
                    ",1700\n2,AD,TAU,,80\n2,AD,ABETA," + there + ",900\n")
        .notes;
  };
  REQUIRE(notes("=", "~").empty());
  REQUIRE(
      notes(">", "=") ==
      std::vector<std::string>{
          "ABETA: 1 value stands beside '<' or '>' in column qualifier, and it was read as it is; "
          "such values are written in one cell (<8), and censored = \"clamp\" or \"missing\" says "
          "what to do with them"});
  REQUIRE_THAT(notes(">=", "<").front(), StartsWith("ABETA: 2 values stand beside '<' or '>'"));
}

TEST_CASE("columns that tell times are no biomarkers", "[data][cohort_table]") {
  const auto doubt = [](const std::string& name, const std::function<std::string(int)>& cell) {
    std::string text = "id,dx,a," + name + "\n";
    for (int j = 0; j < 24; ++j)
      text += fmt::format("{},{},{},{}\n", j, j < 12 ? "CN" : "AD", 0.5 + j * j % 23, cell(j));
    const auto notes = read(kWide, text).notes;
    return notes.empty() ? std::string() : notes.front();
  };
  const auto is_why = [&](const std::string& why, const std::string& name,
                          const std::function<std::string(int)>& cell) {
    return doubt(name, cell)
        .starts_with("without 'biomarkers' every other column is one, also " + name + " (" + why +
                     "): ");
  };
  REQUIRE(is_why("years", "x", [](int j) { return std::to_string(1930 + j * 7 % 11); }));
  REQUIRE(is_why("years", "x", [](int j) { return fmt::format("{}.5", 1930 + j * 7 % 11); }));
  REQUIRE(
      is_why("months as numbers", "x", [](int j) { return std::to_string(201001 + j * 7 % 12); }));
  REQUIRE(is_why("days of a spreadsheet", "x",
                 [](int j) { return fmt::format("{}.25", 43000 + j * 37 % 900); }));
  REQUIRE(doubt("x", [](int j) { return fmt::format("{}.25", 23000 + j * 3700 % 29000); }) == "");
  for (const std::string name :
       {"time_to_event", "fu_years", "record_id", "Age.at-visit", "mmse_complete", "batch", "plate",
        "redcap_repeat_instance", "zip", "phone", "NACCALZD", "DXN", "scan_date", "race___1"}) {
    INFO(name);
    REQUIRE(is_why("by name", name, [](int j) { return std::to_string(j * 5 % 13); }));
  }
  for (const std::string name : {"image_score", "GM_damage", "video", "update_speed", "AGEP"}) {
    INFO(name);
    REQUIRE(doubt(name, [](int j) { return std::to_string(j * 5 % 13); }) == "");
  }
}

TEST_CASE("covariates that are no quantities are named", "[data][cohort_table]") {
  std::string text = "id,dx,site,apoe,sex,a\n";
  for (int j = 0; j < 24; ++j)
    text += fmt::format("{},{},{},{},{},{}\n", j, j < 12 ? "CN" : "AD", 100 * (j % 4),
                        22 + j % 3 * 10, j % 2, 0.5 + j * j % 23);
  const auto notes =
      read(kWide + "adjust = { covariates = [\"site\", \"apoe\", \"sex\"] }\n", text).notes;
  REQUIRE_THAT(fmt::format("{}", fmt::join(notes, "\n")),
               Catch::Matchers::Contains("covariates taken for numbers: site (by name), apoe (by "
                                         "name); 'levels' makes categories"));
}

TEST_CASE("visits that no number orders", "[data][cohort_table]") {
  const auto visits = kWide + "visit = { column = \"v\", keep = \"first\" }\n";
  const auto complaint = [&](const std::string& visit) {
    Problems problems;
    read(visits, "id,dx,v,a\n1,CN," + visit + ",5\n1,CN,1,6\n2,AD,1,6\n", problems);
    return problems.report();
  };
  for (const std::string visit : {"15062010", "06152010", "02012011", "06.2010", "6.2010"}) {
    INFO(visit);
    REQUIRE_THAT(complaint(visit),
                 StartsWith("t.csv:2:6: visit '" + visit +
                            "' of participant '1' is neither a "
                            "number nor a date such as 2008-02-29 (year, month, day)"));
  }
  for (const std::string visit : {"20100615", "12345678", "6.5", "13.2010", "600"}) {
    INFO(visit);
    REQUIRE(complaint(visit) == "");
  }
  REQUIRE(read(visits, "id,dx,v,a\n1,CN,1900-01-01,5\n1,CN,2010-06-15,6\n2,AD,2010-06-15,6\n")
              .notes.front() ==
          "the visit of 1 participant is '1900-01-01': does it stand for none?");
  SECTION("codes and days that nobody has lived to see") {
    const auto doubt_of = [&](const std::string& keep, const std::string& usual,
                              const std::string& odd) {
      const auto notes =
          read(kWide + "visit = { column = \"v\", keep = \"" + keep + "\" }\n",
               "id,dx,v,a\n1,CN," + usual + ",5\n1,CN," + odd + ",6\n2,AD," + usual + ",6\n")
              .notes;
      return notes.size() == 2 &&
             notes[0] == "the visit of 1 participant is '" + odd + "': does it stand for none?";
    };
    for (const std::string odd : {"888", "888.8", "999", "9999"})
      REQUIRE(doubt_of("last", "70.5", odd));
    for (const std::string odd : {"2102-05-01", "2200-01-01", "9999-12-31"})
      REQUIRE(doubt_of("last", "2019-05-01", odd));
    REQUIRE(doubt_of("first", "43400", "0"));
    REQUIRE(doubt_of("first", "12", "-4"));
    REQUIRE_FALSE(doubt_of("first", "12", "0"));
    REQUIRE_FALSE(doubt_of("last", "12", "99"));  // an age, a month
    REQUIRE_FALSE(doubt_of("last", "2019-05-01", "2031-05-01"));
  }
  SECTION("baselines by other names") {
    const auto table =
        read(kWide +
                 "visit = { column = \"v\", keep = \"baseline\", baseline = [\"bl\"] "
                 "}\n",
             "id,dx,v,a\n1,CN,bl,5\n2,AD,bl,6\n3,AD,BL,6\n4,AD,baseline,6\n4,AD,m12,6\n");
    REQUIRE(table.notes.front() ==
            "visits of participants without a baseline are called 'BL' (1), "
            "'baseline' (1): 'baseline' takes several names");
  }
}

TEST_CASE("rows that are no participants", "[data][cohort_table]") {
  SECTION("the header of a second table, in whatever order its columns are") {
    for (const std::string header : {"id,dx,a", "id,a,dx"}) {
      Problems problems;
      read(kWide + "missing_markers = [\"a\"]\n", "id,dx,a\n1,CN,1\n" + header + "\n2,AD,2\n",
           problems);
      REQUIRE(problems.report() ==
              "t.csv:3:1: the row repeats the header: two tables, one below the other?");
    }
  }
  SECTION("lines that the description has for comments are counted") {
    REQUIRE(read(kWide + "comment = \"#\"\n", "# x\nid,dx,a\n1,CN,1\n#2,AD,2\n3,AD,2\n").notes ==
            std::vector<std::string>{"2 lines that begin with '#' were passed over"});
  }
}

TEST_CASE("participants that are staged only", "[data][cohort_table]") {
  const TemporaryFolder folder;
  folder.write("t.csv", "id,dx,a\n1,CN,5\n2,MCI,6\n3,AD,7\n4,SMC,8\n5,MCI,9\n6,,4\n");
  const auto file = folder.write(
      "t.toml",
      "file = \"t.csv\"\nparticipant = \"id\"\ndiagnosis = { column = \"dx\", healthy = \"CN\", "
      "diseased = \"AD\", staged = \"MCI\", drop = [\"SMC\", \"\"] }\n");
  Problems problems;
  SECTION("nothing is fitted to them") {
    const auto table = read_cohort_table(read_table_description(file, problems), problems);
    REQUIRE(problems.report() == "");
    REQUIRE(table.cohort.participants == std::vector<std::string>{"1", "3"});
    REQUIRE(table.flow.back().what ==
            "healthy or diseased (left out: '': 1, 'SMC': 1; to be staged only: 'MCI': 2)");
    REQUIRE(table.left_out.front().why == "diagnosis 'MCI', which 'staged' names");
  }
  SECTION("and they alone are staged by the same description") {
    for (const auto labels : {Labels::ignored, Labels::needed}) {
      const auto table =
          read_later_table(read_table_description(file, problems, labels), labels, {}, problems);
      REQUIRE(problems.report() == "");
      const bool are_needed = labels == Labels::needed;
      REQUIRE(table.cohort.participants == (are_needed ? std::vector<std::string>{"2", "5"}
                                                       : std::vector<std::string>{"2", "5", "6"}));
      REQUIRE(table.cohort.diseased == std::vector<std::uint8_t>(are_needed ? 2 : 0, 1));
      REQUIRE(table.left_out.front().why == "diagnosis 'CN': of the cohort, and not of 'staged'");
    }
  }
}

TEST_CASE("covariates of later participants may come in another order", "[data][cohort_table]") {
  const TemporaryFolder folder;
  folder.write("t.csv", "id,age,edu,a\n1,70,12,5\n");
  // Biomarker a rises by 0.5 a year from 60 and falls by 1 per year of education from 10.
  Adjustment earlier{{"age", "edu"}, {"a"}, matrix({{0.5, -1.0}}), matrix({{60.0, 10.0}})};
  earlier.lows = {60.0, 8.0};
  earlier.highs = {66.0, 18.0};
  std::vector<Cohort> found;
  for (const std::string covariates : {"\"age\", \"edu\"", "\"edu\", \"age\""}) {
    const auto file =
        folder.write("t.toml", "file = \"t.csv\"\nparticipant = \"id\"\nadjust = { covariates = [" +
                                   covariates + "] }\n");
    Problems problems;
    const auto description = read_table_description(file, problems, Labels::ignored);
    const auto read = read_later_table(description, Labels::ignored, earlier, problems);
    found.push_back(read.cohort);
    // 70 is beyond 66 by more than half of the distance from 60 to 66.
    REQUIRE(read.doubts ==
            std::vector<std::string>{"covariate 'age' is far from that of the healthy whom "
                                     "biomarkers were adjusted by (60 to 66): 70 of 1"});
    REQUIRE(problems.report() == "");
  }
  REQUIRE(found[0].measurements(0, 0) == 5.0 - 10.0 * 0.5 + 2.0 * 1.0);
  REQUIRE(found[1] == found[0]);
}

}  // namespace tempo::test
