#include "analysis/remarks.hpp"

#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {

TEST_CASE("what was said of fits is kept once, with the methods, how often and where first",
          "[analysis][remarks]") {
  auto results = some_results();
  const auto failures = failures_of(results).all();
  REQUIRE(failures.size() == 3);
  REQUIRE(failures[0].text == "a, \"quoted\" | thing");
  REQUIRE(failures[1].text == "other");
  REQUIRE(failures[1].fits == 2);
  REQUIRE(failures[1].first.cohort == 2);
  REQUIRE(failures[2].methods == std::set<std::string>{"sa_ebm"});

  results.rows[0].result.warnings = {{Warning::Kind::method, "b1 is tied"}};
  results.rows[4].id.method = "debm";
  results.rows[4].result.warnings = {{Warning::Kind::method, "few"},
                                     {Warning::Kind::method, "b1 is tied"}};
  const auto warnings = warnings_of(results, WarningScope::all).all();
  REQUIRE(warnings.size() == 2);
  REQUIRE(warnings[0].text == "b1 is tied");
  REQUIRE(warnings[0].methods == std::set<std::string>{"debm", "sa_ebm"});
  REQUIRE(warnings[0].fits == 2);
  REQUIRE(warnings[1].first == results.rows[4].id);
}

TEST_CASE("what a replicate lacks may be left out, and what the cohort lacks is not",
          "[analysis][remarks]") {
  RunResults results;
  for (std::size_t cohort = 0; cohort < 3; ++cohort) {
    auto& [id, result] = results.rows.emplace_back();
    id.origin = CohortOrigin::real;
    id.cohort = cohort;
    result.status = FitStatus::ok;
    result.warnings = {{Warning::Kind::missing_values, std::to_string(cohort) + " are missing"},
                       {Warning::Kind::method, "few iterations"}};
  }
  REQUIRE(warnings_of(results, WarningScope::all).all().size() == 4);
  const auto some = warnings_of(results, WarningScope::without_gaps_of_replicates).all();
  REQUIRE(some.size() == 2);
  REQUIRE(some[0].text == "0 are missing");
  REQUIRE(some[1].fits == 1);
  REQUIRE(some[1].replicates == 2);
}

}  // namespace tempo::test
