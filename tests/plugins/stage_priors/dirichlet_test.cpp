// dirichlet_multinomial and uniform: stages with shared, random probabilities.

#include <cmath>
#include <numeric>

#include "prior_support.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

/// Number of participants per stage 1..B in each of many cohorts: [B][cohorts].
std::vector<std::vector<double>> counts(const StagePrior& prior, std::size_t B,
                                        std::size_t diseased, std::size_t cohorts) {
  std::vector<std::vector<double>> out(B, std::vector<double>(cohorts));
  for (std::size_t c = 0; c < cohorts; ++c)
    for (const double k : stages(prior, B, diseased, RandomStream(1, "test", "counts", c)))
      ++out[static_cast<std::size_t>(k) - 1][c];
  return out;
}

/// Dirichlet-multinomial: E n_k = n m and Var n_k = n m (1 - m) (n + A) / (1 + A), m = alpha_k / A.
void require_dirichlet_multinomial(const std::vector<std::vector<double>>& found,
                                   const std::vector<double>& alpha, double n) {
  const double A = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    CAPTURE(k);
    const double m = alpha[k] / A;
    const double expected_variance = n * m * (1.0 - m) * (n + A) / (1.0 + A);
    REQUIRE(mean_p_value(mean(found[k]), found[k].size(), n * m, std::sqrt(expected_variance)) >
            kRarely);
    // The same for the mean of (n_k - n m)^2, with its own standard deviation estimated.
    std::vector<double> squares;
    for (const double count : found[k]) squares.push_back((count - n * m) * (count - n * m));
    REQUIRE(mean_p_value(mean(squares), squares.size(), expected_variance,
                         std::sqrt(variance(squares))) > kRarely);
  }
}

TEST_CASE("dirichlet_multinomial", "[stage_prior][dirichlet_multinomial]") {
  const auto prior = shipped().stage_prior(part("dirichlet_multinomial"));

  SECTION("counts have the moments of the bump from 0.35 to 4.25") {
    // B = 3: i = 0, 1, 2 are 2, 0, 2 standard deviations (B/6 = 0.5) from the centre.
    require_dirichlet_multinomial(counts(*prior, 3, 100, 20000), {0.35, 4.25, 0.35}, 100);
    // B = 4: 2.25, 0.75, 0.75, 2.25 standard deviations (2/3) from it: still the two extremes.
    require_dirichlet_multinomial(counts(*prior, 4, 50, 20000), {0.35, 4.25, 4.25, 0.35}, 50);
    // B = 5: bumps e^(-2.88), e^(-0.72), 1 at 2.4, 1.2, 0 standard deviations (5/6).
    const double between =
        0.35 + 3.9 * (std::exp(-0.72) - std::exp(-2.88)) / (1.0 - std::exp(-2.88));
    require_dirichlet_multinomial(counts(*prior, 5, 100, 20000),
                                  {0.35, between, 4.25, between, 0.35}, 100);
  }
  SECTION("with one or two stages there is no bump: all have `high`") {
    require_dirichlet_multinomial(counts(*prior, 2, 50, 20000), {4.25, 4.25}, 50);
    REQUIRE(counts(*prior, 1, 50, 1).front() == std::vector{50.0});
  }
  SECTION("low = high is flat") {
    const auto flat =
        shipped().stage_prior(fixed_part("dirichlet_multinomial", {{"low", 2.0}, {"high", 2.0}}));
    require_dirichlet_multinomial(counts(*flat, 3, 50, 20000), {2.0, 2.0, 2.0}, 50);
  }
  SECTION("high below low is refused") {
    REQUIRE_THROWS_WITH(
        shipped().stage_prior(fixed_part("dirichlet_multinomial", {{"low", 2.0}, {"high", 1.0}})),
        Contains("'high' must be at least 'low'"));
  }
}

TEST_CASE("uniform", "[stage_prior][uniform]") {
  SECTION("counts have the moments of Dirichlet(100, ..., 100)") {
    const auto prior = shipped().stage_prior(part("uniform"));
    require_dirichlet_multinomial(counts(*prior, 12, 574, 4000), std::vector(12, 100.0), 574);
  }
  SECTION("concentration can be set") {
    const auto prior = shipped().stage_prior(fixed_part("uniform", {{"concentration", 0.5}}));
    require_dirichlet_multinomial(counts(*prior, 3, 50, 20000), std::vector(3, 0.5), 50);
  }
}

}  // namespace tempo::test
