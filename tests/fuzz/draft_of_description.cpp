// The description that tempo itself suggests for a table.

#include "data/description/draft.hpp"
#include "data/toml_table.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_draft_input(std::string_view table) {
  Problems problems;
  const auto draft = draft_of_description(scratch_file("table.csv", table), problems);
  expect_clear(problems);
  if (!problems.empty()) return;
  read_toml_text(draft, "draft.toml", problems);
  expect(problems.empty(), "a suggested description is TOML");
}

const Added kDraftTarget("draft_of_description", read_draft_input);

}  // namespace
}  // namespace tempo::fuzz
