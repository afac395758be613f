#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "support.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

struct Choice {
  std::string fidelity = "repaired";
  std::string variant = "conjugate";
  std::int64_t iterations = 2000;
};

std::unique_ptr<InferenceMethod> sa_ebm(const Choice& choice) {
  PartSpec spec = part("sa_ebm");
  const auto set = [&](const char* key, auto content) {
    ParameterValue value;
    value.value = content;
    spec.settings.set(key, value);
  };
  set("fidelity", choice.fidelity);
  set("variant", choice.variant);
  set("iterations", choice.iterations);
  return shipped().method(spec);
}

Inference fit(const Choice& choice, const Cohort& cohort, std::uint64_t seed = 1) {
  auto draw = stream(seed);
  return sa_ebm(choice)->fit(cohort, draw);
}

/// Six biomarkers of hypothesis 1, `shift` standard deviations from phi to theta.
SimulatedCohort simulated(std::uint64_t seed = 4, double shift = 3.0) {
  std::vector<Biomarker> biomarkers;
  for (int b = 0; b < 6; ++b)
    biomarkers.push_back({fmt::format("b{}", b), {10.0 * b, 1.0}, {10.0 * b + shift, 1.0}});
  auto draw = stream(seed);
  return shipped()
      .hypothesis(part("h1"), BiomarkerTable(biomarkers))
      ->simulate({.participants = 300, .healthy_ratio = 0.25}, draw);
}

Cohort with_rows(const Cohort& cohort, const std::vector<std::size_t>& order) {
  Cohort moved = cohort;
  for (std::size_t j = 0; j < order.size(); ++j) {
    moved.participants[j] = cohort.participants[order[j]];
    moved.diseased[j] = cohort.diseased[order[j]];
    for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
      moved.measurements(j, b) = cohort.measurements(order[j], b);
  }
  return moved;
}

Cohort with_column(Cohort cohort, std::size_t b, double factor, double shift = 0.0) {
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    cohort.measurements(j, b) = factor * cohort.measurements(j, b) + shift;
  return cohort;
}

}  // namespace

TEST_CASE("sa_ebm recovers cohorts of hypothesis 1", "[method][sa_ebm]") {
  // Three standard deviations between phi and theta; 15 pairs, so that a distance of 1/15 is one
  // pair. Chance is 0.5.
  const auto [fidelity, variant] =
      GENERATE(table<std::string, std::string>({{"repaired", "conjugate"},
                                                {"repaired", "mle"},
                                                {"repaired", "em"},
                                                {"repaired", "kde"},
                                                {"repaired", "hard_kmeans"},
                                                {"paper", "conjugate"},
                                                {"paper", "mle"},
                                                {"paper", "em"},
                                                {"paper", "kde"},
                                                {"paper", "hard_kmeans"}}));
  CAPTURE(fidelity, variant);
  double distance = 0.0, stages = 0.0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto [cohort, truth] = simulated(seed);
    const auto found = fit({fidelity, variant, 2000}, cohort);
    distance += tau_distance(found.event_scores, truth.event_ranks) / 4.0;
    stages += stage_mae(found.stages, truth.ordinal_stages, 6) / 4.0;
  }
  REQUIRE(distance < 0.15);
  REQUIRE(stages < 0.8);
}

