#include "analysis/calibration.hpp"

#include "stored_run.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

void add(StoredRun& run, FitId id, std::optional<Calibration> ranks,
         std::optional<Calibration> stages, FitStatus status = FitStatus::ok) {
  PlannedFit fit;
  fit.id = std::move(id);
  FitRecord record;
  record.result.status = status;
  record.details.rank_calibration = ranks;
  record.details.stage_calibration = stages;
  run.add(std::move(fit), std::move(record));
}

std::vector<MethodCalibration> read(StoredRun& run) {
  run.finish();
  return calibration_by_method(run.store);
}

FitId id(const std::string& hypothesis, std::size_t cohort, const std::string& method,
         const std::string& trained_on = "") {
  FitId out;
  out.hypothesis = hypothesis;
  out.cohort = cohort;
  out.method = method;
  out.trained_on = trained_on;
  return out;
}

/// Four truths: so many of them inside, all in one tenth.
Calibration four(double inside, std::size_t tenth) {
  Calibration out{4, inside, {}};
  out.tenths[tenth] = 4.0;
  return out;
}

}  // namespace

TEST_CASE("calibration is gathered over the cohorts of a hypothesis", "[analysis][calibration]") {
  StoredRun run;
  add(run, id("h1", 0, "sure"), four(4.0, 0), std::nullopt);
  add(run, id("h1", 0, "none"), std::nullopt, std::nullopt);
  add(run, id("h1", 1, "sure"), four(2.0, 1), std::nullopt);
  add(run, id("h1", 2, "sure"), std::nullopt, std::nullopt, FitStatus::failed);
  add(run, id("h2", 0, "sure"), four(1.0, 9), four(3.0, 4));
  add(run, id("h1", 0, "learner", "h1"), four(4.0, 2), std::nullopt);
  add(run, id("h1", 0, "learner", "h2"), four(0.0, 2), std::nullopt);  // of another hypothesis
  const auto found = read(run);
  REQUIRE(found.size() == 3);

  const auto& first = found[0];
  REQUIRE(first.hypothesis == "h1");
  REQUIRE(first.method == "sure");
  REQUIRE(first.ranks->all.truths == 8);
  REQUIRE(first.ranks->all.inside == 6.0);
  REQUIRE(first.ranks->all.tenths[0] == 4.0);
  REQUIRE(first.ranks->all.tenths[1] == 4.0);
  REQUIRE(first.ranks->inside.mean == Approx(0.75));  // of cohorts with 1 and 1/2
  REQUIRE(first.ranks->inside.scored == 2);
  REQUIRE(first.ranks->inside.planned == 3);
  REQUIRE_FALSE(first.stages);
  REQUIRE(found[1].hypothesis == "h2");
  REQUIRE(found[1].stages->all.inside == 3.0);
  REQUIRE(found[2].method == "learner");
  REQUIRE(found[2].ranks->all.inside == 4.0);
}

TEST_CASE("without posteriors there is no calibration", "[analysis][calibration]") {
  StoredRun run;
  add(run, id("h1", 0, "none"), std::nullopt, std::nullopt);
  add(run, id("h1", 0, "empty"), std::nullopt, Calibration{});
  REQUIRE(read(run).empty());
}

namespace {

/// Truths of one cohort, each in the probability that a posterior with this law of places has below
/// it.
template <class Place>
std::vector<Calibration> cohorts_with(Place place, std::uint64_t seed) {
  constexpr std::size_t kCohorts = 60, kTruths = 12, kValues = 200;
  auto draws = stream(seed);
  std::vector<Calibration> out(kCohorts);
  const std::vector<double> posterior(kValues, 1.0 / static_cast<double>(kValues));
  for (auto& cohort : out)
    for (std::size_t i = 0; i < kTruths; ++i)
      cohort.add(posterior,
                 std::min(kValues - 1, static_cast<std::size_t>(kValues * place(draws.uniform()))));
  return out;
}

}  // namespace

// By chance one of 200 sets disagrees: of 200 more than five do with probability 4e-4.
TEST_CASE("truths that lie evenly in their posteriors do not disagree", "[analysis][calibration]") {
  int disagree = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto found = places_of_truths(cohorts_with([](double u) { return u; }, seed));
    REQUIRE(found.all.truths == 720);
    disagree += found.disagree();
  }
  CHECK(disagree <= 5);
}

TEST_CASE("posteriors too narrow, too wide or shifted disagree", "[analysis][calibration]") {
  // The probability below a truth if the posterior is half as wide as it should be, for a normal
  // one: more truths near both ends.
  const auto narrow = places_of_truths(cohorts_with(
      [](double u) { return u < 0.5 ? 2.0 * u * u : 1.0 - 2.0 * (1.0 - u) * (1.0 - u); }, 1));
  CHECK(narrow.disagree());
  CHECK(narrow.spread.mean > 1.1);
  CHECK(narrow.inside.mean < 0.85);
  const auto wide = places_of_truths(cohorts_with([](double u) { return 0.1 + 0.8 * u; }, 2));
  CHECK(wide.disagree());
  CHECK(wide.spread.mean < 0.8);
  CHECK(wide.inside.mean > 0.95);
  const auto shifted = places_of_truths(cohorts_with([](double u) { return 0.9 * u; }, 3));
  CHECK(shifted.disagree());
  CHECK(shifted.mean.mean < 0.48);
}

TEST_CASE("a single value has no place to be in", "[analysis][calibration]") {
  Calibration one;
  one.add(std::vector{1.0}, 0);
  const auto found = places_of_truths({one, one, one});
  REQUIRE(found.p == 1.0);
  REQUIRE_FALSE(found.disagree());
  Calibration surprised;
  surprised.add(std::vector{1.0, 0.0}, 1);
  REQUIRE(places_of_truths({surprised, surprised, surprised}).p == 0.0);
}

}  // namespace tempo::test
