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
  const auto method = shipped().method_under(part("bayes"), *process);
  auto draw = stream(seed);
  auto simulated = process->simulate({.participants = participants, .healthy_ratio = 0.25}, draw);
  auto fit = stream(seed + 1);
  auto inference = method->fit(with_columns(simulated.cohort, columns), fit);
  return {std::move(simulated), std::move(inference)};
}

struct Posterior {
  std::vector<double> ranks;    // [B] means
  std::vector<double> times;    // [B] means, of continuous event times
  std::vector<double> squares;  // [B] means of their squares
  Matrix stages;                // [J, B + 1]
};

/// Sums draws that have been weighed.
class Weighing {
 public:
  Weighing(std::size_t J, std::size_t B)
      : sum_{std::vector<double>(B), std::vector<double>(B), std::vector<double>(B),
             Matrix(J, B + 1)} {}

  /// @param stages  [J, B + 1] posterior given this draw
  void add(double log_weight, const std::vector<double>& times, const Matrix& stages) {
    if (log_weight > top_) {
      const double factor = std::exp(top_ - log_weight);
      total_ *= factor;
      for (auto* values : {&sum_.ranks, &sum_.times, &sum_.squares})
        for (double& value : *values) value *= factor;
      for (double& value : sum_.stages.values()) value *= factor;
      top_ = log_weight;
    }
    const double weight = std::exp(log_weight - top_);
    total_ += weight;
    for (std::size_t b = 0; b < times.size(); ++b) {
      sum_.times[b] += weight * times[b];
      sum_.squares[b] += weight * times[b] * times[b];
      for (const double time : times) sum_.ranks[b] += time <= times[b] ? weight : 0.0;
    }
    for (std::size_t i = 0; i < stages.values().size(); ++i)
      sum_.stages.values()[i] += weight * stages.values()[i];
  }

  Posterior means() const {
    auto out = sum_;
    for (auto* values : {&out.ranks, &out.times, &out.squares})
      for (double& value : *values) value /= total_;
    for (double& value : out.stages.values()) value /= total_;
    return out;
  }

 private:
  Posterior sum_;
  double total_ = 0.0, top_ = -std::numeric_limits<double>::infinity();
};

/// Middles and masses of cells of a continuous stage prior.
struct Cells {
  Cells(const StagePrior& prior, std::size_t B, std::size_t per_stage) {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= B * per_stage; ++i)
      edges.push_back(static_cast<double>(i) / static_cast<double>(per_stage));
    const auto below = prior.continuous_law()->cumulative(B, edges);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      middles.push_back(0.5 * (edges[i] + edges[i + 1]));
      masses.push_back(below[i + 1] - below[i]);
    }
  }
  std::vector<double> middles, masses;
};

