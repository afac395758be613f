#include <algorithm>
#include <cmath>

#include "method_support.hpp"
#include "published_rows.hpp"

namespace tempo::test {
namespace {

const std::string kPaper = "paper", kRepaired = "repaired";

/// Standard error of the mean difference between two methods on the same cohorts.
double standard_error(const std::vector<double>& differences) {
  const auto n = static_cast<double>(differences.size());
  double mean = 0.0, squares = 0.0;
  for (const double d : differences) mean += d / n;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  return std::sqrt(squares / (n - 1.0) / n);
}

}  // namespace

// Rows differ where the mixture does in its last bits and, rarely, where the chain ends elsewhere:
// README.md of each plugin.
TEST_CASE("event-based models, 12 biomarkers, 90 cohorts", "[method][event_based][published]") {
  for (const auto& [plugin, label] :
       {std::pair{"debm_gmm", "DEBM-GMM"}, {"ucl_gmm", "UCL-GMM"}, {"ucl_kde", "UCL-KDE"}}) {
    const auto rows = published_rows(shared_data(), 12, label);
    REQUIRE(rows.size() == 90);
    const auto paper = agreement(*method(plugin, {{"fidelity", kPaper}}), rows);
    INFO(plugin << ": " << paper.same_distance << " distances and " << paper.same_stages
                << " stagings agree");
    REQUIRE(paper.same_distance >= 70);
    REQUIRE(std::abs(paper.distance_error()) < 0.005);
    REQUIRE(std::abs(paper.stages_error()) < 0.03);

    // Ten cohorts per hypothesis, in order. t(0.975, 9 degrees of freedom) = 2.26.
    const auto repaired = agreement(*method(plugin, {{"fidelity", kRepaired}}), rows);
    for (std::size_t first = 0; first < 90; first += 10) {
      INFO(plugin << ", cohorts from " << rows[first].name);
      std::vector<double> differences;
      double mean = 0.0;
      for (std::size_t i = first; i < first + 10; ++i) {
        differences.push_back(repaired.distances[i] - paper.distances[i]);
        mean += differences.back() / 10.0;
      }
      REQUIRE(mean <= 2.26 * standard_error(differences) + 1e-12);
    }
  }
}

TEST_CASE("event-based models, 100 biomarkers, 18 cohorts", "[method][event_based][published]") {
  for (const auto& [plugin, label] :
       {std::pair{"debm_gmm", "DEBM-GMM"}, {"ucl_gmm", "UCL-GMM"}, {"ucl_kde", "UCL-KDE"}}) {
    const auto rows = published_rows(shared_data(), 100, label);
    REQUIRE(rows.size() == 18);
    const auto paper = agreement(*method(plugin, {{"fidelity", kPaper}}), rows);
    INFO(plugin << ": mean distance " << paper.distance << ", published "
                << paper.published_distance);
    std::vector<double> differences;
    for (std::size_t i = 0; i < rows.size(); ++i)
      differences.push_back(paper.distances[i] - rows[i].tau_distance);
    REQUIRE(std::abs(paper.distance_error()) < 2.0 * standard_error(differences));
  }
}

}  // namespace tempo::test
