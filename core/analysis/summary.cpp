#include "analysis/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/best.hpp"
#include "analysis/spread.hpp"

namespace tempo {
namespace {

/// What a cell of a summary is made of.
struct MethodScores {
  std::vector<double> values;
  std::size_t planned = 0;
  std::size_t pending = 0;  // a method with such has seen other cohorts than the rest
  CohortScores by_cohort;
};

/// Gathers fits into the rows and columns of a summary.
class Gatherer {
 public:
  Gatherer(const RunResults& results, const Metric& metric, const std::string& limit)
      : metric_(metric) {
    summary_.axes = results.axes;
    summary_.outside = results.outside;
    summary_.limit = limit_among(results, limit);
  }

  void add(const FitId& id, const std::string& hypothesis, const FitResult& result) {
    auto& methods = summary_.methods;
    if (std::find(methods.begin(), methods.end(), id.method) == methods.end()) {
      methods.push_back(id.method);
      summary_.labels.push_back(id.labels);
      summary_.is_trained.push_back(id.is_trained());
    }
    const auto [at, is_new] =
        row_at_.emplace(std::pair(id.axis_values, hypothesis), summary_.rows.size());
    if (is_new) {
      summary_.rows.push_back({id.axis_values, hypothesis, {}, {}});
      scores_.emplace_back();
    }
    auto& scores = scores_[at->second][id.method];
    if (result.status == FitStatus::ok) {
      const double value = metric_.in(result);
      if (std::isnan(value)) {  // a further metric was asked, and has none: no good sign
        scores.planned += result.scores.further.contains(metric_.name);
        return;
      }
      scores.values.push_back(value);
      scores.by_cohort.emplace(CohortName(generated_by(id), id.cohort), value);
    }
    ++scores.planned;
    scores.pending += result.status == FitStatus::pending;
  }

  Summary finish() {
    const auto better = metric_.better();
    for (std::size_t i = 0; i < summary_.rows.size(); ++i) {
      std::vector<CohortScores> competing;
      for (const auto& method : summary_.methods) {
        auto& [values, planned, pending, by_cohort] = scores_[i][method];
        summary_.rows[i].estimates.push_back(estimate(values, planned));
        const bool competes =
            method != summary_.limit && better != Metric::Better::neither && pending == 0;
        if (better == Metric::Better::higher)
          for (auto& [cohort, value] : by_cohort) value = -value;
        competing.push_back(competes ? std::move(by_cohort) : CohortScores());
      }
      summary_.rows[i].is_best = best_of(competing);
    }
    return std::move(summary_);
  }

 private:
  const Metric& metric_;
  Summary summary_;
  std::vector<std::map<std::string, MethodScores>> scores_;  // per row, by method
  std::map<std::pair<std::vector<std::string>, std::string>, std::size_t> row_at_;
};

}  // namespace

double Metric::least() const {
  return of == Of::subtype_number_error || of == Of::further
             ? -std::numeric_limits<double>::infinity()
         : of == Of::subtype_score ? -1.0
                                   : 0.0;
}

double Metric::most() const {
  switch (of) {
    case Of::tau_distance:
    case Of::matched_tau_distance:
    case Of::assigned_tau_distance:
    case Of::subtype_score:
      return 1.0;
    default:
      return std::numeric_limits<double>::infinity();
  }
}

Metric::Better Metric::better() const {
  return of == Of::further                                     ? further_is_better
         : of == Of::subtype_score                             ? Better::higher
         : of == Of::seconds || of == Of::subtype_number_error ? Better::neither
                                                               : Better::lower;
}

double Metric::in(const FitResult& result) const {
  switch (of) {
    case Of::tau_distance:
      return result.scores.tau_distance;
    case Of::stage_mae:
      return result.scores.stage_mae;
    case Of::sequence_mae:
      return result.scores.sequence_mae;
    case Of::matched_tau_distance:
      return result.scores.matched_tau_distance;
    case Of::assigned_tau_distance:
      return result.scores.assigned_tau_distance;
    case Of::subtype_score:
      return result.scores.subtype_score;
    case Of::subtype_number_error:
      return result.scores.subtype_number_error;
    case Of::further: {
      const auto at = result.scores.further.find(name);
      return at == result.scores.further.end() ? std::numeric_limits<double>::quiet_NaN()
                                               : at->second;
    }
    case Of::seconds:
      break;
  }
  return result.seconds;
}

void Metric::set(FitResult& result, double value) const {
  switch (of) {
    case Of::tau_distance:
      result.scores.tau_distance = value;
      return;
    case Of::stage_mae:
      result.scores.stage_mae = value;
      return;
    case Of::sequence_mae:
      result.scores.sequence_mae = value;
      return;
    case Of::matched_tau_distance:
      result.scores.matched_tau_distance = value;
      return;
    case Of::assigned_tau_distance:
      result.scores.assigned_tau_distance = value;
      return;
    case Of::subtype_score:
      result.scores.subtype_score = value;
      return;
    case Of::subtype_number_error:
      result.scores.subtype_number_error = value;
      return;
    case Of::further:
      result.scores.further[name] = value;
      return;
    case Of::seconds:
      result.seconds = value;
  }
}

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all{
      {Metric::Of::tau_distance, "tau_distance",
       "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5)", 4},
      {Metric::Of::stage_mae, "stage_mae", "staging MAE (mean absolute error, in stages)", 3},
      {Metric::Of::sequence_mae, "sequence_mae",
       "event-time error (mean absolute error, on the scale 0..B)", 3},
      {Metric::Of::seconds, "seconds", "seconds per cohort (one thread)", 3},
  };
  return all;
}

