// The published rows of BEBMS, on the cohorts that they are of.

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "data/public_cohorts.hpp"
#include "method_support.hpp"
#include "model/subtype_metrics.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

struct Row {
  double tau_distance, stage_mae, subtype_score;
};

/// The rows of a method by data set.
std::map<std::string, Row> published(const std::string& method) {
  std::map<std::string, Row> out;
  std::istringstream text(read_text(shared_data() / "published-subtypes.csv"));
  std::string line;
  std::getline(text, line);
  REQUIRE(line ==
          "experiment,dataset,biomarkers,subtypes,method,tau_distance,stage_mae,subtype_score,"
          "seconds");
  while (std::getline(text, line)) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
    if (fields.at(4) == method)
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

Row fitted(const PublicCohort& cohort, const std::string& variant) {
  auto random = stream(1);
  const auto found = method("bebms", {{"fidelity", std::string("paper")}, {"variant", variant}})
                         ->fit(cohort.cohort, random);
  return {matched_tau_distance(found.subtypes->event_scores, cohort.truth.subtypes->progressions),
          stage_mae(found.stages, cohort.truth.ordinal_stages, cohort.cohort.biomarker_count()),
          subtype_score(most_probable(found.subtypes->posterior), *cohort.truth.subtypes)};
}

}  // namespace

TEST_CASE("bebms as published scores as published", "[published][bebms]") {
  const auto [variant, name] =
      GENERATE(table<std::string, std::string>({{"labels", "bebms"}, {"blind", "bebms_blind"}}));
  const auto rows = published(name);
  REQUIRE(rows.size() == 63);
  Problems problems;
  std::map<std::string, std::vector<std::pair<Row, Row>>> by_hypothesis;  // ours, theirs
  for (const auto& dataset : list_public_cohorts(shared_data() / "subtypes-12", problems)) {
    const auto cohort = read_public_cohort(dataset, problems);
    REQUIRE(problems.empty());
    by_hypothesis[dataset.hypothesis].emplace_back(fitted(cohort, variant),
                                                   rows.at(dataset.csv.stem().string()));
  }
  REQUIRE(by_hypothesis.size() == 9);
  // 54 comparisons with chains of another program: some are beyond two standard errors.
  for (const auto& [hypothesis, pairs] : by_hypothesis)
    for (const auto metric : {&Row::tau_distance, &Row::stage_mae, &Row::subtype_score}) {
      std::vector<double> ours, theirs;
      for (const auto& [our, their] : pairs) {
        ours.push_back(our.*metric);
        theirs.push_back(their.*metric);
      }
      const Mean our(ours), their(theirs);
      INFO(name << " " << hypothesis << ": " << our.value << ", published " << their.value);
      REQUIRE(std::abs(our.value - their.value) <
              3.0 * std::sqrt(our.squared_error + their.squared_error));
    }
}

}  // namespace tempo::test
