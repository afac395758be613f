#pragma once

#include <vector>

namespace tempo {

/// The law of a standardised value clip(z + noise * N(0, 1), -clip, clip), z of one family, as a
/// table of its log density.
///
/// The distribution function of z is known in closed form, so the mass of each narrow cell is
/// exact; the density is those masses spread by the noise, tabulated and interpolated linearly in
/// the log. Checked against quadrature to 1e-3 in log density for the published noise of 0.2.
class LogDensityTable {
 public:
  /// How far from the mean it goes: the clip, and what the noise may add. [sd]
  static double reach(double noise, double clip);
  /// Of a reach; memory grows with it, and time with its product with the noise.
  static constexpr double kMostReach = 100.0;

  /// @param family 1..6
  /// @pre reach(noise, clip) <= kMostReach
  LogDensityTable(int family, double noise, double clip);

  /// log density at z in standard deviations; -inf beyond the clips. The clips themselves are
  /// atoms: log of their mass plus MeasurementModel::kAtomPrecision, as if spread over a width of
  /// e^-kAtomPrecision.
  double operator()(double z) const;

 private:
  double clip_;
  double first_, step_;
  double at_low_, at_high_;   // of the atoms
  std::vector<double> logs_;  // at first + i step
};

}  // namespace tempo
