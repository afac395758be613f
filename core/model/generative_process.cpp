#include "tempo/generative_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "subtype_metrics.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

void expect_count(const char* what, std::size_t expected, std::size_t found) {
  if (found != expected)
    throw ShapeError("expected " + std::to_string(expected) + " " + what + ", got " +
                     std::to_string(found));
}

void expect_as_asked(const Cohort& cohort, const CohortSize& size,
                     const BiomarkerTable& biomarkers) {
  expect_count("participants", size.participants, cohort.participant_count());
  expect_count("labels", size.participants, cohort.diseased.size());
  expect_count("healthy", healthy_count(size),
               static_cast<std::size_t>(
                   std::count(cohort.diseased.begin(), cohort.diseased.end(), std::uint8_t{0})));
  if (cohort.biomarkers != biomarkers.names())
    throw NumericError("the biomarkers are not those of the table, in its order");
}

/// A hypothesis with subtypes may leave the consensus of its progressions to this.
void complete_consensus(Truth& truth) {
  if (!truth.subtypes || !truth.event_times.empty()) return;
  auto consensus = consensus_of(*truth.subtypes, truth.continuous_events);
  truth.event_times = std::move(consensus.event_times);
  truth.event_ranks = std::move(consensus.event_ranks);
}

}  // namespace

GenerativeProcess::~GenerativeProcess() = default;

void GenerativeProcess::set_parts(std::vector<PartId> parts,
                                  std::shared_ptr<const PartFactory> factory) {
  parts_ = std::move(parts);
  factory_ = std::move(factory);
}

std::size_t healthy_count(const CohortSize& size) {
  // 0.29 is no double: 100 of its nearest one are short of 29 by up to two roundings, which must
  // not cost a participant.
  constexpr double kTwoRoundings = 1.0 + std::numeric_limits<double>::epsilon();
  return static_cast<std::size_t>(
      std::floor(static_cast<double>(size.participants) * size.healthy_ratio * kTwoRoundings));
}

SimulatedCohort GenerativeProcess::simulate(const CohortSize& size, RandomStream& stream) const {
  if (size.participants == 0) throw NumericError("participants: expected at least 1, got 0");
  if (!(size.healthy_ratio >= 0.0 && size.healthy_ratio < 1.0))
    throw NumericError("healthy_ratio: expected a value in [0, 1), got " +
                       std::to_string(size.healthy_ratio));
  if (biomarkers_.size() == 0) throw NumericError("biomarker table: expected at least 1 biomarker");
  SimulatedCohort out;
  guard("simulating a cohort", [&] { out = do_simulate(size, stream); });
  try {
    complete_consensus(out.truth);
    check(out.cohort);
    check(out.truth, out.cohort);
    expect_as_asked(out.cohort, size, biomarkers_);
  } catch (const Error& error) {
    throw NumericError(blame("simulating a cohort") + error.what());
  }
  return out;
}

}  // namespace tempo
