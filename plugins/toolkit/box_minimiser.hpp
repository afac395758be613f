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
  no_curvature,  ///< the Hessian approximation broke down again and again
  iteration_limit,
  quadratic_failed,  ///< the subproblem lost its precision, or the objective is not finite
};

struct BoxMinimum {
  std::vector<double> x;  ///< [n]; may lie outside a bound by its rounding error
  double value = 0.0;
  int iterations = 0;
  int evaluations = 0;  ///< of the objective, those for differences included
  BoxStop stop = BoxStop::converged;
};

/// Minimises F over lower <= x <= upper by sequential least squares programming.
///
/// Each iteration minimises g's + s'Bs/2 over lower <= x + s <= upper, as a least squares problem
/// with the factors of B = LDL'; searches along s by shrinking steps (Armijo 1/10, at most 11
/// trials); and updates L and D by Powell's damped BFGS formula. It stops before a search if
/// |g's| < tolerance and after one if |change of F| or ||s|| is below it. The tests are absolute,
/// so the point where it stops depends on the units of F and x.
///
/// Source: Kraft 1988, "A software package for sequential quadratic programming", DFVLR-FB 88-28,
/// and 1994, ACM TOMS 20(3), algorithm 733; the subproblem after Lawson and Hanson 1974, "Solving
/// least squares problems", chapter 23. Only bounds, no other constraints.
///
/// Operations are done in the order of algorithm 733, so that with forward differences the iterates
/// are, bit for bit, those of SciPy 1.10's `minimize(method="SLSQP")`, whose early stops are part
/// of published results (../methods/debm/README.md). NLopt's port of the algorithm is no
/// substitute: a rotation rounds otherwise, and its stopping tests differ.
///
/// @param start  [n]; moved into the bounds first.
/// @param lower, upper  [n]; equal where a parameter is kept, infinite where it is free.
BoxMinimum minimise_in_box(BoxObjective& objective, std::span<const double> start,
                           std::span<const double> lower, std::span<const double> upper,
                           const BoxMinimiserSettings& settings);

}  // namespace tempo::toolkit