/// The posterior by going through all orders and all traits.
Posterior enumerated(const std::string& hypothesis, const Cohort& cohort) {
  const auto table = four_biomarkers();
  const auto process = shipped().hypothesis(part(hypothesis), table);
  const auto& composed = *process->law();
  const auto& law = *composed.measurement_model().law();
  const std::size_t B = 4, J = cohort.participant_count();
  const auto traits = law.possible_traits();
  const auto T = traits.size();
  const Cells cells(composed.stage_prior(), B, law.effect() == EventEffect::switched ? 1 : 40);
  const std::size_t Q = cells.masses.size();
  // p[((t B + b) B + rank) J + j][q] up to a factor of t, b and j, log_scale[t B + b].
  std::vector<std::vector<double>> p(T * B * B * J, std::vector<double>(Q));
  std::vector<double> log_scale(T * B), since(Q), log_p(Q);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = 0; j < J; ++j) {
        // Of a diseased participant, the larger density of the two ends.
        const std::vector<double> times{-std::numeric_limits<double>::infinity(), 9.0};
        std::vector<double> scales(2);
        law.log_density(b, traits[t], cohort.measurements(j, b), times, scales);
        const double scale =
            cohort.diseased[j] == 0 ? scales[0] : std::max({scales[0], scales[1], -1e3});
        log_scale[t * B + b] += scale;
        if (cohort.diseased[j] == 0) continue;
        for (std::size_t rank = 0; rank < B; ++rank) {
          for (std::size_t q = 0; q < Q; ++q)
            since[q] = cells.middles[q] - static_cast<double>(rank + 1);
          law.log_density(b, traits[t], cohort.measurements(j, b), since, log_p);
          auto& out = p[((t * B + b) * B + rank) * J + j];
          for (std::size_t q = 0; q < Q; ++q) out[q] = std::exp(log_p[q] - scale);
        }
      }
  Weighing sum(J, B);
  std::vector<std::size_t> order{0, 1, 2, 3};
  std::vector<double> times(B), products(Q);
  Matrix stages(J, B + 1);
  do {
    for (std::size_t rank = 0; rank < B; ++rank) times[order[rank]] = static_cast<double>(rank + 1);
    for (std::size_t code = 0; code < T * T * T * T; ++code) {
      const std::array<std::size_t, 4> trait{code % T, code / T % T, code / (T * T) % T,
                                             code / (T * T * T)};
      double log_likelihood = 0.0;
      for (std::size_t b = 0; b < B; ++b) log_likelihood += log_scale[trait[b] * B + b];
      for (std::size_t j = 0; j < J; ++j) {
        std::fill(stages.row(j).begin(), stages.row(j).end(), 0.0);
        stages(j, 0) = 1.0;
        if (cohort.diseased[j] == 0) continue;
        products = cells.masses;
        for (std::size_t rank = 0; rank < B; ++rank) {
          const auto b = order[rank];
          const auto& factor = p[((trait[b] * B + b) * B + rank) * J + j];
          for (std::size_t q = 0; q < Q; ++q) products[q] *= factor[q];
        }
        double total = 0.0;
        for (const double product : products) total += product;
        log_likelihood += std::log(total);
        stages(j, 0) = 0.0;
        for (std::size_t q = 0; q < Q && total > 0.0; ++q)
          stages(j, static_cast<std::size_t>(cells.middles[q])) += products[q] / total;
      }
      if (std::isfinite(log_likelihood)) sum.add(log_likelihood, times, stages);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return sum.means();
}

/// The posterior of two biomarkers on a grid of event times, the noise of event times and its
/// clipping summed out cell by cell.
Posterior on_grid(const std::string& hypothesis, const BiomarkerTable& table,
                  const Cohort& cohort) {
  const auto process = shipped().hypothesis(part(hypothesis), table);
  const auto& composed = *process->law();
  const auto& law = *composed.measurement_model().law();
  const auto traits = law.possible_traits();
  constexpr std::size_t B = 2, kTimes = 40;
  const std::size_t J = cohort.participant_count(), T = traits.size();
  const Cells cells(composed.stage_prior(), B, 40);
  const std::size_t Q = cells.masses.size();
  const double sd = composed.event_times().noise_sd() * B;
  const auto time_of = [](std::size_t i) { return (static_cast<double>(i) + 0.5) * B / kTimes; };
  std::vector<double> noise, weights;
  for (int i = -25; i < 25; ++i) {
    noise.push_back((i + 0.5) * 0.2 * sd);
    weights.push_back(std::exp(-0.5 * 0.04 * (i + 0.5) * (i + 0.5)));
  }
  const double noise_total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> log_scale(T * B), since(noise.size()), log_p(noise.size());
  std::vector<std::vector<double>> p(T * B * kTimes * J, std::vector<double>(Q));
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = 0; j < J; ++j) {
        const double healthy = -std::numeric_limits<double>::infinity();
        double scale = 0.0;
        law.log_density(b, traits[t], cohort.measurements(j, b), {&healthy, 1}, {&scale, 1});
        log_scale[t * B + b] += scale;
        if (cohort.diseased[j] == 0) continue;
        for (std::size_t i = 0; i < kTimes; ++i)
          for (std::size_t q = 0; q < Q; ++q) {
            for (std::size_t e = 0; e < noise.size(); ++e)
              since[e] = cells.middles[q] - std::clamp(time_of(i) + noise[e], 0.0, 2.0);
            law.log_density(b, traits[t], cohort.measurements(j, b), since, log_p);
            double sum = 0.0;
            for (std::size_t e = 0; e < noise.size(); ++e)
              sum += weights[e] / noise_total * std::exp(log_p[e] - scale);
            p[((t * B + b) * kTimes + i) * J + j][q] = sum;
          }
      }
  Weighing sum(J, B);
  Matrix stages(J, B + 1);
  std::vector<double> products(Q);
  for (std::size_t code = 0; code < T * T; ++code)
    for (std::size_t i = 0; i < kTimes * kTimes; ++i) {
      const std::size_t trait[] = {code % T, code / T}, at[] = {i % kTimes, i / kTimes};
      const std::vector<double> times{time_of(at[0]), time_of(at[1])};
      double log_weight = 0.0;
      for (std::size_t b = 0; b < B; ++b)
        log_weight += log_scale[trait[b] * B + b] +
                      std::log(0.5 * times[b] * (1.0 - 0.5 * times[b]));  // Beta(2, 2)
      for (std::size_t j = 0; j < J; ++j) {
        std::fill(stages.row(j).begin(), stages.row(j).end(), 0.0);
        stages(j, 0) = 1.0;
        if (cohort.diseased[j] == 0) continue;
        const auto& first = p[(trait[0] * B * kTimes + at[0]) * J + j];
        const auto& second = p[((trait[1] * B + 1) * kTimes + at[1]) * J + j];
        double total = 0.0;
        for (std::size_t q = 0; q < Q; ++q)
          total += products[q] = cells.masses[q] * first[q] * second[q];
        log_weight += std::log(total);
        stages(j, 0) = 0.0;
        for (std::size_t q = 0; q < Q; ++q)
          stages(j, static_cast<std::size_t>(event_count(times, cells.middles[q]))) +=
              products[q] / total;
      }
      sum.add(log_weight, times, stages);
    }
  return sum.means();
}

