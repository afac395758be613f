#include "tempo/toolkit/row_order.hpp"

#include "support.hpp"

namespace tempo::test {
namespace {

using Rows = std::vector<std::size_t>;

Cohort cohort() {
  Cohort out;
  out.participants = {"p", "q", "r", "s", "t"};
  out.biomarkers = {"a", "b"};
  out.measurements = matrix({{2, 0}, {1, 5}, {1, 4}, {kMissing, 9}, {1, 5}});
  out.diseased = {0, 1, 1, 1, 0};
  out.diagnoses = {"CN", "AD", "MCI", "AD", "CN"};
  return out;
}

}  // namespace

TEST_CASE("rows follow from values, not from where they stand", "[row_order]") {
  const auto data = cohort();
  const Rows columns{0, 1}, expected{0, 4, 3, 2, 1};
  REQUIRE(toolkit::rows_by_values(data, columns) == expected);
  REQUIRE(toolkit::rows_by_values(data, Rows{1, 0}) == Rows{0, 4, 2, 1, 3});
  const auto sorted = toolkit::with_rows(data, expected);
  REQUIRE(sorted.participants == std::vector<std::string>{"p", "t", "s", "r", "q"});
  REQUIRE(sorted.diagnoses == std::vector<std::string>{"CN", "CN", "AD", "MCI", "AD"});
  const auto moved = toolkit::with_rows(data, Rows{2, 4, 0, 1, 3});
  REQUIRE(toolkit::with_rows(moved, toolkit::rows_by_values(moved, columns)) == sorted);
  auto negated = data;
  for (std::size_t j = 0; j < 5; ++j) {
    negated.measurements(j, 0) *= -1e-6;
    negated.measurements(j, 1) = 1e6 * data.measurements(j, 1) - 3.0;
  }
  REQUIRE(toolkit::rows_by_values(negated, columns) == toolkit::rows_by_values(data, columns));
  auto unlabelled = data;
  unlabelled.diseased.clear();
  REQUIRE(toolkit::rows_by_values(unlabelled, columns) == Rows{3, 1, 4, 2, 0});
}

TEST_CASE("what was found is put back in the rows of the cohort", "[row_order]") {
  const Rows rows{2, 0, 1};
  Inference found;
  found.stages = {20, 0, 10};
  found.stage_posterior = matrix({{0.2, 0.8}, {0, 1}, {0.1, 0.9}});
  found.evidence.emplace();
  found.evidence->log_scores = {-2, 0, -1};
  found.subtypes.emplace();
  found.subtypes->posterior = matrix({{0.3, 0.7}, {0.5, 0.5}, {0.9, 0.1}});
  toolkit::put_back(rows, found);
  REQUIRE(found.subtypes->posterior == matrix({{0.5, 0.5}, {0.9, 0.1}, {0.3, 0.7}}));
  REQUIRE(found.stages == std::vector<double>{0, 10, 20});
  REQUIRE(*found.stage_posterior == matrix({{0, 1}, {0.1, 0.9}, {0.2, 0.8}}));
  REQUIRE(found.evidence->log_scores == std::vector<double>{0, -1, -2});
  Inference stages_alone;
  stages_alone.stages = {20, 0, 10};
  toolkit::put_back(rows, stages_alone);
  REQUIRE(stages_alone.stages == std::vector<double>{0, 10, 20});
  REQUIRE_FALSE(stages_alone.stage_posterior);
}

}  // namespace tempo::test
