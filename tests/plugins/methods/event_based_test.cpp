// debm_gmm, ucl_gmm and ucl_kde: the same model on different densities.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method_support.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

const std::vector<std::string> kPlugins = {"debm_gmm", "ucl_gmm", "ucl_kde"};
const std::vector<std::string> kFidelities = {"repaired", "paper"};

/// Short chains, so that tests are quick.
std::unique_ptr<InferenceMethod> quick(const std::string& plugin, const std::string& fidelity) {
  return method(plugin, {{"fidelity", fidelity},
                         {"starts", std::int64_t{3}},
                         {"start_iterations", std::int64_t{400}},
                         {"iterations", std::int64_t{3000}}});
}

Inference fit(const std::string& plugin, const std::string& fidelity, const Cohort& cohort) {
  auto draw = stream(1);
  return quick(plugin, fidelity)->fit(cohort, draw);
}

/// The same cohort, column i from column order[i], must give the same chain, but for rounding.
void require_same(const Inference& found, const Inference& other,
                  const std::vector<std::size_t>& order = {}) {
  for (std::size_t i = 0; i < found.event_scores.size(); ++i)
    REQUIRE(other.event_scores[i] ==
            Approx(found.event_scores[order.empty() ? i : order[i]]).epsilon(1e-9));
  REQUIRE(other.stages == found.stages);
}

}  // namespace

TEST_CASE("event-based models recover cohorts of hypothesis 1", "[method][event_based]") {
  for (const auto& plugin : kPlugins)
    for (const auto& fidelity : kFidelities) {
      INFO(plugin << ", " << fidelity);
      double distance = 0.0, stages = 0.0, with_gaps = 0.0;
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto [cohort, truth] = simulated(seed);
        auto found = fit(plugin, fidelity, cohort);
        distance += tau_distance(found.event_scores, truth.event_ranks) / 5.0;
        stages += stage_mae(found.stages, truth.ordinal_stages, 8) / 5.0;
        auto draw = stream(seed);
        for (double& cell : cohort.measurements.values())
          if (draw.uniform() < 0.1) cell = kMissing;
        found = fit(plugin, fidelity, cohort);
        with_gaps += tau_distance(found.event_scores, truth.event_ranks) / 5.0;
      }
      // Chance is 0.5 and about 8 / 3. The published kernels' tails are 0 where a participant has a
      // value between the states: stages suffer.
      const bool tails_end = plugin == "ucl_kde" && fidelity == "paper";
      REQUIRE(distance < 0.25);
      REQUIRE(stages < (tails_end ? 1.4 : 0.9));
      REQUIRE(with_gaps < 0.25);
      REQUIRE(quick(plugin, fidelity)->label_use() == LabelUse::fit);
    }
}

TEST_CASE("repaired event-based models do not depend on how the data are written",
          "[method][event_based]") {
  const auto cohort = simulated().cohort;
  for (const auto& plugin : kPlugins) {
    INFO(plugin);
    const auto found = fit(plugin, "repaired", cohort);
    for (const double factor : {1e-6, 1e6, -1.0}) {
      INFO("factor " << factor);
      require_same(found, fit(plugin, "repaired", with_column(cohort, 3, factor)));
    }
    require_same(found, fit(plugin, "repaired", with_column(cohort, 2, 1.0, 100.0)));
    auto draw = stream(9);
    const auto order = draw.permutation(cohort.biomarker_count());
    auto moved = with_columns(cohort, order);
    for (std::size_t i = 0; i < order.size(); ++i)
      moved.biomarkers[i] = fmt::format("renamed {}", i);
    require_same(found, fit(plugin, "repaired", moved), order);

    const auto rows = draw.permutation(cohort.participant_count());
    auto of_rows = found;
    for (std::size_t i = 0; i < rows.size(); ++i) of_rows.stages[i] = found.stages[rows[i]];
    require_same(of_rows, fit(plugin, "repaired", with_rows(cohort, rows)));
  }
}

