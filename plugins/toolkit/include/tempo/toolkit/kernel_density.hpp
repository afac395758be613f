#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tempo::toolkit {

struct AdaptiveBandwidth {
  double alpha = 0.3;  ///< how much kernels widen where points are rare; 0: not at all
  /// h in standard deviations of the points; by default n^(-1/5), Scott's rule.
  std::optional<double> bandwidth = {};
  double least_sd = 0.0;  ///< the points' standard deviation is taken as at least this
};

/// A density in one dimension as a weighted sum of normal kernels,
///
///   f(x) = sum_i w_i N(x; X_i, s_i^2),   sum_i w_i = 1.
class KernelDensity {
 public:
  /// Kernels of equal weight, wider where points are rare. With mean m and standard deviation s
  /// (ddof 1) of n points and z = (X - m) / s,
  ///
  ///   pilot  f_i = sum_l exp( -(z_i - z_l)^2 / (2 h^2) ) / ( n h sqrt(2 pi) s )
  ///   s_i        = s h (g / f_i)^alpha,   g the geometric mean of f.
  ///
  /// Source: Silverman 1986, Density Estimation for Statistics and Data Analysis, section 5.3; the
  /// pilot density on standardised points as in the program awkde.
  /// @param points  [n] two or more, none NaN; not all equal unless settings.least_sd > 0.
  static KernelDensity adaptive(std::span<const double> points, const AdaptiveBandwidth& settings);

  /// The same with weights: each sum above, and those of m and s (divided by sum w), weighted, and
  /// n_eff = (sum w)^2 / sum w^2 for n.
  /// @param weights  [n] not negative, of positive sum; a point of weight 0 has no kernel.
  static KernelDensity weighted(std::span<const double> points, std::span<const double> weights,
                                const AdaptiveBandwidth& settings);

  /// Scott's factor of the points, or the one that was given.
  double bandwidth() const { return bandwidth_; }

  /// f(x) to out [n], in 1 / unit of x. 0 where every kernel underflows, some 38 widths away.
  /// Points are added up one after the other: the same bits for any other x beside it. O(n
  /// kernels).
  void densities(std::span<const double> x, std::span<double> out) const;

  /// log f~(x) to out [n], of
  ///
  ///   f~(x) = (n f(x) + 1 / range) / (n + 1)
  ///
  /// with n the (effective) number of points: the density if one more point was known to lie
  /// somewhere in `range`. Finite everywhere: kernels have light tails, which tell more of where
  /// they end than points do.
  void log_densities(std::span<const double> x, double range, std::span<double> out) const;

 private:
  KernelDensity(double centre, double scale) : centre_(centre), scale_(scale) {}

  void place(std::span<const double> points, std::vector<double> weights,
             const AdaptiveBandwidth& settings);

  double centre_, scale_;  // of z = (x - centre) / scale
  double bandwidth_ = 0.0;
  double points_ = 0.0;                           // (effective) number
  double factor_ = 0.0;                           // f = factor * sum_i height_i exp(...)
  std::vector<double> at_, per_width_, heights_;  // [n] of kernels, on the scale of z
};

}  // namespace tempo::toolkit
