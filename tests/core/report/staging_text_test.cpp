#include "report/staging_text.hpp"

#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

/// One patient with a posterior and far values, one with neither, and one who was left out.
std::vector<StagingRow> some_rows() {
  Cohort patients;
  patients.participants = {"ann", "bob"};
  StagedPatients found;
  found.patients = {{2.0,
                     StagePosterior{.within = {.mean = 1.75, .sd = 0.5, .low = 1.0, .high = 3.0},
                                    .mode = 2.0,
                                    .median = 1.0,
                                    .second_mode = 0.0},
                     "by guess"},
                    {{}, {}, ""}};
  return staging_rows(patients, found, {{"b0", "b1"}, {}}, {{"cyd", "no visit"}});
}

}  // namespace

TEST_CASE("stages of new patients as CSV", "[report][stage]") {
  REQUIRE(staging_csv(some_rows()) ==
          "participant,stage,mode,second_mode,mean,median,low,high,note\n"
          "ann,2,2,0,1.75,1,1,3,\"by guess; far from all of the cohort's: b0, b1\"\n"
          "bob,,,,,,,,\n"
          "cyd,,,,,,,,left out: no visit\n");
}

TEST_CASE("new patients have a subtype where there are several", "[report][stage]") {
  auto rows = some_rows();
  rows[0].staged.subtypes = {0.25, 0.75};
  const auto csv = staging_csv(rows, true);
  REQUIRE_THAT(csv, Catch::Matchers::Contains(",low,high,subtype,subtype_probability,note\n") &&
                        Catch::Matchers::Contains("ann,2,2,0,1.75,1,1,3,2,0.75,\"by guess;") &&
                        Catch::Matchers::Contains("\nbob,,,,,,,,,,\n"));
  const auto json = nlohmann::json::parse(staging_json(rows, {}, "by orders"))["stages"];
  REQUIRE(json[0]["subtype"] == 2);
  REQUIRE(json[0]["subtype_probabilities"] == std::vector{0.25, 0.75});
  REQUIRE_FALSE(json[1].contains("subtype"));
}

TEST_CASE("stages of new patients as JSON", "[report][stage]") {
  const auto expected = nlohmann::ordered_json::parse(R"({"how": "by an order", "stages": [
    {"participant": "ann", "stage": 2.0, "mode": 2.0, "second_mode": 0.0, "mean": 1.75,
     "median": 1.0, "low": 1.0, "high": 3.0,
     "note": "by guess; far from all of the cohort's: b0, b1"},
    {"participant": "bob", "stage": null},
    {"participant": "cyd", "stage": null, "note": "left out: no visit"}],
    "warnings": ["odd"]})");
  REQUIRE(staging_json(some_rows(), {"odd"}, "by an order") == expected.dump(2) + "\n");
}

}  // namespace tempo::test