TEST_CASE("repaired event-based models draw lots between events that nothing tells apart",
          "[method][event_based]") {
  auto cohort = simulated().cohort;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    cohort.measurements(j, 1) = cohort.measurements(j, 0);
  for (const auto& plugin : kPlugins) {
    INFO(plugin);
    const auto fitting = quick(plugin, "repaired");
    int first = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      auto draw = stream(seed);
      const auto scores = fitting->fit(cohort, draw).event_scores;
      first += scores[0] < scores[1];
    }
    REQUIRE(first > 2);  // 30 fair coins: outside 3..27 less than once in a million
    REQUIRE(first < 28);
  }
}

TEST_CASE("repaired event-based models say how sure they are", "[method][event_based]") {
  const auto cohort = simulated().cohort;
  for (const auto& plugin : kPlugins) {
    INFO(plugin);
    const auto found = fit(plugin, "repaired", cohort);
    REQUIRE(found.rank_posterior.has_value());
    REQUIRE(found.stage_posterior.has_value());
    for (std::size_t b = 0; b < 8; ++b) {
      double mean = 0.0;
      for (std::size_t r = 0; r < 8; ++r)
        mean += (*found.rank_posterior)(b, r) * static_cast<double>(r + 1);
      REQUIRE(found.event_scores[b] == Approx(mean));
    }
    for (const char* name : {"acceptance", "log_likelihood"})
      REQUIRE(found.diagnostics.count(name) == 1);
    REQUIRE(found.chains->effective_samples > 0.0);
    REQUIRE(found.chains->r_hat < 1.1);
    REQUIRE(found.warnings.size() == 1);  // that the last event has happened in few
    REQUIRE_THAT(found.warnings[0], Contains("do not differ in 'b0'"));
    REQUIRE(found.stages == fit(plugin, "repaired", cohort).stages);  // same stream, same numbers
  }
}

TEST_CASE("event-based models end on data that say little or too much", "[method][event_based]") {
  const auto cohort = simulated().cohort;
  auto outliers = cohort;  // 40 standard deviations off, in both directions
  for (std::size_t j = 0; j < 40; ++j) outliers.measurements(j, j % 8) += j % 3 == 0 ? -40.0 : 40.0;
  auto ties = cohort;
  for (double& value : ties.measurements.values()) value = std::round(value / 3.0);
  auto binary = cohort;
  for (std::size_t j = 0; j < 400; ++j)
    binary.measurements(j, 0) = cohort.diseased[j] + (j % 7 == 0);
  auto empty_row = cohort;
  for (double& cell : empty_row.measurements.row(7)) cell = kMissing;

  for (const auto& plugin : kPlugins)
    for (const auto& fidelity : kFidelities) {
      INFO(plugin << ", " << fidelity);
      for (const auto& odd : {outliers, simulated(4, 0.0).cohort})
        REQUIRE(fit(plugin, fidelity, odd).event_scores.size() == 8);
      for (const auto& odd : {ties, binary})
        if (plugin == "ucl_kde" && fidelity == "paper")
          REQUIRE_THROWS_WITH(fit(plugin, fidelity, odd),
                              Contains("'b0'") && Contains("are all the same"));
        else
          REQUIRE(fit(plugin, fidelity, odd).event_scores.size() == 8);
      const auto found = fit(plugin, fidelity, empty_row);
      if (fidelity == "repaired" || plugin == "debm_gmm") REQUIRE(found.stages[7] == 0.0);
    }
}

TEST_CASE("event-based models refuse what no mixture can be fitted to", "[method][event_based]") {
  const auto cohort = simulated().cohort;
  auto one_control = cohort;
  bool kept = false;
  for (auto& diseased : one_control.diseased)
    if (diseased == 0) diseased = std::exchange(kept, true);
  auto flat = cohort;
  for (std::size_t j = 0; j < flat.participant_count(); ++j)
    if (flat.diseased[j] == 0) flat.measurements(j, 4) = 4.0;
  for (const auto& plugin : kPlugins)
    for (const auto& fidelity : kFidelities) {
      INFO(plugin << ", " << fidelity);
      REQUIRE_THROWS_WITH(fit(plugin, fidelity, with_column(cohort, 3, 0.0, 2.5)),
                          Contains("'b3'") && Contains("the same value, 2.5, in all 400"));
      REQUIRE_THROWS_WITH(fit(plugin, fidelity, one_control),
                          Contains("the cohort has 1 controls"));
    }
  REQUIRE_THROWS_WITH(fit("ucl_gmm", "paper", flat),
                      Contains("'b4'") && Contains("all controls have the same value"));
  REQUIRE_THROWS_WITH(fit("ucl_kde", "paper", flat),
                      Contains("'b4'") && Contains("pre-event are all the same"));
  for (const std::string plugin : {"ucl_gmm", "ucl_kde"})
    REQUIRE(fit(plugin, "repaired", flat).event_scores.size() == 8);
}

