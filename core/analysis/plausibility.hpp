#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/generative_process.hpp"

namespace tempo {

/// What is compared of a cohort, in units of its healthy participants. Missing values are left out.
enum class StatisticKind : std::size_t {
  mean,         ///< of the diseased, per biomarker
  sd,           ///< of the diseased, per biomarker
  skewness,     ///< of the diseased, per biomarker
  correlation,  ///< among the diseased, per pair of biomarkers
  share,  ///< how far the mean of the diseased has come from before to after the event, largest
          ///< first: the law of stages, whatever the order; of biomarkers whose means before and
          ///< after are half an sd apart or more
};
inline constexpr std::array<std::string_view, 5> kStatisticKinds{"means", "sds", "skewness",
                                                                 "correlations", "shares in order"};

/// A number that describes a cohort.
struct Statistic {
  StatisticKind kind;
  std::string name;  ///< such as `mean of ABETA`
  double value = 0.0;
};
/// None depends on the units or signs of biomarkers, if `biomarkers` has the cohort's.
/// @param biomarkers  of the cohort's columns, in their order
/// @throws NumericError if a biomarker has fewer than three values, or only equal ones, among the
/// healthy or the diseased, or a pair of biomarkers has fewer than three diseased with both.
std::vector<Statistic> statistics_of(const Cohort& cohort, const BiomarkerTable& biomarkers);

/// How a cohort compares with cohorts simulated under a hypothesis.
struct Plausibility {
  std::string hypothesis;
  std::size_t simulations = 0;
  /// Root mean over the kinds of statistics that there are of squared Mahalanobis distance per
  /// statistic, freed of what the estimated mean and covariance add: its square has a mean of about
  /// 1 over cohorts of the hypothesis, at whatever number of biomarkers or simulations.
  double distance = 0.0;
  /// Share of cohorts, itself counted, that are as far out: uniform for a cohort of the hypothesis.
  double p = 1.0;
  std::array<double, kStatisticKinds.size()>
      distances{};  ///< the same per kind; NaN where there are none
  struct Oddity {
    std::string statistic;
    double z = 0.0;  ///< sds of the simulated cohorts from their mean
  };
  std::vector<Oddity> oddest;  ///< the three farthest out, the farthest first
};

/// Compares a cohort with simulated ones of its size, its number of healthy, and with its cells
/// missing.
///
/// A kind's distance is by the covariance of the simulated cohorts' statistics if there are at
/// least five cohorts per statistic, else by their variances alone. For the rank of `p` all
/// cohorts, this one included, are measured from the mean and by the covariance of all, so that
/// they are exchangeable if the hypothesis and its parameters are true. Parameters that were
/// estimated from the cohort itself fit it better than the truth does, and are off the truth
/// themselves: p is no test then.
///
/// @param cohort       with labels; its biomarkers are those of the process, in any order
/// @param hypothesis   its id, which names the random streams
/// @param simulations  at least 20
/// @throws NumericError as statistics_of, or if the biomarkers differ
Plausibility plausibility(const Cohort& cohort, const GenerativeProcess& process,
                          const std::string& hypothesis, std::size_t simulations,
                          std::uint64_t seed);

}  // namespace tempo
