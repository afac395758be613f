#include "tempo/toolkit/box_minimiser.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "support.hpp"

namespace tempo::test {
using Catch::Matchers::WithinAbs;
using toolkit::BoxMinimiserSettings;
using toolkit::BoxObjective;
using toolkit::BoxStop;
using toolkit::Gradient;
using toolkit::minimise_in_box;

namespace {

using Vector = std::vector<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Function final : public BoxObjective {
 public:
  using Value = std::function<double(std::span<const double>)>;
  using Slope = std::function<void(std::span<const double>, std::span<double>)>;
  explicit Function(Value value, Slope slope = {}) : value_(value), slope_(slope) {}
  double value(std::span<const double> x) override { return value_(x); }
  void gradient(std::span<const double> x, std::span<double> out) override { slope_(x, out); }

 private:
  Value value_;
  Slope slope_;
};

double rosenbrock(std::span<const double> x) {
  const double a = 1.0 - x[0], b = x[1] - x[0] * x[0];
  return a * a + 100.0 * (b * b);
}

double powell(std::span<const double> x) {
  const double a = x[0] + 10.0 * x[1], b = x[2] - x[3];
  double c = x[1] - 2.0 * x[2], d = x[0] - x[3];
  c = c * c;
  d = d * d;
  return a * a + 5.0 * (b * b) + c * c + 10.0 * (d * d);
}

/// Five terms whose weights span six orders of magnitude.
double scales(std::span<const double> x) {
  double sum = 0.0, weight = 1e-3, target = 1.0;
  for (std::size_t i = 0; i < 5; ++i) {
    const double z = x[i] - target;
    sum = sum + weight * (z * z) / (1.0 + 0.01 * (z * z));
    weight = weight * 30.0;
    target = -1.5 * target;
  }
  return sum + 0.001 * (x[0] * x[4]);
}

/// sum_i w_i (x_i - t_i)^2 with its gradient.
Function bowl(Vector w, Vector t) {
  return Function(
      [=](std::span<const double> x) {
        double sum = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += w[i] * (x[i] - t[i]) * (x[i] - t[i]);
        return sum;
      },
      [=](std::span<const double> x, std::span<double> out) {
        for (std::size_t i = 0; i < x.size(); ++i) out[i] = 2.0 * w[i] * (x[i] - t[i]);
      });
}

/// What SciPy 1.10.1 (Debian 12) found on these functions:
///   minimize(f, start, method='SLSQP', bounds=..., options=dict(ftol=..., maxiter=100))
/// with f written operation by operation as above. Printed by float.hex.
struct Recorded {
  const char* name;
  double (*f)(std::span<const double>);
  Vector start, lower, upper;
  double tolerance;
  Vector x;
  double apart;  ///< the largest distance in x to which rounding has driven the two ports
};

const Recorded kRecorded[] = {
    {"rosenbrock",
     rosenbrock,
     {-1.2, 1.0},
     {-1.5, -1.0},
     {0.8, 2.0},
     1e-6,
     {0x1.999999999999ap-1, 0x1.47a728c3f6034p-1},
     1e-8},
    {"rosenbrock",
     rosenbrock,
     {-1.2, 1.0},
     {-1.5, -1.0},
     {0.8, 2.0},
     1e-10,
     {0x1.999999999999ap-1, 0x1.47ae143ae15c8p-1},
     1e-8},
    {"powell",
     powell,
     {3.0, -1.0, 0.0, 1.0},
     {-5.0, -0.5, 0.25, -5.0},
     {5.0, 5.0, 5.0, 5.0},
     1e-6,
     {0x1.13e6021e527aap-3, -0x1.621e2c872c7d5p-7, 0.25, 0x1.f513ef8f17fcdp-3},
     1e-8},
    {"powell",
     powell,
     {3.0, -1.0, 0.0, 1.0},
     {-5.0, -0.5, 0.25, -5.0},
     {5.0, 5.0, 5.0, 5.0},
     1e-10,
     {0x1.13b38e2044846p-3, -0x1.61c8cae26fc6cp-7, 0.25, 0x1.f514e9afc7dcdp-3},
     1e-8},
    {"scales",
     scales,
     {0, 0, 0, 0, 0},
     {-3, -1, 0, -10, -3},
     {3, 1, 2, 0, 4.5},
     1e-6,
     {-0x1.8810229d8e47fp+0, -1.0, 0x1.ffffffffb9e65p+0, -0x1.b0000026076d6p+1, 4.5},
     5e-3},
    {"scales",
     scales,
     {0, 0, 0, 0, 0},
     {-3, -1, 0, -10, -3},
     {3, 1, 2, 0, 4.5},
     1e-10,
     {-0x1.8d5bb366d8170p+0, -1.0, 0x1.ffffffffe35f1p+0, -0x1.afffffcda893fp+1, 4.5},
     1e-3},
};

/// As good as the tolerance, or else rounding, allows.
bool came_to_an_end(BoxStop stop) {
  return stop == BoxStop::converged || stop == BoxStop::rounding;
}

}  // namespace

TEST_CASE("box minimiser", "[toolkit][box_minimiser]") {
  SECTION("with forward differences it ends where SciPy's SLSQP ends, early stop included") {
    for (const auto& recorded : kRecorded) {
      INFO(recorded.name << ", tolerance " << recorded.tolerance);
      Function f(recorded.f);
      const auto found = minimise_in_box(
          f, recorded.start, recorded.lower, recorded.upper,
          {.gradient = Gradient::forward_difference, .tolerance = recorded.tolerance});
      REQUIRE(came_to_an_end(found.stop));
      // Far nearer than the stops of the two tolerances are to each other: the early stop is there.
      for (std::size_t i = 0; i < found.x.size(); ++i)
        REQUIRE_THAT(found.x[i], WithinAbs(recorded.x[i], recorded.apart));
    }
  }

  SECTION("a separable bowl ends at its centre, or at the bound before it") {
    // Centre (3, -2, 0.5); the first coordinate may reach 1, the second -1.5.
    auto f = bowl({1.0, 4.0, 100.0}, {3.0, -2.0, 0.5});
    const auto found = minimise_in_box(f, Vector{0, 0, 0}, Vector{-1, -1.5, -1}, Vector{1, 5, 5},
                                       {.tolerance = 1e-14});
    REQUIRE(came_to_an_end(found.stop));
    REQUIRE(found.x[0] == Approx(1.0).margin(1e-12));
    REQUIRE(found.x[1] == Approx(-1.5).margin(1e-12));
    REQUIRE(found.x[2] == Approx(0.5).margin(1e-7));
    REQUIRE(found.value == Approx(4.0 + 4.0 * 0.25).margin(1e-12));
  }

  SECTION("bounds that are equal keep a parameter, infinite ones leave it free") {
    auto f = bowl({1.0, 1.0, 1.0}, {3.0, -2.0, 70.0});
    const auto found = minimise_in_box(f, Vector{0, 7, 0}, Vector{-kInfinity, 7, -kInfinity},
                                       Vector{kInfinity, 7, 10}, {.tolerance = 1e-14});
    REQUIRE(found.x[0] == Approx(3.0).margin(1e-7));
    REQUIRE(found.x[1] == 7.0);
    REQUIRE(found.x[2] == Approx(10.0).margin(1e-12));
  }

  SECTION("no bound at all is allowed") {
    auto f = bowl({1.0, 1.0}, {3.0, -2.0});
    const auto found = minimise_in_box(f, Vector{0, 0}, Vector(2, -kInfinity), Vector(2, kInfinity),
                                       {.tolerance = 1e-14});
    REQUIRE(found.x[0] == Approx(3.0).margin(1e-7));
    REQUIRE(found.x[1] == Approx(-2.0).margin(1e-7));
  }

  SECTION("a start outside the box is moved inside first") {
    auto f = bowl({1.0}, {3.0});
    const auto found = minimise_in_box(f, Vector{50}, Vector{4}, Vector{9}, {});
    REQUIRE(found.x[0] == Approx(4.0).margin(1e-12));
  }

  SECTION("it says so when it gives up") {
    Function slow(rosenbrock);
    REQUIRE(minimise_in_box(slow, Vector{-1.2, 1.0}, Vector(2, -5), Vector(2, 5),
                            {.gradient = Gradient::forward_difference, .max_iterations = 3})
                .stop == BoxStop::iteration_limit);
    Function broken([](std::span<const double>) { return std::nan(""); });
    REQUIRE(minimise_in_box(broken, Vector{0.5}, Vector{0}, Vector{1},
                            {.gradient = Gradient::forward_difference})
                .stop == BoxStop::failed);
    Function cliff([](std::span<const double> x) { return x[0] == 0.5 ? 1.0 : std::nan(""); });
    REQUIRE(minimise_in_box(cliff, Vector{0.5}, Vector{0}, Vector{1},
                            {.gradient = Gradient::forward_difference})
                .stop == BoxStop::failed);
  }
}

}  // namespace tempo::test
