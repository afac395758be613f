// What methods have to do on cohorts that say something.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "conformance/answers.hpp"
#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/measured.hpp"
#include "conformance/statistics.hpp"
#include "conformance/subject.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo::conformance {
namespace {

/// How a cohort was written otherwise, and how its answer is read back.
struct Rewritten {
  Example example;
  std::function<Inference(const Inference&)> restored = [](const Inference& found) {
    return found;
  };
};

/// The same answer where the same cohort is written otherwise. Of a method with chance in it: no
/// farther from it than another seed takes it.
Finding expect_same(const Subject& subject, const Example& original, const Rewritten& other,
                    const std::string& what) {
  const Fitter fitter(subject, original.biomarkers);
  const auto found = fitter.fit(original.cohort);
  const Fitter refitter(subject, other.example.biomarkers);
  const auto distance = apart(found, other.restored(refitter.fit(other.example.cohort)));
  if (distance.same()) return passed();
  constexpr double kSlack = 1.5;
  Apart between_seeds;
  for (std::uint64_t seed = 2; seed < 5; ++seed) {
    const auto by_seed = apart(found, fitter.fit(original.cohort, seed));
    between_seeds.order = std::max(between_seeds.order, by_seed.order);
    between_seeds.stages = std::max(between_seeds.stages, by_seed.stages);
  }
  if (distance.order <= kSlack * between_seeds.order + 1e-9 &&
      (distance.stages <= kSlack * between_seeds.stages + 1e-9 ||
       Apart{0.0, distance.stages}.same()))
    return passed();
  return failed(
      fmt::format("{}: {}; between seeds: {}", what, in_words(distance), in_words(between_seeds)),
      other.example.cohort);
}

std::vector<std::size_t> shuffled(std::size_t count) {
  return RandomStream(1, "conformance", "order").permutation(count);
}

Finding rows_change_nothing(const Subject& subject) {
  const auto original = plain_example();
  const auto order = shuffled(original.cohort.participant_count());
  Rewritten other{original,
                  [order](const Inference& found) { return rows_restored(found, order); }};
  auto& moved = other.example.cohort;
  for (std::size_t i = 0; i < order.size(); ++i) {
    moved.participants[i] = original.cohort.participants[order[i]];
    moved.diseased[i] = original.cohort.diseased[order[i]];
    const auto row = original.cohort.measurements.row(order[i]);
    std::copy(row.begin(), row.end(), moved.measurements.row(i).begin());
  }
  return expect_same(subject, original, other, "participants in another order");
}

Finding columns_change_nothing(const Subject& subject) {
  const auto original = plain_example();
  const auto order = shuffled(original.cohort.biomarker_count());
  Rewritten other{original,
                  [order](const Inference& found) { return columns_restored(found, order); }};
  other.example.cohort = with_columns(original.cohort, order);
  return expect_same(subject, original, other, "biomarkers in another order");
}

/// The biomarkers with each distribution and value changed alike.
Example transformed(Example example, const std::function<double(std::size_t)>& scale,
                    const std::function<double(std::size_t)>& shift) {
  std::vector<Biomarker> table(example.biomarkers.begin(), example.biomarkers.end());
  auto& x = example.cohort.measurements;
  for (std::size_t b = 0; b < table.size(); ++b) {
    for (auto* state : {&table[b].phi, &table[b].theta})
      *state = {scale(b) * state->mean + shift(b), std::abs(scale(b)) * state->sd};
    for (std::size_t j = 0; j < x.rows(); ++j) x(j, b) = scale(b) * x(j, b) + shift(b);
  }
  example.biomarkers = BiomarkerTable(std::move(table));
  return example;
}

double nowhere(std::size_t) { return 0.0; }

Finding names_change_nothing(const Subject& subject) {
  const auto original = plain_example();
  Rewritten other{original};
  std::vector<Biomarker> table(original.biomarkers.begin(), original.biomarkers.end());
  for (std::size_t b = 0; b < table.size(); ++b)  // the names tell the truth, backwards
    table[b].name = fmt::format("event {}", table.size() - original.truth.event_ranks[b]);
  other.example.biomarkers = BiomarkerTable(table);
  other.example.cohort.biomarkers = other.example.biomarkers.names();
  for (std::size_t j = 0; j < original.cohort.participant_count(); ++j)
    other.example.cohort.participants[j] =
        fmt::format("stage {} number {}", original.truth.ordinal_stages[j], j);
  return expect_same(subject, original, other, "other names of biomarkers and participants");
}

Finding units_change_nothing(const Subject& subject) {
  const auto original = plain_example();
  for (const double factor : {1e-6, 1e6}) {
    const auto scale = [factor](std::size_t b) { return b % 2 == 0 ? factor : 1.0; };
    auto found = expect_same(subject, original, {transformed(original, scale, nowhere)},
                             fmt::format("half of the biomarkers times {:g}", factor));
    if (found.outcome != Outcome::passed) return found;
  }
  return passed();
}

Finding signs_change_nothing(const Subject& subject) {
  const auto original = plain_example();
  const auto scale = [](std::size_t b) { return b % 3 == 0 ? -1.0 : 1.0; };
  return expect_same(subject, original, {transformed(original, scale, nowhere)},
                     "a third of the biomarkers negated");
}

Finding offsets_change_nothing(const Subject& subject) {
  const auto original = plain_example();
  const auto one = [](std::size_t) { return 1.0; };
  const auto shift = [](std::size_t b) { return b % 2 == 0 ? 1000.0 : -1000.0; };
  return expect_same(subject, original, {transformed(original, one, shift)},
                     "biomarkers moved by 1000");
}

Finding diagnoses_change_nothing(const Subject& subject) {
  const auto original = plain_example();
  Rewritten other{original};
  for (const int stage : original.truth.ordinal_stages)
    other.example.cohort.diagnoses.push_back(fmt::format("stage {}", stage));
  return expect_same(subject, original, other, "diagnoses that tell the stage");
}

/// What a method that sees no labels finds where it is shown some after all.
Finding labels_are_not_seen(const Subject& subject) {
  const auto [table, cohort, truth] = plain_example();
  const Fitter fitter(subject, table);
  auto stream = fit_stream(1);
  const auto with_labels = fitter.method().fit(cohort, stream);
  if (apart(fitter.fit(cohort), with_labels).same()) return passed();
  return failed("declares LabelUse::none, and its answer changes with the labels", cohort);
}

/// Whether a participant's own label moves its stage, though the plugin says that staging does not
/// look at it.
Finding own_label_is_not_seen(const Subject& subject) {
  const auto [table, cohort, truth] = plain_example();
  const Fitter fitter(subject, table);
  const auto found = fitter.fit(cohort);
  std::size_t one = 0;  // somebody in the middle
  while (truth.ordinal_stages[one] != 5) ++one;
  auto relabelled = cohort;
  relabelled.diseased[one] = 0;
  const auto other = fitter.fit(relabelled);
  double of_others = 0.0;
  for (std::size_t j = 0; j < found.stages.size(); ++j)
    if (j != one) of_others = std::max(of_others, std::abs(found.stages[j] - other.stages[j]));
  const double own = std::abs(found.stages[one] - other.stages[one]);
  if (own <= std::max(1.0, 2.0 * of_others)) return passed();
  return failed(
      fmt::format("declares LabelUse::fit, and the stage of participant '{}' moves by {:.2f} with "
                  "its own label, those of others by at most {:.2f}; if staging looks at labels, "
                  "declare LabelUse::infer",
                  cohort.participants[one], own, of_others),
      relabelled);
}

Finding does_without_labels(const Subject& subject) {
  auto [table, cohort, truth] = plain_example();
  cohort.diseased.clear();
  Fitter(subject, table).fit(cohort);
  return passed();
}

Finding labels_are_used_as_declared(const Subject& subject) {
  switch (subject.labels()) {
    case LabelUse::none:
      return labels_are_not_seen(subject);
    case LabelUse::fit:
      return own_label_is_not_seen(subject);
    case LabelUse::optional:
      return does_without_labels(subject);
    case LabelUse::infer:
      return not_applicable("may use labels for everything");
  }
  return passed();
}

/// How the ranks of an answer contradict the planted ones, or empty.
std::string contradiction(const std::string& what, const Ranks& found, const Ranks& truth) {
  if (found == truth) return {};
  const auto listed = [](const Ranks& ranks) {
    std::string out;
    for (const auto rank : ranks) out += (out.empty() ? "" : " ") + std::to_string(rank);
    return out;
  };
  const auto inverse = sequence_of(truth);
  const bool is_inverse = std::equal(inverse.begin(), inverse.end(), found.begin(), found.end(),
                                     [](std::size_t b, std::size_t rank) { return b + 1 == rank; });
  return fmt::format("{} give the ranks {}, planted were {}{}", what, listed(found), listed(truth),
                     is_inverse ? ": a sequence in place of ranks?" : "");
}

/// Mean rank of each biomarker, or mean stage of each participant.
std::vector<double> row_means(const Matrix& posterior) {
  std::vector<double> out;
  for (std::size_t i = 0; i < posterior.rows(); ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < posterior.cols(); ++k)
      sum += static_cast<double>(k) * posterior(i, k);
    out.push_back(sum);
  }
  return out;
}

