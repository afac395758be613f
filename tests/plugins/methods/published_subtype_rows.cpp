#include "published_subtype_rows.hpp"

#include <cmath>
#include <map>
#include <sstream>

#include "data/public_cohorts.hpp"
#include "model/subtype_metrics.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

std::map<std::string, SubtypeRow> published(const std::string& name) {
  std::map<std::string, SubtypeRow> out;
  std::istringstream text(read_text(shared_data() / "published-subtypes.csv"));
  std::string line;
  std::getline(text, line);
  if (line.ends_with('\r')) line.pop_back();  // lines may end in CRLF
  REQUIRE(line ==
          "experiment,dataset,biomarkers,subtypes,method,tau_distance,stage_mae,subtype_score,"
          "seconds");
  while (std::getline(text, line)) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
    if (fields.at(4) == name)
      out[fields[1]] = {std::stod(fields[5]), std::stod(fields[6]), std::stod(fields.at(7))};
  }
  return out;
}

struct Mean {
  double value = 0.0;
  double squared_error = 0.0;  ///< of the mean

  explicit Mean(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    for (const double x : values) value += x / n;
    for (const double x : values) squared_error += (x - value) * (x - value) / (n * (n - 1.0));
  }
};

Mean mean_of(const std::vector<SubtypeRow>& rows, double SubtypeRow::*metric) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row.*metric);
  return Mean(values);
}

}  // namespace

std::vector<SubtypeRows> beside_published_rows(const std::string& name, const std::string& plugin,
                                               const std::vector<Setting>& settings) {
  const auto rows = published(name);
  REQUIRE(rows.size() == 63);
  Problems problems;
  std::map<std::string, SubtypeRows> by_hypothesis;
  const auto fitted = method(plugin, settings);
  for (const auto& dataset : list_public_cohorts(shared_data() / "subtypes-12", problems)) {
    const auto read = read_public_cohort(dataset, problems);
    REQUIRE(problems.empty());
    const auto& cohort = read.cohort;
    const auto& truth = read.truth;
    auto random = stream(1);
    const auto found = fitted->fit(cohort, random);
    auto& [hypothesis, ours, theirs] = by_hypothesis[dataset.hypothesis];
    hypothesis = dataset.hypothesis;
    ours.push_back(
        {matched_tau_distance(found.subtypes->event_scores, truth.subtypes->progressions),
         stage_mae(found.stages, truth.ordinal_stages, cohort.biomarker_count()),
         subtype_score(most_probable(found.subtypes->posterior), *truth.subtypes)});
    theirs.push_back(rows.at(dataset.csv.stem().string()));
  }
  REQUIRE(by_hypothesis.size() == 9);
  std::vector<SubtypeRows> out;
  for (auto& [hypothesis, of_hypothesis] : by_hypothesis) out.push_back(std::move(of_hypothesis));
  return out;
}

void require_as_published(const std::vector<SubtypeRows>& rows) {
  for (const auto& [hypothesis, ours, theirs] : rows)
    for (const auto metric :
         {&SubtypeRow::tau_distance, &SubtypeRow::stage_mae, &SubtypeRow::subtype_score}) {
      const auto our = mean_of(ours, metric), their = mean_of(theirs, metric);
      INFO(hypothesis << ": " << our.value << ", published " << their.value);
      REQUIRE(std::abs(our.value - their.value) <
              3.0 * std::sqrt(our.squared_error + their.squared_error));
    }
}

}  // namespace tempo::test
