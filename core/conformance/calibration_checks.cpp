// Whether posteriors are as sure as they should be: minutes, on request.

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/statistics.hpp"
#include "conformance/subject.hpp"
#include "tempo/metrics.hpp"

namespace tempo::conformance {
namespace {

constexpr std::size_t kCalibrationCohorts = 100;

/// The verdict on where truths lie in their posteriors.
Finding judged(const Calibration& calibration, const std::string& what) {
  const auto count = static_cast<double>(calibration.truths);
  const double inside = calibration.inside / count;
  constexpr double kCovered = 0.9;
  const std::vector<double> tenths(calibration.tenths.begin(), calibration.tenths.end());
  if (mean_p_value(inside, calibration.truths, kCovered, std::sqrt(kCovered * (1.0 - kCovered))) <
      kRarely)
    return failed(fmt::format("{}: 90 % intervals hold {:.0f} % of {} truths", what, 100.0 * inside,
                              calibration.truths));
  if (chi_square_p_value(tenths, std::vector(tenths.size(), 1.0)) < kRarely) {
    std::string listed;
    for (const double tenth : tenths) listed += fmt::format(" {:.1f}", tenth);
    return failed(fmt::format("{}: tenths of posteriors hold{} of {} truths, expected as many each",
                              what, listed, calibration.truths));
  }
  return passed();
}

/// Fits cohorts of the known process, and takes one truth of each: truths of one cohort depend on
/// each other.
template <class Add>
Finding over_cohorts(const Subject& subject, const std::string& what, Add&& add) {
  const auto table = biomarkers(6);
  const Fitter fitter(subject, table);
  Calibration calibration;
  for (std::size_t i = 0; i < kCalibrationCohorts; ++i) {
    const auto made = example(table, 200, 1'000 + i);
    const auto found = fitter.fit(made.cohort, i + 1);
    if (!add(calibration, i, made, found)) return not_applicable("gives no posterior of " + what);
  }
  return judged(calibration, what);
}

Finding ranks_are_calibrated(const Subject& subject) {
  return over_cohorts(
      subject, "ranks",
      [](Calibration& calibration, std::size_t i, const Example& made, const Inference& found) {
        if (!found.rank_posterior) return false;
        const auto b = i % made.biomarkers.size();
        calibration.add(found.rank_posterior->row(b), made.truth.event_ranks[b] - 1);
        return true;
      });
}

Finding stages_are_calibrated(const Subject& subject) {
  return over_cohorts(
      subject, "stages",
      [](Calibration& calibration, std::size_t, const Example& made, const Inference& found) {
        if (!found.stage_posterior) return false;
        std::size_t one = 0;  // the first of the diseased; rows are in random order
        while (made.cohort.diseased[one] == 0) ++one;
        calibration.add(found.stage_posterior->row(one),
                        static_cast<std::size_t>(made.truth.ordinal_stages[one]));
        return true;
      });
}

}  // namespace

std::vector<Check> calibration_checks() {
  return {
      {"M20", "Posteriors of ranks are as sure as they should be.",
       "100 cohorts, one biomarker of each: tenths of the posteriors hold a tenth of the truths "
       "each, and 90 % intervals hold 90 % (both at 1e-4).",
       kUntrained, true, ranks_are_calibrated},
      {"M31", "Posteriors of stages are as sure as they should be.",
       "100 cohorts, one diseased participant of each, in the same way.", kUntrained, true,
       stages_are_calibrated},
  };
}

}  // namespace tempo::conformance