Ranks ranks_by(const std::vector<double>& scores) { return ranks_of(sequence_by_score(scores)); }

Finding planted_order_is_found(const Subject& subject) {
  const auto [table, cohort, truth] = clear_example();
  const auto found = Fitter(subject, table).fit(cohort);
  auto fault = contradiction("event scores", ranks_found(found), truth.event_ranks);
  if (fault.empty() && found.event_times)
    fault = contradiction("event times", ranks_by(*found.event_times), truth.event_ranks);
  if (fault.empty() && found.rank_posterior)
    fault = contradiction("rank posteriors", ranks_by(row_means(*found.rank_posterior)),
                          truth.event_ranks);
  if (!fault.empty()) return failed("8 sd apart: " + fault, cohort);
  return passed();
}

/// Mean over the diseased of the distance between a stage and the number of events passed.
double stage_error(const std::vector<double>& stages, const Example& example) {
  double sum = 0.0, count = 0.0;
  for (std::size_t j = 0; j < stages.size(); ++j) {
    if (example.cohort.diseased[j] == 0) continue;
    sum += std::abs(stages[j] - example.truth.ordinal_stages[j]);
    ++count;
  }
  return sum / count;
}

Finding planted_stages_are_found(const Subject& subject) {
  constexpr double kMost = 0.5;
  const auto clear = clear_example();
  const auto found = Fitter(subject, clear.biomarkers).fit(clear.cohort);
  if (const double error = stage_error(found.stages, clear); error > kMost)
    return failed(fmt::format("8 sd apart: stages of the diseased are off by {:.2f} on average, "
                              "expected at most {}",
                              error, kMost),
                  clear.cohort);
  if (found.stage_posterior)
    if (const double error = stage_error(row_means(*found.stage_posterior), clear); error > kMost)
      return failed(fmt::format("8 sd apart: the means of stage posteriors are off by {:.2f} on "
                                "average, expected at most {}",
                                error, kMost),
                    clear.cohort);
  return passed();
}