TEST_CASE("ucl_kde names a biomarker in which nothing tells diseased from controls",
          "[method][event_based]") {
  auto cohort = simulated().cohort;
  // As many pairs with the larger value in the diseased as in the control.
  int controls = 0, diseased = 0;
  for (std::size_t j = 0; j < 400; ++j) {
    const int place = (cohort.diseased[j] != 0 ? diseased++ : controls++) % 2;
    cohort.measurements(j, 5) = cohort.diseased[j] != 0 ? 2.0 * place : 1.0;
  }
  REQUIRE(diseased % 2 == 0);
  const auto found = fit("ucl_kde", "repaired", cohort);
  REQUIRE(found.warnings.size() == 3);
  REQUIRE_THAT(found.warnings[0], Contains("'b5'") && Contains("do not influence"));
  REQUIRE_THAT(found.warnings[1],
               Contains("do not differ in 'b0'"));  // the last event of this cohort
  REQUIRE_THAT(found.warnings[2], Contains("few different values") && Contains("'b5'"));
  require_same(found, fit("ucl_kde", "repaired", with_column(cohort, 5, -1.0)));
}

TEST_CASE("repaired chains have fewer sweeps the more biomarkers there are",
          "[method][event_based]") {
  const auto cohort = simulated().cohort;
  const auto sweeps = [&](std::size_t B, std::int64_t iterations) {
    // Nothing to learn, so that chains go on to their end.
    auto wide = cohort;
    wide.measurements = Matrix(cohort.participant_count(), B);
    auto noise = stream(2);
    for (double& value : wide.measurements.values()) value = noise.normal();
    wide.biomarkers.clear();
    for (std::size_t b = 0; b < B; ++b) wide.biomarkers.push_back(fmt::format("b{}", b));
    auto draw = stream(1);
    return method("debm_gmm", {{"iterations", iterations}})
        ->fit(wide, draw)
        .diagnostics.at("iterations");
  };
  REQUIRE(sweeps(8, 60) == 60);
  REQUIRE(sweeps(24, 240) == 60);  // (12 / 24)^2
  REQUIRE(sweeps(24, 100) == 40);  // the least
  REQUIRE(sweeps(24, 30) == 30);
}

TEST_CASE("settings that do not belong to a fidelity are refused", "[method][event_based]") {
  const std::string paper = "paper";
  for (const auto& plugin : kPlugins) {
    REQUIRE_THROWS_WITH(method(plugin, {{"fidelity", paper}, {"chains", std::int64_t{4}}}),
                        Contains("has one chain"));
    REQUIRE_THROWS_WITH(method(plugin, {{"fidelity", paper}, {"burn_in", std::int64_t{4}}}),
                        Contains("has no burn-in"));
    REQUIRE_THROWS_WITH(method(plugin, {{"fidelity", paper}, {"thinning", std::int64_t{4}}}),
                        Contains("does not thin"));
    REQUIRE_THROWS_WITH(method(plugin, {{"fidelity", paper}, {"stage_with", std::string("mean")}}),
                        Contains("has no mean rank"));
    REQUIRE_THROWS_WITH(method(plugin, {{"stage_with", std::string("ml")}}),
                        Contains("stages with the mean ranks"));
    REQUIRE_THROWS_WITH(method(plugin, {{"burn_in", std::int64_t{10'000}}}),
                        Contains("keep fewer than 4 orders"));
    for (const std::string order : {"greedy", "ml"})
      REQUIRE_NOTHROW(method(plugin, {{"fidelity", paper}, {"stage_with", order}}));
  }
}

}  // namespace tempo::test
