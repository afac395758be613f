#include "report/comparison_text.hpp"

#include <fmt/format.h>

namespace tempo {
namespace {

std::string in_sentences(const ComparisonCaveats::Untrusted& untrusted, std::size_t participants) {
  return fmt::format(
      "Under {} the scores of {} of {} participants are not to be trusted: either they decide too "
      "much of what was found, or what is likely without them was drawn too seldom (the fit's "
      "warning says which).",
      untrusted.assumed, untrusted.scores, participants);
}

/// Caveats about Markov chains.
void add_chains(const ComparisonCaveats& caveats, std::vector<std::string>& out) {
  if (!caveats.unsettled.empty())
    out.push_back(fmt::format(
        "Markov chains had not agreed where they ended (split R-hat > 1.05) under {}: their "
        "elpd_loo can be off by more than its error says; give them more iterations.",
        fmt::join(caveats.unsettled, ", ")));
  std::vector<std::string> disagreeing;
  for (const auto& [assumed, mcse] : caveats.disagreeing)
    disagreeing.push_back(fmt::format("{} (+- {:.0f})", assumed, mcse));
  if (!disagreeing.empty())
    out.push_back(fmt::format(
        "Chains, or parts of one, disagree under {}: the uncertainty of elpd_loo that this makes "
        "counts in the verdict; longer chains tell more.",
        fmt::join(disagreeing, ", ")));
  if (!caveats.unknown.empty())
    out.push_back(fmt::format(
        "How far chains are apart under {} is not known, so that nothing is told from it: longer "
        "chains or more starts tell.",
        fmt::join(caveats.unknown, ", ")));
}

}  // namespace

std::string in_words(const CohortDoubt& doubt) {
  using Kind = CohortDoubt::Kind;
  const auto& name = doubt.biomarker;
  switch (doubt.kind) {
    case Kind::no_healthy:
      return "no participant is healthy: nothing shows what biomarkers are before their events";
    case Kind::no_diseased:
      return "no participant is diseased: nothing shows the order of events or the stages";
    case Kind::not_measured:
      return fmt::format("'{}' has not been measured in anybody", name);
    case Kind::constant:
      return fmt::format("'{}' is {:g} in everybody: it says nothing", name, doubt.value);
    case Kind::constant_in_healthy:
      return fmt::format(
          "'{}' is {:g} in all healthy participants: its distributions cannot be estimated; leave "
          "it out",
          name, doubt.value);
    case Kind::few_values:
      return fmt::format(
          "'{}' has {} values among {} participants: hypotheses with other kinds of measurements "
          "differ by what they make of rounding, too",
          name, doubt.distinct, doubt.measured);
    case Kind::far_from_table:
      return fmt::format(
          "the median of '{}' in the healthy is {:g}, {:.3g} sds from the table's mean before the "
          "event, {:g}: it may be in other units",
          name, doubt.value, doubt.sds, doubt.mean);
  }
  return {};
}

std::vector<std::string> in_sentences(const ComparisonCaveats& caveats) {
  std::vector<std::string> out;
  if (!caveats.not_ranked.empty())
    out.push_back(fmt::format("Not ranked, because the fit failed or the law is wrong: {}.",
                              fmt::join(caveats.not_ranked, ", ")));
  for (const auto& untrusted : caveats.untrusted)
    out.push_back(in_sentences(untrusted, caveats.participants));
  if (caveats.few_participants)
    out.push_back(fmt::format(
        "Of {} participants the errors of differences are uncertain themselves: a few of them rule "
        "nothing out.",
        caveats.participants));
  add_chains(caveats, out);
  if (caveats.are_estimated)
    out.emplace_back(
        "Distributions were estimated from the cohort, under every hypothesis anew, and the scores "
        "do not count what that cost: hypotheses that differ only in the law of stages are often "
        "mistaken for each other.");
  if (!caveats.clipped.empty())
    out.push_back(
        fmt::format("Values that participants share were taken for limits at which measurements "
                    "are clipped under {}: about 20 nats a participant that other hypotheses do "
                    "not get. If an assay, rounding or filling in brought them about, make them "
                    "missing.",
                    fmt::join(caveats.clipped, ", ")));
  return out;
}

}  // namespace tempo
