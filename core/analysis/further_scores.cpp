#include "analysis/further_scores.hpp"

#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/calibration.hpp"
#include "analysis/log_scores.hpp"
#include "model/label_names.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What scores are worked out from: what inference_of takes, and calibrations.
constexpr DetailParts kScored{DetailPart::order,           DetailPart::stages,
                              DetailPart::rank_posterior,  DetailPart::time_spreads,
                              DetailPart::stage_posterior, DetailPart::subtypes,
                              DetailPart::calibration};

/// What is kept of an answer, as a method gives it.
Inference inference_of(const FitDetails& details) {
  Inference out;
  out.event_scores = details.event_scores;
  out.stages = details.stages;
  out.rank_posterior = details.rank_posterior;
  out.event_times = details.event_times;
  out.event_time_spreads = details.event_time_spreads;
  out.stage_posterior = details.stage_posterior;
  out.subtypes = details.subtypes;
  return out;
}

double mean_of(const std::optional<LogScore>& score) { return score ? score->mean : kNone; }

/// The truths of a store's cohorts, each read once.
class Truths {
 public:
  explicit Truths(Store& store) : store_(store) {
    for (auto& cohort : store.planned_cohorts())
      keys_[{cohort.axis_values, cohort.hypothesis, cohort.number}] = cohort.key;
  }

  /// Null if it is not kept.
  const SimulatedCohort* of(const FitId& id) {
    const auto key = keys_.find({id.axis_values, generated_by(id), id.cohort});
    if (key == keys_.end()) return nullptr;
    const auto [at, is_new] = read_.try_emplace(key->second);
    if (is_new) at->second = store_.truth(key->second);
    return at->second ? &*at->second : nullptr;
  }

 private:
  Store& store_;
  std::map<std::tuple<std::vector<std::string>, std::string, std::size_t>, std::string> keys_;
  std::map<std::string, std::optional<SimulatedCohort>> read_;
};

}  // namespace

const std::vector<FurtherScore>& further_scores() {
  using Better = Metric::Better;
  static const std::vector<FurtherScore> all{
      {{Metric::Of::further, "rank_log_score",
        "log score of ranks (mean log probability of true ranks, nats; 0 is perfect)", 3,
        Better::higher},
       [](const FitWithTruth& fit) {
         return mean_of(rank_log_score(inference_of(fit.found), fit.cohort.truth));
       }},
      {{Metric::Of::further, "rank_inside_90",
        "true ranks inside the 90 % intervals of their posteriors (share; 0.9 is right)", 3,
        Better::neither},
       [](const FitWithTruth& fit) {
         return share_inside(fit.found.rank_calibration).value_or(kNone);
       }},
      {{Metric::Of::further, "stage_log_score",
        "log score of stages (mean log probability of true stages, nats; 0 is perfect)", 3,
        Better::higher},
       [](const FitWithTruth& fit) {
         return mean_of(stage_log_score(inference_of(fit.found), fit.cohort, fit.labels));
       }},
      {{Metric::Of::further, "stage_inside_90",
        "true stages inside the 90 % intervals of their posteriors (share; 0.9 is right)", 3,
        Better::neither},
       [](const FitWithTruth& fit) {
         return share_inside(fit.found.stage_calibration).value_or(kNone);
       }},
      {{Metric::Of::further, "subtype_number_right",
        "cohorts whose number of subtypes was found (share; 1 is perfect)", 3, Better::higher},
       [](const FitWithTruth& fit) {
         const auto& found = fit.found.subtypes;
         const auto& truth = fit.cohort.truth.subtypes;
         if (!found || !truth) return kNone;
         return found->shares.size() == truth->progressions.size() ? 1.0 : 0.0;
       }},
  };
  return all;
}

FurtherScore score_by(std::shared_ptr<const FitMetric> metric, std::string name) {
  const auto& [title, better, decimals] = metric->about();
  return {{Metric::Of::further, std::move(name), title, decimals, better},
          [metric = std::move(metric)](const FitWithTruth& fit) {
            return metric->score(inference_of(fit.found), fit.cohort);
          }};
}

Unscored add_further_score(const FurtherScore& score, Store& store, RunResults& results) {
  Truths truths(store);
  Unscored out;
  std::size_t row = 0;
  store.visit([&](const StoredFit& fit) {
    auto& result = results.rows.at(row++).result;
    if (fit.id().is_real() || result.status != FitStatus::ok) return;
    const auto* cohort = truths.of(fit.id());
    if (cohort == nullptr) {
      ++out.unknown;
      return;
    }
    const auto found = fit.details(kScored);
    try {
      score.metric.set(
          result, score.of({found, *cohort, label_use(fit.id().labels).value_or(LabelUse::none)}));
    } catch (const Error& error) {
      score.metric.set(result, kNone);  // it counts as a fit that should have a score
      if (++out.failed > 1) return;
      out.first = fit.id();
      out.error = error.what();
    }
  });
  return out;
}

}  // namespace tempo
