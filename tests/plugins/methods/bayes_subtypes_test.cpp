#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/toml_table.hpp"
#include "order_centre.hpp"
#include "planted_subtypes.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

/// The biomarkers of `planted`.
BiomarkerTable planted_biomarkers(double shift = 4.0) {
  std::vector<Biomarker> out;
  for (std::size_t b = 0; b < kPlantedEvents; ++b) {
    const double mean = 10.0 * static_cast<double>(b);
    out.push_back({fmt::format("b{}", b), {mean, 1.0}, {mean + shift, 1.0}});
  }
  return BiomarkerTable(out);
}

Inference fit(const std::string& settings, const std::string& hypothesis, const Cohort& cohort,
              std::uint64_t seed = 1) {
  const auto process = shipped().hypothesis(part(hypothesis), planted_biomarkers());
  Problems problems;
  auto spec = part("bayes");
  if (!settings.empty()) spec.settings = read_toml_text(settings, "test", problems);
  problems.throw_if_any();
  auto random = stream(seed);
  return shipped().method_under(spec, *process)->fit(cohort, random);
}

}  // namespace

TEST_CASE("bayes finds two planted orders", "[bayes][subtypes]") {
  const auto cohort = planted();
  const auto found = fit("subtypes = 2", "h3", cohort.cohort);
  REQUIRE(distance(found, cohort) == 0.0);
  REQUIRE(score(found, cohort) > 0.9);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.3);
  REQUIRE(std::min(found.subtypes->shares[0], found.subtypes->shares[1]) > 0.15);
  for (std::size_t j = 0; j < cohort.cohort.participant_count(); ++j)
    if (cohort.cohort.diseased[j] == 0) REQUIRE(found.stages[j] == 0.0);
}

TEST_CASE("bayes with several subtypes gives the same for the same seed, whatever the rows",
          "[bayes][subtypes]") {
  const auto cohort = planted().cohort;
  const auto first = fit("subtypes = 2", "h1", cohort);
  REQUIRE(fit("subtypes = 2", "h1", cohort).subtypes->posterior == first.subtypes->posterior);
  std::vector<std::size_t> order(cohort.participant_count());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  const auto turned = fit("subtypes = 2", "h1", with_rows(cohort, order));
  for (std::size_t j = 0; j < order.size(); ++j)
    REQUIRE(turned.stages[j] == first.stages[order[j]]);
}

TEST_CASE("two subtypes predict two planted orders better than one does", "[bayes][subtypes]") {
  const auto cohort = planted().cohort;
  const auto two = fit("subtypes = 2", "h1", cohort), one = fit("", "h1", cohort);
  REQUIRE(two.evidence->elpd_loo > one.evidence->elpd_loo + 20.0);
}

TEST_CASE("bayes says under which hypotheses it takes several subtypes", "[bayes][subtypes]") {
  const auto cohort = planted().cohort;
  REQUIRE_THROWS_WITH(fit("subtypes = 2", "h5", cohort), Contains("gradual"));
  REQUIRE_THROWS_WITH(fit("subtypes = 2", "h9", cohort), Contains("event times have to be ranks"));
  REQUIRE_THROWS_WITH(fit("subtypes = 2\nparameters = 'sample'", "h1", cohort),
                      Contains("more than one needs"));
}

TEST_CASE("the centre of orders is drawn as often as Mallows' law says", "[bayes][subtypes]") {
  // Two orders of three events; dispersion nearly fixed.
  constexpr double kDispersion = 0.8;
  const toolkit::OrderSet orders{{0, 1, 2}, {0, 2, 1}};
  auto random = stream(2);
  bayes::OrderCentre centre(3, kDispersion, kDispersion + 1e-9, random);
  // What it says of an event's places tells the centre: 0 first, then 1, then 2, costs least there.
  std::map<std::vector<double>, double> found;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    centre.sweep(orders, random);
    std::vector<double> key;
    for (std::size_t event = 0; event < 3; ++event) {
      const std::vector<std::size_t> others{(event + 1) % 3, (event + 2) % 3};
      std::vector<double> places(3, 0.0);
      centre.add_log_priors(others, event, places);
      for (const double place : places) key.push_back(std::round(place / kDispersion));
    }
    found[key] += 1.0 / kDraws;
  }
  REQUIRE(found.size() == 6);
  std::vector<double> shares, expected;
  for (const auto& [key, share] : found) shares.push_back(share);
  // Distances of the six centres from both orders together: 1, 1, 3, 3, 5, 5.
  double z = 0.0;
  for (const double pairs : {1.0, 1.0, 3.0, 3.0, 5.0, 5.0})
    z += expected.emplace_back(std::exp(-kDispersion * pairs));
  std::sort(shares.begin(), shares.end());
  std::sort(expected.begin(), expected.end());
  for (std::size_t i = 0; i < shares.size(); ++i)
    REQUIRE_THAT(shares[i], WithinAbs(expected[i] / z, 0.02));
}

}  // namespace tempo::test
