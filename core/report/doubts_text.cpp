#include "report/doubts_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tempo {

const char* const kNotSeparating =
    "do not tell healthy from diseased, so that their places say little";

std::vector<std::string> doubts_of(const FittedCohort& cohort, const CohortFit& fit) {
  std::vector<std::string> out;
  if (const auto* refuted = refutation_of(cohort, fit))
    out.push_back(fmt::format("{} is refuted by {}: {:.1f} nats worse than {} (se {:.1f})",
                              refuted->hypothesis, refuted->method, -refuted->difference,
                              refuted->best, refuted->difference_se));
  out.insert(out.end(), fit.doubts.begin(), fit.doubts.end());
  return out;
}

std::vector<std::string> doubts_in_sentences(const FittedCohort& cohort, const CohortFit& fit) {
  std::vector<std::string> out;
  for (const auto& doubt : doubts_of(cohort, fit))
    out.push_back(fmt::format("{} is in doubt: {}", fit.name(), doubt));
  return out;
}

namespace {

/// How many fits are left out for one reason, and what it is about: hypotheses, or fits.
struct LeftOutFits {
  std::size_t fits = 0;
  std::vector<std::string> names;
};

/// `h2 (334.0 nats worse than h6, se 80.1)`
std::string with_numbers(const RefutedHypothesis& refuted) {
  return fmt::format("{} ({:.1f} nats worse than {}, se {:.1f})", refuted.hypothesis,
                     -refuted.difference, refuted.best, refuted.difference_se);
}

LeftOutFits left_out_for(UncountedFit::Why why, const FittedCohort& cohort,
                         const CountedFits& counted) {
  LeftOutFits out;
  for (const auto& one : counted.left_out) {
    if (one.why != why) continue;
    ++out.fits;
    const auto& fit = cohort.fits[one.fit];
    const auto name =
        why == UncountedFit::Why::refuted ? with_numbers(*refutation_of(cohort, fit)) : fit.name();
    if (std::find(out.names.begin(), out.names.end(), name) == out.names.end())
      out.names.push_back(name);
  }
  return out;
}

}  // namespace

std::vector<std::string> counting_in_words(const FittedCohort& cohort) {
  using Why = UncountedFit::Why;
  const auto counted = counted_fits(cohort);
  std::vector<std::string> out;
  if (counted.none_left)
    out.push_back(
        "every fit is of a refuted hypothesis or a training that warned, so that all count");
  if (!counted.left_out.empty())
    out.push_back(fmt::format(
        "{} of {} fits do not count in what is said over fits (--fits FIT counts them):",
        counted.left_out.size(), cohort.fits.size()));
  for (const auto& [why, reason] : {std::pair(Why::refuted, "the evidence refutes the hypothesis"),
                                    {Why::training, "the training of the model warned"}})
    if (const auto [fits, names] = left_out_for(why, cohort, counted); fits > 0)
      out.push_back(fmt::format("  {}, since {}: {}", fits, reason, fmt::join(names, ", ")));
  if (!cohort.not_judging.empty())
    out.push_back(fmt::format(
        "the evidence of {} refutes no hypothesis: it did not sample the distributions, but took "
        "them for true",
        fmt::join(cohort.not_judging, ", ")));
  return out;
}

std::vector<std::string> disagreements_in_words(const FittedCohort& cohort) {
  const auto is_there = [&](const std::string& name) {
    return std::any_of(cohort.fits.begin(), cohort.fits.end(),
                       [&](const CohortFit& fit) { return fit.name() == name; });
  };
  std::vector<std::string> out;
  for (const auto& [first, second, settings, distance] : cohort.disagreements)
    if (is_there(first) && is_there(second))
      out.push_back(fmt::format(
          "{} and {} are one method with another {}, and order the events differently: tau "
          "distance {:.2f}",
          first, second, fmt::join(settings, ", "), distance));
  return out;
}

std::string in_words(LeftOut::Why why) {
  switch (why) {
    case LeftOut::Why::ranks:
      return "under their hypotheses events have ranks, and no times";
    case LeftOut::Why::constant:
      return "they have all events at one time";
    case LeftOut::Why::no_times:
      break;
  }
  return "they give no times of events";
}

}  // namespace tempo
