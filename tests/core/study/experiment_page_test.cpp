// docs/reference/experiment_file.md has the keys that are read, no other, and their defaults.

#include <fmt/format.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "data/toml_table.hpp"
#include "planned_study.hpp"
#include "study/experiment_input.hpp"

namespace tempo::test {
namespace {

using Keys = std::map<std::string, std::string>;  // key -> default, empty where it is in words

/// A default as the page writes it: a value, in backticks or a number, up to a semicolon; else
/// empty.
std::string value_in(std::string cell) {
  cell = cell.substr(0, cell.find(';'));
  const bool is_code = cell.find('`') != std::string::npos;
  std::erase_if(cell, [](char c) { return c == '`' || c == ' '; });
  return is_code || (!cell.empty() && std::isdigit(cell[0])) ? cell : std::string();
}

/// What the page says of each table, by its heading (`Top of the file`, `[cohorts]`, ...).
std::map<std::string, Keys> tables_of_page() {
  static const std::regex row(R"(^\| `(\w+)` \|[^|]*\|([^|]*)\|)");
  std::map<std::string, Keys> out;
  std::istringstream page(read_text(source("docs/reference/experiment_file.md")));
  std::string heading;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    std::smatch found;
    if (std::regex_search(line, found, row)) out[heading][found[1]] = value_in(found[2]);
  }
  return out;
}

ExperimentInput read(const std::string& text) {
  Problems problems;
  const auto table = read_toml_text(text, "e.toml", problems);
  auto input = read_experiment(table, "e", with_assuming_probes(), problems);
  INFO(text << problems.report());
  REQUIRE(problems.empty());
  return input;
}

/// A hypothesis, and a method of each sort.
constexpr const char* kEntriesOfEachSort = R"(
[[hypothesis]]
plugin = "h3"
[[method]]
plugin = "debm"
[[method]]
plugin = "bayes"
[[method]]
plugin = "learner"
[[method]]
plugin = "optional_probe"
)";

/// The same experiment for each source of cohorts; nothing is given that has a default.
const std::string kSources[] = {
    "[cohorts]\nbiomarkers = \"adni-12\"\n",
    "[cohorts]\nsource = \"folder\"\npath = \"p\"\nbiomarkers = \"adni-12\"\n",
    "[cohorts]\nsource = \"table\"\npath = \"t.toml\"\nbiomarkers = \"estimate\"\n"};

Keys keys_in(const ParameterTable& table) {
  Keys out;
  for (const auto& [key, place, value] : table.entries) out.emplace(key, canonical_json(value));
  return out;
}

/// What is read, by the headings of the page, with the defaults.
std::map<std::string, Keys> tables_read() {
  std::map<std::string, Keys> out;
  for (const auto& source : kSources) {
    const auto input = read("schema = 1\nseed = 7\n" + source + kEntriesOfEachSort);
    for (const auto* name : {"experiment", "cohorts", "analysis"})
      if (const auto* value = input.resolved.find(name))
        out[fmt::format("[{}]", name)].merge(keys_in(std::get<ParameterTable>(value->value)));
    for (const auto& key : input.hypotheses->front().part.keys_of_tempo)
      out["[[hypothesis]]"].emplace(key, "");
    for (const auto& method : input.methods) {
      for (const auto& key : method.entry.part.keys_of_tempo) out["[[method]]"].emplace(key, "");
      for (const auto& [key, fallback] : keys_in(method.entry.extra))
        out["[[method]]"].insert_or_assign(key, fallback);
    }
  }
  out["[experiment]"].emplace("folder", "");  // left out of the lock file: a path of one machine
  return out;
}

}  // namespace

TEST_CASE("the page of the experiment file has the keys that are read", "[study][page]") {
  const auto page = tables_of_page();
  for (const auto& [heading, read] : tables_read()) {
    INFO(heading);
    REQUIRE(page.contains(heading));
    for (const auto& [key, fallback] : read) {
      INFO(key);
      REQUIRE(page.at(heading).contains(key));
      const auto& told = page.at(heading).at(key);
      if (!told.empty() && !fallback.empty() && key != "source") REQUIRE(told == fallback);
    }
    for (const auto& [key, fallback] : page.at(heading)) {
      INFO(key << " is on the page only");
      REQUIRE(read.contains(key));
    }
  }
}

TEST_CASE("a table of the page that this test cannot read is a fault", "[study][page]") {
  const auto page = tables_of_page();
  REQUIRE(page.at("[cohorts]").at("participants") == "726");
  REQUIRE(page.at("[cohorts]").at("datasets") == "\"all\"");
  REQUIRE(page.at("[[method]]").at("bootstrap") == "true");
  REQUIRE(page.at("[experiment]").at("name").empty());
  REQUIRE(page.at("Top of the file").size() == 2);
}

}  // namespace tempo::test
