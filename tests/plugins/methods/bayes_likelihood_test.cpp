#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "node_likelihood.hpp"
#include "stage_nodes.hpp"
#include "support.hpp"
#include "tempo/composed_process.hpp"
#include "time_factors.hpp"

namespace tempo::test {
using namespace bayes;

namespace {

constexpr std::size_t kBiomarkers = 4;

BiomarkerTable biomarkers() {
  return BiomarkerTable({{"a", {0, 1}, {2, 1}},
                         {"b", {10, 2}, {4, 2}},
                         {"c", {0, 1e-6}, {3e-6, 2e-6}},
                         {"d", {5, 1}, {6, 2}}});
}

struct Law {
  std::string name;
  EventTimes times;
  std::string stage_prior, measurement_model;
};

/// Every way in which parts can be put together that is not a switch on whole stages.
std::vector<Law> laws() {
  const EventTimes permutation, noisy_permutation{.noise_sd = 0.1},
      noisy{.kind = EventTimes::Kind::beta, .noise_sd = 0.05}, beta{.kind = EventTimes::Kind::beta};
  return {{"h5", permutation, "beta", "sigmoid"},
          {"h8", noisy, "beta", "sigmoid"},
          {"h9", noisy, "beta", "ebm_normal"},
          {"ordinal stages, sigmoid", permutation, "uniform", "sigmoid"},
          {"ordinal stages, noisy times, switch", noisy, "uniform", "ebm_normal"},
          {"noisy permutation, switch", noisy_permutation, "beta", "ebm_normal"},
          {"noisy permutation, sigmoid", noisy_permutation, "beta", "sigmoid"},
          {"times without noise, sigmoid", beta, "beta", "sigmoid"},
          {"noisy times, families", noisy, "beta", "ebm_non_normal"}};
}

class Composed final : public ComposedProcess {
 public:
  Composed(const Law& law, const BuildContext& context)
      : ComposedProcess({law.times, fixed_part(law.stage_prior), fixed_part(law.measurement_model)},
                        context) {}
};

/// log p(x | xi, traits) of all, the integrals over stages and noise taken as plain sums on grids
/// much finer than any that are used.
double reference(const ComposedProcess& process, const Cohort& cohort,
                 const std::vector<double>& times, const std::vector<int>& traits) {
  const auto& model = process.measurement_model();
  constexpr std::size_t kCells = 512;  // of stages
  std::vector<double> stages, masses;
  if (process.stage_prior().concentrations(kBiomarkers)) {
    for (std::size_t k = 1; k <= kBiomarkers; ++k) {
      stages.push_back(static_cast<double>(k));
      masses.push_back(1.0 / kBiomarkers);
    }
  } else {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= kCells; ++i)
      edges.push_back(static_cast<double>(i * kBiomarkers) / kCells);
    const auto below = process.stage_prior().cumulative(kBiomarkers, edges).value();
    for (std::size_t i = 0; i < kCells; ++i) {
      stages.push_back(0.5 * (edges[i] + edges[i + 1]));
      masses.push_back(below[i + 1] - below[i]);
    }
  }
  const double sd = process.event_times().noise_sd * kBiomarkers;
  std::vector<double> noise{0.0}, weights{1.0};
  if (sd > 0.0) {
    noise.clear();
    weights.clear();
    for (int i = -200; i < 200; ++i) {
      const double z = 0.025 * (i + 0.5);  // a switch lies at an edge of cells, not in the middle
      noise.push_back(z * sd);
      weights.push_back(std::exp(-0.5 * z * z));
    }
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= total;
  }
  double sum = 0.0;
  std::vector<double> since(noise.size()), densities(noise.size());
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    if (cohort.diseased[j] == 0) {
      for (std::size_t b = 0; b < kBiomarkers; ++b) {
        double healthy = -std::numeric_limits<double>::infinity(), density = 0.0;
        if (std::isnan(cohort.measurements(j, b))) continue;
        model.log_density(b, traits[b], cohort.measurements(j, b), {&healthy, 1}, {&density, 1});
        sum += density;
      }
      continue;
    }
    double p = 0.0;
    for (std::size_t q = 0; q < stages.size(); ++q) {
      double product = masses[q];
      for (std::size_t b = 0; b < kBiomarkers; ++b) {
        if (std::isnan(cohort.measurements(j, b))) continue;
        for (std::size_t i = 0; i < noise.size(); ++i) since[i] = stages[q] - times[b] - noise[i];
        model.log_density(b, traits[b], cohort.measurements(j, b), since, densities);
        double factor = 0.0;
        for (std::size_t i = 0; i < noise.size(); ++i) factor += weights[i] * std::exp(densities[i]);
        product *= factor;
      }
      p += product;
    }
    sum += std::log(p);
  }
  return sum;
}

