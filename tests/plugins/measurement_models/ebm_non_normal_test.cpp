#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "model_support.hpp"

namespace tempo::test {

double exponential_cdf(double x) { return x > 0.0 ? -std::expm1(-x) : 0.0; }
double logistic_cdf(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// Cauchy(0, 1) + N(0, 0.2): the Cauchy distribution function averaged over the normal, by the
/// trapezoidal rule, whose error for a Gaussian weight is far below 1e-9 at steps of sd / 10.
double cauchy_plus_normal_cdf(double x) {
  double sum = 0.0;
  double weights = 0.0;
  for (int i = -80; i <= 80; ++i) {
    const double z = i / 10.0;
    const double weight = std::exp(-z * z / 2.0);
    sum += weight * (0.5 + std::atan(x - 0.2 * z) / std::numbers::pi);
    weights += weight;
  }
  return sum / weights;
}

/// Distribution functions of the six families at mean 0 and standard deviation 1, without noise and
/// clipping; family 5 before its own clipping at +-4. From the definitions in the README.
double family_cdf(int family, double x) {
  const auto standard_beta = [](double p, double q, double at) {
    return cdf(boost::math::beta_distribution<>(p, q), std::clamp(at, 0.0, 1.0));
  };
  switch (family) {
    case 1: {
      const boost::math::triangular triangle(-2.0, -1.5, 0.0);
      return (cdf(triangle, std::clamp(x, -2.0, 0.0)) + normal_cdf(x, 1.0, 0.3) +
              exponential_cdf((x + 0.5) / 0.7)) /
             3.0;
    }
    case 2: {
      const double lomax = x > -2.0 ? 1.0 - std::pow(x + 3.0, -1.5) : 0.0;
      const double uniform = std::clamp((x + 1.5) / 3.0, 0.0, 1.0);
      return (lomax + uniform + logistic_cdf(x)) / 3.0;
    }
    case 3: {
      const double half = 0.5 * exponential_cdf(std::abs(x) / 0.4);
      const double laplace = 0.5 + (x > 0.0 ? half : -half);
      return (standard_beta(0.5, 0.5, (x + 2.0) / 4.0) + laplace +
              0.5 * (normal_cdf(x, 0.0, 0.5) + normal_cdf(x, 2.0, 0.5))) /
             3.0;
    }
    case 4: {
      const double gamma =
          x > -1.0 ? cdf(boost::math::gamma_distribution<>(2.0, 0.5), x + 1.0) : 0.0;
      return (gamma + exponential_cdf(x + 1.0) +
              0.5 * (normal_cdf(x, -1.0, 0.5) + normal_cdf(x, 1.0, 0.5))) /
             3.0;
    }
    case 5:
      return cauchy_plus_normal_cdf(x);
    default:
      return 0.1 * normal_cdf(x, 0.0, 0.2) + 0.9 * logistic_cdf((x - 1.0) / 2.0);
  }
}

/// Values of all six families, biomarker b being of family b + 1, in standard deviations from the
/// mean of their state: phi is N(10, 2), theta is N(-5, 0.5). Event times are 1.
std::vector<std::vector<double>> standardised(double noise, double clip, double stage,
                                              std::size_t J, std::uint64_t seed) {
  std::vector<Biomarker> table;
  for (int family = 1; family <= 6; ++family)
    table.push_back({std::to_string(family), {10, 2}, {-5, 0.5}});
  const auto model = shipped().measurement_model(
      fixed_part("ebm_non_normal", {{"noise", noise}, {"clip", clip}}), BiomarkerTable(table));
  const auto x = measured(*model, People(std::vector(J, stage), std::vector(6, 1.0)).timeline(),
                          {1, 2, 3, 4, 5, 6}, stream(seed));
  const Normal state = stage >= 1.0 ? Normal{-5, 0.5} : Normal{10, 2};
  std::vector<std::vector<double>> out;
  for (std::size_t b = 0; b < 6; ++b) {
    out.push_back(column(x, b));
    for (auto& value : out.back()) value = (value - state.mean) / state.sd;
  }
  return out;
}

TEST_CASE("ebm_non_normal", "[measurement_model][ebm_non_normal]") {
  const std::size_t J = 100000;
  const double nowhere = 1e300;  // a clip that clips nothing

  SECTION("without noise and clipping each family has its distribution function, in both states") {
    const double stage = GENERATE(0.5, 1.0);
    const auto z = standardised(0.0, nowhere, stage, J, 1);
    for (int family : {1, 2, 3, 4, 6}) {
      CAPTURE(family, stage);
      REQUIRE(ks_p_value(z[static_cast<std::size_t>(family - 1)],
                         [=](double x) { return family_cdf(family, x); }) > kRarely);
    }
    // Family 5: atoms at -4 and 4 of the tails' size, and between them the law given that one is
    // between them.
    auto inside = z[4];
    const auto lower = std::count(inside.begin(), inside.end(), -4.0);
    const auto upper = std::count(inside.begin(), inside.end(), 4.0);
    std::erase_if(inside, [](double value) { return std::abs(value) == 4.0; });
    const double tail = family_cdf(5, -4.0);
    const std::vector<double> counts{static_cast<double>(lower), static_cast<double>(upper),
                                     static_cast<double>(inside.size())};
    REQUIRE(chi_square_p_value(counts, std::vector{tail, tail, 1.0 - 2.0 * tail}) > kRarely);
    REQUIRE(ks_p_value(inside, [=](double x) {
              return (family_cdf(5, x) - tail) / (1.0 - 2.0 * tail);
            }) > kRarely);
  }
  SECTION("families differ from each other by more than the test needs") {
    const auto z = standardised(0.0, nowhere, 1.0, 20000, 2);
    for (int drawn = 1; drawn <= 6; ++drawn)
      for (int other = 1; other <= 6; ++other)
        if (other != drawn)
          REQUIRE(ks_p_value(z[static_cast<std::size_t>(drawn - 1)],
                             [=](double x) { return family_cdf(other, x); }) < 1e-12);
  }
  SECTION("noise adds its variance") {
    // Family 4 has mean -1/3 + ... : E z = (0 + 0 + 0)/3 since Gamma(2, 0.5) and Exp(1) have
    // mean 1. Var z = (2 * 0.25 + 1 + (0.25 + 1)) / 3 = 11/12; noise of 0.7 adds 0.49.
    const auto z = standardised(0.7, nowhere, 1.0, J, 3)[3];
    std::vector<double> squares;
    for (const double value : z) squares.push_back(value * value);
    REQUIRE(mean_p_value(mean(z), J, 0.0, std::sqrt(11.0 / 12.0 + 0.49)) > kRarely);
    REQUIRE(mean_p_value(mean(squares), J, 11.0 / 12.0 + 0.49, std::sqrt(variance(squares))) >
            kRarely);
  }
  SECTION("clipping puts the tails' mass at the clip and touches nothing else") {
    const auto z = standardised(0.0, 1.5, 1.0, J, 4);
    for (int family = 1; family <= 6; ++family) {
      CAPTURE(family);
      const auto& values = z[static_cast<std::size_t>(family - 1)];
      // All numbers involved are dyadic, so clipped values come back as 1.5 exactly.
      const auto lower = static_cast<double>(std::count(values.begin(), values.end(), -1.5));
      const auto upper = static_cast<double>(std::count(values.begin(), values.end(), 1.5));
      REQUIRE(
          std::all_of(values.begin(), values.end(), [](double v) { return std::abs(v) <= 1.5; }));
      const double below = family_cdf(family, -1.5);
      const double above = 1.0 - family_cdf(family, 1.5);
      const auto n = static_cast<double>(J);
      if (below > 0.0)
        REQUIRE(chi_square_p_value(std::vector{lower, n - lower}, std::vector{below, 1.0 - below}) >
                kRarely);
      REQUIRE(chi_square_p_value(std::vector{upper, n - upper}, std::vector{above, 1.0 - above}) >
              kRarely);
    }
  }
  SECTION("log densities are accurate to 1e-3: against quadrature over the noise") {
    const BiomarkerTable table({{"b", {0, 1}, {3, 2}}});
    const auto model = shipped().measurement_model(part("ebm_non_normal"), table);
    // P(z + 0.2 N(0, 1) <= x) by the trapezoidal rule over 4001 nodes of the noise.
    const auto noisy_cdf = [](int family, double x) {
      double sum = 0.0, weights = 0.0;
      for (int i = -2000; i <= 2000; ++i) {
        const double noise = i / 250.0, weight = std::exp(-noise * noise / 2.0);
        sum += weight * family_cdf(family, x - 0.2 * noise);
        weights += weight;
      }
      return sum / weights;
    };
    for (const int family : {1, 2, 3, 4, 6})  // 5 is clipped before the noise: checked by its draws
      for (const double z : {-3.9, -2.3, -1.9, -1.02, -0.5, 0.003, 0.7, 1.6, 2.2, 4.1}) {
        const double h = 2e-3;
        const double density = (noisy_cdf(family, z + h) - noisy_cdf(family, z - h)) / (2.0 * h);
        if (density < 1e-5) continue;
        CAPTURE(family, z);
        std::vector<double> both(2);
        model->law()->log_density(0, family, z, std::vector{-0.5, -1.0}, both);
        REQUIRE(both[0] == both[1]);
        REQUIRE(std::abs(both[0] - std::log(density)) < 1e-3);
        model->law()->log_density(0, family, 3.0 + 2.0 * z, std::vector{0.0, 7.0}, both);
        REQUIRE(std::abs(both[0] - std::log(density / 2.0)) < 1e-3);
      }
    std::vector<double> beyond(1);
    model->law()->log_density(0, 2, 5.1, std::vector{-1.0}, beyond);
    REQUIRE(beyond[0] == -std::numeric_limits<double>::infinity());
  }
  SECTION("log densities are no NaN where rounding decides, far out") {
    const BiomarkerTable table({{"b", {0, 1}, {3, 2}}});
    const auto model = shipped().measurement_model(
        fixed_part("ebm_non_normal", {{"noise", 0.2}, {"clip", 60.0}}), table);
    std::vector<double> before(1);
    std::vector<double> places{-59.9999, 59.9999};
    for (double z = -59.9; z < 60.0; z += 0.0137) places.push_back(z);
    for (int family = 1; family <= 6; ++family)
      for (const double z : places) {
        model->law()->log_density(0, family, z, std::vector{-1.0}, before);  // throws of a NaN
        REQUIRE(before[0] < 2.0);
      }
    // Lomax' tail is heavy: P(z > 50) / 3 spread over 1 sd there.
    model->law()->log_density(0, 2, 50.0, std::vector{-1.0}, before);
    REQUIRE(before[0] == Approx(std::log(1.5 / 3.0) - 2.5 * std::log(53.0)).margin(1e-3));
  }
  SECTION("where tables would be too large or too small no law is stated") {
    const BiomarkerTable table({{"b", {0, 1}, {3, 2}}});
    const auto law = [&](double noise, double clip) {
      return shipped()
                 .measurement_model(
                     fixed_part("ebm_non_normal", {{"noise", noise}, {"clip", clip}}), table)
                 ->law() != nullptr;
    };
    REQUIRE(law(0.2, 98.0));
    REQUIRE_FALSE(law(0.2, 1e300));
    REQUIRE_FALSE(law(1e6, 5.0));
    REQUIRE_FALSE(law(12.0, 4.0));  // far enough, but for minutes
    REQUIRE_FALSE(law(0.2, 4e-4));  // not a cell within the clips
  }
  SECTION("the paper's numbers are the defaults") {
    const auto table = plain_biomarkers(6);
    const People people(std::vector(100, 1.0), std::vector(6, 1.0));
    const std::vector<int> families{1, 2, 3, 4, 5, 6};
    REQUIRE(measured(*shipped().measurement_model(part("ebm_non_normal"), table), people.timeline(),
                     families, stream(5)) ==
            measured(*shipped().measurement_model(
                         fixed_part("ebm_non_normal", {{"noise", 0.2}, {"clip", 5.0}}), table),
                     people.timeline(), families, stream(5)));
  }
}

}  // namespace tempo::test
