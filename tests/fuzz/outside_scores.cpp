// Scores that another program got.

#include "analysis/outside_scores.hpp"

#include "some_results.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_scores_input(std::string_view csv) {
  Problems problems;
  auto results = test::some_results();
  add_outside_scores(scratch_file("scores.csv", csv), results, problems);
  expect_clear(problems);
}

const Added kScoresTarget("outside_scores", read_scores_input);

}  // namespace
}  // namespace tempo::fuzz
