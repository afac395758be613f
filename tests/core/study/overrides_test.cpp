#include "study/overrides.hpp"

#include "data/toml_table.hpp"
#include "small_experiment.hpp"

namespace tempo::test {
namespace {

ParameterTable table_of(const std::string& text) {
  Problems problems;
  auto table = read_toml_text(text, "e.toml", problems);
  INFO(problems.report());
  REQUIRE(problems.empty());
  return table;
}

/// The experiment after one `--set`, as canonical JSON.
std::string after(const std::string& text, const std::string& argument) {
  auto table = table_of(text);
  Problems problems;
  apply(parse_override(argument, problems), table, problems);
  INFO(problems.report());
  REQUIRE(problems.empty());
  return canonical_json(table);
}

/// What is said of a `--set` that leads nowhere.
std::string fault_of(const std::string& text, const std::string& argument) {
  auto table = table_of(text);
  Problems problems;
  apply(parse_override(argument, problems), table, problems);
  REQUIRE(problems.size() == 1);
  return problems.all().front().message;
}

std::string value_of(const std::string& argument) {
  Problems problems;
  const auto override = parse_override(argument, problems);
  REQUIRE(problems.empty());
  return canonical_json(override.value);
}

constexpr const char* kEntries = R"([[method]]
plugin = "one"
[[method]]
id = "second"
plugin = "one"
)";

}  // namespace

TEST_CASE("the value of --set is TOML, and else text", "[study][overrides]") {
  REQUIRE(value_of("a=3") == "3");
  REQUIRE(value_of("a=3.5") == "3.5");
  REQUIRE(value_of("a=true") == "true");
  REQUIRE(value_of("a=[1, 2]") == "[1,2]");
  REQUIRE(value_of("a={ plugin = \"p\" }") == R"({"plugin":"p"})");
  REQUIRE(value_of("a=paper") == R"("paper")");
  REQUIRE(value_of("a=\"paper\"") == R"("paper")");
  REQUIRE(value_of("a=b=c") == R"("b=c")");  // the first sign of equality is meant
  REQUIRE(value_of("a=") == R"("")");
}

TEST_CASE("--set takes UTF-8 and no other bytes", "[study][overrides]") {
  Problems problems;
  parse_override("experiment.name=\xFE", problems);
  REQUIRE(problems.report() == "--set experiment.name=\uFFFD: is not UTF-8");
}

TEST_CASE("what begins as a list is no text", "[study][overrides]") {
  for (const std::string value :
       {"[paper, repaired]", "[1, 2", "[1, 18446744073709551615]", "{ plugin = p }", "\"open"}) {
    Problems problems;
    parse_override("a=" + value, problems);
    INFO(value);
    REQUIRE(problems.size() == 1);
    REQUIRE(problems.all()[0].place.file == "--set a=" + value);
    REQUIRE_THAT(problems.all()[0].message, Catch::Matchers::StartsWith("is no TOML value; "));
  }
}

TEST_CASE("a path of a sweep may be quoted as in a file, and no other", "[study][overrides]") {
  Problems problems;
  REQUIRE(parse_override("sweep.\"cohorts.test\"=[1]", problems).path == "sweep.cohorts.test");
  REQUIRE(parse_override("coh\"orts.test=4", problems).path == "coh\"orts.test");
  REQUIRE(problems.empty());
}

TEST_CASE("--set says where it stands", "[study][overrides]") {
  Problems problems;
  const auto override = parse_override("cohorts.test=3", problems);
  REQUIRE(override.path == "cohorts.test");
  REQUIRE(override.place.file == "--set cohorts.test=3");
  REQUIRE(override.place.line == 0);
  auto table = table_of("cohorts.test = 1\n");
  apply(override, table, problems);
  const auto& cohorts = std::get<ParameterTable>(table.find("cohorts")->value);
  REQUIRE(cohorts.entries.front().place.file == "--set cohorts.test=3");
}

TEST_CASE("--set changes, adds and reaches into entries", "[study][overrides]") {
  REQUIRE(after("seed = 1\n", "seed=2") == R"({"seed":2})");
  REQUIRE(after("seed = 1\n", "cohorts.test=2") == R"({"cohorts":{"test":2},"seed":1})");
  REQUIRE(after("cohorts.test = 1\n", "cohorts.x.y=2") == R"({"cohorts":{"test":1,"x":{"y":2}}})");
  SECTION("an entry goes by its id, or else by its plugin") {
    REQUIRE(after(kEntries, "method.one.shift=2") ==
            R"({"method":[{"plugin":"one","shift":2},{"id":"second","plugin":"one"}]})");
    REQUIRE(after(kEntries, "method.second.shift=2") ==
            R"({"method":[{"plugin":"one"},{"id":"second","plugin":"one","shift":2}]})");
  }
  SECTION("a text in the place of a table is the name of its plugin, or its kind") {
    REQUIRE(after("a.part = \"p\"\n", "a.part.alpha=2") ==
            R"({"a":{"part":{"alpha":2,"plugin":"p"}}})");
    REQUIRE(after("a.part = \"p\"\n", "a.part.kind=q") == R"({"a":{"part":{"kind":"q"}}})");
  }
}

TEST_CASE("a path that leads nowhere is a fault", "[study][overrides]") {
  REQUIRE(fault_of(kEntries, "method.third.shift=2") ==
          "'method.third.shift' leads nowhere: expected method.ID.KEY with ID 'one' or 'second'");
  REQUIRE(fault_of(kEntries, "method.secnd.shift=2") ==
          "'method.secnd.shift' leads nowhere: expected method.ID.KEY with ID 'one' or 'second'; "
          "did you mean 'second'?");
  REQUIRE(fault_of(kEntries, "method.one=2") ==
          "'method.one' leads nowhere: expected method.ID.KEY with ID 'one' or 'second'");
  REQUIRE(fault_of("method = []\n", "method.one.shift=2") ==
          "'method.one.shift' leads nowhere: expected method.ID.KEY with ID of an entry");
  REQUIRE(fault_of("seed = 1\n", "seed.x=2") ==
          "'seed.x' leads nowhere: 'seed' is an integer, not "
          "a table");
  for (const auto* path : {"a..b=1", ".a=1", "a.=1"})
    REQUIRE_THAT(fault_of("seed = 1\n", path),
                 Catch::Contains("is no path; expected names with dots"));
  Problems problems;
  parse_override("seed", problems);
  parse_override("=3", problems);
  REQUIRE(problems.size() == 2);
}

TEST_CASE("entries are found by the path that leads into them", "[study][overrides]") {
  auto table = table_of(kEntries + std::string("[cohorts]\ntest = 1\n"));
  const auto* second = find_entry(table, "method.second.shift");
  REQUIRE(second != nullptr);
  REQUIRE(canonical_json(*second) == R"({"id":"second","plugin":"one"})");
  REQUIRE(find_entry(table, "method.third.shift") == nullptr);
  REQUIRE(find_entry(table, "method") == nullptr);
  REQUIRE(find_entry(table, "cohorts.test") == nullptr);
  REQUIRE(find_entry(table, "seed") == nullptr);
}

}  // namespace tempo::test
