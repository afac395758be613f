#include "analysis/log_scores.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/told_stage.hpp"

namespace tempo {
namespace {

class LogScores {
 public:
  void add(double probability) {
    ++count_;
    impossible_ += probability < LogScore::kLeastProbability;
    sum_ += std::log(std::max(probability, LogScore::kLeastProbability));
  }
  std::optional<LogScore> mean() const {
    if (count_ == 0) return std::nullopt;
    return LogScore{sum_ / static_cast<double>(count_), impossible_};
  }

 private:
  double sum_ = 0.0;
  std::size_t count_ = 0, impossible_ = 0;
};

}  // namespace

std::optional<LogScore> rank_log_score(const Inference& found, const Truth& truth) {
  if (!found.rank_posterior) return std::nullopt;
  LogScores scores;
  for (std::size_t b = 0; b < found.rank_posterior->rows(); ++b)
    scores.add((*found.rank_posterior)(b, truth.event_ranks[b] - 1));
  return scores.mean();
}

std::optional<LogScore> stage_log_score(const Inference& found, const SimulatedCohort& cohort,
                                        LabelUse labels) {
  if (!found.stage_posterior) return std::nullopt;
  LogScores scores;
  for (std::size_t j = 0; j < found.stage_posterior->rows(); ++j)
    if (!is_told_stage(labels, cohort.cohort, j))
      scores.add(
          (*found.stage_posterior)(j, static_cast<std::size_t>(cohort.truth.ordinal_stages[j])));
  return scores.mean();
}

}  // namespace tempo
