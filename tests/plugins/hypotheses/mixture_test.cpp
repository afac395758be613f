#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "data/public_cohort_writer.hpp"
#include "data/public_cohorts.hpp"
#include "data/toml_table.hpp"
#include "probes.hpp"
#include "statistics.hpp"
#include "subtype_law.hpp"
#include "support.hpp"
#include "tempo/generative_process.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

std::unique_ptr<GenerativeProcess> mixture_of(const std::string& toml, std::size_t biomarkers = 12,
                                              const Registry& registry = shipped()) {
  Problems problems;
  const auto settings = read_toml_text(toml, "test", problems);
  problems.throw_if_any();
  return registry.hypothesis({"mixture", settings, {}}, plain_biomarkers(biomarkers));
}

SimulatedCohort drawn(const GenerativeProcess& process, const CohortSize& size,
                      std::uint64_t index) {
  RandomStream random(1, "test", "mixture", index);
  return process.simulate(size, random);
}

double discordant_pairs(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> place(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) place[b[i]] = i;
  double pairs = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = i + 1; k < a.size(); ++k) pairs += place[a[i]] > place[a[k]] ? 1.0 : 0.0;
  return pairs;
}

/// Mean and variance of the number of events that event i of 1..B passes: v in 0..i-1 with
/// probability proportional to exp(-dispersion v), summed over i: the closed form of Mallows' law.
std::pair<double, double> expected_distance(std::size_t biomarkers, double dispersion) {
  double mean_sum = 0.0, variance_sum = 0.0;
  for (std::size_t i = 1; i <= biomarkers; ++i) {
    double z = 0.0, first = 0.0, second = 0.0;
    for (std::size_t v = 0; v < i; ++v) {
      const double x = static_cast<double>(v), weight = std::exp(-dispersion * x);
      z += weight;
      first += weight * x;
      second += weight * x * x;
    }
    mean_sum += first / z;
    variance_sum += second / z - (first / z) * (first / z);
  }
  return {mean_sum, variance_sum};
}

}  // namespace

TEST_CASE("orders about a centre are as far from it as Mallows' law says", "[mixture]") {
  const auto [B, dispersion, published] =
      GENERATE(table<std::size_t, double, double>({{12, 0.0, 0.5},
                                                   {12, 0.01, 0.49},
                                                   {12, 0.25, 0.42},
                                                   {12, 0.5, 0.29},
                                                   {100, 0.2, 0.12},
                                                   {100, 0.5, 0.05}}));
  CAPTURE(B, dispersion);
  auto random = stream(1);
  const std::size_t kOrders = B > 12 ? 150 : 1500;
  const auto centre = random.permutation(B);
  std::vector<double> distances;
  double between = 0.0;
  for (std::size_t i = 0; i < kOrders; ++i) {
    const auto one = mixture::draw_mallows(centre, dispersion, random);
    const auto other = mixture::draw_mallows(centre, dispersion, random);
    distances.push_back(discordant_pairs(one, centre));
    between += discordant_pairs(one, other) / static_cast<double>(kOrders);
  }
  const auto [expected, variance] = expected_distance(B, dispersion);
  REQUIRE(mean_p_value(mean(distances), kOrders, expected, std::sqrt(variance)) > kRarely);
  // Of two orders, in parts of all pairs: the figures of the published design, two digits.
  const double pairs = 0.5 * static_cast<double>(B) * static_cast<double>(B - 1);
  REQUIRE(std::abs(between / pairs - published) < 0.015);
}

TEST_CASE("every order of three events comes as often as Mallows' law says", "[mixture]") {
  constexpr double kDispersion = 0.7;
  constexpr int kDraws = 6000;
  const std::vector<std::size_t> centre{2, 0, 1};
  auto random = stream(2);
  std::map<std::vector<std::size_t>, double> counts;
  for (int i = 0; i < kDraws; ++i) counts[mixture::draw_mallows(centre, kDispersion, random)] += 1;
  REQUIRE(counts.size() == 6);
  double z = 0.0;
  for (const auto& [order, count] : counts)
    z += std::exp(-kDispersion * discordant_pairs(order, centre));
  for (const auto& [order, count] : counts) {
    const double p = std::exp(-kDispersion * discordant_pairs(order, centre)) / z;
    REQUIRE(mean_p_value(count / kDraws, kDraws, p, std::sqrt(p * (1.0 - p))) > kRarely);
  }
}