struct Setting {
  explicit Setting(const Law& law)
      : table(biomarkers()),
        process(law, {.biomarkers = &table, .parts = &shipped()}),
        nodes(stage_nodes(process)) {
    auto draw = stream(4);
    auto simulated = process.simulate({.participants = 24, .healthy_ratio = 0.25}, draw);
    cohort = std::move(simulated.cohort);
    cohort.measurements(3, 1) = cohort.measurements(17, 0) =
        std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < 24; ++j)
      if (cohort.diseased[j] != 0) diseased.push_back(j);
    const std::vector<std::size_t> columns{0, 1, 2, 3};
    factors.emplace(process, nodes, cohort, columns, diseased);
  }

  BiomarkerTable table;
  Composed process;
  StageNodes nodes;
  Cohort cohort;
  std::vector<std::size_t> diseased;
  std::optional<TimeFactors> factors;
};

}  // namespace

TEST_CASE("the likelihood over stage nodes is that of plain integration", "[bayes]") {
  for (const auto& law : laws()) {
    CAPTURE(law.name);
    Setting at(law);
    NodeLikelihood likelihood(*at.factors, at.nodes, at.diseased.size());
    const bool on_stages = law.times.kind == EventTimes::Kind::permutation;
    // Far enough from the ends that noise seldom reaches them.
    const std::vector<std::vector<double>> all_times =
        on_stages ? std::vector<std::vector<double>>{{1, 2, 3, 4}, {3, 4, 1, 2}}
                  : std::vector<std::vector<double>>{{1.5, 2.5, 0.9, 2.53}, {2.75, 1.1, 2.2, 1.3}};
    std::vector<double> found, expected;
    for (const auto& times : all_times)
      for (const std::size_t trait : {std::size_t{0}, at.factors->traits() - 1}) {
        std::vector<double> steps;
        for (const double time : times) steps.push_back(time / at.nodes.step());
        std::vector<std::size_t> traits{0, trait, 0, trait};
        std::vector<int> values;
        for (const auto t : traits) values.push_back(at.factors->trait(t));
        likelihood.set(steps, traits);
        found.push_back(likelihood.value());
        expected.push_back(reference(at.process, at.cohort, times, values));
      }
    // Where times and traits are wrong by many nats, the error of interpolation between grid times
    // matters less and is larger.
    const double best = *std::max_element(expected.begin(), expected.end());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(i, found[i], expected[i]);
      CHECK(std::abs(found[i] - expected[i]) < 0.02 + 0.002 * (best - expected[i]));
    }
  }
}

