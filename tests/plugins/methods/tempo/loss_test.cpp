// The paper's loss against values worked out by hand.

#include <cmath>

#include "paper_network.hpp"
#include "training_support.hpp"

namespace tempo::test {
namespace {

using namespace amortised;

/// Three biomarkers with ranks 2, 1, 3; one pair (a, b) = (0, 2); two participants.
Targets targets(bool continuous) {
  Targets out;
  out.xi = torch::tensor({0.5, 0.2, 0.9}, torch::kDouble).view({1, 3});
  out.target = continuous ? out.xi : torch::tensor({0.5, 0.0, 1.0}, torch::kDouble).view({1, 3});
  out.stages = torch::tensor({0.0, 2.0}, torch::kDouble).view({1, 2});
  out.continuous = torch::tensor({continuous ? 1.0 : 0.0}, torch::kDouble);
  out.pairs = torch::tensor({0, 2}, torch::kLong).view({1, 2});
  return out;
}

const auto kScores = [] { return torch::tensor({0.4, 0.1, 0.7}, torch::kDouble).view({1, 3}); };
const auto kStages = [] { return torch::tensor({0.5, 1.0}, torch::kDouble).view({1, 2}); };

// y_hat - y = 0.5 and -1, B = 3: (0.25 + 1)/2 / 9
constexpr double kStageLoss = 0.625 / 9.0;

}  // namespace

TEST_CASE("discrete event times: mean square of ranks, cross entropy of a pair", "[tempo][loss]") {
  // s - target = -0.1, 0.1, -0.3; s_b - s_a = 0.3 and a comes first: log(1 + e^-0.3)
  const double expected =
      0.5 * (0.01 + 0.01 + 0.09) / 3.0 + 0.5 * std::log(1.0 + std::exp(-0.3)) + kStageLoss;
  REQUIRE(paper_loss(kScores(), kStages(), targets(false)).item<double>() == Approx(expected));
}

TEST_CASE("the pair the other way round", "[tempo][loss]") {
  auto t = targets(false);
  t.pairs = torch::tensor({2, 0}, torch::kLong).view({1, 2});
  // s_b - s_a = -0.3 and a does not come first: log(1 + e^-0.3) again
  const double expected =
      0.5 * (0.01 + 0.01 + 0.09) / 3.0 + 0.5 * std::log(1.0 + std::exp(-0.3)) + kStageLoss;
  REQUIRE(paper_loss(kScores(), kStages(), t).item<double>() == Approx(expected));
}

TEST_CASE("a pair in the wrong order costs more", "[tempo][loss]") {
  auto t = targets(false);
  t.pairs = torch::tensor({2, 0}, torch::kLong).view({1, 2});
  t.xi = torch::tensor({0.9, 0.2, 0.5}, torch::kDouble).view({1, 3});
  // s_b - s_a = -0.3 although a comes first: log(1 + e^0.3)
  const double expected =
      0.5 * (0.01 + 0.01 + 0.09) / 3.0 + 0.5 * std::log(1.0 + std::exp(0.3)) + kStageLoss;
  REQUIRE(paper_loss(kScores(), kStages(), t).item<double>() == Approx(expected));
}

TEST_CASE("continuous event times: mean square of times and of a pair's gap", "[tempo][loss]") {
  // s - xi = -0.1, -0.1, -0.2; (s_b - s_a) - (xi_b - xi_a) = 0.3 - 0.4
  const double expected = 0.5 * (0.01 + 0.01 + 0.04) / 3.0 + 0.5 * 0.01 + kStageLoss;
  REQUIRE(paper_loss(kScores(), kStages(), targets(true)).item<double>() == Approx(expected));
}

TEST_CASE("a batch of both kinds is the mean of either", "[tempo][loss]") {
  const auto one = targets(false), other = targets(true);
  Targets both;
  both.xi = at::cat({one.xi, other.xi});
  both.target = at::cat({one.target, other.target});
  both.stages = at::cat({one.stages, other.stages});
  both.continuous = at::cat({one.continuous, other.continuous});
  both.pairs = at::cat({one.pairs, other.pairs});
  const auto twice = [](const torch::Tensor& x) { return at::cat({x, x}); };
  const double mean =
      0.5 * (paper_loss(kScores(), kStages(), one) + paper_loss(kScores(), kStages(), other))
                .item<double>();
  REQUIRE(paper_loss(twice(kScores()), twice(kStages()), both).item<double>() == Approx(mean));
}

}  // namespace tempo::test
