// What hypotheses have to do.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/statistics.hpp"
#include "conformance/subject.hpp"

namespace tempo::conformance {
namespace {

SimulatedCohort simulated(const GenerativeProcess& process, const CohortSize& size,
                          std::uint64_t number) {
  RandomStream stream(1, "conformance", "simulated", number);
  return process.simulate(size, stream);
}

bool is_whole(double value) { return value == std::floor(value); }

Finding truth_agrees_with_itself(const Subject& subject) {
  const auto process = subject.hypothesis(biomarkers(6));
  const auto& table = process->biomarkers();
  const auto last = static_cast<double>(table.size());
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto [cohort, truth] = simulated(*process, {.participants = 60}, i);
    for (std::size_t b = 0; b < table.size(); ++b) {
      const double time = truth.event_times[b];
      if (!(time >= 0.0 && time <= last))
        return failed(fmt::format("event times: '{}' is at {}, expected a time in [0, B={}]",
                                  table[b].name, time, table.size()));
      if (!truth.continuous_events && time != static_cast<double>(truth.event_ranks[b]))
        return failed(
            fmt::format("'{}' has rank {} and time {}: ranks as times are equal, others "
                        "have continuous_events set",
                        table[b].name, truth.event_ranks[b], time));
    }
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      if (truth.stages[j] > last)
        return failed(fmt::format("stages: participant '{}' is at {}, expected at most B={}",
                                  cohort.participants[j], truth.stages[j], table.size()));
      if (!truth.continuous_stages && !is_whole(truth.stages[j]))
        return failed(
            fmt::format("stages: participant '{}' is at {}, and continuous_stages is not "
                        "set",
                        cohort.participants[j], truth.stages[j]));
      if (cohort.diseased[j] != 0 && !(truth.stages[j] > 0.0))
        return failed(
            fmt::format("stages: diseased participant '{}' is at 0", cohort.participants[j]));
    }
  }
  return passed();
}

Finding healthy_are_as_many_as_asked(const Subject& subject) {
  const auto process = subject.hypothesis(biomarkers(2));
  for (const std::size_t participants : {1, 2, 7, 100})
    for (const double ratio : {0.0, 0.01, 0.29, 0.5, 0.99})
      simulated(*process, {participants, ratio}, 1);  // the SDK counts and refuses
  constexpr std::size_t kRows = 10, kCohorts = 400;
  std::vector<double> healthy(kRows);
  for (std::uint64_t i = 0; i < kCohorts; ++i) {
    const auto drawn = simulated(*process, {kRows, 0.5}, i);
    for (std::size_t j = 0; j < kRows; ++j) healthy[j] += drawn.cohort.diseased[j] == 0;
  }
  const double expected = kCohorts / 2.0;
  for (std::size_t j = 0; j < kRows; ++j)
    if (mean_p_value(healthy[j], 1, expected, std::sqrt(expected / 2.0)) < kRarely)
      return failed(
          fmt::format("participant {} is healthy in {} of {} cohorts, expected about {}: "
                      "rows tell who is healthy; shuffle participants",
                      j + 1, healthy[j], kCohorts, expected));
  return passed();
}

Finding names_move_no_event(const Subject& subject) {
  const auto table = biomarkers(6);
  std::vector<Biomarker> renamed(table.begin(), table.end());
  for (std::size_t b = 0; b < renamed.size(); ++b)
    renamed[b].name = fmt::format("{} called otherwise", renamed.size() - b);
  const auto original = simulated(*subject.hypothesis(table), {.participants = 60}, 1);
  const auto other =
      simulated(*subject.hypothesis(BiomarkerTable(renamed)), {.participants = 60}, 1);
  if (!(original.cohort.measurements == other.cohort.measurements) ||
      !(original.truth == other.truth))
    return failed("biomarkers with other names and the same numbers have another cohort",
                  other.cohort);
  return passed();
}