double largest_difference(const Matrix& a, const Matrix& b) {
  double out = 0.0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    out = std::max(out, std::abs(a.values()[i] - b.values()[i]));
  return out;
}

}  // namespace

TEST_CASE("log scores of bayes are those of all orders, without the participant",
          "[bayes][evidence]") {
  // Event times of h6 are a permutation and stages have a known law: 24 orders of 4 events.
  const auto table = four_biomarkers();
  const auto process = shipped().hypothesis(part("h6"), table);
  const auto& composed = *process->law();
  constexpr std::size_t J = 60, B = 4;
  const auto found = infer("h6", J, 71);
  const auto& cohort = found.simulated.cohort;
  std::vector<double> edges(B + 1);
  std::iota(edges.begin(), edges.end(), 0.0);
  const auto below = composed.stage_prior().continuous_law()->cumulative(B, edges);

  // log p(x_j | order): of the healthy nothing has happened, of the others the first k events.
  std::vector<std::vector<double>> by_order;
  std::vector<std::size_t> order(B);
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    auto& logs = by_order.emplace_back(J);
    for (std::size_t j = 0; j < J; ++j) {
      double p = 0.0;
      for (std::size_t k = 0; k < B; ++k) {
        double log_p = 0.0;
        for (std::size_t i = 0; i < B; ++i) {
          const std::array<double, 1> since{
              i < k && cohort.diseased[j] != 0 ? 0.0 : -std::numeric_limits<double>::infinity()};
          std::array<double, 1> cell{};
          composed.measurement_model().law()->log_density(
              order[i], 0, cohort.measurements(j, order[i]), since, cell);
          log_p += cell[0];
        }
        p += (below[k + 1] - below[k]) * std::exp(log_p);
      }
      logs[j] = std::log(p);
    }
  } while (std::next_permutation(order.begin(), order.end()));

  double exact = 0.0;
  for (std::size_t j = 0; j < J; ++j) {
    std::vector<double> others;
    for (const auto& logs : by_order)
      others.push_back(std::accumulate(logs.begin(), logs.end(), 0.0) - logs[j]);
    const double top = *std::max_element(others.begin(), others.end());
    double with = 0.0, all = 0.0;
    for (std::size_t s = 0; s < others.size(); ++s) {
      all += std::exp(others[s] - top);
      with += std::exp(others[s] - top + by_order[s][j]);
    }
    const double score = std::log(with / all);
    CAPTURE(j, score);
    // Weighed by likelihood, orders that were drawn leave no error but what those that were not
    // would add.
    REQUIRE(found.inference.evidence->log_scores[j] == Approx(score).margin(0.05));
    exact += score;
  }
  REQUIRE(found.inference.evidence->elpd_loo == Approx(exact).margin(0.1));
  REQUIRE(found.inference.evidence->pareto_k_high == 0);
  REQUIRE(found.inference.evidence->elpd_waic == Approx(exact).margin(1.0));
}

