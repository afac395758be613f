#include "analysis/fitted_cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "results/matrix_json.hpp"
#include "run/fit.hpp"
#include "study/experiment.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {
namespace {

using nlohmann::json;

std::vector<double> numbers(const json& list) { return list.get<std::vector<double>>(); }

/// Parses what is wanted of a fit's details.
json parse_wanted(const std::string& details, const std::set<std::string>& keys) {
  const auto is_wanted = [&](int depth, json::parse_event_t event, json& parsed) {
    return depth != 1 || event != json::parse_event_t::key ||
           keys.contains(parsed.get<std::string>());
  };
  return json::parse(details, is_wanted);
}

void add_findings(const json& details, CohortFit& fit) {
  fit.event_scores = numbers(details.at("event_scores"));
  if (details.contains("stages")) fit.stages = numbers(details["stages"]);
  if (details.contains("event_times")) fit.event_times = numbers(details["event_times"]);
  if (details.contains("rank_posterior"))
    fit.rank_posterior = matrix_from(details["rank_posterior"]);
  if (details.contains("stage_posterior"))
    fit.stage_posterior = matrix_from(details["stage_posterior"]);
  if (!details.contains("event_time_spreads")) return;
  auto& posterior = fit.time_posterior.emplace();
  for (std::size_t b = 0; b < fit.event_times->size(); ++b) {
    const auto& spread = details["event_time_spreads"][b];
    posterior.push_back({(*fit.event_times)[b], spread[0], spread[1], spread[2]});
  }
}

void add_replicate(const json& details, CohortFit& fit) {
  fit.replicate_scores.push_back(numbers(details.at("event_scores")));
  if (details.contains("event_times"))
    fit.replicate_times.push_back(numbers(details["event_times"]));
}

/// Hypotheses under which events have ranks, and no times.
struct RankedHypotheses {
  std::set<std::string> ids;

  /// Runs of versions that did not say it in a word of its own.
  static bool is_ranks(const json& hypothesis) {
    return hypothesis.value("event_times", "").starts_with("ranks");
  }

  explicit RankedHypotheses(const std::string& about) {
    if (about.empty()) return;
    for (const auto& hypothesis : json::parse(about).value("hypotheses", json::array()))
      if (!hypothesis.value("events_have_times", !is_ranks(hypothesis)))
        ids.insert(hypothesis.at("id").get<std::string>());
  }
  /// A model of all hypotheses has learned from one with ranks unless none has them.
  bool has(const std::string& model) const {
    return ids.contains(model) || (model == kTrainedOnAll && !ids.empty());
  }
};

/// A cohort without its fits. Groups as the user lists them, else the healthy first, each by name:
/// an order of severity only if the user lists all, or there are no diagnoses to tell apart.
FittedCohort without_fits(const StoredCohort& stored) {
  FittedCohort out;
  out.axis_values = stored.axis_values;
  out.name = stored.name;
  out.biomarkers = stored.biomarkers;
  out.not_separating = stored.not_separating;
  out.participants = stored.participants;
  out.diseased = stored.diseased;
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
  out.groups_ordered = stored.diagnoses.empty() ||
                       std::all_of(distinct.begin(), distinct.end(), [&](const auto& label) {
                         return std::find(stored.groups.begin(), stored.groups.end(),
                                          label.second) != stored.groups.end();
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

std::vector<std::string> doubts_of_model(const ResultRow& row,
                                         const std::vector<ModelRecord>& models, Store& store) {
  const auto key = store.model_key(row);
  if (!key) return {};
  std::vector<std::string> out;
  for (const auto& model : models)
    if (model.key == *key) out = model.warnings;
  for (const auto& warning : row.warnings)
    if (!is_count_of_missing(warning)) out.push_back(warning);
  return out;
}

std::optional<std::string> doubt_of_chains(const json& details) {
  const auto diagnostics = details.value("diagnostics", json::object());
  const auto found = diagnostics.find("r_hat");
  if (found == diagnostics.end()) return std::nullopt;
  if (!found->is_number()) return "its chains end in different orders";
  const double r_hat = found->get<double>();
  if (r_hat <= kAgreedRHat) return std::nullopt;
  return fmt::format("its chains disagree on the order (R-hat {:.2f})", r_hat);
}

std::vector<FittedCohort> fitted_cohorts(Store& store, const WantedOfFits& wanted) {
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
  const RankedHypotheses ranked(store.about());
  const auto models = store.models();
  for (const auto& row : store.results().rows)
    if (auto* fit = find(row)) {
      if (row.cohort > 0) {
        ++fit->fit.replicates_planned;
        continue;
      }
      ++out[fit->cohort].planned;
      fit->fit.times_are_ranks = ranked.has(row.trained_on);
      fit->fit.stages_by_label = row.labels == to_string(LabelUse::infer);
      if (row.status == ResultRow::Status::ok)
        fit->fit.doubts = doubts_of_model(row, models, store);
    }
  std::set<std::string> keys{"event_scores", "event_times", "diagnostics"};
  if (wanted.stages) keys.insert("stages");
  if (wanted.posteriors) keys.insert({"rank_posterior", "event_time_spreads"});
  if (wanted.stage_posteriors) keys.insert("stage_posterior");
  store.visit_details(
      [&](const ResultRow& row, const std::string& text) {
        auto* fit = find(row);
        if (fit == nullptr) return;
        const auto details = parse_wanted(text, keys);
        if (row.cohort > 0) {
          add_replicate(details, fit->fit);
          return;
        }
        add_findings(details, fit->fit);
        if (const auto doubt = doubt_of_chains(details)) fit->fit.doubts.push_back(*doubt);
        fit->found = true;
      },
      wanted.replicates ? Store::Cohorts::all : Store::Cohorts::first);
  for (auto& fit : planned)
    if (fit.found) out[fit.cohort].fits.push_back(std::move(fit.fit));
  return out;
}

std::vector<std::string> keep_fits(const std::vector<std::string>& wanted,
                                   std::vector<FittedCohort>& cohorts) {
  std::set<std::string> unknown(wanted.begin(), wanted.end());
  for (auto& cohort : cohorts) {
    for (auto& fit : cohort.fits)
      for (const auto& name : wanted)
        if (name == fit.method || name == fit.name()) {
          unknown.erase(name);
          fit.is_asked_for = true;
        }
    std::erase_if(cohort.fits, [](const CohortFit& fit) { return !fit.is_asked_for; });
  }
  std::vector<std::string> out;
  for (const auto& name : wanted)
    if (unknown.contains(name)) out.push_back(name);
  return out;
}

}  // namespace tempo
