#include "model_support.hpp"

namespace tempo::test {

// Two biomarkers: phi is N(5, 1) and N(10, 3); theta is N(3, 0.5) and N(25, 4).
TEST_CASE("ebm_normal", "[measurement_model][ebm_normal]") {
  const auto model = shipped().measurement_model(
      part("ebm_normal"),
      BiomarkerTable({{"falls", {5, 1}, {3, 0.5}}, {"rises", {10, 3}, {25, 4}}}));
  const std::size_t J = 50000;

  SECTION("from k_j = xi_b on theta, before it phi") {
    const auto x = measured(*model, People(std::vector(J, 1.0), {1, 2}).timeline(), {}, stream(1));
    REQUIRE(ks_p_value(column(x, 0), [](double v) { return normal_cdf(v, 3, 0.5); }) > kRarely);
    REQUIRE(ks_p_value(column(x, 1), [](double v) { return normal_cdf(v, 10, 3); }) > kRarely);
    // The same test sees a standard deviation that is 5 % off.
    REQUIRE(ks_p_value(column(x, 1), [](double v) { return normal_cdf(v, 10, 3.15); }) < 1e-6);
  }
  SECTION("the healthy are phi whatever their event times") {
    const auto x = measured(*model, People(std::vector(J, 0.0), {0, 0}).timeline(), {}, stream(2));
    REQUIRE(ks_p_value(column(x, 0), [](double v) { return normal_cdf(v, 5, 1); }) > kRarely);
  }
  SECTION("cells are independent") {
    // The mean of n products of independent standardised values has standard deviation 1/sqrt(n).
    const auto x = measured(*model, People(std::vector(J, 2.0), {1, 2}).timeline(), {}, stream(3));
    double across = 0.0;
    double along = 0.0;
    for (std::size_t j = 1; j < J; ++j) {
      across += (x(j, 0) - 3) / 0.5 * (x(j, 1) - 25) / 4;
      along += (x(j - 1, 1) - 25) / 4 * (x(j, 1) - 25) / 4;
    }
    REQUIRE(mean_p_value(across / static_cast<double>(J - 1), J - 1, 0, 1) > kRarely);
    REQUIRE(mean_p_value(along / static_cast<double>(J - 1), J - 1, 0, 1) > kRarely);
  }
}

}  // namespace tempo::test