TEST_CASE("sizes of subtypes", "[mixture]") {
  auto random = stream(3);
  mixture::SubtypeLaw law;
  SECTION("none is too small, none is preferred, and all diseased are of one") {
    constexpr std::size_t kCohorts = 600;
    std::vector<double> first;
    for (std::size_t i = 0; i < kCohorts; ++i) {
      const auto sizes = mixture::draw_sizes(law, 3, 573, random);
      REQUIRE(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == 573);
      REQUIRE(*std::min_element(sizes.begin(), sizes.end()) >= 10);
      first.push_back(static_cast<double>(sizes[0]));
    }
    REQUIRE(mean_p_value(mean(first), kCohorts, 191.0, std::sqrt(variance(first))) > kRarely);
  }
  SECTION("a larger concentration makes them more even") {
    const auto spread = [&](double concentration) {
      law.concentrations = {concentration};
      double sum = 0.0;
      for (int i = 0; i < 200; ++i) {
        const auto sizes = mixture::draw_sizes(law, 3, 573, random);
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        sum += static_cast<double>(*most - *least);
      }
      return sum;
    };
    REQUIRE(spread(2.0) > 2.0 * spread(50.0));
  }
  SECTION("equal ones differ by one at most") {
    law.equal_sizes = true;
    auto sizes = mixture::draw_sizes(law, 3, 572, random);
    std::sort(sizes.begin(), sizes.end());
    REQUIRE(sizes == std::vector<std::size_t>{190, 191, 191});
  }
  SECTION("none is too small, however uneven they are, as long as there are enough diseased") {
    law.concentrations = {0.1};
    for (int i = 0; i < 100; ++i) {
      const auto sizes = mixture::draw_sizes(law, 3, 100, random);
      REQUIRE(*std::min_element(sizes.begin(), sizes.end()) >= 10);
    }
  }
  SECTION("those that cannot be had are told") {
    law.concentrations = {1e-6};
    REQUIRE_THROWS_WITH(mixture::draw_sizes(law, 3, 573, random),
                        Contains("raise 'sizes', or lower 'least' or 'number'"));
  }
  SECTION("few diseased are spread over the subtypes") {
    const auto sizes = mixture::draw_sizes(law, 5, 3, random);
    REQUIRE(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == 3);
    REQUIRE(*std::max_element(sizes.begin(), sizes.end()) == 1);
  }
}

TEST_CASE("a mixture of any hypothesis", "[mixture][hypothesis]") {
  const auto id = GENERATE(as<std::string>(), "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9");
  CAPTURE(id);
  const auto process = mixture_of("hypothesis = '" + id + "'");
  const auto [cohort, truth] = drawn(*process, {.participants = 300}, 1);
  REQUIRE(truth.subtypes);
  const auto& [progressions, subtype] = *truth.subtypes;
  REQUIRE(progressions.size() == 3);
  SECTION("the healthy are of none, the diseased count the events of their own") {
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      REQUIRE((subtype[j] < 0) == (cohort.diseased[j] == 0));
      if (subtype[j] < 0) {
        REQUIRE(truth.stages[j] == 0.0);
        continue;
      }
      const auto& own = progressions[static_cast<std::size_t>(subtype[j])];
      REQUIRE(truth.ordinal_stages[j] == event_count(own.event_times, truth.stages[j]));
    }
  }
  SECTION("orders differ, and times agree with ranks") {
    std::set<std::vector<std::size_t>> orders;
    for (const auto& [times, ranks] : progressions) {
      orders.insert({ranks.begin(), ranks.end()});
      REQUIRE(ranks_of(sequence_by_score(times)) == ranks);
    }
    REQUIRE(orders.size() == 3);
  }
  SECTION("a cohort is a function of its stream") {
    REQUIRE(drawn(*process, {.participants = 300}, 2) != drawn(*process, {.participants = 300}, 1));
    REQUIRE(drawn(*process, {.participants = 300}, 1) == SimulatedCohort{cohort, truth});
  }
  SECTION("it is written in the public layout and read back") {
    const TemporaryFolder here;
    PublicCohortWriter writer(here.path(), "exp1", 0.21);
    writer.add(0, cohort, truth, &process->biomarkers());
    writer.finish();
    Problems problems;
    const auto datasets = list_public_cohorts(here.path(), problems);
    REQUIRE(datasets.size() == 1);
    const auto read = read_public_cohort(datasets.front(), problems);
    REQUIRE(problems.empty());
    const auto& again = *read.truth.subtypes;
    REQUIRE(again.progressions.size() == 3);
    // Participants are shuffled, biomarkers sorted by name on reading.
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t b = 0; b < 12; ++b) {
        const auto& name = read.cohort.biomarkers[b];
        const auto before = static_cast<std::size_t>(
            std::find(cohort.biomarkers.begin(), cohort.biomarkers.end(), name) -
            cohort.biomarkers.begin());
        REQUIRE(again.progressions[s].event_ranks[b] == progressions[s].event_ranks[before]);
      }
    for (const int of : {-1, 0, 1, 2})
      REQUIRE(std::count(again.subtype.begin(), again.subtype.end(), of) ==
              std::count(subtype.begin(), subtype.end(), of));
  }
}

