#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tempo::toolkit {

/// A smooth function of n parameters, in whatever units its owner likes; may keep a cache.
class BoxObjective {
 public:
  virtual ~BoxObjective() = default;

  /// The function at x [n].
  virtual double value(std::span<const double> x) = 0;

  /// The function at x, which is the point of the last `value` but for coordinate `moved`. Override
  /// where most of the work of `value` can be used again; must return the same bits.
  virtual double value_moved(std::span<const double> x, std::size_t moved) {
    static_cast<void>(moved);
    return value(x);
  }

  /// Writes the gradient at x [n], the point of the last `value`. Only called on request.
  virtual void gradient(std::span<const double> x, std::span<double> out);
};

enum class Gradient {
  analytic,            ///< BoxObjective::gradient
  forward_difference,  ///< (F(x + h) - F(x)) / h with h = sqrt(machine epsilon), turned at a bound
};

struct BoxMinimiserSettings {
  Gradient gradient = Gradient::analytic;
  double tolerance = 1e-6;   ///< of |g's|, |change of F| and ||s||, absolute; s = step of x
  int max_iterations = 100;  ///< quadratic programs solved
};

enum class BoxStop {
  converged,
  iteration_limit,
  rounding,  ///< no way down that rounding does not hide; x is the last point accepted
  failed,    ///< the objective or its gradient is not finite, or NLopt gave up
};

struct BoxMinimum {
  std::vector<double> x;  ///< [n]
  double value = 0.0;
  int iterations = 0;
  int evaluations = 0;  ///< of the objective, those for differences included
  BoxStop stop = BoxStop::converged;
};

/// Minimises F over lower <= x <= upper by sequential least squares programming.
///
/// The steps are those of NLopt's SLSQP; where it stops is decided here, by the tests of the
/// original algorithm, because published results contain its early stops: before the line search of
/// an iteration if |g's| < tolerance, after it if |change of F| or ||s|| is below it. The tests are
/// absolute, so the point where it stops depends on the units of F and x. SciPy's
/// `minimize(method="SLSQP")` uses the same tests on another port of the algorithm: the two go the
/// same way until rounding separates them (../methods/debm/README.md).
///
/// Source: Kraft 1994, "Algorithm 733: TOMP - Fortran modules for optimal control calculations",
/// ACM TOMS 20(3); Johnson, the NLopt package.
///
/// @param objective  must not throw.
/// @param start  [n]; moved into the bounds first.
/// @param lower, upper  [n]; equal where a parameter is kept, infinite where it is free.
BoxMinimum minimise_in_box(BoxObjective& objective, std::span<const double> start,
                           std::span<const double> lower, std::span<const double> upper,
                           const BoxMinimiserSettings& settings);

}  // namespace tempo::toolkit
