#include "data/biomarker_file.hpp"

#include "data/toml_table.hpp"
#include "faulty_input.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

const std::vector<FaultyInput> kFaulty{
    {"no schema",
     R"(name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:1:1: missing key 'schema' in this biomarker table; expected an integer"},
    {"a schema to come",
     R"(schema = 2
name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:1:10: 'schema' must be 1, not 2: a newer tempo may have written this file"},
    {"a schema that is text",
     R"(schema = "1"
name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:1:10: 'schema' must be an integer, not a string"},
    {"no biomarkers",
     R"(schema = 1
name = "t"
)",
     "t.toml:1:1: there are no biomarkers; expected at least one [[biomarker]]"},
    {"an empty list of biomarkers",
     R"(schema = 1
name = "t"
biomarker = []
)",
     "t.toml:3:13: there are no biomarkers; expected at least one [[biomarker]]"},
    {"a number for the list",
     R"(schema = 1
name = "t"
biomarker = 3
)",
     "t.toml:3:13: 'biomarker' must be a list of tables, each begun with [[biomarker]], not an "
     "integer"},
    {"[biomarker] for [[biomarker]]",
     R"(schema = 1
name = "t"
[biomarker]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:3:1: 'biomarker' must be a list of tables, each begun with [[biomarker]], not a "
     "table"},
    {"a list of numbers",
     R"(schema = 1
name = "t"
biomarker = [1]
)",
     "t.toml:3:14: a biomarker must be a table, not an integer"},
    {"a biomarker without a name",
     R"(schema = 1
name = "t"
[[biomarker]]
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:3:1: missing key 'name' in [[biomarker]] number 1; expected a string"},
    {"an empty name",
     R"(schema = 1
name = "t"
[[biomarker]]
name = ""
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:4:8: 'name' must not be empty"},
    {"a name that is a number",
     R"(schema = 1
name = "t"
[[biomarker]]
name = 3
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:4:8: 'name' must be a string, not an integer"},
    {"no pre-event distribution",
     R"(schema = 1
name = "t"
[[biomarker]]
name = "a"
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:3:1: missing key 'pre_event' in [[biomarker]] 'a'; expected { mean = ..., sd = ... }"},
    {"a misspelt key",
     R"(schema = 1
name = "t"
[[biomarker]]
name = "a"
pre_evnt = { mean = 3.0, sd = 4.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:3:1: missing key 'pre_event' in [[biomarker]] 'a'; expected { mean = ..., sd = ... }\n"
     "t.toml:5:1: unknown key 'pre_evnt' in [[biomarker]] 'a'; expected 'name', 'pre_event' or "
     "'post_event'; did you mean 'pre_event'?"},
    {"an sd that is not positive",
     R"(schema = 1
name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 0 }
post_event = { mean = 3.0, sd = -4.0 }
)",
     "t.toml:5:32: 'sd' must be a number > 0, not 0\n"
     "t.toml:6:33: 'sd' must be a number > 0, not -4"},
    {"numbers that are not finite",
     R"(schema = 1
name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = nan, sd = inf }
post_event = { mean = -inf, sd = nan }
)",
     "t.toml:5:22: 'mean' must be a finite number, not nan\n"
     "t.toml:5:32: 'sd' must be a number > 0, not inf\n"
     "t.toml:6:23: 'mean' must be a finite number, not -inf\n"
     "t.toml:6:34: 'sd' must be a number > 0, not nan"},
    {"wrong types",
     R"(schema = 1
name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = "1.0", sd = true }
post_event = 3.0
)",
     "t.toml:5:22: 'mean' must be a finite number, not a string\n"
     "t.toml:5:34: 'sd' must be a number > 0, not a boolean\n"
     "t.toml:6:14: 'post_event' must be a table { mean = ..., sd = ... }, not a number"},
    {"std for sd",
     R"(schema = 1
name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, std = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:5:13: missing key 'sd' in pre_event of [[biomarker]] 'a'; expected a number > 0\n"
     "t.toml:5:27: unknown key 'std' in pre_event of [[biomarker]] 'a'; expected 'mean' or 'sd'; "
     "did you mean 'sd'?"},
    {"a name twice",
     R"(schema = 1
name = "t"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
[[biomarker]]
name = "b"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:12:8: biomarker 'a' is given twice; first in line 4"},
    {"an unknown key of the table",
     R"(schema = 1
name = "t"
descripton = "x"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:3:1: unknown key 'descripton' in this biomarker table; expected 'schema', 'name', "
     "'description' or 'biomarker'; did you mean 'description'?"},
    {"many faults, in the order of the lines",
     R"(schema = 1
nmae = "t"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 0.0 }
post_event = { mean = 3.0 }
unit = "mm"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 2.0 }
post_event = { mean = 3.0, sd = 4.0 }
)",
     "t.toml:1:1: missing key 'name' in this biomarker table; expected a string\n"
     "t.toml:2:1: unknown key 'nmae' in this biomarker table; expected 'schema', 'name', "
     "'description' or 'biomarker'; did you mean 'name'?\n"
     "t.toml:5:32: 'sd' must be a number > 0, not 0\n"
     "t.toml:6:14: missing key 'sd' in post_event of [[biomarker]] 'a'; expected a number > 0\n"
     "t.toml:7:1: unknown key 'unit' in [[biomarker]] 'a'; expected 'name', 'pre_event' or "
     "'post_event'\n"
     "t.toml:9:8: biomarker 'a' is given twice; first in line 4"},
};

}  // namespace

