// What methods have to do on cohorts that say little, or something odd.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "conformance/answers.hpp"
#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/subject.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo::conformance {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A whole answer, or the plugin's own words that say why there is none.
/// @param expected_word  has to be in these words; empty: any will do
Finding expect_answer_or_words(const Subject& subject, const Example& odd, const std::string& what,
                               const std::string& expected_word = {}) {
  try {
    Fitter(subject, odd.biomarkers).fit(odd.cohort);
    return passed();
  } catch (const PluginError& refusal) {
    if (std::string(refusal.what()).find(expected_word) != std::string::npos) return passed();
    return failed(
        fmt::format("{}: refused without naming {}: {}", what, expected_word, refusal.what()),
        odd.cohort);
  } catch (const FitFailure& failure) {
    if (failure.kind() == FailureKind::not_applicable) return passed();
    return failed(fmt::format("{}: {}", what, failure.what()), odd.cohort);
  } catch (const Error& broken) {
    return failed(
        fmt::format("{}: {}; give a whole answer, or throw an exception that says why not", what,
                    broken.what()),
        odd.cohort);
  }
}

/// The plain example with one column set by a function of its values.
Example with_column(const std::function<double(double)>& value_of) {
  auto out = plain_example();
  auto& x = out.cohort.measurements;
  for (std::size_t j = 0; j < x.rows(); ++j) x(j, 2) = value_of(x(j, 2));
  return out;
}

std::string name_of_column(const Example& example) { return example.cohort.biomarkers[2]; }

Finding constant_column(const Subject& subject) {
  const auto odd = with_column([](double) { return 4.5; });
  return expect_answer_or_words(subject, odd, "a biomarker with one value", name_of_column(odd));
}

Finding two_values(const Subject& subject) {
  const double middle = plain_example().biomarkers[2].phi.mean;
  const auto odd = with_column([middle](double x) { return x > middle ? 1.0 : 0.0; });
  return expect_answer_or_words(subject, odd, "a biomarker with two values", name_of_column(odd));
}

Finding tied_values(const Subject& subject) {
  auto odd = plain_example();
  for (double& x : odd.cohort.measurements.values()) x = std::round(x / 2.0) * 2.0;
  return expect_answer_or_words(subject, odd, "values rounded to a few steps");
}

/// Healthy participants that stay so; the others are diseased.
Example with_healthy(std::size_t kept) {
  auto out = plain_example();
  for (std::size_t j = 0; j < out.cohort.participant_count(); ++j) {
    if (out.cohort.diseased[j] != 0) continue;
    if (kept == 0) {
      out.cohort.diseased[j] = 1;
    } else {
      --kept;
    }
  }
  return out;
}

Finding few_healthy(const Subject& subject) {
  for (const std::size_t kept : {0, 1, 3}) {
    auto found = expect_answer_or_words(subject, with_healthy(kept),
                                        fmt::format("a cohort with {} healthy", kept));
    if (found.outcome != Outcome::passed) return found;
  }
  return passed();
}

Finding nobody_diseased(const Subject& subject) {
  auto odd = plain_example();
  std::fill(odd.cohort.diseased.begin(), odd.cohort.diseased.end(), std::uint8_t{0});
  return expect_answer_or_words(subject, odd, "a cohort with nobody diseased");
}

Finding far_value(const Subject& subject) {
  constexpr double kFar = 40.0, kMost = 0.1;
  auto odd = clear_example();
  const auto& phi = odd.biomarkers[2].phi;
  odd.cohort.measurements(7, 2) = phi.mean + kFar * phi.sd;
  const auto found = Fitter(subject, odd.biomarkers).fit(odd.cohort);
  const double distance = tau_distance(found.event_scores, odd.truth.event_ranks);
  if (distance <= kMost) return passed();
  return failed(fmt::format("one value 40 sd off turns the order: tau distance {:.2f}, expected at "
                            "most {}",
                            distance, kMost),
                odd.cohort);
}

