// The truth of simulated cohorts.

#include "data/json_text.hpp"
#include "data/public_cohorts.hpp"
#include "data/public_truth.hpp"
#include "small_cohort.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_truth_of(const nlohmann::json& entry, const Cohort& cohort) {
  Problems problems;
  Truth truth;
  std::optional<BiomarkerTable> biomarkers;
  read_truth_entry(entry, {"truth.json", "", cohort, "the CSV"}, problems, truth, biomarkers);
  expect_clear(problems);
  if (!problems.empty()) return;
  expect_no_error("a truth that is read is whole", [&] { check(truth, cohort); });
  Truth again;
  std::optional<BiomarkerTable> biomarkers_again;
  read_truth_entry(truth_to_json(cohort, truth, biomarkers ? &*biomarkers : nullptr),
                   {"written.json", "", cohort, "the CSV"}, problems, again, biomarkers_again);
  expect(problems.empty() && again == truth, "a truth that is written reads back equal");
}

void read_truth_input(std::string_view text) {
  Problems problems;
  const auto root = parse_json(text, "truth.json", problems);
  expect_clear(problems);
  if (!root) return;
  read_truth_of(*root, small_cohort());
  const auto file = scratch_file("truth.json", text);
  for (const auto* stem : {"", "c_m0"}) {
    Problems of_file;
    const auto named = read_truth(file, stem, of_file);
    expect_clear(of_file);
    expect(named.has_value() == of_file.empty(), "a truth is absent where it has faults");
  }
}

const Added kTruthTarget("truth", read_truth_input);

}  // namespace
}  // namespace tempo::fuzz
