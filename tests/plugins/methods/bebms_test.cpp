#include <algorithm>
#include <numeric>

#include "planted_subtypes.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

std::vector<Setting> settings(const std::string& fidelity, std::int64_t subtypes = 2) {
  std::vector<Setting> out{{"fidelity", fidelity}, {"subtypes", subtypes}};
  if (fidelity == "paper") out.emplace_back("iterations", std::int64_t{4000});
  return out;
}

Inference fit(const std::vector<Setting>& with, const Cohort& cohort, std::uint64_t seed = 1) {
  auto random = stream(seed);
  return method("bebms", with)->fit(cohort, random);
}

}  // namespace

TEST_CASE("bebms recovers two planted orders", "[method][bebms]") {
  // 15 pairs an order: a matched distance of 1/30 is one pair in one of the two. Chance is 0.42.
  const auto cohort = planted();
  const auto [fidelity, variant, most, least_score] =
      GENERATE(table<std::string, std::string, double, double>({{"repaired", "labels", 0.0, 0.9},
                                                                {"repaired", "blind", 0.0, 0.9},
                                                                {"paper", "labels", 0.2, 0.5},
                                                                {"paper", "blind", 0.2, 0.5}}));
  INFO(fidelity << " " << variant);
  auto with = settings(fidelity);
  with.emplace_back("variant", variant);
  const auto found = fit(with, cohort.cohort);
  REQUIRE(distance(found, cohort) <= most);
  REQUIRE(score(found, cohort) >= least_score);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.7);
  // A third of the diseased is of the second order.
  const auto& shares = found.subtypes->shares;
  REQUIRE(std::min(shares[0], shares[1]) > 0.15);
}

TEST_CASE("bebms gives the same for the same seed", "[method][bebms]") {
  const auto cohort = planted().cohort;
  const auto fidelity = GENERATE(as<std::string>(), "repaired", "paper");
  const auto first = fit(settings(fidelity), cohort);
  const auto again = fit(settings(fidelity), cohort);
  REQUIRE(first.subtypes->event_scores == again.subtypes->event_scores);
  REQUIRE(first.subtypes->posterior == again.subtypes->posterior);
  REQUIRE(first.stages == again.stages);
  const auto other = fit(settings(fidelity), cohort, 2);
  REQUIRE(other.subtypes->posterior.values() != first.subtypes->posterior.values());
  if (fidelity == "repaired") REQUIRE(sorted_orders(other) == sorted_orders(first));
}

TEST_CASE("bebms does not care about units, signs, names and columns", "[method][bebms]") {
  const auto cohort = planted().cohort;
  const auto first = fit(settings("repaired"), cohort);
  SECTION("units and signs") {
    const auto factor = GENERATE(1e-6, 1e6, -1.0, -1e-6);
    auto other = cohort;
    for (std::size_t b = 0; b < kPlantedEvents; b += 2) other = with_column(other, b, factor);
    const auto found = fit(settings("repaired"), other);
    REQUIRE(sorted_orders(found) == sorted_orders(first));
    REQUIRE(found.stages == first.stages);
  }
  SECTION("names") {
    auto other = cohort;
    for (auto& name : other.biomarkers) name = "z" + name + "\u00e4";
    for (auto& name : other.participants) name += " x";
    const auto found = fit(settings("repaired"), other);
    REQUIRE(found.subtypes->event_scores == first.subtypes->event_scores);
    REQUIRE(found.subtypes->posterior == first.subtypes->posterior);
  }
  SECTION("columns") {
    const std::vector<std::size_t> order{3, 5, 0, 1, 4, 2};
    const auto found = fit(settings("repaired"), with_columns(cohort, order));
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t b = 0; b < kPlantedEvents; ++b)
        REQUIRE(found.subtypes->event_scores(s, b) == first.subtypes->event_scores(s, order[b]));
    REQUIRE(found.stages == first.stages);
  }
  SECTION("rows") {
    std::vector<std::size_t> order(cohort.participant_count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto random = stream(8);
    random.shuffle(order);
    const auto found = fit(settings("repaired"), with_rows(cohort, order));
    REQUIRE(found.subtypes->event_scores == first.subtypes->event_scores);
    for (std::size_t j = 0; j < order.size(); ++j)
      REQUIRE(found.subtypes->posterior(j, 0) == first.subtypes->posterior(order[j], 0));
  }
}

TEST_CASE("bebms says how sure orders are and whether they have settled", "[method][bebms]") {
  const auto cohort = planted().cohort;
  require_agreement([&](std::int64_t iterations) {
    auto with = settings("repaired");
    with.emplace_back("iterations", iterations);
    return fit(with, cohort);
  });
}

TEST_CASE("bebms with one subtype is an event-based model", "[method][bebms]") {
  const auto cohort = simulated();
  const auto fidelity = GENERATE(as<std::string>(), "repaired", "paper");
  const auto found = fit(settings(fidelity, 1), cohort.cohort);
  REQUIRE(found.subtypes->shares == std::vector{1.0});
  REQUIRE(tau_distance(found.event_scores, cohort.truth.event_ranks) < 0.25);
  for (std::size_t b = 0; b < cohort.cohort.biomarker_count(); ++b)
    REQUIRE(found.event_scores[b] == found.subtypes->event_scores(0, b));
}

TEST_CASE("bebms takes small cohorts and many subtypes", "[method][bebms]") {
  const auto fidelity = GENERATE(as<std::string>(), "repaired", "paper");
  INFO(fidelity);
  SECTION("one biomarker") {
    auto one = planted().cohort;
    one.biomarkers.resize(1);
    Matrix values(one.participant_count(), 1);
    for (std::size_t j = 0; j < values.rows(); ++j) values(j, 0) = one.measurements(j, 0);
    one.measurements = values;
    REQUIRE(fit(settings(fidelity), one).event_scores == std::vector{1.0});
  }
  SECTION("more subtypes than there are") {
    const auto found = fit(settings(fidelity, 5), planted().cohort);
    REQUIRE(found.subtypes->shares.size() == 5);
  }
}

TEST_CASE("bebms and missing cells", "[method][bebms][missing]") {
  auto cohort = planted();
  auto random = stream(5);
  for (double& value : cohort.cohort.measurements.values())
    if (random.uniform() < 0.1) value = kMissing;
  SECTION("repaired skips them") {
    const auto found = fit(settings("repaired"), cohort.cohort);
    REQUIRE(distance(found, cohort) <= 1.0 / 30.0);
    REQUIRE(score(found, cohort) > 0.5);
  }
  SECTION("the published method is not defined for them") {
    REQUIRE_THROWS_WITH(fit(settings("paper"), cohort.cohort),
                        Contains("is not defined for missing cells"));
  }
}

}  // namespace tempo::test