Finding empty_participant(const Subject& subject) {
  if (subject.missing() == MissingData::refused) return not_applicable("takes no missing values");
  auto odd = plain_example();
  auto row = odd.cohort.measurements.row(7);
  std::fill(row.begin(), row.end(), kMissing);
  return expect_answer_or_words(subject, odd, "a participant without any value",
                                odd.cohort.participants[7]);
}

Finding empty_biomarker(const Subject& subject) {
  if (subject.missing() == MissingData::refused) return not_applicable("takes no missing values");
  const auto odd = with_column([](double) { return kMissing; });
  return expect_answer_or_words(subject, odd, "a biomarker without any value", name_of_column(odd));
}

Finding twins(const Subject& subject) {
  constexpr int kSeeds = 20, kMost = 14;  // of 15 fair coins all are alike once in 16,000
  auto odd = plain_example();
  auto table = std::vector<Biomarker>(odd.biomarkers.begin(), odd.biomarkers.end());
  table[1].phi = table[0].phi;
  table[1].theta = table[0].theta;
  odd.biomarkers = BiomarkerTable(table);
  auto& x = odd.cohort.measurements;
  for (std::size_t j = 0; j < x.rows(); ++j) x(j, 1) = x(j, 0);
  const Fitter fitter(subject, odd.biomarkers);
  int first = 0, second = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const auto scores = fitter.fit(odd.cohort, static_cast<std::uint64_t>(seed)).event_scores;
    first += scores[0] < scores[1];
    second += scores[0] > scores[1];
  }
  if (std::max(first, second) <= kMost || std::min(first, second) > 0) return passed();
  return failed(fmt::format("two biomarkers with the same values: the one that stands first comes "
                            "first in {} of {} fits, and last in {}; break ties by lot, from the "
                            "stream",
                            first, kSeeds, second),
                odd.cohort);
}

/// Cohorts from one biomarker on.
Finding fits_of_all_sizes(const Subject& subject) {
  for (const std::size_t count : {1, 2, 20}) {
    auto found = expect_answer_or_words(subject, example(biomarkers(count), 120),
                                        fmt::format("{} biomarkers", count));
    if (found.outcome != Outcome::passed) return found;
  }
  return passed();
}

}  // namespace

std::vector<Check> hard_cohort_checks() {
  return {
      {"M12", "A biomarker with one value ends in an answer, or in words that name it.",
       "One column is 4.5 throughout. A NaN in the answer is a fault, an exception is none.",
       kMethods, false, constant_column},
      {"M13", "No healthy participant, one or three end in an answer, or in words.",
       "The plugin's own exception is in order. An answer that is not whole is a fault.", kMethods,
       false, few_healthy},
      {"M14", "One value 40 sd off does not turn the order.",
       "Six events 8 sd apart, and one cell far out: tau distance at most 0.1.", kUntrained, false,
       far_value},
      {"M18", "All sizes end in an answer, or in words, from one biomarker on.",
       "1, 2 and 20 biomarkers. Scores are finite, and stages lie between 0 and B.", kUntrained,
       false, fits_of_all_sizes},
      {"M26", "A participant without any value ends in an answer, or in words that name it.",
       "One row is empty. Methods that refuse missing values are left out.", kMethods, false,
       empty_participant},
      {"M27", "A biomarker with two values ends in an answer, or in words that name it.",
       "One column is 0 or 1.", kMethods, false, two_values},
      {"M28", "Values in a few steps end in an answer, or in words.",
       "All columns are rounded to even numbers.", kMethods, false, tied_values},
      {"M33", "A biomarker without any value ends in an answer, or in words that name it.",
       "One column is empty. Methods that refuse missing values are left out.", kMethods, false,
       empty_biomarker},
      {"M34", "A cohort with nobody diseased ends in an answer, or in words.",
       "All labels say healthy.", kMethods, false, nobody_diseased},
      {"M35", "Events that nothing tells apart are put in order by lot.",
       "Two columns are equal: over 20 seeds each comes first now and then, or both have one score.",
       kUntrained, false, twins},
  };
}

}  // namespace tempo::conformance
