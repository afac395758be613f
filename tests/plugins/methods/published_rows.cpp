#include "published_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "data/public_cohorts.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {

std::vector<PublishedRow> published_rows(const std::filesystem::path& data, int biomarkers,
                                         const std::string& method) {
  // biomarkers,experiment,dataset,method,tau_distance,stage_mae,runtime_s
  std::map<std::string, std::pair<double, double>> results;
  std::ifstream file(data / "published-baselines-on-randomised-cohorts.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cell;
    std::stringstream text(line);
    for (std::string field; std::getline(text, field, ',');) cell.push_back(field);
    if (std::stoi(cell.at(0)) == biomarkers && cell.at(3) == method)
      results[fmt::format("exp{} m{}", cell[1], cell[2])] = {std::stod(cell.at(4)),
                                                             std::stod(cell.at(5))};
  }

  std::vector<PublishedRow> rows;
  Problems problems;
  const auto folder = data / fmt::format("randomised-cohorts-{}", biomarkers);
  for (const auto& dataset : list_public_cohorts(folder, problems)) {
    const auto name = fmt::format("{} m{}", dataset.hypothesis, dataset.number);
    auto read = read_public_cohort(dataset, problems);
    if (!problems.empty() || !results.contains(name))
      throw std::runtime_error(folder.string() + ": cannot read " + name);
    const auto [tau_distance, stage_mae] = results[name];
    const auto order = sequence_of(read.truth.event_ranks);
    std::vector<std::size_t> ranks;
    for (std::size_t b = 0; b < order.size(); ++b) ranks.push_back(b + 1);
    rows.push_back({fmt::format("B={} {}", biomarkers, name),
                    with_columns(read.cohort, {order.begin(), order.end()}), Ranks(ranks),
                    std::move(read.truth.ordinal_stages), tau_distance, stage_mae});
  }
  return rows;
}

Agreement agreement(const InferenceMethod& method, const std::vector<PublishedRow>& rows) {
  Agreement sum;
  const auto count = static_cast<double>(rows.size());
  for (const auto& row : rows) {
    RandomStream stream(/*seed=*/1, "test");
    const auto found = method.fit(row.cohort, stream);
    const double distance = tau_distance(found.event_scores, row.event_ranks);
    const double stages = stage_mae(found.stages, row.stages, row.cohort.biomarker_count());
    ++sum.rows;
    sum.same_distance += std::abs(distance - row.tau_distance) < 1e-6;
    sum.same_stages += std::abs(stages - row.stage_mae) < 1e-6;
    sum.distance += distance / count;
    sum.stages += stages / count;
    sum.published_distance += row.tau_distance / count;
    sum.published_stages += row.stage_mae / count;
    sum.distances.push_back(distance);
  }
  return sum;
}

}  // namespace tempo::test