/// A cohort in which nothing happens at any event.
Example noise(std::uint64_t number) { return example(biomarkers(6, 0.0), 120, number); }

/// Share of pairs in which the column that stands first has the later event; ties count half.
double against_columns(const std::vector<double>& scores) {
  double sum = 0.0, pairs = 0.0;
  for (std::size_t b = 0; b < scores.size(); ++b)
    for (std::size_t first = 0; first < b; ++first, pairs += 1.0)
      sum += scores[first] > scores[b] ? 1.0 : scores[first] == scores[b] ? 0.5 : 0.0;
  return sum / pairs;
}

Finding noise_has_no_order(const Subject& subject) {
  constexpr std::size_t kCohorts = 40, kBiomarkers = 6;
  constexpr double kSureness = 0.8;
  const Fitter fitter(subject, noise(0).biomarkers);
  std::vector<double> of_columns;
  double sureness = 0.0;
  bool has_posterior = false;
  for (std::size_t i = 0; i < kCohorts; ++i) {
    const auto cohort = noise(i).cohort;
    const auto found = fitter.fit(cohort, i + 1);
    of_columns.push_back(against_columns(found.event_scores));
    if (!found.rank_posterior) continue;
    has_posterior = true;
    for (std::size_t b = 0; b < kBiomarkers; ++b) {
      const auto row = found.rank_posterior->row(b);
      sureness +=
          *std::max_element(row.begin(), row.end()) / static_cast<double>(kBiomarkers * kCohorts);
    }
  }
  // Of random orders of 6 the distance has variance (2 B + 5) / (18 B (B - 1)).
  constexpr double kVariance = (2.0 * kBiomarkers + 5.0) / (18.0 * kBiomarkers * (kBiomarkers - 1));
  if (mean_p_value(mean(of_columns), kCohorts, 0.5, std::sqrt(kVariance)) < kRarely)
    return failed(fmt::format(
        "cohorts of noise: the column that stands first has the later event in {:.0f} % of pairs, "
        "expected about 50 %; break ties by lot, from the stream",
        100.0 * mean(of_columns)));
  if (has_posterior && sureness > kSureness)
    return failed(
        fmt::format("cohorts of noise: the most likely rank has probability {:.2f} on "
                    "average, expected at most {}",
                    sureness, kSureness));
  return passed();
}

