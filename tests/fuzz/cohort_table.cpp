// A description of a clinic's table and, below a line `---`, the table.

#include "data/cohort_table.hpp"

#include <string>

#include "data/table_description.hpp"
#include "data/toml_table.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_table_input(std::string_view input) {
  const auto [described, table] = halves_of(input);
  Problems problems;
  const auto settings = read_toml_text(described, "description.toml", problems);
  if (!problems.empty()) return expect_clear(problems);
  const auto description = table_description_from(settings, scratch(), problems);
  expect_clear(problems);
  if (!problems.empty()) return;
  const auto read = read_cohort_table_text(description, table, "table.csv", problems);
  expect_clear(problems);
  if (!problems.empty()) return;
  expect_no_error("a cohort that is read is whole", [&] { check(read.cohort); });
  expect(!read.report().empty(), "what became of a table is told");
}

const Added kTableTarget("cohort_table", read_table_input);

}  // namespace
}  // namespace tempo::fuzz
