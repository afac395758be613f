// Every TOML file: experiments, biomarker tables, descriptions.

#include "data/toml_table.hpp"
#include "target.hpp"
#include "tempo/parameters.hpp"

namespace tempo::fuzz {
namespace {

void read_toml_input(std::string_view text) {
  Problems problems;
  const auto table = read_toml_text(text, "input", problems);
  expect_clear(problems);
  if (!problems.empty() || table.entries.empty()) return;
  const auto again = read_toml_text(to_toml(table), "written", problems);
  expect(problems.empty(), "what to_toml writes is TOML");
  expect(canonical_json(again) == canonical_json(table), "TOML that is written reads back equal");
}

const Added kTomlTarget("toml", read_toml_input);

}  // namespace
}  // namespace tempo::fuzz
