// Cohorts as long CSV.

#include "data/cohort_csv.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_long_input(std::string_view text) {
  for (const auto labels : {Labels::needed, Labels::optional, Labels::ignored}) {
    Problems problems;
    const auto read = read_cohort_csv_text(text, "cohort.csv", problems, labels);
    expect_clear(problems);
    if (!problems.empty()) continue;
    expect_no_error("a cohort that is read is whole", [&] { check(read.cohort); });
    if (labels != Labels::needed) continue;
    const auto again = read_cohort_csv_text(to_csv(read.cohort), "written.csv", problems);
    expect(problems.empty() && again.cohort == read.cohort,
           "a long CSV that is written reads back equal");
  }
}

const Added kLongTarget("cohort_csv_long", read_long_input);

}  // namespace
}  // namespace tempo::fuzz
