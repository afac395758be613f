#include "analysis/checks.hpp"

#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

NamedCheck check(const std::string& biomarker, const std::string& statistic, double observed,
                 double p) {
  return {biomarker, true, statistic, observed, 1.0, 0.5, p};
}

}  // namespace

TEST_CASE("checks far off are named, the farthest first", "[analysis][checks]") {
  // In sds of 0.5 from 1: 1, 4, -6, 5, 5 (by a p that is not small), 4.5.
  const std::vector<NamedCheck> checks{
      check("a", "mean", 1.5, 0.3), check("b", "sd", 3.0, 0.01), check("c", "mean", -2.0, 0.01),
      check("d", "sd", 3.5, 0.04),  check("e", "sd", 3.5, 0.06), check("f", "sd", 3.25, 0.01)};
  REQUIRE(distance(checks[2]) == -6.0);
  const auto summary = summarise(checks);
  REQUIRE(summary.checks == 6);
  REQUIRE(summary.low == 4);
  REQUIRE(summary.by_chance() == Approx(0.3));
  REQUIRE(summary.far ==
          std::vector<const NamedCheck*>{&checks[2], &checks[3], &checks[5], &checks[1]});
}

TEST_CASE("checks of a method are taken together over its fits", "[analysis][checks]") {
  const auto fit = [](std::size_t cohort, std::vector<NamedCheck> checks) {
    return FitChecks{scored("h1", cohort, "one", 0.0).id, std::move(checks)};
  };
  // In sds of 0.5 from 1: a is 1 and -1, b is 4 and 2.
  const auto lines =
      checks_by_method({fit(0, {check("a", "mean", 1.5, 0.3), check("b", "sd", 3.0, 0.01)}),
                        fit(1, {check("a", "mean", 0.5, 0.3), check("b", "sd", 2.0, 0.02)}),
                        FitChecks{scored("h_2", 0, "one", 0.0).id, {}}});
  REQUIRE(lines.size() == 2);
  REQUIRE(lines[0].fits == 2);
  REQUIRE(lines[0].checks == 4);
  REQUIRE(lines[0].low == 2);
  REQUIRE(lines[0].far == 1);
  REQUIRE(lines[0].farthest->subject.biomarker == "b");
  REQUIRE(lines[0].farthest->mean_distance == 3.0);
  REQUIRE_FALSE(lines[1].farthest);
}

}  // namespace tempo::test
