#include "tempo/toolkit/share_law.hpp"

#include <cmath>

#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::toolkit {
namespace {

using Catch::Matchers::WithinAbs;

const std::vector<std::size_t> kConcentrations{1, 10};

/// log of Gamma(sum) / prod Gamma(shape): the constant of a Dirichlet distribution.
double log_constant(const std::vector<double>& shapes) {
  double sum = 0.0, out = 0.0;
  for (const double shape : shapes) {
    sum += shape;
    out -= std::lgamma(shape);
  }
  return out + std::lgamma(sum);
}

/// Of the first share, over `kConcentrations`, each as likely as it makes these numbers of
/// participants.
struct Moments {
  double mean = 0.0, mean_square = 0.0;
};

Moments moments_given(const std::vector<double>& participants) {
  Moments out;
  double whole = 0.0;
  for (const auto concentration : kConcentrations) {
    const auto a = static_cast<double>(concentration);
    auto shapes = participants;
    double sum = 0.0;
    for (double& shape : shapes) sum += shape += a;
    const double mass =
        std::exp(log_constant(std::vector<double>(participants.size(), a)) - log_constant(shapes));
    whole += mass;
    out.mean += mass * shapes[0] / sum;
    out.mean_square += mass * shapes[0] * (shapes[0] + 1.0) / (sum * (sum + 1.0));
  }
  return {out.mean / whole, out.mean_square / whole};
}

}  // namespace

TEST_CASE("shares are drawn as likely as their law says", "[toolkit]") {
  const ShareLaw law(kConcentrations);
  // With {12, 0} the uneven law is the likelier one, with {4, 4, 4} the even one: a step that did
  // not draw the concentration given the shares would be off by 0.02 and more.
  const auto participants =
      GENERATE(std::vector{12.0, 0.0}, std::vector{4.0, 4.0, 4.0}, std::vector{0.0, 0.0});
  CAPTURE(participants);
  auto random = test::stream(7);
  auto log_shares = law.draw_log_shares(participants.size(), random);
  constexpr int kDraws = 40000;
  Moments found;
  for (int i = 0; i < kDraws; ++i) {
    log_shares = law.draw_log_shares(log_shares, participants, random);
    const double share = std::exp(log_shares[0]);
    found.mean += share / kDraws;
    found.mean_square += share * share / kDraws;
  }
  const auto expected = moments_given(participants);
  REQUIRE_THAT(found.mean, WithinAbs(expected.mean, 0.006));
  REQUIRE_THAT(found.mean_square, WithinAbs(expected.mean_square, 0.006));
}

TEST_CASE("shares are drawn beforehand as their law says", "[toolkit]") {
  const ShareLaw law(kConcentrations);
  auto random = test::stream(8);
  constexpr int kDraws = 40000;
  Moments found;
  for (int i = 0; i < kDraws; ++i) {
    const double share = std::exp(law.draw_log_shares(3, random)[0]);
    found.mean += share / kDraws;
    found.mean_square += share * share / kDraws;
  }
  const auto expected = moments_given({0.0, 0.0, 0.0});
  REQUIRE_THAT(found.mean, WithinAbs(expected.mean, 0.004));
  REQUIRE_THAT(found.mean_square, WithinAbs(expected.mean_square, 0.004));
}

TEST_CASE("the density of shares is that of a Dirichlet law, or a mixture of them", "[toolkit]") {
  const auto log_shares = std::vector{std::log(0.2), std::log(0.3), std::log(0.5)};
  const double product = std::log(0.2 * 0.3 * 0.5);
  const auto log_density = [&](double a) { return log_constant({a, a, a}) + (a - 1.0) * product; };
  REQUIRE_THAT(ShareLaw().log_density(log_shares), WithinAbs(std::log(2.0), 1e-12));
  REQUIRE_THAT(ShareLaw({5}).log_density(log_shares), WithinAbs(log_density(5.0), 1e-12));
  REQUIRE_THAT(
      ShareLaw({2, 20}).log_density(log_shares),
      WithinAbs(std::log(0.5 * (std::exp(log_density(2.0)) + std::exp(log_density(20.0)))), 1e-12));
}

TEST_CASE("a law of shares needs concentrations of at least 1", "[toolkit]") {
  REQUIRE_THROWS_AS(ShareLaw(std::vector<std::size_t>{}), NumericError);
  REQUIRE_THROWS_AS(ShareLaw({2, 0}), NumericError);
}

}  // namespace tempo::toolkit