Finding more_participants_help(const Subject& subject) {
  constexpr std::size_t kCohorts = 8, kFew = 80, kMany = 640;
  const auto table = biomarkers(6);
  const Fitter fitter(subject, table);
  std::vector<double> few, many;
  for (std::size_t i = 0; i < kCohorts; ++i)
    for (const auto& [count, distances] : {std::pair(kFew, &few), std::pair(kMany, &many)}) {
      const auto [same, cohort, truth] = example(table, count, i);
      distances->push_back(tau_distance(fitter.fit(cohort, i + 1).event_scores, truth.event_ranks));
    }
  if (mean(many) > mean(few) && welch_p_value(few, many) < kRarely)
    return failed(fmt::format("tau distance {:.3f} with {} participants, and {:.3f} with {}",
                              mean(few), kFew, mean(many), kMany));
  return passed();
}

/// What a cell is drawn from: missing completely at random.
Example with_gaps(Example example, double share) {
  RandomStream stream(1, "conformance", "gaps");
  for (double& cell : example.cohort.measurements.values())
    if (stream.uniform() < share) cell = std::numeric_limits<double>::quiet_NaN();
  return example;
}

Finding gaps_are_taken_as_declared(const Subject& subject) {
  const auto gappy = with_gaps(clear_example(), 0.3);
  const Fitter fitter(subject,
                      subject.is_trained() ? plain_example().biomarkers : gappy.biomarkers);
  if (subject.missing() == MissingData::refused) return not_applicable("takes no missing values");
  if (subject.is_trained()) {
    fitter.fit(with_gaps(plain_example(), 0.3).cohort);
    return passed();
  }
  constexpr double kMost = 0.2;
  const double distance =
      tau_distance(fitter.fit(gappy.cohort).event_scores, gappy.truth.event_ranks);
  if (distance > kMost)
    return failed(fmt::format("8 sd apart with 3 of 10 cells missing: tau distance {:.2f}, "
                              "expected at most {}; is NaN taken for a number?",
                              distance, kMost),
                  gappy.cohort);
  return passed();
}

bool equal(const Inference& found, const Inference& other) {
  return found.event_scores == other.event_scores && found.stages == other.stages &&
         found.rank_posterior == other.rank_posterior &&
         found.stage_posterior == other.stage_posterior && found.event_times == other.event_times;
}

Finding same_stream_same_answer(const Subject& subject) {
  const auto [table, cohort, truth] = plain_example();
  if (equal(Fitter(subject, table).fit(cohort), Fitter(subject, table).fit(cohort)))
    return passed();
  return failed(
      "two objects gave other answers to the same cohort and the same stream; draw from "
      "the stream only");
}

Finding object_keeps_nothing(const Subject& subject) {
  const auto [table, cohort, truth] = plain_example();
  const Fitter fitter(subject, table);
  const auto first = fitter.fit(cohort);
  fitter.fit(plain_example(1).cohort, 2);
  if (equal(first, fitter.fit(cohort))) return passed();
  return failed(
      "a second fit of the same cohort with the same stream gives another answer; keep "
      "nothing between fits");
}

Finding fits_from_threads(const Subject& subject) {
  constexpr std::size_t kThreads = 4;
  const auto table = plain_example().biomarkers;
  const Fitter fitter(subject, table);
  std::vector<Cohort> cohorts;
  std::vector<Inference> alone;
  for (std::size_t t = 0; t < kThreads; ++t) {
    cohorts.push_back(plain_example(t).cohort);
    alone.push_back(fitter.fit(cohorts[t]));
  }
  return in_threads(kThreads, [&](std::size_t t) -> std::string {
    if (equal(fitter.fit(cohorts[t]), alone[t])) return {};
    return "one object gives other answers where four threads fit at once";
  });
}

