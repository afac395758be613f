// Lines of a sweep, and what each step along them changes.

#include "analysis/learning_curve.hpp"

#include "results/store.hpp"
#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::WithinAbs;

FitRow at_point(std::vector<std::string> point, FitRow row) {
  row.id.axis_values = std::move(point);
  return row;
}

/// Four cohorts at 100, 200 and 400 participants. Cohorts differ by far more than the first step
/// changes: 0.1, 0.2, 0.1 and 0.2 less. Cohort 3 failed at 400.
RunResults three_sizes() {
  RunResults out{"name", {"cohorts.participants"}, {}};
  const double at_100[] = {0.5, 0.3, 0.9, 0.6}, at_200[] = {0.4, 0.1, 0.8, 0.4};
  for (std::size_t i = 0; i < 4; ++i) {
    out.rows.push_back(at_point({"100"}, scored("h1", i, "debm", at_100[i])));
    out.rows.push_back(at_point({"200"}, scored("h1", i, "debm", at_200[i])));
    out.rows.push_back(at_point(
        {"400"}, i == 3 ? failed("h1", i, "debm", "no") : scored("h1", i, "debm", at_200[i])));
  }
  return out;
}

/// A point per combination, the last key fastest.
RunResults grid(const std::vector<std::string>& axes,
                const std::vector<std::vector<std::string>>& points) {
  RunResults out{"name", axes, {}};
  for (const auto& point : points)
    out.rows.push_back(at_point(point, scored("h1", 0, "debm", 0.5)));
  return out;
}

}  // namespace

TEST_CASE("a step's interval is that of a paired t test", "[analysis][curve]") {
  const auto results = three_sizes();
  const auto lines = sweep_lines(results);
  REQUIRE(lines.size() == 1);
  const auto curve = learning_curve(lines[0], results, *find_metric("tau_distance"));
  REQUIRE(curve.scores.rows.size() == 3);
  REQUIRE(curve.changes.rows.size() == 2);

  // Differences -0.1, -0.2, -0.1, -0.2: mean -0.15, sd sqrt(4 x 0.0025 / 3) = 0.0577350. Student's
  // t with three degrees of freedom has its 97.5 % quantile at 3.182446: half width 3.182446 x
  // 0.0577350 / sqrt(4).
  const auto& step = curve.changes.rows[0].estimates[0];
  REQUIRE_THAT(step.mean, WithinAbs(-0.15, 1e-12));
  REQUIRE_THAT(step.half_width.value(), WithinAbs(0.0918693, 1e-7));
  REQUIRE(step.scored == 4);
  // Apart from each other the two means say nothing: each has an interval several times as wide.
  REQUIRE(curve.scores.rows[0].estimates[0].half_width.value() > 4.0 * *step.half_width);

  SECTION("a pair of which one has failed is planned, and not counted") {
    const auto& next = curve.changes.rows[1].estimates[0];
    REQUIRE(next.mean == 0.0);
    REQUIRE(next.half_width == 0.0);
    REQUIRE(next.scored == 3);
    REQUIRE(next.planned == 4);
  }
  SECTION("no step is the best") {
    for (const auto& row : curve.changes.rows) REQUIRE(row.is_best == std::vector<bool>{false});
  }
}

TEST_CASE("several hypotheses have a curve each, and one over all", "[analysis][curve]") {
  auto results = three_sizes();
  for (auto row : three_sizes().rows) {
    row.id.hypothesis = "h2";
    results.rows.push_back(row);
  }
  const auto curve = learning_curve(sweep_lines(results)[0], results, *find_metric("tau_distance"));
  REQUIRE(curve.scores.rows.size() == 9);
  REQUIRE(curve.scores.rows.back().hypothesis.empty());
  REQUIRE(curve.changes.rows.size() == 6);
  const auto& over_all = curve.changes.rows[4];
  REQUIRE(over_all.hypothesis.empty());
  REQUIRE(over_all.estimates[0].scored == 8);
  REQUIRE_THAT(over_all.estimates[0].mean, WithinAbs(-0.15, 1e-12));
}

TEST_CASE("a line varies one key and keeps the others", "[analysis][curve]") {
  SECTION("two keys: a line per value of the other") {
    const auto lines =
        sweep_lines(grid({"a", "b"}, {{"1", "x"}, {"1", "y"}, {"2", "x"}, {"2", "y"}}));
    REQUIRE(lines.size() == 4);
    REQUIRE(lines[0].axis == 0);
    REQUIRE(lines[0].fixed == std::vector<std::size_t>{1});
    REQUIRE(!varies(lines[0], 1));
    REQUIRE(lines[0].points == std::vector<std::vector<std::string>>{{"1", "x"}, {"2", "x"}});
    REQUIRE(lines[3].axis == 1);
    REQUIRE(lines[3].points == std::vector<std::vector<std::string>>{{"2", "x"}, {"2", "y"}});
  }
  SECTION("keys side by side are one") {
    const auto lines = sweep_lines(grid({"a", "b"}, {{"1", "x"}, {"2", "y"}, {"3", "z"}}));
    REQUIRE(lines.size() == 1);
    REQUIRE(lines[0].fixed.empty());
    REQUIRE(lines[0].points.size() == 3);
    REQUIRE(varies(lines[0], 0));
    REQUIRE(varies(lines[0], 1));
  }
  SECTION("no sweep has no lines") { REQUIRE(sweep_lines(grid({}, {{}})).empty()); }
  SECTION("one value is no line") { REQUIRE(sweep_lines(grid({"a"}, {{"1"}})).empty()); }
}

TEST_CASE("what cohorts share along a line is that of the pairs there are", "[analysis][curve]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const SweepLine line{0, {}, {{"1"}, {"2"}}};
  StoredPlan plan{.name = "name", .axes = {"a"}, .fits = {}, .recipes = {{"recipe", "{}"}}};
  const auto add = [&](const std::string& point, std::size_t number, const std::string& cohort) {
    PlannedFit fit;
    fit.id = scored("h1", number, "debm", 0.5).id;
    fit.id.axis_values = {point};
    fit.id.origin = CohortOrigin::hypothesis;
    fit.key = fit.slot = point + " " + std::to_string(number);
    fit.recipe = "recipe";
    fit.cohort_key = cohort;
    plan.fits.push_back(fit);
    store.set_plan(plan);
  };
  const auto shared = [&] { return shared_along({line}, store); };
  REQUIRE(shared() == Shared::unknown);
  add("1", 0, "x");
  add("2", 1, "x");
  REQUIRE(shared() == Shared::unknown);  // no number is at both points
  add("2", 0, "x");
  REQUIRE(shared() == Shared::cohorts);
  add("1", 1, "y");
  REQUIRE(shared() == Shared::unknown);  // no truth is kept
  SimulatedCohort cohort;
  cohort.cohort = {{"0", "1", "2"}, {"a", "b"}, {}, {0, 1, 1}, {}};
  cohort.truth.event_times = {1.0, 2.0};
  cohort.truth.event_ranks = Ranks({1, 2});
  cohort.truth.ordinal_stages = {0, 1, 2};
  store.add_truths({{"x", cohort}});
  store.add_truths({{"y", cohort}});
  REQUIRE(shared() == Shared::orders);
  cohort.truth.event_times = {2.0, 1.0};
  cohort.truth.event_ranks = Ranks({2, 1});
  store.add_truths({{"z", cohort}});
  add("1", 2, "z");
  add("2", 2, "x");
  REQUIRE(shared() == Shared::nothing);
}

}  // namespace tempo::test
