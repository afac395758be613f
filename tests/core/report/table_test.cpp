#include "report/table.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

/// A number with its interval, a name with signs that formats know, a drawing and both sorts of
/// lines; for programs one cell of each type.
Table some_table() {
  Table out;
  out.blocks = {{.heading = "numbers by name",
                 .rows = {{"name", "mean"}, {"a|b_1", "0.5 ± 0.25"}, {"c", "-"}},
                 .note = "one line\nand another",
                 .aside = "not for LaTeX",
                 .drawing = {{"", "0  1"}, {"c", "·●·"}},
                 .name_columns = 1},
                {.heading = "nothing else", .rows = {}}};
  out.notes = {"in the end"};
  out.about = {{"table", "numbers"}};
  out.axes = 1;
  out.columns = {"seed", "name", "count", "mean", "sd", "tied"};
  out.rows = {{"7", "a|b, \"c\"", std::size_t{3}, 0.5, Cell(), true},
              {"7", "", std::size_t{0}, -std::numeric_limits<double>::infinity(), 1.0, false}};
  return out;
}

}  // namespace

TEST_CASE("one table in each format", "[report][table]") {
  const auto table = some_table();
  REQUIRE_FALSE(table.empty());
  SECTION("for a terminal: columns are aligned, the drawing below them") {
    REQUIRE(render(table, TableFormat::table) ==
            "numbers by name\n"
            "name   mean\n"
            "a|b_1  0.5 ± 0.25\n"
            "c      -\n"
            "   0  1\n"
            "c  ·●·\n"
            "not for LaTeX\n"
            "one line\nand another\n"
            "\n"
            "nothing else\n"
            "in the end\n");
  }
  SECTION("Markdown: bars are escaped, and nothing is drawn") {
    REQUIRE(render(table, TableFormat::markdown) ==
            "numbers by name\n\n"
            "| name | mean |\n"
            "|---|---|\n"
            "| a\\|b_1 | 0.5 ± 0.25 |\n"
            "| c | - |\n"
            "not for LaTeX\n"
            "one line\nand another\n"
            "\n"
            "nothing else\n"
            "in the end\n");
  }
  SECTION("LaTeX: names are escaped, lines are comments") {
    REQUIRE(render(table, TableFormat::latex) ==
            "% needs \\usepackage{booktabs}\n"
            "% numbers by name\n"
            "\\begin{tabular}{lr}\n\\toprule\n"
            "name & mean \\\\\n\\midrule\n"
            "a|b\\_1 & 0.5 $\\pm$ 0.25 \\\\\n"
            "c & - \\\\\n"
            "\\bottomrule\n\\end{tabular}\n"
            "% one line\n% and another\n"
            "\n"
            "% nothing else\n"
            "% in the end\n");
  }
  SECTION("CSV: texts are quoted, nothing is empty") {
    REQUIRE(render(table, TableFormat::csv) ==
            "seed,name,count,mean,sd,tied\n"
            "7,\"a|b, \"\"c\"\"\",3,0.5,,true\n"
            "7,,0,-inf,1,false\n");
  }
  SECTION("JSON: values keep their type, nothing and infinity are null") {
    REQUIRE(render(table, TableFormat::json) == nlohmann::ordered_json::parse(R"({
      "table": "numbers",
      "rows": [
        {"sweep": {"seed": "7"}, "name": "a|b, \"c\"", "count": 3, "mean": 0.5, "sd": null, "tied": true},
        {"sweep": {"seed": "7"}, "name": "", "count": 0, "mean": null, "sd": 1.0, "tied": false}
      ]})")
                                                        .dump(2) +
                                                    "\n");
  }
}

TEST_CASE("rows as a list per column", "[report][table]") {
  const auto columns = columns_as_json(some_table());
  REQUIRE(columns["sweep"].size() == 2);
  REQUIRE(columns["sweep"][1]["seed"] == "7");
  REQUIRE(columns["count"] == nlohmann::ordered_json{3, 0});
  REQUIRE_FALSE(columns.contains("seed"));
  REQUIRE(columns_as_json({}) == nlohmann::ordered_json::object());
}

TEST_CASE("JSON may have a shape of its own", "[report][table]") {
  auto table = some_table();
  table.document = std::make_shared<nlohmann::ordered_json>(nlohmann::ordered_json{{"own", 1}});
  REQUIRE(render(table, TableFormat::json) == "{\n  \"own\": 1\n}\n");
  REQUIRE_THAT(render(table, TableFormat::csv), Contains("seed,name"));
}

TEST_CASE("a table of texts is the same for everybody", "[report][table]") {
  const auto table = table_of_texts("", {{"a", "b"}, {"1", "2"}});
  REQUIRE(render(table, TableFormat::table) == "a  b\n1  2\n");
  REQUIRE(render(table, TableFormat::csv) == "a,b\n1,2\n");
  REQUIRE_THAT(render(table, TableFormat::json), Contains("\"a\": \"1\""));
  REQUIRE(Table{}.empty());
}

TEST_CASE("formats go by their names", "[report][table]") {
  REQUIRE(table_formats() == std::vector<std::string>{"table", "csv", "json", "latex", "markdown"});
  for (const auto& name : table_formats()) REQUIRE(to_string(table_format(name).value()) == name);
  REQUIRE_FALSE(table_format("html"));
}

}  // namespace tempo::test