TEST_CASE("bayes has the posterior: against enumeration", "[bayes]") {
  // The rank of one event has an sd of about 1 at most; with 200 effective samples its mean is
  // known to 0.07, and a difference of 0.3 is beyond four of these. The probability of a stage,
  // given the order, varies by less than 0.3 between orders: 0.1 is beyond four standard errors.
  const auto [hypothesis, participants] =
      GENERATE(table<std::string, std::size_t>({{"h5", 10}, {"h6", 16}, {"h7", 12}}));
  for (const std::uint64_t seed : {1, 2}) {
    const auto found = infer(hypothesis, participants, seed);
    const auto expected = enumerated(hypothesis, found.simulated.cohort);
    for (std::size_t b = 0; b < 4; ++b) {
      CAPTURE(hypothesis, seed, b, expected.ranks[b]);
      REQUIRE(std::abs(found.inference.event_scores[b] - expected.ranks[b]) < 0.3);
    }
    REQUIRE(largest_difference(*found.inference.stage_posterior, expected.stages) < 0.1);
    // Small cohorts leave doubt, so that a point estimate of the order could not pass.
    CAPTURE(hypothesis, seed, expected.ranks);
    REQUIRE(std::any_of(expected.ranks.begin(), expected.ranks.end(),
                        [](double mean) { return std::abs(mean - std::round(mean)) > 0.3; }));
  }
}

TEST_CASE("bayes has the posterior of continuous event times: against a grid", "[bayes]") {
  // An event time has an sd of less than 0.3 stages here: 0.08 is beyond three standard errors with
  // 200 effective samples, and 0.15 of a rank's. Clipping, which bayes leaves out, is in the grid.
  const BiomarkerTable table({{"a", {0, 1}, {2, 1}}, {"b", {10, 2}, {6, 3}}});
  const std::string hypothesis = GENERATE("h8", "h9");
  const auto process = shipped().hypothesis(part(hypothesis), table);
  const auto method = shipped().method_under(part("bayes"), *process);
  for (const std::uint64_t seed : {1, 2}) {
    auto draw = stream(seed), fit = stream(seed + 1);
    const auto simulated = process->simulate({.participants = 24, .healthy_ratio = 0.25}, draw);
    const auto found = method->fit(simulated.cohort, fit);
    const auto expected = on_grid(hypothesis, table, simulated.cohort);
    for (std::size_t b = 0; b < 2; ++b) {
      CAPTURE(hypothesis, seed, b, expected.ranks[b], expected.times[b]);
      CHECK(std::abs(2.0 * (*found.event_times)[b] - expected.times[b]) < 0.08);
      CHECK(std::abs(found.event_scores[b] - expected.ranks[b]) < 0.15);
      // An sd of 200 effective draws is known to 5 %; a fifth is beyond four of these. Of laws with
      // one peak 95 % is between three and five sds wide.
      const auto& [sd, low, high] = (*found.event_time_spreads)[b];
      const double exact = std::sqrt(expected.squares[b] - expected.times[b] * expected.times[b]);
      CHECK(2.0 * sd == Approx(exact).epsilon(0.2));
      CHECK(low < (*found.event_times)[b]);
      CHECK((*found.event_times)[b] < high);
      CHECK(high - low > 3.0 * sd);
      CHECK(high - low < 5.0 * sd);
    }
    CHECK(largest_difference(*found.stage_posterior, expected.stages) < 0.1);
  }
}

