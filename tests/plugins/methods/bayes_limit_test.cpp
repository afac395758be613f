#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "data/biomarker_file.hpp"
#include "data/public_cohorts.hpp"
#include "support.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

struct Scores {
  double distance = 0.0, stages = 0.0;
};

/// Scores of exact inference, worked out independently, by `12 h1 m0`.
std::map<std::string, Scores> reference_scores() {
  // biomarkers,experiment,dataset,tau_distance,stage_mae,...
  std::map<std::string, Scores> out;
  std::ifstream file(shared_data() / "bayes-limit.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cell;
    std::stringstream text(line);
    for (std::string field; std::getline(text, field, ',');) cell.push_back(field);
    out[fmt::format("{} h{} m{}", cell.at(0), cell.at(1), cell.at(2))] = {std::stod(cell.at(3)),
                                                                          std::stod(cell.at(4))};
  }
  return out;
}

/// Fits all public cohorts with so many biomarkers and compares the means of every hypothesis.
void compare(int biomarkers, const std::string& table_name, std::size_t cohorts,
             const Scores& tolerance) {
  Problems problems;
  const auto table = find_biomarkers(table_name, {}, {}, problems);
  const auto reference = reference_scores();
  std::map<std::string, std::vector<PublicDataset>> datasets;
  for (const auto& dataset :
       list_public_cohorts(shared_data() / fmt::format("public-cohorts-{}", biomarkers), problems))
    datasets[fmt::format("h{}", dataset.hypothesis.back())].push_back(dataset);
  problems.throw_if_any();
  REQUIRE(datasets.size() == 9);
  for (const auto& [hypothesis, of_it] : datasets) {
    const auto process = shipped().hypothesis(part(hypothesis), table);
    const auto method = shipped().method_under(part("bayes"), *process);
    Scores found, expected;
    REQUIRE(of_it.size() == cohorts);
    for (const auto& dataset : of_it) {
      const auto [cohort, truth, unused, missing] = read_public_cohort(dataset, problems);
      problems.throw_if_any();
      auto fit = stream(dataset.number);
      const auto inference = method->fit(cohort, fit);
      const auto limit =
          reference.at(fmt::format("{} {} m{}", biomarkers, hypothesis, dataset.number));
      const auto n = static_cast<double>(cohorts);
      found.distance += tau_distance(inference.event_scores, truth.event_ranks) / n;
      found.stages += stage_mae(inference.stages, truth.ordinal_stages, table.size()) / n;
      expected.distance += limit.distance / n;
      expected.stages += limit.stages / n;
    }
    WARN(fmt::format("{}, B = {}: {:.4f} / {:.3f}, reference {:.4f} / {:.3f}", hypothesis,
                     biomarkers, found.distance, found.stages, expected.distance, expected.stages));
    CHECK(std::abs(found.distance - expected.distance) <= tolerance.distance);
    CHECK(std::abs(found.stages - expected.stages) <= tolerance.stages);
  }
}

}  // namespace

TEST_CASE("bayes reaches the limit, 12 biomarkers", "[bayes][long]") {
  compare(12, "adni-12", 20, {.distance = 0.004, .stages = 0.02});
}

TEST_CASE("bayes reaches the limit, 100 biomarkers", "[bayes][long]") {
  compare(100, "synthetic-100", 2, {.distance = 0.006, .stages = 0.06});
}

}  // namespace tempo::test
