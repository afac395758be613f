// tempo compare where the distributions of biomarkers are not known.

#include <cmath>
#include <nlohmann/json.hpp>

#include "compared.hpp"

namespace tempo::test {

TEST_CASE("without a table tempo compare infers the biomarkers' distributions", "[cli][compare]") {
  const Compared program;
  const auto found = ranking(program.tempo("compare c.csv --hypotheses h3,h5 --format json"));
  // Known ones are at best as good as those that were fitted to this cohort; 120 participants say
  // little more of 20 parameters than they cost, so both agree to some tens of nats.
  const auto known = ranking(program.tempo(kKnown + "h3,h5 --format json"));
  REQUIRE(found[0]["hypothesis"] == "h3");
  REQUIRE(found[0]["elpd_loo"].get<double>() ==
          Approx(known[0]["elpd_loo"].get<double>()).margin(40.0));

  // Units do not matter: every value of b0 times 1e6 costs log(1e6) per participant, whatever is
  // assumed.
  REQUIRE(program.shell("awk -F, -v OFS=, '$2 == \"b0\" { $3 = $3 \"e6\" } 1' c.csv > scaled.csv")
              .code == 0);
  const auto scaled = ranking(program.tempo("compare scaled.csv --hypotheses h3,h5 --format json"));
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(scaled[i]["hypothesis"] == found[i]["hypothesis"]);
    REQUIRE(scaled[i]["elpd_loo"].get<double>() + 120.0 * std::log(1e6) ==
            Approx(found[i]["elpd_loo"].get<double>()).margin(1.0));
  }
}

}  // namespace tempo::test
