#include "conformance/scored_examples.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "conformance/examples.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::conformance {
namespace {

/// Row i of the result is row order[i].
Matrix rows_taken(const Matrix& from, const std::vector<std::size_t>& order) {
  Matrix out(from.rows(), from.cols());
  for (std::size_t i = 0; i < order.size(); ++i)
    std::copy(from.row(order[i]).begin(), from.row(order[i]).end(), out.row(i).begin());
  return out;
}

template <class Value>
std::vector<Value> taken(const std::vector<Value>& from, const std::vector<std::size_t>& order) {
  std::vector<Value> out;
  for (const auto i : order) out.push_back(from[i]);
  return out;
}

std::vector<std::size_t> backwards(std::size_t count) {
  std::vector<std::size_t> out(count);
  std::iota(out.rbegin(), out.rend(), std::size_t{0});
  return out;
}

/// Most of each row's probability where the truth is.
template <class Place>
Matrix posterior_about(std::size_t rows, std::size_t columns, const Place& place) {
  constexpr double kElsewhere = 0.2;
  Matrix out(rows, columns, kElsewhere / static_cast<double>(columns));
  for (std::size_t i = 0; i < rows; ++i) out(i, place(i)) += 1.0 - kElsewhere;
  return out;
}

Inference true_answer(const Truth& truth) {
  Inference out;
  out.event_scores.assign(truth.event_ranks.begin(), truth.event_ranks.end());
  out.stages.assign(truth.ordinal_stages.begin(), truth.ordinal_stages.end());
  return out;
}

/// With what methods may say beside order and stages: posteriors about these, times of events and
/// how sure they are.
Inference with_posteriors(Inference answer) {
  const auto B = answer.event_scores.size();
  const auto ranks = ranks_of(sequence_by_score(answer.event_scores));
  answer.rank_posterior = posterior_about(B, B, [&](std::size_t b) { return ranks[b] - 1; });
  answer.stage_posterior = posterior_about(answer.stages.size(), B + 1, [&](std::size_t j) {
    return static_cast<std::size_t>(answer.stages[j]);
  });
  constexpr double kSd = 0.02, kHalfWidth = 2.0 * kSd;
  answer.event_times.emplace();
  answer.event_time_spreads.emplace();
  for (std::size_t b = 0; b < B; ++b) {
    const double time = static_cast<double>(ranks[b]) / static_cast<double>(B + 1);
    answer.event_times->push_back(time);
    answer.event_time_spreads->push_back({kSd, time - kHalfWidth, time + kHalfWidth});
  }
  return answer;
}

Inference reversed(Inference answer) {
  const auto last = static_cast<double>(answer.event_scores.size());
  for (auto& score : answer.event_scores) score = -score;
  for (auto& stage : answer.stages) stage = last - stage;
  return answer;
}

Inference with_random_order(Inference answer) {
  RandomStream stream(1, "conformance", "random order");
  for (auto& score : answer.event_scores) score = stream.uniform();
  return answer;
}

}  // namespace

SimulatedCohort scored_example(std::size_t biomarker_count, std::size_t participants) {
  auto [table, cohort, truth] = example(biomarkers(biomarker_count), participants);
  return {std::move(cohort), std::move(truth)};
}

std::vector<ScoredAnswer> answers(const SimulatedCohort& cohort) {
  const auto right = true_answer(cohort.truth);
  return {{"the truth", right, cohort},
          {"the truth reversed", reversed(right), cohort},
          {"a random order", with_random_order(right), cohort},
          {"the truth with posteriors", with_posteriors(right), cohort},
          {"the truth reversed, with posteriors", with_posteriors(reversed(right)), cohort}};
}

ScoredAnswer tied_answer(const SimulatedCohort& cohort) {
  auto found = true_answer(cohort.truth);
  std::fill(found.event_scores.begin(), found.event_scores.end(), 0.0);
  std::fill(found.stages.begin(), found.stages.end(), 1.0);
  return {"an answer of ties", std::move(found), cohort};
}

ScoredAnswer with_biomarkers_reversed(ScoredAnswer answer) {
  auto& [name, found, scored] = answer;
  auto& [cohort, truth] = scored;
  const auto order = backwards(cohort.biomarker_count());
  cohort.biomarkers = taken(cohort.biomarkers, order);
  truth.event_times = taken(truth.event_times, order);
  truth.event_ranks =
      Ranks(taken(std::vector(truth.event_ranks.begin(), truth.event_ranks.end()), order));
  found.event_scores = taken(found.event_scores, order);
  if (found.rank_posterior) found.rank_posterior = rows_taken(*found.rank_posterior, order);
  if (found.event_times) found.event_times = taken(*found.event_times, order);
  if (found.event_time_spreads) found.event_time_spreads = taken(*found.event_time_spreads, order);
  return answer;
}

ScoredAnswer with_participants_reversed(ScoredAnswer answer) {
  auto& [name, found, scored] = answer;
  auto& [cohort, truth] = scored;
  const auto order = backwards(cohort.participant_count());
  cohort.participants = taken(cohort.participants, order);
  cohort.diseased = taken(cohort.diseased, order);
  truth.ordinal_stages = taken(truth.ordinal_stages, order);
  found.stages = taken(found.stages, order);
  if (found.stage_posterior) found.stage_posterior = rows_taken(*found.stage_posterior, order);
  return answer;
}

ScoredAnswer with_other_names(ScoredAnswer answer) {
  auto& cohort = answer.cohort.cohort;
  for (auto* names : {&cohort.biomarkers, &cohort.participants})
    for (std::size_t i = 0; i < names->size(); ++i)
      (*names)[i] = "other " + std::to_string(names->size() - i);
  return answer;
}

ScoredAnswer with_scores_on_another_scale(ScoredAnswer answer) {
  constexpr double kTimes = 1e6, kMoved = -3e6;
  for (auto& score : answer.found.event_scores) score = kTimes * score + kMoved;
  return answer;
}

}  // namespace tempo::conformance
