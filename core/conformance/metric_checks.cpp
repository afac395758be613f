// What metrics have to do.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/scored_examples.hpp"
#include "conformance/subject.hpp"
#include "tempo/fit_metric.hpp"

namespace tempo::conformance {
namespace {

std::unique_ptr<FitMetric> metric_of(const Subject& subject) {
  return subject.registry().metric(subject.part());
}

/// How far scores of one metric lie apart: what rounding is measured by.
double range_of(const FitMetric& metric, const std::vector<ScoredAnswer>& cases) {
  double largest = 0.0;
  for (const auto& [name, found, cohort] : cases)
    if (const double score = metric.score(found, cohort); std::isfinite(score))
      largest = std::max(largest, std::abs(score));
  return largest;
}

/// Up to the rounding of sums; two scores that are not there are the same.
bool is_same_score(double one, double other, double range) {
  constexpr double kRounding = 1e-9;
  if (std::isnan(one) || std::isnan(other)) return std::isnan(one) && std::isnan(other);
  return std::abs(one - other) <= kRounding * range;
}

Finding scores_of_all_sizes(const Subject& subject) {
  const auto metric = metric_of(subject);
  for (const auto& [biomarker_count, participants] :
       {std::pair<std::size_t, std::size_t>{1, 10}, {2, 1}, {8, 240}, {100, 40}}) {
    const auto cohort = scored_example(biomarker_count, participants);
    auto cases = answers(cohort);
    cases.push_back(tied_answer(cohort));
    for (const auto& answer : cases) try {
        metric->score(answer.found, answer.cohort);
      } catch (const std::exception& error) {
        return failed(fmt::format("{} biomarkers, {} participants, {}: {}", biomarker_count,
                                  participants, answer.name, error.what()));
      }
  }
  return passed();
}

Finding same_answer_same_score(const Subject& subject) {
  const auto metric = metric_of(subject);
  const auto cases = answers(scored_example(8, 240));
  const double range = range_of(*metric, cases);
  std::vector<double> alone;
  for (const auto& [name, found, cohort] : cases) alone.push_back(metric->score(found, cohort));
  return in_threads(8, [&](std::size_t) -> std::string {
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (const double again = metric->score(cases[i].found, cases[i].cohort);
          !is_same_score(alone[i], again, range))
        return fmt::format("{} has the score {}, and {} among threads", cases[i].name, alone[i],
                           again);
    return {};
  });
}

/// What is the same answer, written another way.
template <ScoredAnswer (*rewritten)(ScoredAnswer)>
Finding rewriting_changes_nothing(const Subject& subject) {
  const auto metric = metric_of(subject);
  const auto cases = answers(scored_example(8, 240));
  const double range = range_of(*metric, cases);
  for (const auto& answer : cases) {
    const auto other = rewritten(answer);
    const double score = metric->score(answer.found, answer.cohort);
    const double otherwise = metric->score(other.found, other.cohort);
    if (!is_same_score(score, otherwise, range))
      return failed(fmt::format("{} has the score {}, and {} when it is written otherwise",
                                answer.name, score, otherwise));
  }
  return passed();
}

Finding truth_is_best(const Subject& subject) {
  const auto metric = metric_of(subject);
  const auto better = metric->about().better;
  if (better == FitMetric::Better::neither)
    return not_applicable("says of no value that it is better than another");
  const double sign = better == FitMetric::Better::higher ? 1.0 : -1.0;
  const auto example = scored_example(8, 240);
  auto cases = answers(example);
  cases.push_back(tied_answer(example));
  const auto scores_as = [&](std::size_t at) {
    return sign * metric->score(cases[at].found, cases[at].cohort);
  };
  // Metrics of posteriors have no score of an answer without.
  const bool needs_posteriors = std::isnan(scores_as(kTruth));
  const double truth = scores_as(needs_posteriors ? kSureTruth : kTruth);
  const double reversed = scores_as(needs_posteriors ? kSureReversed : kReversed);
  if (std::isnan(truth)) return not_applicable("has no score of any answer that the check knows");
  const double rounding = 1e-9 * range_of(*metric, cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (scores_as(i) > truth + rounding)
      return failed(
          fmt::format("{} has the score {}, better than the truth's {}; is `better` the right way "
                      "round?",
                      cases[i].name, sign * scores_as(i), sign * truth));
  if (!(truth > reversed))
    return failed(
        fmt::format("the truth has the score {}, and all of it reversed {}: a metric tells the two "
                    "apart",
                    sign * truth, sign * reversed));
  return passed();
}

}  // namespace

std::vector<Check> metric_checks() {
  return {
      {"S01", "Every answer has a score, or none.",
       "The truth, its reverse, all alike, with posteriors and without, from one biomarker and one "
       "participant on. Where there is no score, return NaN.",
       kMetrics, false, scores_of_all_sizes},
      {"S02", "The same answer has the same score.",
       "One object scores the same answers in eight threads at once.", kMetrics, false,
       same_answer_same_score},
      {"S03", "The order of biomarkers changes nothing.",
       "The same answers with their columns reversed.", kMetrics, false,
       rewriting_changes_nothing<with_biomarkers_reversed>},
      {"S04", "The order of participants changes nothing.",
       "The same answers with their rows reversed.", kMetrics, false,
       rewriting_changes_nothing<with_participants_reversed>},
      {"S05", "Names change nothing.", "Biomarkers and participants are called otherwise.",
       kMetrics, false, rewriting_changes_nothing<with_other_names>},
      {"S06", "Of event scores only the order counts.",
       "Event scores times a million, and moved. Methods give them on any scale.", kMetrics, false,
       rewriting_changes_nothing<with_scores_on_another_scale>},
      {"S07", "Nothing scores better than the truth.",
       "The true order and stages, beside their reverse, all alike, and a random order; the truth "
       "is better than its reverse. Metrics that call no value better are left out.",
       kMetrics, false, truth_is_best},
  };
}

}  // namespace tempo::conformance
