#include "analysis/fitted_cohorts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/agreement.hpp"
#include "analysis/doubts.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {
namespace {

/// Hypotheses under which events have ranks, and no times.
class RankedHypotheses {
 public:
  explicit RankedHypotheses(const std::optional<RunDescription>& description) {
    if (!description) return;
    for (const auto& hypothesis : description->hypotheses)
      if (hypothesis.events == EventScale::ranks) ids_.insert(hypothesis.id);
  }
  /// A model of all hypotheses has learned from one with ranks unless none has them.
  bool has(const std::string& hypothesis) const {
    return ids_.contains(hypothesis) || (hypothesis == kAllHypotheses && !ids_.empty());
  }

 private:
  std::set<std::string> ids_;
};

using Label = std::pair<bool, std::string>;  // diseased, and the diagnosis in a word

std::vector<Label> labels_of(const StoredCohort& stored) {
  std::vector<Label> out(stored.participants.size());
  for (std::size_t j = 0; j < out.size(); ++j) {
    const bool diseased = stored.diseased[j] != 0;
    out[j] = {diseased, !stored.diagnoses.empty() ? stored.diagnoses[j]
                        : diseased                ? "diseased"
                                                  : "healthy"};
  }
  return out;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Groups as the user lists them, then the healthy before the diseased, each by name: an order of
/// severity only if the user lists all, or there are no diagnoses to tell apart.
void add_groups(const StoredCohort& stored, FittedCohort& out) {
  const auto labels = labels_of(stored);
  const std::set<Label> distinct(labels.begin(), labels.end());
  for (const auto& name : stored.groups)
    if (distinct.contains({false, name}) || distinct.contains({true, name}))
      out.group_names.push_back(name);
  const auto is_listed = [&](const Label& label) { return holds(stored.groups, label.second); };
  out.groups_ordered =
      stored.diagnoses.empty() || std::all_of(distinct.begin(), distinct.end(), is_listed);
  for (const auto& [diseased, name] : distinct)
    if (!holds(out.group_names, name)) out.group_names.push_back(name);
  for (const auto& [diseased, name] : labels) {
    const auto at = std::find(out.group_names.begin(), out.group_names.end(), name);
    out.groups.push_back(static_cast<std::size_t>(at - out.group_names.begin()));
  }
}

FittedCohort without_fits(const StoredCohort& stored) {
  FittedCohort out;
  out.axis_values = stored.axis_values;
  out.name = stored.name;
  out.biomarkers = stored.biomarkers;
  out.not_separating = stored.not_separating;
  out.participants = stored.participants;
  out.diseased = stored.diseased;
  out.covariates = stored.covariates;
  add_groups(stored, out);
  return out;
}

void add_findings(FitDetails details, CohortFit& fit) {
  fit.event_scores = std::move(details.event_scores);
  fit.event_times = std::move(details.event_times);
  fit.stages = std::move(details.stages);
  fit.rank_posterior = std::move(details.rank_posterior);
  fit.stage_posterior = std::move(details.stage_posterior);
  fit.subtypes = std::move(details.subtypes);
  if (const auto doubt = doubt_of_chains(details.chains)) fit.doubts.push_back(*doubt);
  if (!details.event_time_spreads || !fit.event_times) return;
  auto& posterior = fit.time_posterior.emplace();
  for (std::size_t b = 0; b < fit.event_times->size(); ++b) {
    const auto& [sd, low, high] = (*details.event_time_spreads)[b];
    posterior.push_back({(*fit.event_times)[b], sd, low, high});
  }
}

/// Sorts the fits of a store by the cohort that they are of.
class Collector {
 public:
  Collector(Store& store, const WantedOfFits& wanted)
      : wanted_(wanted),
        description_(store.description()),
        ranked_(description_),
        models_(store.models()) {
    for (const auto part : {DetailPart::order, DetailPart::chains, DetailPart::evidence})
      wanted_.parts.add(part);
    for (const auto& stored : store.cohorts()) {
      cohort_at_.emplace(stored.axis_values, cohorts_.size());
      cohorts_.push_back(without_fits(stored));
    }
    evidence_.resize(cohorts_.size());
  }

  bool has_cohorts() const { return !cohorts_.empty(); }

  void take(const StoredFit& stored) {
    auto* planned = find(stored.id());
    if (planned == nullptr) return;
    if (stored.id().is_replicate())
      take_replicate(stored, planned->fit);
    else
      take_fit(stored, *planned);
  }

  std::vector<FittedCohort> finish() {
    for (std::size_t c = 0; c < cohorts_.size(); ++c) judge(evidence_[c], cohorts_[c]);
    for (auto& planned : planned_)
      if (planned.is_found) cohorts_[planned.cohort].fits.push_back(std::move(planned.fit));
    if (description_)
      for (auto& cohort : cohorts_)
        cohort.disagreements = settings_disagreements(cohort, *description_);
    return std::move(cohorts_);
  }

 private:
  struct Planned {
    std::size_t cohort = 0;
    CohortFit fit;
    bool is_found = false;
  };

  /// The fit, or that of which it is a replicate; null if it is of no real cohort.
  Planned* find(const FitId& id) {
    const auto cohort = cohort_at_.find(id.axis_values);
    if (!id.is_real() || cohort == cohort_at_.end()) return nullptr;
    const auto [at, is_new] = planned_at_.emplace(
        std::tuple(cohort->second, id.method, id.trained_on, id.assumed), planned_.size());
    if (is_new) {
      auto& added = planned_.emplace_back();
      added.cohort = cohort->second;
      added.fit.method = id.method;
      added.fit.trained_on = id.trained_on;
      added.fit.assumed = id.assumed;
    }
    return &planned_[at->second];
  }

  void take_fit(const StoredFit& stored, Planned& planned) {
    auto& fit = planned.fit;
    ++cohorts_[planned.cohort].planned;
    fit.model = stored.model();
    fit.times_are_ranks = ranked_.has(fit.rests_on());
    fit.stages_by_label = stored.id().labels == to_string(LabelUse::infer);
    if (stored.result().status != FitStatus::ok) return;
    fit.doubts = doubts_of_model(stored, models_);
    fit.training_warned = std::any_of(models_.begin(), models_.end(), [&](const ModelRecord& one) {
      return !fit.model.empty() && one.key == fit.model && !one.warnings.empty();
    });
    auto details = stored.details(wanted_.parts);
    if (details.evidence && !fit.rests_on().empty())
      take_evidence(std::move(*details.evidence), fit, planned.cohort);
    add_findings(std::move(details), fit);
    planned.is_found = true;
  }

  void take_evidence(Evidence evidence, const CohortFit& fit, std::size_t cohort) {
    if (evidence.log_scores.empty()) return;
    auto& methods = evidence_[cohort];
    auto at = std::find_if(methods.begin(), methods.end(),
                           [&](const MethodEvidence& known) { return known.method == fit.method; });
    if (at == methods.end()) at = methods.insert(at, {fit.method, {}});
    at->fits.push_back({fit.rests_on(),
                        std::move(evidence.log_scores),
                        evidence.elpd_waic,
                        evidence.pareto_k_high,
                        {},
                        evidence.elpd_mcse});
  }

  /// What the evidence says of the hypotheses of a cohort.
  void judge(std::vector<MethodEvidence>& methods, FittedCohort& cohort) const {
    std::erase_if(methods, [&](const MethodEvidence& of_method) {
      const bool judges = can_refute(of_method.method, description_);
      if (!judges && of_method.fits.size() > 1) cohort.not_judging.push_back(of_method.method);
      return !judges;
    });
    cohort.refuted = refuted_hypotheses(methods);
  }

  void take_replicate(const StoredFit& stored, CohortFit& fit) const {
    ++fit.replicates_planned;
    if (wanted_.replicates == WantedOfFits::Replicates::counted ||
        stored.result().status != FitStatus::ok)
      return;
    auto details = stored.details({DetailPart::order});
    fit.replicate_scores.push_back(std::move(details.event_scores));
    if (details.event_times) fit.replicate_times.push_back(std::move(*details.event_times));
  }

  WantedOfFits wanted_;
  std::optional<RunDescription> description_;
  RankedHypotheses ranked_;
  std::vector<ModelRecord> models_;
  std::vector<FittedCohort> cohorts_;
  std::vector<std::vector<MethodEvidence>> evidence_;          // [cohorts]
  std::map<std::vector<std::string>, std::size_t> cohort_at_;  // by point of the sweep
  std::vector<Planned> planned_;
  std::map<std::tuple<std::size_t, std::string, std::string, std::string>, std::size_t> planned_at_;
};

}  // namespace

std::optional<bool> is_separating(const FittedCohort& cohort, std::size_t biomarker) {
  if (!cohort.not_separating) return std::nullopt;
  return !holds(*cohort.not_separating, cohort.biomarkers[biomarker]);
}

std::vector<std::vector<double>> scores_of(const FittedCohort& cohort) {
  std::vector<std::vector<double>> out;
  for (const auto& fit : cohort.fits) out.push_back(fit.event_scores);
  return out;
}

std::vector<std::size_t> diseased_of(const FittedCohort& cohort) {
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < cohort.participants.size(); ++j)
    if (cohort.diseased.empty() || cohort.diseased[j] != 0) out.push_back(j);
  return out;
}

std::vector<FittedCohort> fitted_cohorts(Store& store, const WantedOfFits& wanted) {
  Collector collector(store, wanted);
  if (collector.has_cohorts()) store.visit([&](const StoredFit& fit) { collector.take(fit); });
  return collector.finish();
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
