#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "support.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

BiomarkerTable four_biomarkers() {
  return BiomarkerTable({{"a", {0, 1}, {1.5, 1}},
                         {"b", {10, 2}, {7, 2}},
                         {"c", {0, 1e-6}, {1e-6, 2e-6}},
                         {"d", {5, 1}, {6, 2}}});
}

struct Found {
  SimulatedCohort simulated;
  Inference inference;
};

/// `participants` of a hypothesis, a quarter of them healthy, inferred under it.
Found infer(const std::string& hypothesis, std::size_t participants, std::uint64_t seed,
            const std::vector<std::size_t>& columns = {0, 1, 2, 3}) {
  const auto table = four_biomarkers();
  const auto process = shipped().hypothesis(part(hypothesis), table);
  const auto method = shipped().method(part("bayes"), &table, process.get());
  auto draw = stream(seed);
  auto simulated = process->simulate({.participants = participants, .healthy_ratio = 0.25}, draw);
  auto fit = stream(seed + 1);
  auto inference = method->fit(with_columns(simulated.cohort, columns), fit);
  return {std::move(simulated), std::move(inference)};
}

/// Posterior mean ranks by going through all orders and all traits.
std::vector<double> enumerated(const std::string& hypothesis, const Cohort& cohort) {
  const auto table = four_biomarkers();
  const auto process = shipped().hypothesis(part(hypothesis), table);
  const auto& composed = dynamic_cast<const ComposedProcess&>(*process);
  const auto& model = composed.measurement_model();
  const std::size_t B = 4, J = cohort.participant_count();
  const auto below = composed.stage_prior().cumulative(B, std::vector{0.0, 1.0, 2.0, 3.0, 4.0}).value();
  const auto traits = model.possible_traits();
  const auto T = traits.size();
  // [trait][b][j]: log density before and after.
  std::vector<std::vector<std::vector<std::array<double, 2>>>> log_p(
      T, std::vector(B, std::vector<std::array<double, 2>>(J)));
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = 0; j < J; ++j) {
        std::vector<double> both(2);
        model.log_density(b, traits[t], cohort.measurements(j, b), std::vector{-1.0, 0.0}, both);
        log_p[t][b][j] = {both[0], both[1]};
      }
  std::vector<std::size_t> order{0, 1, 2, 3};
  std::vector<double> logs;
  std::vector<std::vector<double>> ranks;
  do {
    for (std::size_t code = 0; code < T * T * T * T; ++code) {
      std::array<std::size_t, 4> trait{code % T, code / T % T, code / (T * T) % T, code / (T * T * T)};
      double log_likelihood = 0.0;
      for (std::size_t j = 0; j < J; ++j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < B; ++k) {  // floor(k) = B has no mass
          double log_product = 0.0;
          for (std::size_t i = 0; i < B; ++i) {
            const auto b = order[i];
            log_product += log_p[trait[b]][b][j][cohort.diseased[j] != 0 && i < k];
          }
          const double weight = cohort.diseased[j] != 0 ? below[k + 1] - below[k] : (k == 0 ? 1.0 : 0.0);
          sum += weight * std::exp(log_product);
        }
        log_likelihood += std::log(sum);
      }
      logs.push_back(log_likelihood);
      ranks.emplace_back(B);
      for (std::size_t i = 0; i < B; ++i) ranks.back()[order[i]] = static_cast<double>(i + 1);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  const double top = *std::max_element(logs.begin(), logs.end());
  std::vector<double> means(B);
  double total = 0.0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double weight = std::exp(logs[i] - top);
    total += weight;
    for (std::size_t b = 0; b < B; ++b) means[b] += weight * ranks[i][b];
  }
  for (double& mean : means) mean /= total;
  return means;
}

}  // namespace

TEST_CASE("bayes has the ranks of the posterior: against enumeration", "[bayes]") {
  // The rank of one event has an sd of about 1 at most; with 200 effective samples its mean is known
  // to 0.07, and a difference of 0.3 is beyond four of these.
  const auto hypothesis = GENERATE(as<std::string>(), "h6", "h7");
  for (const std::uint64_t seed : {1, 2}) {
    const auto found = infer(hypothesis, hypothesis == "h6" ? 24 : 16, seed);
    const auto expected = enumerated(hypothesis, found.simulated.cohort);
    for (std::size_t b = 0; b < 4; ++b) {
      CAPTURE(hypothesis, seed, b);
      REQUIRE(std::abs(found.inference.event_scores[b] - expected[b]) < 0.3);
    }
    // Small cohorts leave doubt, so that a point estimate of the order could not pass.
    REQUIRE(std::any_of(expected.begin(), expected.end(), [](double mean) {
      return std::abs(mean - std::round(mean)) > 0.1;
    }));
  }
}

TEST_CASE("bayes stages participants and leaves the healthy at 0", "[bayes]") {
  const auto hypothesis = GENERATE(as<std::string>(), "h1", "h2", "h3", "h4", "h6", "h7");
  CAPTURE(hypothesis);
  const auto [simulated, inference] = infer(hypothesis, 200, 3);
  const auto& cohort = simulated.cohort;
  for (std::size_t j = 0; j < 200; ++j) {
    if (cohort.diseased[j] == 0) REQUIRE(inference.stages[j] == 0.0);
    if (cohort.diseased[j] != 0 && hypothesis < "h5") REQUIRE(inference.stages[j] >= 1.0);
  }
  double error = 0.0, constant = 0.0;
  for (std::size_t j = 0; j < 200; ++j) {
    error += std::abs(inference.stages[j] - simulated.truth.ordinal_stages[j]);
    constant += std::abs(2.0 - simulated.truth.ordinal_stages[j]);
  }
  REQUIRE(error < 0.8 * constant);
}

TEST_CASE("bayes does not see the order of columns", "[bayes]") {
  const auto as_given = infer("h2", 60, 5).inference;
  const auto moved = infer("h2", 60, 5, {2, 0, 3, 1}).inference;
  const std::vector<std::size_t> columns{2, 0, 3, 1};
  for (std::size_t i = 0; i < 4; ++i)
    REQUIRE(moved.event_scores[i] == as_given.event_scores[columns[i]]);
  REQUIRE(moved.stages == as_given.stages);
}

TEST_CASE("bayes says what it cannot infer", "[bayes]") {
  for (const std::string hypothesis : {"h5", "h8", "h9"})
    REQUIRE_THROWS_WITH(infer(hypothesis, 40, 1),
                        Contains("hypothesis '" + hypothesis + "'") && Contains("so far"));
  const auto method = shipped().method(part("bayes"));
  auto draw = stream(1);
  const auto process = shipped().hypothesis(part("h1"), four_biomarkers());
  const auto cohort = process->simulate({.participants = 20, .healthy_ratio = 0.2}, draw).cohort;
  REQUIRE_THROWS_WITH(method->fit(cohort, draw), Contains("needs the hypothesis"));
}

}  // namespace tempo::test
