#include "report/calibration_table.hpp"

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

CohortsCalibration found(double inside, std::array<double, 10> tenths, Estimate over_cohorts) {
  return {Calibration{8, inside, tenths}, over_cohorts};
}

const std::vector<MethodCalibration>& two_methods() {
  static const std::vector<MethodCalibration> out{
      {{"100"},
       "h1",
       "sure",
       found(6.0, {4, 4, 0, 0, 0, 0, 0, 0, 0, 0}, {2, 3, 0.75, 0.125}),
       std::nullopt},
      {{"100"},
       "h2",
       "a|b",
       std::nullopt,
       found(2.0, {0, 0, 0, 0, 8, 0, 0, 0, 0, 0}, {1, 1, 0.25, std::nullopt})}};
  return out;
}

std::string rendered(TableFormat format) {
  return render(calibration_table(two_methods(), {"cohorts.participants"}), format);
}

}  // namespace

TEST_CASE("calibration for people is in per cent", "[report][calibration]") {
  const auto text = rendered(TableFormat::table);
  REQUIRE_THAT(text,
               Contains("cohorts.participants  hypothesis  method  ranks inside  in a tenth   "
                        "stages inside  in a tenth"));
  REQUIRE_THAT(text,
               Contains("100                   h1          sure    75.0 ± 12.5   0.0 to 50.0  "
                        "-              -"));
  REQUIRE_THAT(text,
               Contains("100                   h2          a|b     -             -            "
                        "25.0           0.0 to 100.0"));
  REQUIRE_THAT(text, Contains("90 % inside and 10 % in each tenth are right"));
}

TEST_CASE("calibration for programs has a row per kind of posterior", "[report][calibration]") {
  REQUIRE(rendered(TableFormat::csv) ==
          "cohorts.participants,hypothesis,method,posterior,truths,inside_90,half_width_95,scored,"
          "planned,tenth_1,tenth_2,tenth_3,tenth_4,tenth_5,tenth_6,tenth_7,tenth_8,tenth_9,"
          "tenth_10\n"
          "100,h1,sure,ranks,8,0.75,0.125,2,3,0.5,0.5,0,0,0,0,0,0,0,0\n"
          "100,h2,a|b,stages,8,0.25,,1,1,0,0,0,0,1,0,0,0,0,0\n");
  REQUIRE(calibration_table({}, {}).empty());
}

}  // namespace tempo::test
