#include "report/inference_text.hpp"

#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

/// Two biomarkers, the second first, and one participant.
InferredCohort inferred(const std::string& file) {
  InferredCohort out{file, {}, {}};
  out.cohort.biomarkers = {"a", "b,c"};
  out.cohort.participants = {"ann"};
  out.found.event_scores = {2.0, 1.0};
  out.found.stages = {0.5};
  out.found.warnings = {"odd"};
  return out;
}

}  // namespace

TEST_CASE("what was inferred as CSV", "[report][inference]") {
  REQUIRE(inference_csv({inferred("c.csv")}) ==
          "kind,name,rank,score,time,stage,mode,second_mode,mean,median,low,high\n"
          "event,\"b,c\",1,1,,,,,,,,\nevent,a,2,2,,,,,,,,\nstage,ann,,,,0.5,,,,,,\n");
  auto timed = inferred("d.csv");
  timed.found.event_times = std::vector<double>{0.75, 0.25};
  REQUIRE(inference_csv({inferred("c.csv"), timed}) ==
          "cohort,kind,name,rank,score,time,stage,mode,second_mode,mean,median,low,high\n"
          "c.csv,event,\"b,c\",1,1,,,,,,,,\nc.csv,event,a,2,2,,,,,,,,\n"
          "c.csv,stage,ann,,,,0.5,,,,,,\n"
          "d.csv,event,\"b,c\",1,1,0.25,,,,,,,\nd.csv,event,a,2,2,0.75,,,,,,,\n"
          "d.csv,stage,ann,,,,0.5,,,,,,\n");
}

TEST_CASE("what was inferred has intervals where there are posteriors", "[report][inference]") {
  auto sure = inferred("c.csv");
  sure.cohort.participants = {"ann", "bob"};
  sure.cohort.diseased = {1, 0};
  sure.found.stages = {1.0, 0.0};
  sure.found.rank_posterior = matrix({{0.5, 0.5}, {0.99, 0.01}});
  sure.found.stage_posterior = matrix({{0.01, 0.5, 0.49}, {1.0, 0.0, 0.0}});
  sure.labels = LabelUse::infer;  // bob's stage is that of his label
  REQUIRE(inference_csv({sure}) ==
          "kind,name,rank,score,time,stage,mode,second_mode,mean,median,low,high\n"
          "event,\"b,c\",1,1,,,,,,,1,1\nevent,a,2,2,,,,,,,1,2\n"
          "stage,ann,,,,1,1,,1.48,1,1,2\nstage,bob,,,,0,,,,,,\n");
  const auto json = nlohmann::json::parse(inference_json({sure}, "m"));
  REQUIRE(json["labels"] == "infer");
  REQUIRE(json["events"][1]["low"] == 1);
  REQUIRE(json["events"][1]["high"] == 2);
  REQUIRE(json["stages"][0]["high"] == 2);
  REQUIRE_FALSE(json["stages"][1].contains("low"));
  sure.labels = LabelUse::fit;
  REQUIRE_THAT(inference_csv({sure}), Catch::Matchers::Contains("stage,bob,,,,0,0,,0,0,0,0\n"));
}

TEST_CASE("subtypes that were inferred are in the JSON", "[report][inference]") {
  auto several = inferred("c.csv");
  several.found.subtypes = {
      matrix({{1.0, 2.0}, {2.0, 1.0}}), {0.75, 0.25}, matrix({{0.4, 0.6}}), {}};
  const auto json = nlohmann::json::parse(inference_json({several}, "m"));
  REQUIRE(json["subtypes"].size() == 2);
  REQUIRE(json["subtypes"][0]["share"] == 0.75);
  REQUIRE(json["subtypes"][0]["events"][0]["biomarker"] == "a");
  REQUIRE(json["subtypes"][1]["events"][0]["biomarker"] == "b,c");
  REQUIRE_FALSE(json["subtypes"][0]["events"][0].contains("low"));
  several.found.subtypes->rank_posteriors = {matrix({{0.75, 0.25}, {0.25, 0.75}}),
                                             matrix({{0.01, 0.99}, {0.99, 0.01}})};
  const auto sure = nlohmann::json::parse(inference_json({several}, "m", Posteriors::whole));
  REQUIRE(sure["subtypes"][0]["events"][0]["high"] == 2);
  REQUIRE(sure["subtypes"][1]["events"][0]["high"] == 1);
  REQUIRE(sure["subtypes"][1]["events"][0]["rank_probabilities"] == std::vector{0.99, 0.01});
  REQUIRE_THAT(inference_csv({several}),
               Catch::Matchers::Contains("event of subtype,a,1,1,,,,,,,1,2,1,0.75\n"));
  REQUIRE(json["stages"][0]["subtype"] == 2);
  REQUIRE(json["stages"][0]["subtype_probabilities"] == std::vector<double>{0.4, 0.6});
  REQUIRE_FALSE(
      nlohmann::json::parse(inference_json({inferred("c.csv")}, "m")).contains("subtypes"));
}

TEST_CASE("subtypes that were inferred are in the CSV; the healthy are of none",
          "[report][inference]") {
  auto several = inferred("c.csv");
  several.cohort.participants = {"ann", "bob"};
  several.cohort.diseased = {1, 0};
  several.found.stages = {0.5, 0.0};
  several.found.subtypes = {
      matrix({{1.0, 2.0}, {2.0, 1.0}}), {0.75, 0.25}, matrix({{0.4, 0.6}, {0.5, 0.5}}), {}};
  REQUIRE(inference_csv({several}) ==
          "kind,name,rank,score,time,stage,mode,second_mode,mean,median,low,high,subtype,"
          "subtype_probability\n"
          "event,\"b,c\",1,1,,,,,,,,,,\nevent,a,2,2,,,,,,,,,,\n"
          "event of subtype,a,1,1,,,,,,,,,1,0.75\nevent of subtype,\"b,c\",2,2,,,,,,,,,1,0.75\n"
          "event of subtype,\"b,c\",1,1,,,,,,,,,2,0.25\nevent of subtype,a,2,2,,,,,,,,,2,0.25\n"
          "stage,ann,,,,0.5,,,,,,,2,0.6\nstage,bob,,,,0,,,,,,,,\n");
  const auto stages = nlohmann::json::parse(inference_json({several}, "m"))["stages"];
  REQUIRE(stages[0]["subtype"] == 2);
  REQUIRE_FALSE(stages[1].contains("subtype"));
}

TEST_CASE("what was inferred as JSON", "[report][inference]") {
  using Json = nlohmann::ordered_json;
  const auto one = Json::parse(R"({"plugin": "m", "labels": "none",
    "events": [{"biomarker": "b,c", "rank": 1, "score": 1.0},
               {"biomarker": "a", "rank": 2, "score": 2.0}],
    "stages": [{"participant": "ann", "stage": 0.5}], "warnings": ["odd"]})");
  REQUIRE(inference_json({inferred("c.csv")}, "m") == one.dump(2) + "\n");
  Json several = Json::array();
  for (const auto* file : {"c.csv", "d.csv"}) {
    Json entry{{"cohort", file}};
    entry.update(one);
    several.push_back(entry);
  }
  REQUIRE(inference_json({inferred("c.csv"), inferred("d.csv")}, "m") == several.dump(2) + "\n");
}

}  // namespace tempo::test