TEST_CASE("repaired sa_ebm does not depend on how the data are written", "[method][sa_ebm]") {
  const std::string variant = GENERATE("conjugate", "mle", "em", "kde", "hard_kmeans");
  CAPTURE(variant);
  const Choice choice{.variant = variant, .iterations = 400};
  const auto cohort = simulated().cohort;
  const auto found = fit(choice, cohort);

  SECTION("units, origin and direction of a biomarker") {
    for (const auto& [factor, shift] :
         {std::pair{1e-6, 0.0}, {1e6, 0.0}, {-1.0, 0.0}, {-3e-4, 5.0}}) {
      INFO("factor " << factor);
      const auto other = fit(choice, with_column(cohort, 2, factor, shift));
      REQUIRE(other.event_scores == found.event_scores);
      REQUIRE(other.stages == found.stages);
    }
  }
  SECTION("order and names of columns") {
    auto draw = stream(9);
    const auto order = draw.permutation(cohort.biomarker_count());
    auto moved = with_columns(cohort, order);
    for (std::size_t i = 0; i < order.size(); ++i)
      moved.biomarkers[i] = fmt::format("renamed {}", i);
    const auto other = fit(choice, moved);
    for (std::size_t i = 0; i < order.size(); ++i)
      REQUIRE(other.event_scores[i] == found.event_scores[order[i]]);
    REQUIRE(other.stages == found.stages);
  }
  SECTION("order and ids of participants") {
    auto draw = stream(10);
    const auto order = draw.permutation(cohort.participant_count());
    auto moved = with_rows(cohort, order);
    for (std::size_t j = 0; j < order.size(); ++j) moved.participants[j] = fmt::format("new {}", j);
    const auto other = fit(choice, moved);
    REQUIRE(other.event_scores == found.event_scores);
    for (std::size_t j = 0; j < order.size(); ++j) {
      REQUIRE(other.stages[j] == found.stages[order[j]]);
      REQUIRE(
          std::ranges::equal(other.stage_posterior->row(j), found.stage_posterior->row(order[j])));
    }
  }
}

TEST_CASE("repaired sa_ebm reports posteriors and whether to trust them", "[method][sa_ebm]") {
  const auto [cohort, truth] = simulated();
  const auto found = fit({.iterations = 8000}, cohort);

  SECTION("an event's score is the mean of its rank posterior") {
    for (std::size_t b = 0; b < 6; ++b) {
      double mean = 0.0;
      for (std::size_t r = 0; r < 6; ++r)
        mean += static_cast<double>(r + 1) * (*found.rank_posterior)(b, r);
      REQUIRE(found.event_scores[b] == Approx(mean).epsilon(1e-12));
    }
  }
  SECTION("a participant's stage is the median of its stage posterior") {
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      double below = 0.0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(found.stages[j]); ++k)
        below += (*found.stage_posterior)(j, k);
      REQUIRE(below < 0.5);
      REQUIRE(below + (*found.stage_posterior)(j, static_cast<std::size_t>(found.stages[j])) >=
              0.5 - 1e-12);
    }
  }
  SECTION("diagnostics") {
    REQUIRE(found.diagnostics.at("chains") == 4.0);
    REQUIRE(found.diagnostics.at("iterations") <= 2000.0);  // a quarter of 8000
    // The later half of every chain.
    REQUIRE(found.diagnostics.at("draws") ==
            4.0 * std::ceil(found.diagnostics.at("iterations") / 2.0));
    REQUIRE(found.chains->r_hat_log_likelihood < 1.05);
    REQUIRE(found.chains->effective_samples_log_likelihood > 100.0);
    REQUIRE(found.diagnostics.at("acceptance") > 0.0);
    REQUIRE(found.log_likelihood_trace->rows() == 4);
  }
  SECTION("staging does not look at the diagnosis") {
    REQUIRE(sa_ebm({})->label_use() == LabelUse::fit);
    // Two rows of the same values get the same posterior whatever their diagnosis.
    auto twins = cohort;
    std::size_t control = 0, diseased = 0;
    while (twins.diseased[control] != 0) ++control;
    while (twins.diseased[diseased] == 0) ++diseased;
    for (std::size_t b = 0; b < 6; ++b)
      twins.measurements(control, b) = twins.measurements(diseased, b);
    for (const std::string fidelity : {"repaired", "paper"}) {
      const auto both = fit({.fidelity = fidelity}, twins);
      REQUIRE(both.stages[control] == both.stages[diseased]);
    }
  }
}

