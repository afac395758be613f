// What another program found in a cohort.

#include "data/found_json.hpp"

#include "small_cohort.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_found_input(std::string_view text) {
  Problems problems;
  for (const auto& entry : read_found(scratch_file("found.json", text).string(), problems)) {
    Problems of_entry;
    const auto found = found_in(entry, small_cohort(), of_entry);
    expect_clear(of_entry);
    expect(found.has_value() == of_entry.empty(), "findings are absent where they have faults");
    if (found)
      expect_no_error("findings that are read are whole", [&] { check(*found, small_cohort()); });
  }
  expect_clear(problems);
}

const Added kFoundTarget("found_json", read_found_input);

}  // namespace
}  // namespace tempo::fuzz
