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
  /// Whether it can be made in some seconds and 100 MB: a table goes as far as the clip and eight
  /// times the noise farther. Memory grows with that reach, time with its product with the noise.
  static bool can_be_made(double noise, double clip);

  /// @param family 1..6
  /// @pre can_be_made(noise, clip)
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