TEST_CASE("sa_ebm and missing cells", "[method][sa_ebm]") {
  auto [cohort, truth] = simulated();
  auto draw = stream(3);
  for (double& cell : cohort.measurements.values())
    if (draw.uniform() < 0.1) cell = kMissing;

  SECTION("repaired leaves them out of the likelihood") {
    const std::string variant = GENERATE("conjugate", "kde");
    CAPTURE(variant);
    const auto found = fit({.variant = variant}, cohort);
    REQUIRE(tau_distance(found.event_scores, truth.event_ranks) < 0.15);
    REQUIRE(stage_mae(found.stages, truth.ordinal_stages, 6) < 1.0);
  }
  SECTION("paper refuses them, naming the first") {
    REQUIRE_THROWS_WITH(
        fit({.fidelity = "paper"}, cohort),
        Contains("biomarker 'b0' is missing for participant") && Contains("repaired"));
  }
}

TEST_CASE("sa_ebm ends on degenerate cohorts", "[method][sa_ebm]") {
  const auto cohort = simulated().cohort;
  const std::string fidelity = GENERATE("repaired", "paper");
  CAPTURE(fidelity);
  const Choice choice{.fidelity = fidelity, .iterations = 400};

  SECTION("a constant column is refused by name") {
    REQUIRE_THROWS_WITH(fit(choice, with_column(cohort, 3, 0.0, 2.5)),
                        Contains("'b3'") && Contains("2.5"));
  }
  SECTION("so is one control") {
    auto few = cohort;
    bool kept = false;
    for (auto& diseased : few.diseased)
      if (diseased == 0) diseased = std::exchange(kept, true);
    REQUIRE_THROWS_WITH(fit(choice, few), Contains("the cohort has 1 controls"));
  }
  SECTION("two values, heavy ties") {
    auto ties = cohort;
    for (std::size_t j = 0; j < ties.participant_count(); ++j) {
      ties.measurements(j, 1) = ties.measurements(j, 1) > 11.5 ? 1.0 : 0.0;
      ties.measurements(j, 4) = std::round(ties.measurements(j, 4) / 2.0);
    }
    REQUIRE(fit(choice, ties).event_scores.size() == 6);
  }
  SECTION("no separation") {
    REQUIRE(fit(choice, simulated(2, 0.0).cohort).event_scores.size() == 6);
  }
  SECTION("outliers at 40 standard deviations; a single one is no cluster") {
    auto outliers = cohort;
    outliers.measurements(5, 0) = 1e9;
    for (std::size_t j = 0; j < 10; ++j) outliers.measurements(j, 2) += j % 2 == 0 ? 40.0 : -40.0;
    const auto found = fit(choice, outliers);
    REQUIRE_FALSE(found.warnings.empty());
    // As meant it is not believed in the first place.
    const auto named = fmt::format("participant '{}'): they were left out", cohort.participants[5]);
    const bool is_named = std::ranges::any_of(found.warnings, [&](const std::string& warning) {
      return warning.find("in 'b0'") != std::string::npos &&
             warning.find(named) != std::string::npos;
    });
    REQUIRE(is_named == (fidelity == "repaired"));
    const bool is_no_cluster = found.warnings.front().find("'b0'") != std::string::npos &&
                               found.warnings.front().find("clusters") != std::string::npos;
    REQUIRE(is_no_cluster == (fidelity == "paper"));
  }
  SECTION("every variant ends on one biomarker") {
    for (const std::string variant : {"conjugate", "mle", "em", "kde", "hard_kmeans"}) {
      Cohort one = cohort;
      one.biomarkers = {"b0"};
      one.measurements = Matrix(cohort.participant_count(), 1);
      for (std::size_t j = 0; j < one.participant_count(); ++j)
        one.measurements(j, 0) = cohort.measurements(j, 0);
      REQUIRE(fit({fidelity, variant, 400}, one).event_scores.size() == 1);
    }
  }
}

}  // namespace tempo::test