TEST_CASE("measurements switch at the events of the participant's own progression", "[mixture]") {
  // Two standard deviations from state to state.
  const auto process = mixture_of(
      "hypothesis = 'h3'\nsubtypes = { number = 2, orders = 'independent', sizes = 'equal' }", 6);
  const auto [cohort, truth] = drawn(*process, {.participants = 3000, .healthy_ratio = 0.0}, 1);
  std::vector<double> before, after;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    for (std::size_t b = 0; b < 6; ++b) {
      const auto& ranks =
          truth.subtypes->progressions[static_cast<std::size_t>(truth.subtypes->subtype[j])]
              .event_ranks;
      const auto& phi = process->biomarkers()[b].phi;
      (static_cast<int>(ranks[b]) <= truth.ordinal_stages[j] ? after : before)
          .push_back(cohort.measurements(j, b) - phi.mean);
    }
  REQUIRE(mean_p_value(mean(before), before.size(), 0.0, 1.0) > kRarely);
  REQUIRE(mean_p_value(mean(after), after.size(), 2.0, 1.5) > kRarely);
}

TEST_CASE("the number of progressions is drawn from its range", "[mixture]") {
  const auto process = mixture_of("hypothesis = 'h3'\nsubtypes = { number = [1, 4] }");
  std::vector<double> counts(5);
  constexpr std::size_t kCohorts = 200;
  for (std::uint64_t i = 0; i < kCohorts; ++i)
    counts.at(drawn(*process, {.participants = 60}, i).truth.subtypes->progressions.size()) += 1.0;
  REQUIRE(counts[0] == 0.0);
  for (std::size_t k = 1; k <= 4; ++k)
    REQUIRE(mean_p_value(counts[k] / kCohorts, kCohorts, 0.25, std::sqrt(0.25 * 0.75)) > kRarely);
}

TEST_CASE("orders of progressions differ, or it is told why they cannot", "[mixture]") {
  const auto alike = mixture_of("hypothesis = 'h3'\nsubtypes = { number = 3, dispersion = 30 }", 6);
  REQUIRE_THROWS_WITH(drawn(*alike, {.participants = 60}, 1),
                      Contains("lower 'number' or 'dispersion'"));
  const auto more_than_orders = mixture_of("hypothesis = 'h3'\nsubtypes = { number = 3 }", 2);
  REQUIRE(drawn(*more_than_orders, {.participants = 60}, 1).truth.subtypes->progressions.size() ==
          3);
  const auto all_orders = mixture_of("hypothesis = 'h3'\nsubtypes = { number = 2 }", 2);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto found = drawn(*all_orders, {.participants = 60}, i).truth.subtypes->progressions;
    REQUIRE(found[0].event_ranks != found[1].event_ranks);
  }
}

TEST_CASE("a hypothesis that states no law has independent progressions", "[mixture]") {
  const auto process =
      mixture_of("hypothesis = 'own_parts'\nsubtypes = { number = 2, orders = 'independent' }", 4,
                 shipped_and_probes());
  const auto [cohort, truth] = drawn(*process, {.participants = 101, .healthy_ratio = 0.3}, 1);
  REQUIRE(std::count(cohort.diseased.begin(), cohort.diseased.end(), 0) == 30);
  REQUIRE(std::count(truth.subtypes->subtype.begin(), truth.subtypes->subtype.end(), -1) == 30);
  REQUIRE_THROWS_WITH(mixture_of("hypothesis = 'own_parts'", 4, shipped_and_probes()),
                      Contains("use subtypes = { orders = \"independent\" }"));
}

TEST_CASE("settings of a mixture that cannot be are told", "[mixture]") {
  const auto [settings, complaint] = GENERATE(table<std::string, std::string>(
      {{"subtypes = { number = 2 }", "missing key 'hypothesis'"},
       {"hypothesis = 'h1'\nsubtypes = 3", "expected a table with number"},
       {"hypothesis = 'h1'\nsubtypes = { number = 0 }",
        "'number' must be a whole number in [1, 20]"},
       {"hypothesis = 'h1'\nsubtypes = { number = [3, 1] }", "'number' must be"},
       {"hypothesis = 'h1'\nsubtypes = { number = 2.5 }", "'number' must be"},
       {"hypothesis = 'h1'\nsubtypes = { dispersion = -1 }", "'dispersion' must be a number"},
       {"hypothesis = 'h1'\nsubtypes = { sizes = 'even' }", "'sizes' must be 'equal'"},
       {"hypothesis = 'h1'\nsubtypes = { sizes = inf }", "'sizes' must be 'equal'"},
       {"hypothesis = 'h1'\nsubtypes = { sizes = [2, nan] }", "'sizes' must be 'equal'"},
       {"hypothesis = 'h1'\nsubtypes = { sizes = 0 }", "'sizes' must be 'equal'"},
       {"hypothesis = 'h1'\nsubtypes = { dispersion = inf }", "'dispersion' must be a number"},
       {"hypothesis = 'h1'\nsubtypes = { orders = 'mallow' }", "did you mean 'mallows'"},
       {"hypothesis = 'h1'\nsubtypes = { numbers = 2 }", "did you mean 'number'"}}));
  REQUIRE_THROWS_WITH(mixture_of(settings), Contains(complaint));
}

}  // namespace tempo::test
