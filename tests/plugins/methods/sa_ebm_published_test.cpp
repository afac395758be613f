// The mean errors over all cohorts, against those of the published rows on the same cohorts. Single
// rows cannot agree: the published chain had another random number generator.

#include <cmath>
#include <map>

#include "published_rows.hpp"
#include "support.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

/// Ours minus published, cohort by cohort.
struct Differences {
  std::vector<double> values;
  double mean() const {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  /// The paired standard error of the mean: sd of the differences (ddof 1) / sqrt(n). It contains
  /// the Monte Carlo error of both programs.
  double standard_error() const {
    double sum = 0.0;
    for (const double value : values) sum += (value - mean()) * (value - mean());
    const auto n = static_cast<double>(values.size());
    return std::sqrt(sum / (n - 1.0) / n);
  }
};

struct Comparison {
  Differences distance, stages;
};

/// By hypothesis, and all of them under the empty name.
std::map<std::string, Comparison> compare(const std::vector<PublishedRow>& rows,
                                          const std::string& fidelity) {
  PartSpec spec = part("sa_ebm");
  ParameterValue value;
  value.value = fidelity;
  spec.settings.set("fidelity", value);
  const auto method = shipped().method(spec);
  std::map<std::string, Comparison> out;
  std::uint64_t seed = 0;
  for (const auto& row : rows) {
    auto draw = stream(++seed);
    const auto found = method->fit(row.cohort, draw);
    const double distance = tau_distance(found.event_scores, row.event_ranks) - row.tau_distance;
    const double stages =
        stage_mae(found.stages, row.stages, row.cohort.biomarker_count()) - row.stage_mae;
    for (const auto& name : {std::string(), row.name.substr(0, row.name.find(" m"))}) {
      out[name].distance.values.push_back(distance);
      out[name].stages.values.push_back(stages);
    }
  }
  return out;
}

void require_equal_means(const Comparison& all) {
  INFO("distance " << all.distance.mean() << " +- " << all.distance.standard_error()
                   << ", stage MAE " << all.stages.mean() << " +- " << all.stages.standard_error());
  REQUIRE(std::abs(all.distance.mean()) < 2.0 * all.distance.standard_error());
  REQUIRE(std::abs(all.stages.mean()) < 2.0 * all.stages.standard_error());
}

}  // namespace

TEST_CASE(
    "sa_ebm, fidelity = paper, has the published mean errors on a third of the cohorts at B = 12",
    "[method][sa_ebm][published]") {
  std::vector<PublishedRow> third;
  const auto rows = published_rows(shared_data(), 12, "SA-EBM");
  for (std::size_t i = 0; i < rows.size(); i += 3) third.push_back(rows[i]);
  REQUIRE(third.size() == 30);
  require_equal_means(compare(third, "paper")[""]);
}

TEST_CASE("sa_ebm, fidelity = paper, has the published mean errors at B = 12",
          "[method][sa_ebm][published][.long]") {
  const auto rows = published_rows(shared_data(), 12, "SA-EBM");
  REQUIRE(rows.size() == 90);
  require_equal_means(compare(rows, "paper")[""]);
}

TEST_CASE("sa_ebm, fidelity = paper, has the published mean errors at B = 100",
          "[method][sa_ebm][published][.long]") {
  const auto rows = published_rows(shared_data(), 100, "SA-EBM");
  REQUIRE(rows.size() == 18);
  require_equal_means(compare(rows, "paper")[""]);
}

TEST_CASE(
    "repaired sa_ebm is on no hypothesis worse than the published rows by more than their interval",
    "[method][sa_ebm][published][.long]") {
  const auto rows = published_rows(shared_data(), 12, "SA-EBM");
  for (const auto& [hypothesis, found] : compare(rows, "repaired")) {
    INFO((hypothesis.empty() ? "all" : hypothesis));
    const double quantile =
        hypothesis.empty() ? 1.99 : 2.26;  // Student's, 89 and 9 degrees of freedom, 95 %
    REQUIRE(found.distance.mean() < quantile * found.distance.standard_error());
    REQUIRE(found.stages.mean() < quantile * found.stages.standard_error());
  }
}

}  // namespace tempo::test
