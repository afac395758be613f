#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tempo {

/// A distribution within one fit: over draws of its posterior, or over resampled participants.
struct Within {
  double mean = 0.0;
  double sd = 0.0;
  double low = 0.0;          ///< 2.5 % quantile
  double high = 0.0;         ///< 97.5 % quantile
  bool has_interval = true;  ///< low and high say something
};
/// Fewer replicates have no 95 % interval: 2.5 % of 20 is half a replicate.
inline constexpr std::size_t kIntervalReplicates = 20;

/// Half of the 95 % interval of a mean of n values: t sd / sqrt(n), t the 97.5 % quantile of
/// Student's t with n - 1 degrees of freedom.
/// @param sd    of the values, n - 1 in it
/// @param count n, two or more
double half_width_95(double sd, std::size_t count);

/// Mean of n values with its 95 % interval mean +- half_width, as half_width_95 has it. It may
/// reach beyond what the values can be; tables cut it there.
struct Spread {
  std::size_t count = 0;
  double mean = 0.0;
  std::optional<double> sd;  ///< absent for fewer than two, as is half_width
  std::optional<double> half_width;
};
/// Absent for no values.
std::optional<Spread> spread(const std::vector<double>& values);

/// Of values over replicates. Quantiles are interpolated, and given from kIntervalReplicates on.
/// Absent for fewer than two values.
std::optional<Within> within(const std::vector<double>& values);
/// Of a biomarker's or participant's row of a posterior: probabilities of first, first + 1, ...;
/// the interval holds the least number of whole values that leave at most 2.5 % on either side.
Within within_posterior(std::span<const double> probabilities, double first);

/// Spread of each column of lists of values [lists][columns]; a count of 0 for no lists.
std::vector<Spread> spread_of_columns(const std::vector<std::vector<double>>& lists,
                                      std::size_t columns);
/// The same of replicates.
std::vector<std::optional<Within>> within_columns(const std::vector<std::vector<double>>& lists,
                                                  std::size_t columns);

}  // namespace tempo
