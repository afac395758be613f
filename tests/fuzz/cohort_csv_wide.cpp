// Cohorts as wide CSV.

#include "data/text_file.hpp"
#include "data/wide_cohort_csv.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_wide_input(std::string_view text) {
  Problems problems;
  const auto read = read_wide_cohort_csv_text(text, "cohort.csv", problems);
  expect_clear(problems);
  if (!problems.empty()) return;
  expect_no_error("a cohort that is read is whole", [&] { check(read.cohort); });
  const auto file = scratch() / "wide.csv";
  write_wide_cohort_csv(read.cohort, file);
  const auto written = read_text_file(file, problems);
  expect(problems.empty() &&
             read_wide_cohort_csv_text(*written, "written.csv", problems).cohort == read.cohort,
         "a wide CSV that is written reads back equal");
}

const Added kWideTarget("cohort_csv_wide", read_wide_input);

}  // namespace
}  // namespace tempo::fuzz