/// Event times of the first biomarker of the table, wherever it stands, in many cohorts.
std::vector<double> times_of_first(const Subject& subject, const std::vector<std::size_t>& order) {
  const auto table = biomarkers(5);
  std::vector<Biomarker> moved;
  for (const auto b : order) moved.push_back(table[b]);
  const auto place =
      static_cast<std::size_t>(std::find(order.begin(), order.end(), 0) - order.begin());
  const auto process = subject.hypothesis(BiomarkerTable(moved));
  std::vector<double> times;
  for (std::uint64_t i = 0; i < 2'000; ++i)
    times.push_back(simulated(*process, {2, 0.0}, i + 10'000 * place).truth.event_times.at(place));
  return times;
}

Finding columns_move_no_event(const Subject& subject) {
  const auto first = times_of_first(subject, {0, 1, 2, 3, 4});
  const auto last = times_of_first(subject, {4, 3, 2, 1, 0});
  if (ks_p_value(first, last) < kRarely)
    return failed(fmt::format(
        "the event of a biomarker is at {:.2f} on average if it stands first in the table, and at "
        "{:.2f} if it stands last; times may depend on a biomarker, not on its column",
        mean(first), mean(last)));
  return passed();
}

/// Values of the healthy of each biomarker in sds from its pre-event mean, by whether its event is
/// in the first or the last third of all.
Finding healthy_know_of_no_event(const Subject& subject) {
  const auto process = subject.hypothesis(biomarkers(6));
  const auto& table = process->biomarkers();
  std::vector<double> early, late;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto [cohort, truth] = simulated(*process, {20, 0.5}, i);
    for (std::size_t b = 0; b < table.size(); ++b) {
      const auto rank = truth.event_ranks[b];
      if (rank > 2 && rank < 5) continue;
      for (std::size_t j = 0; j < cohort.participant_count(); ++j)
        if (cohort.diseased[j] == 0)
          (rank <= 2 ? early : late)
              .push_back((cohort.measurements(j, b) - table[b].phi.mean) / table[b].phi.sd);
    }
  }
  // A direction or a family may be common to a cohort, so that rows are not independent: the test
  // is of one row a cohort and biomarker.
  const auto thinned = [](const std::vector<double>& values) {
    std::vector<double> out;
    for (std::size_t i = 0; i < values.size(); i += 10) out.push_back(values[i]);
    return out;
  };
  if (ks_p_value(thinned(early), thinned(late)) < kRarely)
    return failed(
        fmt::format("values of the healthy are at {:.2f} sd where the event is early, and "
                    "at {:.2f} sd where it is late: they tell the order",
                    mean(early), mean(late)));
  return passed();
}

/// Measurements in sds from the pre-event mean, of the diseased.
void append_standardised(const Matrix& x, const SimulatedCohort& drawn, const BiomarkerTable& table,
                         std::vector<double>& out) {
  for (std::size_t b = 0; b < table.size(); ++b)
    for (std::size_t j = 0; j < x.rows(); ++j)
      if (drawn.cohort.diseased[j] != 0) {
        out.push_back((x(j, b) - table[b].phi.mean) / table[b].phi.sd);
        break;  // one a cohort and biomarker: rows of a cohort are not independent
      }
}

Finding draws_what_its_law_says(const Subject& subject) {
  const auto process = subject.hypothesis(biomarkers(6));
  const auto& table = process->biomarkers();
  const auto* law = process->law();
  if (law == nullptr) return not_applicable("states no law");
  std::vector<double> stages, stages_of_law, values, values_of_law;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto drawn = simulated(*process, {8, 0.25}, i);
    const bool is_continuous = law->stage_prior().scale() == StageScale::continuous;
    if (drawn.truth.continuous_stages != is_continuous)
      return failed(fmt::format("its law says that stages are {}, and it draws others",
                                is_continuous ? "continuous" : "whole numbers"));
    if (law->event_times().kind() == EventTimes::Kind::permutation && drawn.truth.continuous_events)
      return failed("its law says that event times are ranks, and it draws others");
    RandomStream stream(1, "conformance", "law", i);
    std::vector<double> of_law(1);
    law->stage_prior().draw(table.size(), stream, of_law);
    stages_of_law.push_back(of_law[0]);
    stages.push_back(*std::find_if(drawn.truth.stages.begin(), drawn.truth.stages.end(),
                                   [](double stage) { return stage > 0.0; }));
    append_standardised(drawn.cohort.measurements, drawn, table, values);
    append_standardised(law->measure(drawn.truth, drawn.cohort.diseased, stream), drawn, table,
                        values_of_law);
  }
  if (ks_p_value(stages, stages_of_law) < kRarely)
    return failed(
        fmt::format("its stages are {:.2f} on average, those of its law {:.2f}: they are "
                    "drawn otherwise than the stage prior draws them",
                    mean(stages), mean(stages_of_law)));
  if (ks_p_value(values, values_of_law) < kRarely)
    return failed(
        fmt::format("its values are {:.2f} sd on average, those of its law {:.2f}: they "
                    "are measured otherwise than the measurement model measures them",
                    mean(values), mean(values_of_law)));
  return passed();
}

}  // namespace

std::vector<Check> hypothesis_checks() {
  return {
      {"H09", "The truth of a cohort agrees with itself.",
       "Event times lie between 0 and B, ranks are a permutation, the ordinal stage is the number "
       "of events passed, the healthy are at 0 and the diseased above it. 50 cohorts.",
       kHypotheses, false, truth_agrees_with_itself},
      {"H10", "As many participants are healthy as asked, in any row.",
       "Several sizes and ratios, and 400 cohorts of ten: a row must not tell who is healthy.",
       kHypotheses, false, healthy_are_as_many_as_asked},
      {"H12", "Names of biomarkers change nothing.",
       "The same table with other names gives the same numbers. A hypothesis about one biomarker "
       "by its name may list this check as expected.",
       kHypotheses, false, names_move_no_event},
      {"H18", "The values of the healthy do not tell the order.",
       "300 cohorts: values of the healthy where a biomarker's event is early, and where it is "
       "late, have one distribution (Kolmogorov-Smirnov at 1e-4).",
       kHypotheses, false, healthy_know_of_no_event},
      {"H22", "Columns of the biomarker table change nothing.",
       "The event of one biomarker, first in the table and last: its times have one distribution "
       "(2,000 cohorts each, Kolmogorov-Smirnov at 1e-4).",
       kHypotheses, false, columns_move_no_event},
      {"H26", "It draws what its law says.",
       "Stages and measurements of 500 cohorts against those that the parts of its law draw "
       "(Kolmogorov-Smirnov at 1e-4). Methods that infer under the hypothesis believe the law.",
       kHypotheses, false, draws_what_its_law_says},
  };
}

}  // namespace tempo::conformance
