#include "tempo/fit_metric.hpp"

#include <cmath>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {

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
  guard_quickly("scoring", [&] { out = do_score(found, cohort); });
  if (std::isinf(out))
    throw NumericError(blame("scoring") +
                       "expected a finite number, or NaN where there is none, got " +
                       std::to_string(out));
  return out;
}

}  // namespace tempo
