#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "node_likelihood.hpp"
#include "places_given_stages.hpp"
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
  const auto permutation = permutation_times(), noisy_permutation = permutation_times(0.1),
             noisy = beta_times(2.0, 2.0, 0.05), beta = beta_times(2.0, 2.0);
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
  Composed(const Law& law, const ProcessContext& context)
      : ComposedProcess({law.times, fixed_part(law.stage_prior), fixed_part(law.measurement_model)},
                        context) {}
};

/// log p(x | xi, traits) of all, the integrals over stages and noise taken as plain sums on grids
/// much finer than any that are used.
double reference(const ProcessLaw& process, const Cohort& cohort, const std::vector<double>& times,
                 const std::vector<int>& traits) {
  const auto& law = *process.measurement_model().law();
  constexpr std::size_t kCells = 512;  // of stages
  std::vector<double> stages, masses;
  if (process.stage_prior().scale() == StageScale::ordinal) {
    for (std::size_t k = 1; k <= kBiomarkers; ++k) {
      stages.push_back(static_cast<double>(k));
      masses.push_back(1.0 / kBiomarkers);
    }
  } else {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= kCells; ++i)
      edges.push_back(static_cast<double>(i * kBiomarkers) / kCells);
    const auto below = process.stage_prior().continuous_law()->cumulative(kBiomarkers, edges);
    for (std::size_t i = 0; i < kCells; ++i) {
      stages.push_back(0.5 * (edges[i] + edges[i + 1]));
      masses.push_back(below[i + 1] - below[i]);
    }
  }
  const double sd = process.event_times().noise_sd() * kBiomarkers;
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
        law.log_density(b, traits[b], cohort.measurements(j, b), {&healthy, 1}, {&density, 1});
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
        law.log_density(b, traits[b], cohort.measurements(j, b), since, densities);
        double factor = 0.0;
        for (std::size_t i = 0; i < noise.size(); ++i)
          factor += weights[i] * std::exp(densities[i]);
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
        process(law, {table, shipped()}),
        parts(*process.law()),
        nodes(stage_nodes(parts)) {
    auto draw = stream(4);
    auto simulated = process.simulate({.participants = 24, .healthy_ratio = 0.25}, draw);
    cohort = std::move(simulated.cohort);
    cohort.measurements(3, 1) = cohort.measurements(17, 0) =
        std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < 24; ++j)
      if (cohort.diseased[j] != 0) diseased.push_back(j);
    const std::vector<std::size_t> columns{0, 1, 2, 3};
    factors.emplace(parts, nodes, cohort, columns, diseased);
  }

  /// With the least that counts.
  std::vector<double> log_density(std::size_t b, std::size_t t, double x,
                                  const std::vector<double>& since) const {
    std::vector<double> out(since.size());
    parts.measurement_model().law()->log_density(b, factors->trait(t), x, since, out);
    for (double& density : out)
      density = std::max(density, -30.0 - std::log(parts.biomarkers()[b].phi.sd));
    return out;
  }
  /// E p(x | u - e), the noise summed over a fine grid; of a switch exact.
  double factor(std::size_t b, std::size_t t, double x, double u) const {
    const double sd = parts.event_times().noise_sd() * kBiomarkers;
    if (sd == 0.0) return std::exp(log_density(b, t, x, {u})[0]);
    if (parts.measurement_model().law()->effect() == EventEffect::switched) {
      const auto densities = log_density(b, t, x, {-1.0, 0.0});
      const double happened = 0.5 * std::erfc(-u / sd / std::sqrt(2.0));
      return (1.0 - happened) * std::exp(densities[0]) + happened * std::exp(densities[1]);
    }
    std::vector<double> since, weights;
    for (int i = -240; i <= 240; ++i) {
      since.push_back(u - 0.025 * i * sd);
      weights.push_back(std::exp(-0.5 * 0.025 * 0.025 * i * i));
    }
    double sum = 0.0, total = 0.0;
    const auto densities = log_density(b, t, x, since);
    for (std::size_t i = 0; i < since.size(); ++i) {
      sum += weights[i] * std::exp(densities[i]);
      total += weights[i];
    }
    return sum / total;
  }

  BiomarkerTable table;
  Composed process;
  const ProcessLaw& parts;
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
    const bool on_stages = law.times.kind() == EventTimes::Kind::permutation;
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
        expected.push_back(reference(at.parts, at.cohort, times, values));
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
    const auto value = [&](const std::vector<double>& times,
                           const std::vector<std::size_t>& traits) {
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

    if (law.times.kind() != EventTimes::Kind::permutation) {
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

TEST_CASE("what other progressions add counts whichever way an event is changed", "[bayes]") {
  for (const auto& law : laws()) {
    CAPTURE(law.name);
    Setting at(law);
    const auto n = at.diseased.size();
    const auto m = static_cast<double>(at.nodes.per_stage);
    const std::vector<std::size_t> traits(4);
    const std::vector<double> start{2 * m, 4 * m, m, 3 * m}, other{4 * m, m, 3 * m, 2 * m};
    NodeLikelihood likelihood(*at.factors, at.nodes, n);
    std::vector<double> others(n), own(n);
    likelihood.set(other, traits);
    likelihood.log_likelihoods(others);
    constexpr double kLogShare = 0.7;  // of the other progression, beside this one
    for (double& value : others) value += kLogShare;
    // log of both together, at these times of this one
    const auto value = [&](const std::vector<double>& times) {
      likelihood.set(times, traits);
      likelihood.log_likelihoods(own);
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) sum += std::log(std::exp(own[j]) + std::exp(others[j]));
      return sum;
    };
    auto moved = start;
    moved[3] = 1.25 * m;
    const double before = value(start), gain = value(moved) - before;
    const auto after = own;

    likelihood.set_others(others);
    likelihood.set(start, traits);
    likelihood.lift(3);
    CHECK(likelihood.lifted_value(0, moved[3]) - likelihood.lifted_value(0, start[3]) ==
          Approx(gain).margin(1e-4));
    likelihood.lifted_logs(0, moved[3], own);
    for (std::size_t j = 0; j < n; ++j) CHECK(own[j] == Approx(after[j]).margin(1e-4));
    likelihood.drop(0, start[3]);

    if (law.times.kind() != EventTimes::Kind::permutation) {
      auto shifted = start;
      for (double& time : shifted) time *= 0.9;
      const double shift = value(shifted) - before;
      likelihood.set(start, traits);
      CHECK(likelihood.propose_times(shifted) == Approx(shift).margin(1e-6));
      continue;
    }
    // Order c a d b; d before a.
    const double exchanged = value({3 * m, 4 * m, m, 2 * m}) - before;
    likelihood.set(start, traits);
    likelihood.open_segment(std::vector<std::size_t>{2, 0, 3}, 1);
    const auto places = likelihood.segment_places(3);
    const std::size_t T = at.factors->traits();
    CHECK(places[1 * T] - places[2 * T] == Approx(exchanged).margin(1e-6));
  }
}

TEST_CASE("what places and parameters are worth when stages are known", "[bayes]") {
  for (const auto& law : laws()) {
    CAPTURE(law.name);
    Setting at(law);
    const auto& densities = *at.parts.measurement_model().law();
    auto draws = stream(5);
    std::vector<std::size_t> node;
    for (std::size_t i = 0; i < at.diseased.size(); ++i)
      node.push_back(draws.index(at.nodes.size()));
    const std::size_t last = at.factors->traits() - 1;
    const auto value = [&](std::size_t b, std::size_t t, double stage) {
      return at.factors->log_likelihood(b, t, densities, b, stage / at.nodes.step(), node);
    };
    if (law.times.noise_sd() == 0.0)
      for (const double time : {1.0, 3.0}) {
        double expected = 0.0;
        for (std::size_t j = 0, i = 0; j < at.cohort.participant_count(); ++j) {
          const bool is_diseased = at.cohort.diseased[j] != 0;
          const double since = is_diseased ? at.nodes.stage(node[i++]) - time
                                           : -std::numeric_limits<double>::infinity();
          double density = 0.0;
          if (std::isnan(at.cohort.measurements(j, 1))) continue;
          densities.log_density(1, at.factors->trait(last), at.cohort.measurements(j, 1),
                                {&since, 1}, {&density, 1});
          expected += std::max(density, -30.0 - std::log(2.0));  // least_log_density
        }
        CHECK(value(1, last, time) == Approx(expected).margin(1e-6));
      }
    if (law.times.kind() == EventTimes::Kind::beta) {
      // Between grid times F is interpolated, for each participant: half way, a quarter of the way,
      // at the end.
      const double step = at.nodes.step();
      const std::size_t end = at.nodes.times() - 1;
      for (const std::size_t b : {std::size_t{0}, std::size_t{1}})
        for (const auto& [g, part] :
             {std::pair(std::size_t{1}, 0.5), std::pair(end / 2, 0.25), std::pair(end - 1, 1.0)}) {
          CAPTURE(b, g, part);
          double expected = 0.0;
          for (std::size_t j = 0, i = 0; j < at.cohort.participant_count(); ++j) {
            const double x = at.cohort.measurements(j, b);
            const bool is_diseased = at.cohort.diseased[j] != 0;
            const double stage = is_diseased ? at.nodes.stage(node[i++]) : 0.0;
            if (std::isnan(x)) continue;
            if (!is_diseased) {
              expected += at.log_density(b, last, x, {-std::numeric_limits<double>::infinity()})[0];
              continue;
            }
            const double grid = static_cast<double>(g) * step;
            expected += std::log((1.0 - part) * at.factor(b, last, x, stage - grid) +
                                 part * at.factor(b, last, x, stage - grid - step));
          }
          CHECK(value(b, last, (static_cast<double>(g) + part) * step) ==
                Approx(expected).margin(1e-4));
        }
      continue;
    }
    PlacesGivenStages places(*at.factors, at.nodes);
    Matrix log_weights(4, at.factors->traits());
    log_weights(2, last) = 0.7;
    places.set_nodes(node, log_weights);
    for (std::size_t b = 0; b < 4; ++b)
      for (std::size_t t = 0; t <= last; ++t)
        for (std::size_t p = 0; p < 4; ++p) {
          CAPTURE(b, t, p);
          const double weight = b == 2 && t == last ? 0.7 : 0.0;
          CHECK(places.log_factor(b, t, p) ==
                Approx(value(b, t, static_cast<double>(p + 1)) + weight).margin(2e-3));
        }
  }
}

TEST_CASE("an event at the end is after everybody, however unlikely that is", "[bayes]") {
  // Of a switch without noise, 43 nats apart: log1p(expm1(-43)) would be that of nothing.
  const Law law{"", beta_times(2.0, 2.0), "beta", "ebm_normal"};
  const BiomarkerTable table({{"a", {0, 1}, {10, 1e-6}}});
  const Composed process(law, {table, shipped()});
  Cohort cohort;
  cohort.biomarkers = {"a"};
  cohort.participants = {"0"};
  cohort.diseased = {1};
  cohort.measurements = Matrix(1, 1);
  cohort.measurements(0, 0) = 10.0;
  const auto nodes = stage_nodes(*process.law());
  const TimeFactors factors(*process.law(), nodes, cohort, std::vector<std::size_t>{0},
                            std::vector<std::size_t>{0});
  const std::vector<std::size_t> node{nodes.size() - 1};
  const auto value = [&](double time) {
    return factors.log_likelihood(0, 0, *process.law()->measurement_model().law(), 0, time, node);
  };
  const double end = static_cast<double>(nodes.times() - 1);
  const double after = -0.5 * std::log(2.0 * std::numbers::pi) - std::log(1e-6);
  CHECK(value(end - 1.0) == Approx(after));
  CHECK(value(end) == Approx(-30.0));
  CHECK(value(end - 1e-9) == Approx(after + std::log(1e-9)).epsilon(1e-6));
}

TEST_CASE("orders given stages are drawn as often as they are likely", "[bayes]") {
  // 4000 draws, forgotten from one to the next: shares are known to 0.008; four of these.
  Setting at(laws()[0]);
  const auto simulated = [&] {
    auto draw = stream(8);
    return at.process.simulate({.participants = 10, .healthy_ratio = 0.2}, draw).cohort;
  }();
  std::vector<std::size_t> diseased;
  for (std::size_t j = 0; j < 10; ++j)
    if (simulated.diseased[j] != 0) diseased.push_back(j);
  const std::vector<std::size_t> columns{0, 1, 2, 3};
  const TimeFactors factors(*at.process.law(), at.nodes, simulated, columns, diseased);
  auto draws = stream(9);
  std::vector<std::size_t> node;
  for (std::size_t i = 0; i < diseased.size(); ++i) node.push_back(draws.index(at.nodes.size()));
  PlacesGivenStages places(factors, at.nodes);
  places.set_nodes(node, Matrix(4, 2));
  Matrix expected(4, 4), found(4, 4);  // of event b at place p
  std::vector<double> first_trait(4), found_first_trait(4);
  double total = 0.0, top = -1e300;
  for (const bool sums : {false, true}) {
    std::vector<std::size_t> order{0, 1, 2, 3};
    do
      for (std::size_t code = 0; code < 16; ++code) {
        double log_p = 0.0;
        for (std::size_t p = 0; p < 4; ++p)
          log_p += places.log_factor(order[p], code >> order[p] & 1U, p);
        top = std::max(top, log_p);
        if (!sums) continue;
        const double share = std::exp(log_p - top);
        total += share;
        for (std::size_t p = 0; p < 4; ++p) expected(order[p], p) += share;
        for (std::size_t b = 0; b < 4; ++b) first_trait[b] += (code >> b & 1U) == 0 ? share : 0.0;
      }
    while (std::next_permutation(order.begin(), order.end()));
  }
  std::vector<std::size_t> order{0, 1, 2, 3}, traits(4);
  constexpr double kDraws = 4000.0;
  for (int i = 0; i < static_cast<int>(kDraws); ++i) {
    for (int again = 0; again < 3; ++again) places.draw(order, traits, draws);
    for (std::size_t p = 0; p < 4; ++p) found(order[p], p) += 1.0 / kDraws;
    for (std::size_t b = 0; b < 4; ++b) found_first_trait[b] += traits[b] == 0 ? 1.0 / kDraws : 0.0;
  }
  double most = 0.0;
  for (std::size_t b = 0; b < 4; ++b) {
    CHECK(found_first_trait[b] == Approx(first_trait[b] / total).margin(0.032));
    for (std::size_t p = 0; p < 4; ++p) {
      CHECK(found(b, p) == Approx(expected(b, p) / total).margin(0.032));
      most = std::max(most, expected(b, p) / total);
    }
  }
  REQUIRE(most < 0.95);  // there is something to draw
}

TEST_CASE("nodes that are left out do not count", "[bayes]") {
  // 40 biomarkers: stages are known well, so that most nodes are left out.
  std::vector<Biomarker> biomarkers;
  for (std::size_t b = 0; b < 40; ++b) {
    std::string name(1, 'b');
    name += std::to_string(b);
    biomarkers.push_back({name, {0, 1}, {b % 3 == 0 ? -4.0 : 3.0, 1}});
  }
  const BiomarkerTable table(biomarkers);
  const std::string law_name = GENERATE("h5", "h9");
  CAPTURE(law_name);
  const auto all = laws();
  const auto& law =
      *std::find_if(all.begin(), all.end(), [&](const Law& one) { return one.name == law_name; });
  const Composed process(law, {table, shipped()});
  auto draw = stream(12);
  const auto simulated = process.simulate({.participants = 100, .healthy_ratio = 0.2}, draw);
  std::vector<std::size_t> columns(40), diseased;
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  for (std::size_t j = 0; j < 100; ++j)
    if (simulated.cohort.diseased[j] != 0) diseased.push_back(j);
  std::sort(diseased.begin(), diseased.end(),
            [&](auto i, auto j) { return simulated.truth.stages[i] < simulated.truth.stages[j]; });
  const auto nodes = stage_nodes(*process.law());
  const TimeFactors factors(*process.law(), nodes, simulated.cohort, columns, diseased);
  std::vector<std::size_t> traits;
  for (std::size_t b = 0; b < 40; ++b)
    traits.push_back(
        simulated.truth.traits.empty() || simulated.truth.traits[b] == factors.trait(0) ? 0 : 1);
  std::vector<double> times;
  for (const double time : simulated.truth.event_times) times.push_back(time / nodes.step());

  NodeLikelihood narrowed(factors, nodes, diseased.size()),
      whole(factors, nodes, diseased.size(), 0.0);
  narrowed.set(times, traits);
  whole.set(times, traits);
  CHECK(narrowed.nodes_kept() < 0.7);
  CHECK(whole.nodes_kept() == 1.0);
  CHECK(narrowed.value() == Approx(whole.value()).margin(1e-9));
  // And after changes much worse than any that a chain takes, from the nodes that were kept before.
  if (law.times.kind() == EventTimes::Kind::permutation)
    for (const std::size_t by : {std::size_t{3}, std::size_t{12}})
      for (std::size_t b = 0; b + by < 40; ++b) {
        CAPTURE(b, by);
        const std::vector<NodeLikelihood::Change> exchange{{b, traits[b], times[b + by]},
                                                           {b + by, traits[b + by], times[b]}};
        CHECK(narrowed.propose(exchange) == Approx(whole.propose(exchange)).margin(1e-6));
      }
  for (std::size_t b = 0; b < 40; ++b) {
    narrowed.lift(b);
    whole.lift(b);
    const double here = std::floor(times[b]);
    for (const double there : {here, here + 1.0, 1.0, static_cast<double>(nodes.times() - 2)}) {
      const double expected =
          whole.lifted_value(traits[b], there) - whole.lifted_value(traits[b], here);
      CHECK(narrowed.lifted_value(traits[b], there) - narrowed.lifted_value(traits[b], here) ==
            Approx(expected).margin(1e-3 + 1e-5 * std::abs(expected)));
    }
    narrowed.drop(traits[b], times[b]);
    whole.drop(traits[b], times[b]);
  }
}

TEST_CASE("the likelihood does not depend on units", "[bayes]") {
  const Law law = laws()[1];
  Setting at(law);
  std::vector<Biomarker> scaled;
  for (const auto& [name, phi, theta] : at.table)
    scaled.push_back({name, {1e6 * phi.mean, 1e6 * phi.sd}, {1e6 * theta.mean, 1e6 * theta.sd}});
  const BiomarkerTable table(scaled);
  const Composed process(law, {table, shipped()});
  auto cohort = at.cohort;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    for (std::size_t b = 0; b < 4; ++b) cohort.measurements(j, b) *= 1e6;
  const std::vector<std::size_t> columns{0, 1, 2, 3};
  const TimeFactors factors(*process.law(), at.nodes, cohort, columns, at.diseased);
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
