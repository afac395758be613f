#include "model_support.hpp"

namespace tempo::test {

// phi N(2, 1.5), theta N(12, 2) : R = 10, sqrt(1.5^2 + 2^2) = 2.5, rho = 4.
// phi N(0, 3),  theta N(-5, 4) : R = -5, sqrt(3^2 + 4^2) = 5, rho = max(1, 1).
// phi N(0, 3),  theta N(1, 4)  : R = 1, |R| / 5 = 0.2, rho = max(1, 0.2) = 1.
TEST_CASE("sigmoid", "[measurement_model][sigmoid]") {
  struct Curve {
    Normal phi;
    Normal theta;
    double rise;
    double slope;
  };
  const auto curve = GENERATE(Curve{{2, 1.5}, {12, 2}, 10, 4}, Curve{{0, 3}, {-5, 4}, -5, 1},
                              Curve{{0, 3}, {1, 4}, 1, 1});
  const BiomarkerTable table({{"biomarker", curve.phi, curve.theta}});
  const int direction = GENERATE(1, -1);
  CAPTURE(curve.rise, direction);

  // Stages from just above 0 to B = 8, event at 3.
  std::vector<double> k;
  for (int j = 0; j < 50000; ++j) k.push_back(8.0 * (j + 0.5) / 50000.0);

  SECTION("around the curve the diseased scatter as phi does") {
    const auto model = shipped().measurement_model(part("sigmoid"), table);
    auto x = column(measured(*model, People(k, {3}).timeline(), {direction}, stream(1)), 0);
    for (std::size_t j = 0; j < k.size(); ++j)
      x[j] -= direction * curve.rise / (1.0 + std::exp(-curve.slope * (k[j] - 3.0)));
    REQUIRE(ks_p_value(x, [&](double v) { return normal_cdf(v, curve.phi.mean, curve.phi.sd); }) >
            kRarely);
  }
  SECTION("the healthy are phi") {
    const auto model = shipped().measurement_model(part("sigmoid"), table);
    const People healthy(std::vector(50000, 0.0), {0});
    const auto x = column(measured(*model, healthy.timeline(), {direction}, stream(2)), 0);
    REQUIRE(ks_p_value(x, [&](double v) { return normal_cdf(v, curve.phi.mean, curve.phi.sd); }) >
            kRarely);
  }
  SECTION("the smallest slope can be raised") {
    const auto model =
        shipped().measurement_model(fixed_part("sigmoid", {{"minimum_slope", 6.0}}), table);
    auto x = column(measured(*model, People(k, {3}).timeline(), {direction}, stream(3)), 0);
    for (std::size_t j = 0; j < k.size(); ++j)
      x[j] -= direction * curve.rise / (1.0 + std::exp(-6.0 * (k[j] - 3.0)));
    REQUIRE(ks_p_value(x, [&](double v) { return normal_cdf(v, curve.phi.mean, curve.phi.sd); }) >
            kRarely);
  }
}

}  // namespace tempo::test
