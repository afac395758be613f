#include "report/fitted_cohorts.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace tempo {
namespace {

using nlohmann::json;

Matrix matrix_of(const json& rows) {
  Matrix out(rows.size(), rows.empty() ? 0 : rows.front().size());
  for (std::size_t i = 0; i < out.rows(); ++i)
    for (std::size_t k = 0; k < out.cols(); ++k) out(i, k) = rows[i][k].get<double>();
  return out;
}

std::vector<double> numbers(const json& list) { return list.get<std::vector<double>>(); }

void add_findings(const json& details, CohortFit& fit) {
  fit.event_scores = numbers(details.at("event_scores"));
  fit.stages = numbers(details.at("stages"));
  if (details.contains("event_times")) fit.event_times = numbers(details["event_times"]);
  if (details.contains("rank_posterior")) fit.rank_posterior = matrix_of(details["rank_posterior"]);
  if (details.contains("stage_posterior"))
    fit.stage_posterior = matrix_of(details["stage_posterior"]);
}

void add_replicate(const json& details, CohortFit& fit) {
  fit.replicate_scores.push_back(numbers(details.at("event_scores")));
  if (details.contains("event_times"))
    fit.replicate_times.push_back(numbers(details["event_times"]));
}

/// A cohort without its fits. Groups as the user lists them, else the healthy first, each by name:
/// an order of severity only if the user lists all, or there are no diagnoses to tell apart.
FittedCohort without_fits(const StoredCohort& stored) {
  FittedCohort out;
  out.axis_values = stored.axis_values;
  out.name = stored.name;
  out.biomarkers = stored.biomarkers;
  out.participants = stored.participants;
  const auto J = stored.participants.size();
  std::vector<std::pair<bool, std::string>> labels(J);
  for (std::size_t j = 0; j < J; ++j) {
    const bool diseased = stored.diseased[j] != 0;
    labels[j] = {diseased, !stored.diagnoses.empty() ? stored.diagnoses[j]
                           : diseased                ? "diseased"
                                                     : "healthy"};
  }
  const std::set<std::pair<bool, std::string>> distinct(labels.begin(), labels.end());
  for (const auto& name : stored.groups)
    if (distinct.contains({false, name}) || distinct.contains({true, name}))
      out.group_names.push_back(name);
  out.groups_ordered =
      stored.diagnoses.empty() ||
      std::all_of(distinct.begin(), distinct.end(), [&](const auto& label) {
        return std::find(stored.groups.begin(), stored.groups.end(), label.second) !=
               stored.groups.end();
      });
  for (const auto& [diseased, name] : distinct)
    if (std::find(out.group_names.begin(), out.group_names.end(), name) == out.group_names.end())
      out.group_names.push_back(name);
  for (const auto& [diseased, name] : labels)
    out.groups.push_back(static_cast<std::size_t>(
        std::find(out.group_names.begin(), out.group_names.end(), name) - out.group_names.begin()));
  return out;
}

}  // namespace

std::vector<FittedCohort> fitted_cohorts(Store& store) {
  using Point = std::pair<std::vector<std::string>, std::string>;  // of the sweep, and hypothesis
  std::vector<FittedCohort> out;
  std::map<Point, std::size_t> numbers_of;
  for (const auto& stored : store.cohorts()) {
    numbers_of.emplace(Point(stored.axis_values, stored.hypothesis), out.size());
    out.push_back(without_fits(stored));
  }
  if (out.empty()) return out;
  struct Planned {
    std::size_t cohort = 0;
    CohortFit fit;
    bool found = false;
  };
  std::vector<Planned> planned;
  std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> at;
  const auto find = [&](const ResultRow& row) -> Planned* {
    const auto cohort = numbers_of.find({row.axis_values, row.hypothesis});
    if (cohort == numbers_of.end()) return nullptr;
    const auto [place, is_new] =
        at.emplace(std::tuple(cohort->second, row.method, row.trained_on), planned.size());
    if (is_new) {
      auto& added = planned.emplace_back();
      added.cohort = cohort->second;
      added.fit.method = row.method;
      added.fit.model = row.trained_on;
    }
    return &planned[place->second];
  };
  for (const auto& row : store.results().rows)
    if (auto* fit = find(row)) {
      if (row.cohort == 0)
        ++out[fit->cohort].planned;
      else
        ++fit->fit.replicates_planned;
    }
  for (const auto& [row, text] : store.details())
    if (auto* fit = find(row)) {
      const auto details = json::parse(text);
      if (row.cohort > 0) {
        add_replicate(details, fit->fit);
        continue;
      }
      add_findings(details, fit->fit);
      fit->found = true;
    }
  for (auto& fit : planned)
    if (fit.found) out[fit.cohort].fits.push_back(std::move(fit.fit));
  return out;
}

std::vector<std::string> keep_fits(const std::vector<std::string>& wanted,
                                   std::vector<FittedCohort>& cohorts) {
  std::set<std::string> unknown(wanted.begin(), wanted.end());
  const auto is_wanted = [&](const CohortFit& fit) {
    bool found = false;
    for (const auto& name : wanted)
      if (name == fit.method || name == fit.name()) {
        unknown.erase(name);
        found = true;
      }
    return found;
  };
  for (auto& cohort : cohorts)
    std::erase_if(cohort.fits, [&](const CohortFit& fit) { return !is_wanted(fit); });
  std::vector<std::string> out;
  for (const auto& name : wanted)
    if (unknown.contains(name)) out.push_back(name);
  return out;
}

}  // namespace tempo
