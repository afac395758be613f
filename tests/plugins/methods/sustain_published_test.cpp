// The published rows of SuStaIn, on the cohorts that they are of.

#include <numeric>

#include "published_subtype_rows.hpp"

namespace tempo::test {
namespace {

std::vector<SubtypeRows> rows_of(const std::string& distributions) {
  return beside_published_rows(
      "sustain_" + distributions, "sustain",
      {{"fidelity", std::string("paper")}, {"distributions", distributions}});
}

double mean_distance(const std::vector<SubtypeRow>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0,
                         [](double sum, const SubtypeRow& row) { return sum + row.tau_distance; }) /
         static_cast<double>(rows.size());
}

}  // namespace

TEST_CASE("sustain over kernel densities as published scores as published",
          "[published][sustain]") {
  require_as_published(rows_of("kde"));
}

TEST_CASE("sustain over normals as published is nearer to the truth than what was published",
          "[published][sustain]") {
  // The page of the plugin has the figures; what the published normals were is not known.
  for (const auto& [hypothesis, ours, theirs] : rows_of("gmm")) {
    CAPTURE(hypothesis);
    REQUIRE(mean_distance(ours) < mean_distance(theirs) + 0.02);
  }
}

}  // namespace tempo::test