Finding posteriors_agree(const Subject& subject) {
  const auto [table, cohort, truth] = plain_example();
  const auto found = Fitter(subject, table).fit(cohort);
  if (!found.rank_posterior && !found.stage_posterior) return not_applicable("gives no posterior");
  constexpr double kMostOrder = 0.15, kMostStages = 1.0;
  if (found.rank_posterior) {
    const double distance = tau_distance(row_means(*found.rank_posterior), ranks_found(found));
    if (distance > kMostOrder)
      return failed(fmt::format("mean ranks of its posterior are {:.2f} (tau distance) from its "
                                "event scores",
                                distance),
                    cohort);
  }
  if (found.stage_posterior) {
    const auto means = row_means(*found.stage_posterior);
    double sum = 0.0;
    for (std::size_t j = 0; j < means.size(); ++j) sum += std::abs(means[j] - found.stages[j]);
    if (const double off = sum / static_cast<double>(means.size()); off > kMostStages)
      return failed(
          fmt::format("means of its stage posteriors are {:.2f} stages from its stages, on "
                      "average",
                      off),
          cohort);
  }
  return passed();
}

Finding batch_is_as_one_by_one(const Subject& subject) {
  const auto table = plain_example().biomarkers;
  const Fitter fitter(subject, table);
  std::vector<Cohort> cohorts;
  std::vector<RandomStream> streams;
  std::vector<Inference> alone;
  for (std::uint64_t i = 0; i < 3; ++i) {
    cohorts.push_back(fitter.shown(plain_example(i).cohort));
    streams.push_back(fit_stream(i));
    alone.push_back(fitter.fit(cohorts[i], i));
  }
  const auto together = fitter.method().fit_all(cohorts, streams);
  for (std::size_t i = 0; i < cohorts.size(); ++i)
    if (const auto distance = apart(alone[i], together[i]); !distance.same())
      return failed(
          fmt::format("cohort {} of three fitted together: {}", i + 1, in_words(distance)));
  return passed();
}

Finding input_stays(const Subject& subject) {
  const auto [table, cohort, truth] = plain_example();
  const Fitter fitter(subject, table);
  const auto given = fitter.shown(cohort);
  const auto before = given;
  auto stream = fit_stream(1);
  fitter.method().fit(given, stream);
  if (given == before) return passed();
  return failed("the cohort that it was given has changed");
}

Finding fits_leave_nothing(const Subject& subject) {
  constexpr int kFits = 20;
  constexpr std::size_t kMost = 256 * kFits;
  const auto made = example(plain_example().biomarkers, 120);
  const Fitter fitter(subject, made.biomarkers);
  for (int i = 0; i < 3; ++i) fitter.fit(made.cohort);
  const auto left = bytes_left_behind([&] {
    for (int i = 0; i < kFits; ++i) fitter.fit(made.cohort);
  });
  if (left <= kMost) return passed();
  return failed(
      fmt::format("{} fits left {} bytes behind, {} each; what is made with new has to "
                  "go, or be kept once",
                  kFits, left, left / kFits));
}

double seconds_to_fit(const Fitter& fitter, const Cohort& cohort) {
  const double start = processor_seconds();
  fitter.fit(cohort);
  return processor_seconds() - start;
}

/// Both sizes in turn, and the least of each: other programs only ever make a fit longer.
Finding fits_take_time_by_size(const Subject& subject) {
  constexpr std::size_t kFew = 200, kTimes = 4;
  constexpr int kTries = 5;
  constexpr double kMost = 24.0, kTooShort = 0.002;
  const auto table = plain_example().biomarkers;
  const auto few = example(table, kFew), many = example(table, kTimes * kFew);
  const Fitter fitter(subject, table);
  double of_few = std::numeric_limits<double>::infinity(), of_many = of_few;
  for (int i = 0; i < kTries; ++i) {
    of_few = std::min(of_few, std::max(seconds_to_fit(fitter, few.cohort), kTooShort));
    of_many = std::min(of_many, seconds_to_fit(fitter, many.cohort));
    if (of_many <= kMost * of_few) return passed();
  }
  return failed(
      fmt::format("{} participants take {:.0f} times as long as {}, expected at most {:.0f} "
                  "times",
                  kTimes * kFew, of_many / of_few, kFew, kMost));
}

}  // namespace

