// Laws by hand: what core checks of them, and those of event times that core has itself.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "statistics.hpp"
#include "support.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/error.hpp"
#include "tempo/event_times.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns what it is given, whatever is asked.
class AnyTimeLaw final : public EventTimeLaw {
 public:
  explicit AnyTimeLaw(double density) : density_(density) {}

 private:
  double do_log_density(std::span<const double>) const override { return density_; }
  double density_;
};

class AnyDirichlet final : public DirichletStageLaw {
 public:
  explicit AnyDirichlet(std::vector<double> alpha) : alpha_(std::move(alpha)) {}

 private:
  std::vector<double> do_concentrations(std::size_t) const override { return alpha_; }
  std::vector<double> alpha_;
};

class AnyContinuous final : public ContinuousStageLaw {
 public:
  explicit AnyContinuous(std::vector<double> below) : below_(std::move(below)) {}

 private:
  std::vector<double> do_cumulative(std::size_t, std::span<const double>) const override {
    return below_;
  }
  std::vector<double> below_;
};

template <class Law>
class Prior final : public StagePrior {
 public:
  explicit Prior(std::unique_ptr<Law> law) : StagePrior(std::move(law)) {}

 private:
  void do_draw(std::size_t, RandomStream&, std::span<double> stages) const override {
    std::fill(stages.begin(), stages.end(), 0.5);
  }
};

}  // namespace

TEST_CASE("the law of a permutation sums to one over all orders", "[model][laws]") {
  const auto times = permutation_times();
  std::vector<double> xi{1, 2, 3, 4};
  double sum = 0.0;
  do sum += std::exp(times.law()->log_density(xi));
  while (std::next_permutation(xi.begin(), xi.end()));
  REQUIRE(sum == Approx(1.0));
  for (const std::vector<double>& impossible :
       {std::vector{1.0, 1.0, 2.0}, {0.0, 1.0, 2.0}, {1.0, 2.0, 4.0}, {1.0, 2.5, 3.0}})
    REQUIRE(times.law()->log_density(impossible) == -kInfinity);
}

TEST_CASE("the beta law of event times integrates to one, and is that of the draws",
          "[model][laws]") {
  const auto times = beta_times(2.0, 5.0, 0.05);
  constexpr std::size_t B = 2, kCells = 400;
  constexpr double kStep = static_cast<double>(B) / kCells;
  double sum = 0.0;
  std::vector<double> density(kCells);  // of the first
  for (std::size_t i = 0; i < kCells; ++i)
    for (std::size_t j = 0; j < kCells; ++j) {
      const std::vector<double> xi{(static_cast<double>(i) + 0.5) * kStep,
                                   (static_cast<double>(j) + 0.5) * kStep};
      const double mass = std::exp(times.law()->log_density(xi)) * kStep * kStep;
      sum += mass;
      density[i] += mass;
    }
  REQUIRE(sum == Approx(1.0).margin(1e-4));

  const ComposedProcess process({times, fixed_part("uniform"), fixed_part("ebm_normal")},
                                {plain_biomarkers(B), shipped()});
  std::vector<double> first;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    auto draw = stream(i);
    first.push_back(process.simulate({.participants = 1}, draw).truth.event_times[0]);
  }
  std::partial_sum(density.begin(), density.end(), density.begin());
  REQUIRE(ks_p_value(first, [&](double xi) {
            return density[std::min(static_cast<std::size_t>(xi / kStep), kCells - 1)];
          }) > kRarely);
  REQUIRE(times.law()->log_density(std::vector{0.5, 2.5}) == -kInfinity);
}

TEST_CASE("laws of event times are checked", "[model][laws]") {
  REQUIRE(own_times().law() == nullptr);
  REQUIRE_FALSE(own_times().are_ranks());
  REQUIRE(permutation_times().are_ranks());
  REQUIRE_FALSE(beta_times(2.0, 2.0).are_ranks());
  REQUIRE_FALSE(own_times(std::make_shared<AnyTimeLaw>(-2.0)).are_ranks());
  REQUIRE(own_times(std::make_shared<AnyTimeLaw>(-2.0)).law()->log_density({}) == -2.0);
  for (const double wrong : {std::nan(""), kInfinity}) {
    auto times = own_times(std::make_shared<AnyTimeLaw>(wrong));
    times.set_plugin_id("waves");
    REQUIRE_THROWS_WITH(
        times.law()->log_density({}),
        Catch::Matchers::StartsWith("plugin waves, while computing the log density of event times: "
                                    "expected a number or -inf, got "));
  }
  REQUIRE_THROWS_AS(beta_times(0.0, 1.0), NumericError);
  REQUIRE_THROWS_AS(permutation_times(-0.1), NumericError);
}

TEST_CASE("laws of stages are checked, and say what scale a prior has", "[model][laws]") {
  const auto ordinal = [](std::vector<double> alpha) {
    auto out = std::make_unique<Prior<DirichletStageLaw>>(
        std::make_unique<AnyDirichlet>(std::move(alpha)));
    out->set_plugin_id("odd");
    return out;
  };
  const auto continuous = [](std::vector<double> below) {
    auto out = std::make_unique<Prior<ContinuousStageLaw>>(
        std::make_unique<AnyContinuous>(std::move(below)));
    out->set_plugin_id("odd");
    return out;
  };
  REQUIRE(ordinal({1, 2})->scale() == StageScale::ordinal);
  REQUIRE(ordinal({1, 2})->continuous_law() == nullptr);
  REQUIRE(ordinal({1, 2})->ordinal_law()->concentrations(2) == std::vector<double>{1, 2});
  REQUIRE_THROWS_WITH(ordinal({1})->ordinal_law()->concentrations(2),
                      "plugin odd, while giving its concentrations: expected 2, got 1");
  REQUIRE_THROWS_WITH(
      ordinal({1, 0})->ordinal_law()->concentrations(2),
      "plugin odd, while giving its concentrations: expected positive numbers, got 0.000000");

  const std::vector<double> at{0.0, 1.0};
  REQUIRE(continuous({0, 1})->scale() == StageScale::continuous);
  REQUIRE(continuous({0, 1})->ordinal_law() == nullptr);
  REQUIRE(continuous({0, 1})->continuous_law()->cumulative(1, at) == std::vector<double>{0, 1});
  REQUIRE_THROWS_WITH(continuous({0})->continuous_law()->cumulative(1, at),
                      "plugin odd, while giving its law: expected 2 values, got 1");
  REQUIRE_THROWS_WITH(continuous({1, 0.5})->continuous_law()->cumulative(1, at),
                      "plugin odd, while giving its law: expected probabilities that do not fall, "
                      "got 0.500000 after 1.000000");
}

}  // namespace tempo::test
