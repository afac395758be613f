#include "report/check_tables.hpp"

#include <nlohmann/json.hpp>

#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

NamedCheck check(const std::string& biomarker, const std::string& statistic, double observed,
                 double p) {
  return {biomarker, true, statistic, observed, 1.0, 0.5, p};
}

std::string rendered(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes,
                     TableFormat format) {
  return render(check_table(fits, axes), format);
}

}  // namespace

TEST_CASE("the farthest checks are named in words", "[report][checks]") {
  // In sds of 0.5 from 1: 1, 4, -6, 5, 5 (by a p that is not small), 4.5.
  const std::vector<NamedCheck> checks{
      check("a", "mean", 1.5, 0.3), check("b", "sd", 3.0, 0.01), check("c", "mean", -2.0, 0.01),
      check("d", "sd", 3.5, 0.04),  check("e", "sd", 3.5, 0.06), check("f", "sd", 3.25, 0.01)};
  REQUIRE(in_words(checks) ==
          "4 of 6 checks have p < 0.05 (by chance about 0.3), 4 of them far off: mean of c in the "
          "diseased "
          "is -2.00, replicated 1.00 +- 0.50; sd of d in the diseased is 3.50, replicated 1.00 +- "
          "0.50; "
          "sd of f in the diseased is 3.25, replicated 1.00 +- 0.50; and 1 more");
  REQUIRE(in_words({checks[0]}) ==
          "0 of 1 checks have p < 0.05 (by chance about 0.1), none of them far off");
}

TEST_CASE("fits without checks are fits with none off", "[report][checks]") {
  REQUIRE(
      rendered({FitChecks{scored("h1", 0, "one", 0.0).id, {}}}, {"cohorts.participants"},
               TableFormat::table) ==
      "predictive checks: p < 0.05 is at most 5 % by chance, 3.5 sds off hardly ever\n"
      "cohorts.participants  cohorts of  method  fits  checks  p < 0.05  3.5 sds off  farthest off "
      "on average\n"
      "100                   h1          one     1     0       -         0            -\n");
}

TEST_CASE("checks of a run in each format", "[report][checks]") {
  const std::vector<std::string> axes{"cohorts.participants"};
  const std::vector<FitChecks> fits{
      {scored("h1", 0, "one", 0.0).id, {check("a", "mean", 1.5, 0.3), check("b", "sd", 3.0, 0.01)}},
      {scored("h1", 1, "one", 0.0).id, {check("a", "mean", 0.5, 0.3), check("b", "sd", 2.0, 0.02)}},
      {scored("h_2", 0, "one", 0.0).id, {check("a", "mean", -1.0, 0.01)}}};
  REQUIRE(
      rendered(fits, axes, TableFormat::table) ==
      "predictive checks: p < 0.05 is at most 5 % by chance, 3.5 sds off hardly ever\n"
      "cohorts.participants  cohorts of  method  fits  checks  p < 0.05  3.5 sds off  farthest off "
      "on average\n"
      "100                   h1          one     2     4       50.0 %    1            sd of b in "
      "the "
      "diseased: +3.0 sds\n"
      "100                   h_2         one     1     1       100.0 %   1            mean of a in "
      "the diseased: -4.0 sds\n");
  REQUIRE_THAT(rendered(fits, axes, TableFormat::markdown),
               Contains("| 100 | h1 | one | 2 | 4 | 50.0 % | 1 |"));
  REQUIRE_THAT(rendered(fits, axes, TableFormat::latex), Contains("h\\_2"));
  REQUIRE_THAT(rendered(fits, axes, TableFormat::csv),
               Contains("cohorts.participants,hypothesis,cohort,method,biomarker,group,statistic,"
                        "observed,mean,sd,p\n"
                        "100,h1,0,one,a,diseased,mean,1.5,1,0.5,0.3\n"));
  const auto json = nlohmann::json::parse(rendered(fits, axes, TableFormat::json));
  REQUIRE(json["fits"].size() == 3);
  REQUIRE(json["fits"][1]["cohort"] == 1);
  REQUIRE(json["fits"][1]["checks"][1]["p"] == 0.02);
}

}  // namespace tempo::test
