#include "analysis/recovery.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "analysis/rank_table.hpp"
#include "tempo/metrics.hpp"

namespace tempo {
namespace {

/// Of the biomarkers of a cohort that are wanted, scores as found and places in the true order.
Recovery::Distance distance(const std::vector<double>& scores,
                            const std::vector<std::size_t>& true_ranks,
                            const std::vector<std::size_t>& wanted) {
  std::vector<double> truth;
  for (const auto b : wanted) truth.push_back(static_cast<double>(true_ranks[b]));
  const double tau = order_distance(selected(scores, wanted), truth);
  return {tau, share_of_orders_as_near(tau, wanted.size())};
}

/// The truth in the columns and rows of a cohort.
class TruthOfCohort {
 public:
  explicit TruthOfCohort(const FittedCohort& cohort)
      : biomarkers_(cohort.biomarkers.size()), diseased_(diseased_of(cohort)) {
    const auto event_times = take_order(cohort);
    take_stages(cohort, event_times);
  }

  void add_distances(const std::vector<double>& scores, Recovery& found) const {
    found.all = distance(scores, true_ranks_, all_);
    if (separating_.size() < biomarkers_ && separating_.size() > 1)
      found.separating = distance(scores, true_ranks_, separating_);
  }
  void add_stages(const std::vector<double>& stages, Recovery& found) const {
    found.stage_mae = stage_mae(stages, stages_, biomarkers_);
    if (!diseased_.empty())
      found.diseased_mae = stage_mae(selected(stages, diseased_), stages_of_diseased_, biomarkers_);
  }
  bool has_diseased() const { return !diseased_.empty(); }
  /// Everybody at the median of the diseased's true stages, the healthy at 0.
  std::vector<double> median_stages() const {
    auto sorted = stages_of_diseased_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> out(stages_.size(), 0.0);
    for (const auto j : diseased_) out[j] = sorted[sorted.size() / 2];
    return out;
  }

 private:
  /// @return the true event times of the cohort's biomarkers
  std::vector<double> take_order(const FittedCohort& cohort) {
    const auto& names = cohort.truth->biomarkers;
    const auto& truth = cohort.truth->truth;
    std::vector<double> event_times;
    for (std::size_t b = 0; b < biomarkers_; ++b) {
      const auto at = std::lower_bound(names.begin(), names.end(), cohort.biomarkers[b]);
      const auto place = static_cast<std::size_t>(at - names.begin());
      true_ranks_.push_back(truth.event_ranks[place]);
      event_times.push_back(truth.event_times[place]);
      all_.push_back(b);
      if (is_separating(cohort, b).value_or(true)) separating_.push_back(b);
    }
    return event_times;
  }

  void take_stages(const FittedCohort& cohort, const std::vector<double>& event_times) {
    const auto& participants = cohort.truth->participants;
    std::unordered_map<std::string_view, std::size_t> place_of;
    for (std::size_t i = 0; i < participants.size(); ++i) place_of.emplace(participants[i], i);
    stages_.assign(cohort.participants.size(), 0);
    for (const auto j : diseased_) {
      const double stage = cohort.truth->truth.stages[place_of.at(cohort.participants[j])];
      stages_[j] = event_count(event_times, stage);
      stages_of_diseased_.push_back(stages_[j]);
    }
  }

  std::size_t biomarkers_;
  std::vector<std::size_t> diseased_;  // participants
  std::vector<std::size_t> true_ranks_;
  std::vector<std::size_t> all_, separating_;  // biomarkers
  std::vector<int> stages_, stages_of_diseased_;
};

}  // namespace

std::vector<Recovery> recovery(const FittedCohort& cohort) {
  const TruthOfCohort truth(cohort);
  std::vector<Recovery> out;
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    auto& found = out.emplace_back();
    found.fit = f;
    truth.add_distances(cohort.fits[f].event_scores, found);
    truth.add_stages(cohort.fits[f].stages, found);
  }
  if (cohort.fits.size() > 1) {
    const auto ranks = ranks_of(consensus_table(cohort).kemeny.order);
    out.emplace_back().of = Recovery::Of::consensus;
    truth.add_distances(std::vector<double>(ranks.begin(), ranks.end()), out.back());
  }
  if (truth.has_diseased()) {
    out.emplace_back().of = Recovery::Of::median;
    truth.add_stages(truth.median_stages(), out.back());
  }
  return out;
}

}  // namespace tempo
