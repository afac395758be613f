#include <numeric>

#include "planted_subtypes.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

std::vector<Setting> settings(const std::string& fidelity, const std::string& distributions,
                              std::int64_t subtypes = 2) {
  std::vector<Setting> out{
      {"fidelity", fidelity}, {"distributions", distributions}, {"subtypes", subtypes}};
  if (fidelity == "paper") {
    out.emplace_back("iterations", std::int64_t{5000});
    out.emplace_back("starts", std::int64_t{5});
  }
  return out;
}

Inference fit(const std::vector<Setting>& with, const Cohort& cohort, std::uint64_t seed = 1) {
  auto random = stream(seed);
  return method("sustain", with)->fit(cohort, random);
}

}  // namespace

TEST_CASE("sustain recovers two planted orders", "[method][sustain]") {
  // 15 pairs an order: a matched distance of 1/30 is one pair in one of the two. Chance is 0.42.
  const auto cohort = planted();
  const auto [fidelity, distributions, most, least_score] =
      GENERATE(table<std::string, std::string, double, double>({{"repaired", "gmm", 0.0, 0.9},
                                                                {"repaired", "kde", 0.0, 0.8},
                                                                {"paper", "gmm", 0.1, 0.7},
                                                                {"paper", "kde", 0.3, 0.2}}));
  INFO(fidelity << " " << distributions);
  const auto found = fit(settings(fidelity, distributions), cohort.cohort);
  REQUIRE(distance(found, cohort) <= most);
  REQUIRE(score(found, cohort) >= least_score);
  // A third of the diseased is of the second order.
  const auto& shares = found.subtypes->shares;
  REQUIRE(std::min(shares[0], shares[1]) > 0.15);
}

TEST_CASE("sustain gives the same for the same seed", "[method][sustain]") {
  const auto cohort = planted().cohort;
  const auto fidelity = GENERATE(as<std::string>(), "repaired", "paper");
  const auto first = fit(settings(fidelity, "gmm"), cohort);
  const auto again = fit(settings(fidelity, "gmm"), cohort);
  REQUIRE(first.subtypes->event_scores == again.subtypes->event_scores);
  REQUIRE(first.subtypes->posterior == again.subtypes->posterior);
  REQUIRE(first.stages == again.stages);
  const auto other = fit(settings(fidelity, "gmm"), cohort, 2);
  REQUIRE(other.subtypes->posterior.values() != first.subtypes->posterior.values());
  REQUIRE(sorted_orders(other) == sorted_orders(first));
}

TEST_CASE("sustain repaired does not care about units, signs, columns and rows",
          "[method][sustain]") {
  const auto cohort = planted().cohort;
  const auto with = settings("repaired", GENERATE(as<std::string>(), "gmm", "kde"));
  const auto first = fit(with, cohort);
  SECTION("units and signs") {
    const auto factor = GENERATE(1e-6, 1e6, -1.0);
    auto other = cohort;
    for (std::size_t b = 0; b < kPlantedEvents; b += 2) other = with_column(other, b, factor);
    const auto found = fit(with, other);
    REQUIRE(sorted_orders(found) == sorted_orders(first));
    REQUIRE(found.stages == first.stages);
  }
  SECTION("columns") {
    const std::vector<std::size_t> order{3, 5, 0, 1, 4, 2};
    const auto found = fit(with, with_columns(cohort, order));
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
    const auto found = fit(with, with_rows(cohort, order));
    REQUIRE(sorted_orders(found) == sorted_orders(first));
    for (std::size_t j = 0; j < order.size(); ++j)
      REQUIRE(found.stages[j] == first.stages[order[j]]);
  }
}

TEST_CASE("sustain says how sure orders are and whether they have settled", "[method][sustain]") {
  const auto cohort = planted().cohort;
  require_agreement([&](std::int64_t iterations) {
    auto with = settings("repaired", "gmm");
    with.emplace_back("iterations", iterations);
    return fit(with, cohort);
  });
}

TEST_CASE("sustain with one subtype is an event-based model", "[method][sustain]") {
  const auto cohort = simulated();
  const auto fidelity = GENERATE(as<std::string>(), "repaired", "paper");
  const auto found = fit(settings(fidelity, "gmm", 1), cohort.cohort);
  REQUIRE(found.subtypes->shares == std::vector{1.0});
  REQUIRE(tau_distance(found.event_scores, cohort.truth.event_ranks) < 0.25);
}

TEST_CASE("sustain takes small cohorts, many subtypes and missing cells", "[method][sustain]") {
  const auto fidelity = GENERATE(as<std::string>(), "repaired", "paper");
  INFO(fidelity);
  SECTION("more subtypes than participants") {
    auto cohort = planted().cohort;
    std::vector<std::size_t> rows;
    for (const int group : {0, 1})
      for (std::size_t j = 0, n = 0; n < 3; ++j)
        if (cohort.diseased[j] == group) rows.push_back(j), ++n;
    Cohort small{{}, cohort.biomarkers, Matrix(rows.size(), kPlantedEvents), {}, {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      small.participants.push_back(cohort.participants[rows[i]]);
      small.diseased.push_back(cohort.diseased[rows[i]]);
      std::ranges::copy(cohort.measurements.row(rows[i]), small.measurements.row(i).begin());
    }
    REQUIRE(fit(settings(fidelity, "gmm", 8), small).subtypes->shares.size() == 8);
  }
  SECTION("missing cells") {
    auto cohort = planted();
    auto random = stream(5);
    for (double& value : cohort.cohort.measurements.values())
      if (random.uniform() < 0.1) value = kMissing;
    REQUIRE(distance(fit(settings(fidelity, "gmm"), cohort.cohort), cohort) <= 0.15);
  }
}

}  // namespace tempo::test
