#include "data/found_json.hpp"

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

Cohort two_by_two() {
  Cohort out;
  out.participants = {"7", "p"};
  out.biomarkers = {"a", "b"};
  out.measurements = matrix({{0, 1}, {2, 3}});
  return out;
}

struct Read {
  std::vector<FoundEntry> entries;
  Problems problems;
};

Read read(const std::string& text) {
  const TemporaryFolder folder;
  folder.write("found.json", text);
  Read out;
  out.entries = read_found((folder.path() / "found.json").string(), out.problems);
  return out;
}

std::optional<Inference> found(const std::string& events, const std::string& stages,
                               Problems& problems) {
  const FoundEntry entry{
      "f.json",
      "c_m0",
      "mine",
      {},
      nlohmann::json::parse("{\"events\": " + events + ", \"stages\": " + stages + "}")};
  return found_in(entry, two_by_two(), problems);
}

const std::string kStages =
    R"([{"participant": "p", "stage": 2}, {"participant": 7, "stage": 0.5}])";

}  // namespace

TEST_CASE("what a program found is read by names", "[data][found]") {
  Problems problems;
  SECTION("scores or ranks") {
    for (const std::string events :
         {R"([{"biomarker": "b", "rank": 1}, {"biomarker": "a", "rank": 2}])",
          R"([{"biomarker": "a", "score": 2.0}, {"biomarker": "b", "score": 1.0, "rank": 9}])"}) {
      const auto out = found(events, kStages, problems);
      REQUIRE(problems.empty());
      REQUIRE(out->event_scores == std::vector{2.0, 1.0});
      REQUIRE(out->stages == std::vector{0.5, 2.0});  // a number is an id, too
      REQUIRE_FALSE(out->rank_posterior);
      REQUIRE_FALSE(out->stage_posterior);
    }
  }
  SECTION("posteriors") {
    const auto out = found(
        R"([{"biomarker": "b", "rank": 1, "rank_probabilities": [0.75, 0.25]},
            {"biomarker": "a", "rank": 2, "rank_probabilities": [0.25, 0.75]}])",
        R"([{"participant": "p", "stage": 2, "stage_probabilities": [0, 0.5, 0.5]},
            {"participant": "7", "stage": 0, "stage_probabilities": [1, 0, 0]}])",
        problems);
    REQUIRE(problems.empty());
    REQUIRE((*out->rank_posterior)(0, 1) == 0.75);
    REQUIRE((*out->rank_posterior)(1, 0) == 0.75);
    REQUIRE((*out->stage_posterior)(1, 2) == 0.5);
  }
}

TEST_CASE("every fault of what a program found is told", "[data][found]") {
  Problems problems;
  REQUIRE_FALSE(found(R"([{"biomarker": "A", "rank": 1}, {"biomarker": "b", "rank": 1.5},
                          {"biomarker": "b", "rank": 2}, 3])",
                      R"([{"participant": "p", "stage": 3},
                          {"participant": "7", "stage": 1, "stage_probabilities": [0.5, 0.5]}])",
                      problems));
  REQUIRE(problems.report() ==
          "f.json: c_m0/events/0: the cohort has no biomarker 'A'; did you mean 'a'?\n"
          "f.json: c_m0/events/1: expected a 'score', or a 'rank' in 1..2\n"
          "f.json: c_m0/events/2: biomarker 'b' is given twice\n"
          "f.json: c_m0/events/3: expected an object with a text 'biomarker'\n"
          "f.json: c_m0/events: lacks 1 biomarker of the cohort: a\n"
          "f.json: c_m0/stages/0: expected a 'stage' in 0..2\n"
          "f.json: c_m0/stages/1/stage_probabilities: expected 3 probabilities that add up to 1\n"
          "f.json: c_m0/stages: 1 of 2 have stage_probabilities; expected all or none");
  Problems mixed;
  REQUIRE_FALSE(
      found(R"([{"biomarker": "a", "rank": 1}, {"biomarker": "b", "score": 2}])", kStages, mixed));
  REQUIRE_THAT(mixed.report(), Contains("1 of 2 have a score; expected all or, with ranks, none"));
  Problems twice;
  REQUIRE_FALSE(
      found(R"([{"biomarker": "a", "rank": 1}, {"biomarker": "b", "rank": 1}])", kStages, twice));
  REQUIRE_THAT(twice.report(), Contains("c_m0/events/1: rank 1 is given twice"));
  Problems nothing;
  REQUIRE_FALSE(found("{}", "[]", nothing));
  REQUIRE_THAT(nothing.report(),
               Contains("c_m0/events: expected a list of objects, each with biomarker") &&
                   Contains("c_m0/stages: lacks 2 participants of the cohort: 7, p"));
}

TEST_CASE("lists that lie too deep in each other are refused, not followed", "[data][found]") {
  const std::string deep(150'000, '[');
  const auto out = read("\n [{\"a ][\\\" [\": 1},\n{\"cohort\": " + deep);
  REQUIRE(out.problems.size() == 1);
  REQUIRE_THAT(out.problems.report(),
               Contains("found.json:3:74: lists and objects lie more than 64 deep in each other"));
}

TEST_CASE("a file holds one cohort or several", "[data][found]") {
  const auto one = read(R"({"plugin": "mine", "labels": "fit"})");
  REQUIRE(one.problems.empty());
  REQUIRE(one.entries.size() == 1);
  REQUIRE(one.entries[0].cohort == "found");
  REQUIRE(one.entries[0].plugin == "mine");
  REQUIRE(one.entries[0].labels == LabelUse::fit);
  const auto two = read(R"([{"cohort": "x/a_m0.csv"}, {"cohort": "a_m1"}])");
  REQUIRE(two.entries.size() == 2);
  REQUIRE(two.entries[0].cohort == "x/a_m0.csv");
  REQUIRE_THAT(read("[1]").problems.report(), Contains("expected an object for each cohort"));
  REQUIRE_THAT(read(R"({"labels": "fits"})").problems.report(),
               Contains("labels 'fits'; expected 'none', 'fit' or 'infer'"));
  REQUIRE_FALSE(read("{").problems.empty());
}

}  // namespace tempo::test