TEST_CASE("biomarker tables", "[data][biomarkers]") {
  Problems problems;

  SECTION("every bit is written and read back, order and odd names included") {
    const BiomarkerTable table({{"z \"quoted\"", {0.1, 1e-300}, {-1.0 / 3.0, 5e-324}},
                                {"a.b", {1e22, 2.0}, {1e22, 2.0}}});  // post-event may equal pre
    const TemporaryFolder folder;
    write_biomarkers(table, "odd", folder.path() / "odd.toml", "two \"odd\" ones");
    REQUIRE(read_biomarkers(folder.path() / "odd.toml", problems) == table);
    REQUIRE(problems.report() == "");
    REQUIRE(biomarkers_to_toml(BiomarkerTable({{"a", {1, 2}, {3, 4}}}), "t") ==
            "schema = 1\nname = \"t\"\n"
            "\n[[biomarker]]\nname = \"a\"\n"
            "pre_event = { mean = 1.0, sd = 2.0 }\npost_event = { mean = 3.0, sd = 4.0 }\n");
  }
  SECTION("shipped tables are found by name, wherever the program stands") {
    REQUIRE(shipped_biomarkers() == std::vector<std::string>{"adni-12", "synthetic-100"});
    const auto adni = find_biomarkers("adni-12", "/nowhere", {}, problems);
    const auto synthetic = find_biomarkers("synthetic-100", "/nowhere", {}, problems);
    REQUIRE(problems.report() == "");
    REQUIRE(adni.size() == 12);
    REQUIRE(adni[1] == Biomarker{"MMSE",
                                 {29.171894256296873, 0.8110244468760001},
                                 {25.30876936618663, 2.3799398635917317}});
    REQUIRE(synthetic.size() == 100);
    REQUIRE(synthetic[99].name == "Bio_100");
    REQUIRE(shipped_biomarkers_text("adni-12") ==
            read_text(source("core/data/biomarkers/adni-12.toml")));
    REQUIRE(shipped_biomarkers_text("none").empty());
  }
  SECTION("a path is relative to the file that names it") {
    const TemporaryFolder folder;
    folder.write("tables/own.toml", biomarkers_to_toml(plain_biomarkers(3), "own"));
    REQUIRE(find_biomarkers("tables/own.toml", folder.path(), {}, problems) == plain_biomarkers(3));
    REQUIRE(find_biomarkers((folder.path() / "tables/own.toml").string(), "elsewhere", {},
                            problems) == plain_biomarkers(3));
    REQUIRE(problems.report() == "");
  }
  SECTION("a table that is not found is a problem where it is asked for") {
    const Place asked{"e.toml", 12, 17};
    for (const auto& name : {"adni12", "mine", "tables/none.toml"})
      REQUIRE(find_biomarkers(name, "experiments", asked, problems).size() == 0);
    REQUIRE(
        problems.report() ==
        "e.toml:12:17: unknown biomarker table 'adni12'; expected 'adni-12' or 'synthetic-100', or "
        "the path of a file that ends in .toml; did you mean 'adni-12'?\n"
        "e.toml:12:17: unknown biomarker table 'mine'; expected 'adni-12' or 'synthetic-100', or "
        "the path of a file that ends in .toml\n"
        "e.toml:12:17: no such file 'experiments/tables/none.toml' (a path is relative to the file "
        "that names it); shipped tables: adni-12, synthetic-100");
  }
  SECTION("a file that is no TOML is one problem") {
    const TemporaryFolder folder;
    read_biomarkers(folder.write("b.toml", "schema 1"), problems);
    REQUIRE(problems.report() ==
            (folder.path() / "b.toml").string() +
                ":1:8: not valid TOML (in: key-value pair): expected '=', saw '1'");
  }
}

TEST_CASE("biomarker tables with faults", "[data][biomarkers]") {
  for (const auto& [what, text, report] : kFaulty) {
    DYNAMIC_SECTION(what) {
      Problems problems;
      REQUIRE(biomarkers_from(read_toml_text(text, "t.toml", problems), problems).size() == 0);
      REQUIRE(problems.report() == report);
    }
  }
}

}  // namespace tempo::test
