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

namespace {

HypothesisCalibration under_waves(double inside, double spread, double p) {
  PosteriorPlaces ranks;
  ranks.all = {40, 40.0 * inside, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4}};
  ranks.inside = {10, 10, inside, 0.02};
  ranks.mean = {10, 10, 0.5, 0.01};
  ranks.spread = {10, 10, spread, 0.03};
  ranks.p = p;
  return {"waves", "exact", 50, 10, ranks, std::nullopt};
}

}  // namespace

TEST_CASE("a hypothesis and its law agree or not", "[report][calibration]") {
  const auto good = under_waves(0.9, 1.0, 0.7);
  REQUIRE_FALSE(good.disagree());
  const auto text = render(places_table(good), TableFormat::table);
  REQUIRE_THAT(text, Contains("ranks      40      90.0 ± 2.0   0.500 ± 0.010  1.000 ± 0.030  0.7"));
  REQUIRE_THAT(text, Contains("The law of 'waves' and what it draws agree, as far as 10 cohorts"));
  const auto sure = under_waves(0.8, 1.3, 0.001);
  REQUIRE(sure.disagree());
  REQUIRE_THAT(render(places_table(sure), TableFormat::table),
               Contains("posteriors of ranks are surer than they should be (p = 0.001)"));
  REQUIRE_THAT(render(places_table(under_waves(0.97, 0.8, 1e-6)), TableFormat::table),
               Contains("less sure than they should be (p = 1e-06)"));
  auto late = under_waves(0.8, 1.3, 1e-6);  // fewer are inside, as all lie to one side
  late.ranks->mean = {10, 10, 0.7, 0.01};
  REQUIRE_THAT(render(places_table(late), TableFormat::table),
               Contains("posteriors of ranks are too low: truths lie above them (p = 1e-06)"));
  late.ranks->mean = {10, 10, 0.3, 0.01};
  REQUIRE_THAT(render(places_table(late), TableFormat::table),
               Contains("posteriors of ranks are too high: truths lie below them"));
  REQUIRE(render(places_table(good), TableFormat::csv) ==
          "hypothesis,method,posterior,cohorts,truths,inside_90,mean_place,spread,p,tenth_1,"
          "tenth_2,tenth_3,tenth_4,tenth_5,tenth_6,tenth_7,tenth_8,tenth_9,tenth_10\n"
          "waves,exact,ranks,10,40,0.9,0.5,1,0.7,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1\n");
}

}  // namespace tempo::test
