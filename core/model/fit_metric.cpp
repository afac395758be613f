#include "tempo/fit_metric.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {
namespace {

/// What every run keeps of a cohort and its truth.
SimulatedCohort as_kept(const SimulatedCohort& of) {
  SimulatedCohort out;
  out.cohort.participants = of.cohort.participants;
  out.cohort.biomarkers = of.cohort.biomarkers;
  out.cohort.diseased = of.cohort.diseased;
  out.truth.event_times = of.truth.event_times;
  out.truth.event_ranks = of.truth.event_ranks;
  out.truth.ordinal_stages = of.truth.ordinal_stages;
  out.truth.stages.assign(of.truth.ordinal_stages.size(), std::numeric_limits<double>::quiet_NaN());
  return out;
}

}  // namespace

FitMetric::FitMetric(About about) : about_(std::move(about)) {
  constexpr int kMostDecimals = 9;
  if (about_.title.empty() || about_.title.find('\n') != std::string::npos)
    throw NumericError("the title of a metric: expected one line, got '" + about_.title + "'");
  if (about_.decimals < 0 || about_.decimals > kMostDecimals)
    throw NumericError("the decimals of a metric: expected 0 to 9, got " +
                       std::to_string(about_.decimals));
}

FitMetric::~FitMetric() = default;

double FitMetric::score(const Inference& found, const SimulatedCohort& cohort) const {
  double out = 0.0;
  guard_quickly("scoring", [&] { out = do_score(found, as_kept(cohort)); });
  if (std::isinf(out))
    throw NumericError(blame("scoring") +
                       "expected a finite number, or NaN where there is none, got " +
                       std::to_string(out));
  return out;
}

}  // namespace tempo
