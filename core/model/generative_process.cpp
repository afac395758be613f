#include "tempo/generative_process.hpp"

#include <cmath>
#include <string>

#include "tempo/error.hpp"

namespace tempo {

GenerativeProcess::~GenerativeProcess() = default;

std::size_t healthy_count(const CohortSize& size) {
  return static_cast<std::size_t>(
      std::floor(static_cast<double>(size.participants) * size.healthy_ratio));
}

SimulatedCohort GenerativeProcess::simulate(const CohortSize& size, RandomStream& stream) const {
  if (size.participants == 0) throw NumericError("participants: expected at least 1, got 0");
  if (!(size.healthy_ratio >= 0.0 && size.healthy_ratio < 1.0))
    throw NumericError("healthy_ratio: expected a value in [0, 1), got " +
                       std::to_string(size.healthy_ratio));
  if (biomarkers_.size() == 0) throw NumericError("biomarker table: expected at least 1 biomarker");
  SimulatedCohort out;
  guard("simulating a cohort", [&] { out = do_simulate(size, stream); });
  check(out.cohort);
  check(out.truth, out.cohort);
  if (out.cohort.participant_count() != size.participants)
    throw ShapeError("plugin " + plugin_id() + ", while simulating a cohort: expected " +
                     std::to_string(size.participants) + " participants, got " +
                     std::to_string(out.cohort.participant_count()));
  return out;
}

}  // namespace tempo