TEST_CASE("every way to change one event of the likelihood gives the same", "[bayes]") {
  for (const auto& law : laws()) {
    CAPTURE(law.name);
    Setting at(law);
    const std::size_t T = at.factors->traits(), m = at.nodes.per_stage;
    NodeLikelihood likelihood(*at.factors, at.nodes, at.diseased.size());
    const auto value = [&](const std::vector<double>& times, const std::vector<std::size_t>& traits) {
      likelihood.set(times, traits);
      return likelihood.value();
    };
    const auto steps = [&](std::size_t stage) { return static_cast<double>(stage * m); };
    const std::vector<double> start{steps(2), steps(4), steps(1), steps(3)};
    const std::vector<std::size_t> none(4), last{0, 0, 0, T - 1};
    auto moved = start;
    moved[3] = 1.25 * static_cast<double>(m);
    const double before = value(start, none), after = value(moved, last);

    value(start, none);
    likelihood.lift(3);
    CHECK(likelihood.lifted_value(T - 1, moved[3]) - likelihood.lifted_value(0, start[3]) ==
          Approx(after - before).margin(1e-4));
    likelihood.drop(T - 1, moved[3]);
    CHECK(likelihood.value() == Approx(after).margin(1e-4));

    std::vector<double> logs(at.diseased.size());
    likelihood.log_likelihoods(logs);
    double sum = std::accumulate(logs.begin(), logs.end(), 0.0);
    for (std::size_t b = 0; b < 4; ++b) sum += at.factors->log_scale(b, likelihood.traits()[b]);
    CHECK(sum == Approx(after).margin(1e-4));

    if (law.times.kind != EventTimes::Kind::permutation) {
      std::vector<double> shifted;
      for (const double time : start) shifted.push_back(0.9 * time);
      const double shift = value(shifted, none) - before;
      value(start, none);
      CHECK(likelihood.propose_times(shifted) == Approx(shift).margin(1e-6));
      likelihood.accept_times(shifted);
      CHECK(likelihood.value() == Approx(before + shift).margin(1e-6));
      continue;
    }
    // Order c a d b; d and a exchanged.
    const std::vector<double> exchanged{steps(3), steps(4), steps(1), steps(2)};
    const double gain = value(exchanged, last) - before;
    value(start, none);
    const std::vector<NodeLikelihood::Change> changes{{3, T - 1, steps(2)}, {0, 0, steps(3)}};
    CHECK(likelihood.propose(changes) == Approx(gain).margin(1e-6));
    likelihood.accept_proposal();
    CHECK(likelihood.value() == Approx(before + gain).margin(1e-6));

    // The same from the places of d among the first three events.
    value(start, none);
    likelihood.open_segment(std::vector<std::size_t>{2, 0, 3}, 1);
    const auto places = likelihood.segment_places(3);
    REQUIRE(places.size() == 3 * T);
    CHECK(places[1 * T + T - 1] - places[2 * T + 0] == Approx(gain).margin(1e-6));
    likelihood.place_in_segment(3, 1, T - 1);
    likelihood.close_segment();
    CHECK(likelihood.times() == exchanged);
    CHECK(likelihood.value() == Approx(before + gain).margin(1e-6));
  }
}

TEST_CASE("the likelihood does not depend on units", "[bayes]") {
  const Law law = laws()[1];
  Setting at(law);
  std::vector<Biomarker> scaled;
  for (const auto& [name, phi, theta] : at.table)
    scaled.push_back({name, {1e6 * phi.mean, 1e6 * phi.sd}, {1e6 * theta.mean, 1e6 * theta.sd}});
  const BiomarkerTable table(scaled);
  const Composed process(law, {.biomarkers = &table, .parts = &shipped()});
  auto cohort = at.cohort;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    for (std::size_t b = 0; b < 4; ++b) cohort.measurements(j, b) *= 1e6;
  const std::vector<std::size_t> columns{0, 1, 2, 3};
  const TimeFactors factors(process, at.nodes, cohort, columns, at.diseased);
  std::size_t cells = 0;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    for (std::size_t b = 0; b < 4; ++b) cells += !std::isnan(cohort.measurements(j, b));
  const std::vector<double> times{20, 30, 44, 17};
  const std::vector<std::size_t> traits{0, 1, 1, 0};
  NodeLikelihood plain(*at.factors, at.nodes, at.diseased.size()),
      in_other_units(factors, at.nodes, at.diseased.size());
  plain.set(times, traits);
  in_other_units.set(times, traits);
  CHECK(in_other_units.value() ==
        Approx(plain.value() - static_cast<double>(cells) * std::log(1e6)).margin(1e-5));
}

}  // namespace tempo::test