TEST_CASE("bayes stages participants and leaves the healthy at 0", "[bayes]") {
  const auto hypothesis =
      GENERATE(as<std::string>(), "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9");
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
  const std::string hypothesis = GENERATE("h2", "h5", "h8");
  const auto as_given = infer(hypothesis, 60, 5).inference;
  const auto moved = infer(hypothesis, 60, 5, {2, 0, 3, 1}).inference;
  const std::vector<std::size_t> columns{2, 0, 3, 1};
  for (std::size_t i = 0; i < 4; ++i)
    REQUIRE(moved.event_scores[i] == as_given.event_scores[columns[i]]);
  REQUIRE(moved.stages == as_given.stages);
}

/// What is given, whatever the times are.
class OwnLaw final : public EventTimeLaw {
 public:
  explicit OwnLaw(double density) : density_(density) {}

 private:
  double do_log_density(std::span<const double>) const override { return density_; }
  double density_;
};

/// Event times that only the class itself draws.
class OwnTimes final : public ComposedProcess {
 public:
  explicit OwnTimes(const ProcessContext& context, std::shared_ptr<EventTimeLaw> law = nullptr)
      : ComposedProcess({.event_times = own_times(std::move(law)),
                         .stage_prior = fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}}),
                         .measurement_model = fixed_part("ebm_normal")},
                        context) {}

 private:
  std::vector<double> do_draw_event_times(RandomStream&) const override { return {1, 1, 2, 3}; }
};

TEST_CASE("bayes does not see rows and ids", "[bayes]") {
  const std::string hypothesis = GENERATE("h1", "h5", "h8");
  CAPTURE(hypothesis);
  const auto process = shipped().hypothesis(part(hypothesis), plain_biomarkers(4));
  auto draw = stream(5);
  const auto cohort = process->simulate({.participants = 60}, draw).cohort;
  auto moved = cohort;
  const auto order = draw.permutation(60);
  for (std::size_t i = 0; i < 60; ++i) {
    moved.participants[i] = "new " + std::to_string(i);
    moved.diseased[i] = cohort.diseased[order[i]];
    std::ranges::copy(cohort.measurements.row(order[i]), moved.measurements.row(i).begin());
  }
  const auto method = shipped().method_under(part("bayes"), *process);
  auto fit = stream(6), again = stream(6);
  const auto found = method->fit(cohort, fit), other = method->fit(moved, again);
  REQUIRE(other.event_scores == found.event_scores);
  for (std::size_t i = 0; i < 60; ++i) {
    REQUIRE(other.stages[i] == found.stages[order[i]]);
    REQUIRE(other.evidence->log_scores[i] == found.evidence->log_scores[order[i]]);
    REQUIRE(
        std::ranges::equal(other.stage_posterior->row(i), found.stage_posterior->row(order[i])));
  }
}

TEST_CASE("bayes does not infer event times whose law nobody states", "[bayes]") {
  const auto table = four_biomarkers();
  const OwnTimes process({table, shipped()});
  auto draw = stream(1);
  const auto simulated = process.simulate({.participants = 40, .healthy_ratio = 0.25}, draw);
  REQUIRE(simulated.truth.event_times == std::vector<double>{1, 1, 2, 3});
  REQUIRE_THROWS_WITH(shipped().method_under(part("bayes"), process),
                      Contains("a law of its own, which it does not state"));
  const OwnTimes stated({table, shipped()}, std::make_shared<OwnLaw>(0.0));
  REQUIRE_NOTHROW(shipped().method_under(part("bayes"), stated));
  const OwnTimes impossible({table, shipped()},
                            std::make_shared<OwnLaw>(-std::numeric_limits<double>::infinity()));
  const auto method = shipped().method_under(part("bayes"), impossible);
  REQUIRE_THROWS_WITH(method->fit(simulated.cohort, draw),
                      Contains("draws event times that its own law takes for impossible"));
}

TEST_CASE("bayes says what it cannot infer", "[bayes]") {
  REQUIRE_THROWS_WITH(shipped().method(part("bayes")),
                      "method 'bayes' infers under a hypothesis: it cannot be made without one");
}

}  // namespace tempo::test