const std::vector<Metric>& subtype_metrics() {
  static const std::vector<Metric> all{
      {Metric::Of::matched_tau_distance, "matched_tau_distance",
       "matched tau distance (mean over subtypes, matched with what was found; 0 is perfect)", 4},
      {Metric::Of::assigned_tau_distance, "assigned_tau_distance",
       "assigned tau distance (mean over the diseased; 0 is perfect, chance is 0.5)", 4},
      {Metric::Of::subtype_score, "subtype_score",
       "subtype score (adjusted Rand index over the diseased; 1 is perfect, chance is 0)", 4},
      {Metric::Of::subtype_number_error, "subtype_number_error",
       "number of subtypes (found minus true; 0 is right)", 3},
  };
  return all;
}

std::vector<Metric> all_metrics() {
  auto out = metrics();
  out.insert(out.end(), subtype_metrics().begin(), subtype_metrics().end());
  return out;
}

bool has_subtypes(const RunResults& results) {
  return std::any_of(results.rows.begin(), results.rows.end(),
                     [](const FitRow& row) { return row.result.scores.has_subtypes(); });
}

std::vector<Metric> metrics_of(const RunResults& results) {
  return has_subtypes(results) ? all_metrics() : metrics();
}

const Metric* find_metric(const std::string& name) {
  for (const auto* all : {&metrics(), &subtype_metrics()})
    for (const auto& metric : *all)
      if (metric.name == name) return &metric;
  return nullptr;
}

Estimate estimate(const std::vector<double>& values, std::size_t planned) {
  Estimate out{.scored = values.size(), .planned = planned, .mean = 0.0, .half_width = {}};
  if (values.empty()) return out;
  const auto n = static_cast<double>(values.size());
  for (const auto value : values) out.mean += value / n;
  if (values.size() < 2) return out;
  double squares = 0.0;
  for (const auto value : values) squares += (value - out.mean) * (value - out.mean);
  out.half_width = half_width_95(std::sqrt(squares / (n - 1.0)), values.size());
  return out;
}

bool is_in_distribution(const FitId& id) {
  return id.is_real() || !id.is_trained() || id.trained_on == id.hypothesis ||
         id.trained_on == kAllHypotheses;
}

std::string limit_among(const RunResults& results, const std::string& limit) {
  const bool is_blind_to_subtypes =
      std::any_of(results.rows.begin(), results.rows.end(), [&](const FitRow& row) {
        const auto& scores = row.result.scores;
        return row.id.method == limit && scores.has_subtypes() &&
               std::isnan(scores.subtype_score) && std::isnan(scores.subtype_number_error);
      });
  return is_blind_to_subtypes ? "" : limit;
}

Summary summarise(const RunResults& results, const Metric& metric, const std::string& limit) {
  Gatherer gatherer(results, metric, limit);
  for (const auto& [id, result] : results.rows)
    if (is_in_distribution(id)) gatherer.add(id, generated_by(id), result);
  return gatherer.finish();
}

Summary summarise_over_hypotheses(const RunResults& results, const Metric& metric,
                                  const std::string& limit) {
  Gatherer gatherer(results, metric, limit);
  for (const auto& [id, result] : results.rows)
    if (is_in_distribution(id)) gatherer.add(id, "", result);
  return gatherer.finish();
}

FitRow difference(FitRow row, const FitResult& other) {
  for (const auto& metric : all_metrics())
    metric.set(row.result, metric.in(row.result) - metric.in(other));
  for (auto& [name, value] : row.result.scores.further) {
    const auto at = other.scores.further.find(name);
    value -=
        at == other.scores.further.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
  }
  if (row.result.status == FitStatus::ok) row.result.status = other.status;
  return row;
}

RunResults differences_from(const std::string& reference, const RunResults& results) {
  const auto cohort_of = [](const FitId& id) {
    return std::tuple(id.axis_values, generated_by(id), id.cohort);
  };
  std::map<decltype(cohort_of(FitId{})), const FitResult*> references;
  for (const auto& [id, result] : results.rows)
    if (id.method == reference && is_in_distribution(id)) references[cohort_of(id)] = &result;
  RunResults out{results.name, results.axes, {}, results.outside};
  for (const auto& row : results.rows) {
    const auto found = references.find(cohort_of(row.id));
    if (found == references.end() || row.id.method == reference) continue;
    out.rows.push_back(difference(row, *found->second));
  }
  return out;
}

namespace {

/// Takes the column of a method out of a summary, and rows that then show no fit.
void leave_out(const std::string& method, Summary& summary) {
  const auto at = std::find(summary.methods.begin(), summary.methods.end(), method);
  if (at == summary.methods.end()) return;
  const auto m = at - summary.methods.begin();
  summary.methods.erase(at);
  summary.labels.erase(summary.labels.begin() + m);
  summary.is_trained.erase(summary.is_trained.begin() + m);
  for (auto& row : summary.rows) {
    row.estimates.erase(row.estimates.begin() + m);
    row.is_best.erase(row.is_best.begin() + m);
  }
  std::erase_if(summary.rows, [](const Summary::Row& row) {
    return std::all_of(row.estimates.begin(), row.estimates.end(),
                       [](const Estimate& cell) { return cell.planned == 0; });
  });
}

}  // namespace

Summary summarise_against(const std::string& reference, const RunResults& results,
                          const Metric& metric, const std::string& limit) {
  auto differences = differences_from(reference, results);
  // The reference takes part in what is best, with differences of 0, and is not shown.
  for (const auto& row : results.rows)
    if (row.id.method == reference && is_in_distribution(row.id))
      differences.rows.push_back(difference(row, row.result));
  auto summary = summarise(differences, metric, limit);
  leave_out(reference, summary);
  summary.reference = reference;
  return summary;
}

}  // namespace tempo
