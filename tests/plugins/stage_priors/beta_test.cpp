#include <algorithm>
#include <boost/math/distributions/beta.hpp>

#include "prior_support.hpp"

namespace tempo::test {

TEST_CASE("beta", "[stage_prior][beta]") {
  SECTION("k / B is Beta(5, 2) unless said otherwise") {
    auto k = stages(*shipped().stage_prior(part("beta")), 12, 100000, stream(1));
    for (auto& stage : k) stage /= 12.0;
    REQUIRE(ks_p_value(k, [](double x) { return cdf(boost::math::beta_distribution<>(5, 2), x); }) >
            kRarely);
    REQUIRE(ks_p_value(k, [](double x) { return cdf(boost::math::beta_distribution<>(4, 2), x); }) <
            1e-12);
  }
  SECTION("shapes can be set") {
    const auto prior = shipped().stage_prior(fixed_part("beta", {{"alpha", 2.0}, {"beta", 1.0}}));
    auto k = stages(*prior, 3, 100000, stream(2));
    for (auto& stage : k) stage /= 3.0;
    REQUIRE(ks_p_value(k, [](double x) { return x * x; }) > kRarely);  // Beta(2, 1)
  }
  SECTION("a stage too small to be told from healthy becomes 1e-8") {
    // P(B * Beta(0.01, 1) < 1e-8) = (1e-8 / B)^0.01, since the distribution function is x^0.01.
    const auto prior = shipped().stage_prior(fixed_part("beta", {{"alpha", 0.01}, {"beta", 1.0}}));
    const std::size_t n = 20000;
    const auto k = stages(*prior, 2, n, stream(3));
    const auto share = static_cast<double>(std::count(k.begin(), k.end(), 1e-8)) / n;
    const double p = std::pow(5e-9, 0.01);
    REQUIRE(*std::min_element(k.begin(), k.end()) == 1e-8);
    REQUIRE(mean_p_value(share, n, p, std::sqrt(p * (1 - p))) > kRarely);
  }
  SECTION("shapes must be positive") {
    REQUIRE_THROWS_WITH(shipped().stage_prior(fixed_part("beta", {{"alpha", 0.0}})),
                        Catch::Matchers::Contains("'alpha' must be a number > 0, not 0"));
  }
}

}  // namespace tempo::test
