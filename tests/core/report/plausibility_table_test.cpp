#include "report/plausibility_table.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("plausibilities are shown with the nearest first", "[report][plausibility]") {
  std::vector<Plausibility> found{{"far", 200, 3.0, 0.005, {}, {{"sd of a", -4.0}}},
                                  {"near", 200, 1.0, 0.5, {}, {}}};
  const std::string table =
      "hypothesis  distance  p      means  sds   skewness  correlations  shares in order  oddest\n"
      "near        1.00      0.500  0.00   0.00  0.00      0.00          0.00\n"
      "far         3.00      0.005  0.00   0.00  0.00      0.00          0.00             sd of a "
      "(-4.0 sd)\n";
  const auto known = ParametersAre::known, estimated = ParametersAre::estimated;
  REQUIRE(render(plausibility_table("c.csv", found, {}, known), TableFormat::table) == table);
  REQUIRE(render(plausibility_table("c.csv", found, {}, estimated), TableFormat::table) ==
          table +
              "note: the distributions were estimated from this very cohort, which moves p either "
              "way: it is no test, "
              "and compares\nhypotheses only\n");
  const auto csv = render(plausibility_table("c.csv", found, {}, known), TableFormat::csv);
  REQUIRE_THAT(csv, Contains(",oddest,parameters\n") &&
                        Contains("\nc.csv,near,1,0.5,200,0,0,0,0,0,,known\n"));
  REQUIRE_THAT(render(plausibility_table("c.csv", found, {}, estimated), TableFormat::csv),
               Contains("\nc.csv,near,1,0.5,200,0,0,0,0,0,,estimated\n"));
  REQUIRE_THAT(render(plausibility_table("c.csv", found, {}, known), TableFormat::json),
               Contains("\"hypothesis\": \"near\"") && Contains("\"parameters\": \"known\""));
  REQUIRE_THAT(render(plausibility_table("c.csv", found, {}, estimated), TableFormat::json),
               Contains("\"parameters\": \"estimated\""));
  const std::vector<std::string> not_judged{"h5", "h8"};
  REQUIRE_THAT(
      render(plausibility_table("c.csv", found, not_judged, estimated), TableFormat::table),
      Contains("sd of a (-4.0 sd)\nh5          -         -      -      -     -         -           "
               "  -         "
               "       -\nh8          -  ") &&
          Contains("\nh5, h8: not judged: two normals were estimated, which are not what"));
  REQUIRE_THAT(render(plausibility_table("c.csv", found, not_judged, estimated), TableFormat::csv),
               Contains("\nc.csv,h5,,,,,,,,,,estimated\n"));
  const auto json = nlohmann::json::parse(
      render(plausibility_table("c.csv", found, not_judged, estimated), TableFormat::json));
  REQUIRE(json["hypotheses"][2]["hypothesis"] == "h5");
  REQUIRE(json["hypotheses"][2]["p"].is_null());
}

TEST_CASE("kinds of numbers that a cohort has not are no numbers", "[report][plausibility]") {
  Plausibility found{"near", 200, 1.0, 0.5, {}, {}};
  found.distances[static_cast<std::size_t>(StatisticKind::correlation)] =
      std::numeric_limits<double>::quiet_NaN();
  const auto table = plausibility_table("c.csv", {found}, {}, ParametersAre::known);
  REQUIRE_THAT(render(table, TableFormat::table), Contains("  -  ") && !Contains("nan"));
  REQUIRE_THAT(render(table, TableFormat::csv), Contains(",0,0,0,,0,,known\n"));
}

}  // namespace tempo::test
