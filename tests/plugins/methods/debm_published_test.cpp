#include <cmath>

#include "method_support.hpp"
#include "published_rows.hpp"

namespace tempo::test {
// The published rows hang on the last bit of measurements, of exp and log, and of the optimiser, so
// that the numbers of rows are bounds: what rounds otherwise moves a few. Measured: README.md of
// debm.
TEST_CASE("debm, fidelity = paper, gives the published rows", "[method][debm][published]") {
  SECTION("12 biomarkers, 90 cohorts") {
    const auto rows = published_rows(shared_data(), 12, "DEBM");
    REQUIRE(rows.size() == 90);
    const auto found = agreement(*method("debm", {{"fidelity", std::string("paper")}}), rows);
    INFO(found.same_distance << " distances and " << found.same_stages << " stagings agree");
    REQUIRE(found.same_distance >= 70);
    REQUIRE(found.same_stages >= 45);
    REQUIRE(std::abs(found.distance_error()) < 0.004);
    REQUIRE(std::abs(found.stages_error()) < 0.02);
  }
  SECTION("100 biomarkers, 18 cohorts") {
    const auto rows = published_rows(shared_data(), 100, "DEBM");
    REQUIRE(rows.size() == 18);
    const auto found = agreement(*method("debm", {{"fidelity", std::string("paper")}}), rows);
    INFO(found.same_distance << " distances and " << found.same_stages << " stagings agree");
    REQUIRE(std::abs(found.distance_error()) < 0.004);
    REQUIRE(std::abs(found.stages_error()) < 0.1);
  }
}

}  // namespace tempo::test