std::vector<Check> method_checks() {
  return {
      {"M01", "The order of participants changes nothing.",
       "The same cohort with its rows shuffled. As in all checks of this kind, a method with chance "
       "in it may differ by as much as it does between seeds.",
       kMethods, false, rows_change_nothing},
      {"M02", "The order of biomarkers changes nothing.",
       "The same cohort with its columns shuffled.", kMethods, false, columns_change_nothing},
      {"M03", "Names change nothing.",
       "Names of biomarkers and participants are replaced by others that tell the truth.",
       kUntrained, false, names_change_nothing},
      {"M04", "Units change nothing.",
       "Half of the biomarkers times 1e-6, and times 1e6. An absolute tolerance in the source is "
       "the usual fault.",
       kUntrained, false, units_change_nothing},
      {"M05", "The sign of a biomarker changes nothing.",
       "A third of the biomarkers negated. A method that has to know which values are abnormal may "
       "list this check as expected.",
       kUntrained, false, signs_change_nothing},
      {"M06", "Labels are used as declared.",
       "LabelUse::none: the answer does not change with the labels. LabelUse::fit: a participant's "
       "own label does not move its stage. LabelUse::optional: it does without.",
       kMethods, false, labels_are_used_as_declared},
      {"M07", "Diagnoses that tell the stage change nothing.",
       "The cohort gets a diagnosis for each true stage. Only diseased or not may count.", kMethods,
       false, diagnoses_change_nothing},
      {"M08", "A planted order that nobody can miss is found, in every output.",
       "Six events, 8 sd apart, in an order that is not its own inverse: event scores, event times "
       "and rank posteriors have to give its ranks.",
       kUntrained, false, planted_order_is_found},
      {"M09", "Noise has no order, and a posterior knows it.",
       "40 cohorts in which nothing happens. Events must not follow the columns (half of the pairs, at "
       "1e-4), and ranks must not be sure. Equal scores are in order: tempo shuffles columns.",
       kUntrained, false, noise_has_no_order},
      {"M10", "More participants do not make it worse.",
       "Eight cohorts of 80 and of 640 participants (Welch's test at 1e-4).", kUntrained, false,
       more_participants_help},
      {"M11", "Missing values are taken as declared.",
       "Events 8 sd apart, 3 of 10 cells missing: the order is found up to a tau distance of 0.2.",
       kMethods, false, gaps_are_taken_as_declared},
      {"M15", "The same stream gives the same answer.", "Two objects, one cohort, equal streams.",
       kMethods, false, same_stream_same_answer},
      {"M16", "Fits at once give the answers of fits alone.",
       "One object fits four cohorts, alone and in four threads at once.", kMethods, false,
       fits_from_threads},
      {"M19", "Posteriors agree with the answers that they belong to.",
       "Mean ranks follow the event scores (tau distance at most 0.15), and mean stages the stages "
       "(1 stage on average).",
       kMethods, false, posteriors_agree},
      {"M21", "Cohorts fitted together get the answers of cohorts fitted alone.",
       "Three cohorts, by fit and by fit_all.", kMethods, false, batch_is_as_one_by_one},
      {"M22", "The cohort that it is given stays as it is.",
       "The cohort after a fit is compared with a copy.", kMethods, false, input_stays},
      {"M23", "A fit leaves nothing behind for the next.",
       "One object fits a cohort, another one, and the first again.", kMethods, false,
       object_keeps_nothing},
      {"M24", "Memory does not grow.", "20 fits leave at most 256 bytes each behind.", kMethods,
       false, fits_leave_nothing},
      {"M29", "Adding a constant to a biomarker changes nothing.", "Biomarkers moved by 1000 each.",
       kUntrained, false, offsets_change_nothing},
      {"M30", "Time grows with the square of the number of participants at most.",
       "800 participants take at most 24 times as long as 200, of the processor's time.", kMethods,
       false, fits_take_time_by_size},
      {"M32", "Planted stages that nobody can miss are found.",
       "Six events, 8 sd apart: stages of the diseased, and means of stage posteriors, are off by "
       "at most half a stage on average.",
       kUntrained, false, planted_stages_are_found},
  };
}

}  // namespace tempo::conformance
