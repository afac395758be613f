#include "report/comparison_text.hpp"

#include "support.hpp"

namespace tempo::test {

TEST_CASE("doubts about a cohort in words", "[report][comparison]") {
  using Kind = CohortDoubt::Kind;
  REQUIRE(in_words(CohortDoubt{.kind = Kind::no_healthy}) ==
          "no participant is healthy: nothing shows what biomarkers are before their events");
  REQUIRE(in_words(CohortDoubt{.kind = Kind::no_diseased}) ==
          "no participant is diseased: nothing shows the order of events or the stages");
  REQUIRE(in_words(CohortDoubt{.kind = Kind::not_measured, .biomarker = "b"}) ==
          "'b' has not been measured in anybody");
  REQUIRE(in_words(CohortDoubt{.kind = Kind::constant, .biomarker = "b", .value = 2.0}) ==
          "'b' is 2 in everybody: it says nothing");
  REQUIRE(
      in_words(CohortDoubt{.kind = Kind::constant_in_healthy, .biomarker = "b", .value = 1.5}) ==
      "'b' is 1.5 in all healthy participants: its distributions cannot be estimated; leave it "
      "out");
  REQUIRE(in_words(CohortDoubt{
              .kind = Kind::few_values, .biomarker = "b", .distinct = 4, .measured = 120}) ==
          "'b' has 4 values among 120 participants: hypotheses with other kinds of measurements "
          "differ by what they make of rounding, too");
  REQUIRE(in_words(CohortDoubt{
              .kind = Kind::far_from_table, .biomarker = "b", .value = 7.0, .sds = 7.0}) ==
          "the median of 'b' in the healthy is 7, 7 sds from the table's mean before the event, 0: "
          "it may be in other units");
}

TEST_CASE("caveats of a comparison in sentences", "[report][comparison]") {
  REQUIRE(in_sentences(ComparisonCaveats{}).empty());
  ComparisonCaveats caveats;
  caveats.participants = 90;
  caveats.not_ranked = {"h1", "h2"};
  caveats.untrusted = {{"h3", 2}};
  caveats.few_participants = true;
  caveats.unsettled = {"h3"};
  caveats.disagreeing = {{"h3", 7.6}, {"h4", 12.0}};
  caveats.unknown = {"h5"};
  caveats.are_estimated = true;
  caveats.clipped = {"h6"};
  REQUIRE(in_sentences(caveats) ==
          std::vector<std::string>{
              "Not ranked, because the fit failed or the law is wrong: h1, h2.",
              "Under h3 the scores of 2 of 90 participants are not to be trusted: either they "
              "decide too much of what was found, or what is likely without them was drawn too "
              "seldom (the fit's warning says which).",
              "Of 90 participants the errors of differences are uncertain themselves: a few of "
              "them rule nothing out.",
              "Markov chains had not agreed where they ended (split R-hat > 1.05) under h3: their "
              "elpd_loo can be off by more than its error says; give them more iterations.",
              "Chains, or parts of one, disagree under h3 (+- 8), h4 (+- 12): the uncertainty of "
              "elpd_loo that this makes counts in the verdict; longer chains tell more.",
              "How far chains are apart under h5 is not known, so that nothing is told from it: "
              "longer chains or more starts tell.",
              "Distributions were estimated from the cohort, under every hypothesis anew, and the "
              "scores do not count what that cost: hypotheses that differ only in the law of "
              "stages are often mistaken for each other.",
              "Values that participants share were taken for limits at which measurements are "
              "clipped under h6: about 20 nats a participant that other hypotheses do not get. If "
              "an assay, rounding or filling in brought them about, make them missing."});
}

}  // namespace tempo::test
