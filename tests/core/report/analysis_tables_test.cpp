#include "report/analysis_tables.hpp"

#include <nlohmann/json.hpp>

#include "some_cohort.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

std::string render_analysis(const std::string& table, const std::vector<FittedCohort>& cohorts,
                            const std::vector<std::string>& axes, const std::string& format) {
  return render(analysis_table(table, cohorts, axes), table_format(format).value());
}

std::string rendered(const std::string& table, const std::string& format) {
  return render_analysis(table, {some_cohort()}, {}, format);
}

/// The second fit with two progressions in place of one.
FittedCohort with_subtypes() {
  auto out = some_cohort();
  out.fits[1].subtypes = SubtypeInference{
      matrix({{3, 1, 2}, {1, 2, 3}}),
      {0.75, 0.25},
      matrix({{0.75, 0.25}, {0.75, 0.25}, {0.375, 0.625}, {0.875, 0.125}, {0.5, 0.5}}),
      {}};
  return out;
}

}  // namespace

TEST_CASE("subtypes have a share, members by diagnosis and an order each", "[report][analysis]") {
  const auto cohort = with_subtypes();
  const auto text = render_analysis("subtypes", {cohort}, {}, "table");
  INFO(text);
  // The healthy are of none; of equals the first counts.
  REQUIRE_THAT(text, Contains("subtype  share  MCI  AD  order, the earliest first\n") &&
                         Contains("\n1        0.75   0    2   ABETA, TAU, MMSE\n") &&
                         Contains("\n2        0.25   1    0   MMSE, ABETA, TAU\n"));
  REQUIRE_THAT(render_analysis("subtypes", {cohort}, {}, "csv"),
               Contains("cohort,method,trained_on,subtype,share,participants,place,biomarker,score,"
                        "low,high,doubts,separates\n") &&
                   Contains("clinic,tempo,h8,1,0.75,2,1,ABETA,1,,,0,\n") &&
                   Contains("clinic,tempo,h8,2,0.25,1,1,MMSE,1,,,0,\n"));
  REQUIRE_THAT(text, !Contains("rank within each subtype"));
  REQUIRE_THAT(text,
               Contains("\n2 of 3 diseased participants have no subtype with a probability of "
                        "0.8 or more\n"));
  auto equal = cohort;
  equal.fits[1].subtypes->event_scores = matrix({{3, 1, 2}, {30, 10, 20}});
  equal.fits[1].subtypes->posterior = matrix({{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}});
  REQUIRE_THAT(render_analysis("subtypes", {equal}, {}, "table"),
               Contains("\nsubtypes 1 and 2 have the same order\n"
                        "subtype 2 is nobody's most probable one\n") &&
                   !Contains("diseased participants have no subtype"));
  REQUIRE(rendered("subtypes", "table") ==
          "no fit looked for several progressions (methods that do have a setting 'subtypes')\n");
}

TEST_CASE("orders of subtypes say how sure they are", "[report][analysis]") {
  auto cohort = with_subtypes();
  cohort.fits[1].subtypes->rank_posteriors = {
      matrix({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}),
      matrix({{0.5, 0.5, 0}, {0.5, 0.25, 0.25}, {0, 0.25, 0.75}})};
  const auto text = render_analysis("subtypes", {cohort}, {}, "table");
  INFO(text);
  // Biomarkers as the largest subtype has them.
  REQUIRE_THAT(text,
               Contains("rank within each subtype by tempo on h8: mean and 95 % interval of its "
                        "posterior\nbiomarker  subtype 1   subtype 2\n") &&
                   Contains("\nABETA      1.0 [1, 1]  1.8 [1, 3]\n"
                            "TAU        2.0 [2, 2]  2.8 [2, 3]\n"
                            "MMSE       3.0 [3, 3]  1.5 [1, 2]\n"));
  REQUIRE_THAT(render_analysis("subtypes", {cohort}, {}, "csv"),
               Contains("clinic,tempo,h8,2,0.25,1,1,MMSE,1,1,2,0,\n"));
  REQUIRE_THAT(render_analysis("positional-variance", {cohort}, {}, "csv"),
               Contains(",doubts,separates,subtype\n") &&
                   Contains("clinic,tempo,h8,posterior,TAU,3,0.75,0,,2\n"));
  REQUIRE_THAT(render_analysis("positional-variance", {cohort}, {}, "table"),
               Contains("how often (%) each event takes each place: tempo on h8, subtype 2, by its "
                        "posterior"));
  REQUIRE_THAT(render_analysis("orders", {cohort}, {}, "table"),
               Contains("tempo on h8 looked for subtypes: the order is the consensus of theirs; "
                        "'--table subtypes' shows each\n"));
  REQUIRE_THAT(rendered("positional-variance", "csv"), !Contains("subtype"));
}

TEST_CASE("members of subtypes are told by diagnosis and covariate", "[report][analysis]") {
  auto cohort = with_subtypes();  // p3 of MCI is of subtype 2, p4 and p5 of AD are of subtype 1
  const double missing = std::nan("");
  cohort.covariates = {{"age", "sex = F"},
                       matrix({{50, 0}, {51, 1}, {80, 1}, {70, 1}, {missing, 0}})};
  const auto text = render_analysis("members", {cohort}, {}, "table");
  INFO(text);
  REQUIRE_THAT(text, Contains("                 subtype 1  subtype 2\n"
                              "participants     2          1\n"
                              "diagnosis = MCI  0 %        100 %\n"
                              "diagnosis = AD   100 %      0 %\n"
                              "age              70, of 1   80\n"
                              "sex = F          50 %       100 %\n"));
  REQUIRE_THAT(
      render_analysis("members", {cohort}, {}, "csv"),
      Contains("cohort,method,trained_on,subtype,trait,participants,known,mean,sd,doubts\n") &&
          Contains("clinic,tempo,h8,1,age,2,1,70,,0\n") &&
          Contains("clinic,tempo,h8,1,sex = F,2,2,0.5,,0\n"));
  REQUIRE_THAT(rendered("members", "table"), Contains("no fit looked for several progressions"));
}

TEST_CASE("participants have a subtype where a fit looked for several", "[report][analysis]") {
  const auto csv = render_analysis("participants", {with_subtypes()}, {}, "csv");
  REQUIRE_THAT(csv, Contains(",low,high,subtype,subtype_probability\n") &&
                        Contains("p3,MCI,tempo,h8,0.5,0,1,2,0.625\n") &&
                        Contains("p4,AD,debm,,2,,,,\n"));
  REQUIRE_THAT(csv, Contains("p1,CN,tempo,h8,0,0,0,,\n"));
  REQUIRE_THAT(rendered("participants", "csv"), !Contains("subtype"));
}

TEST_CASE("timelines say what they leave out, and which times are ranks", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].times_are_ranks = true;
  cohort.fits[1].is_asked_for = true;
  REQUIRE_THAT(render_analysis("timeline", {cohort}, {}, "csv"),
               Contains("clinic,tempo,h8,fit,ABETA,0,,,,rank,0,\n") &&
                   Contains("clinic,tempo,h9,fit,ABETA,0.5,,,,time,0,\n"));
  cohort = some_cohort();
  cohort.fits[1].event_times = std::vector{1.0, 1.0, 1.0};
  REQUIRE_THAT(
      render_analysis("timeline", {cohort}, {}, "table"),
      Contains("1 fit is left out: they have all events at one time; --fits shows them\n"));
}

TEST_CASE("without times of events a timeline says who would give them", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.fits.resize(1);
  REQUIRE(render_analysis("timeline", {cohort}, {}, "table") ==
          "no fit gives times of events (methods that infer under a hypothesis with times of "
          "events do)\n");
}

TEST_CASE("posteriors of times have a block of their own", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].time_posterior = {
      {0.75, 0.05, 0.625, 0.875}, {0.25, 0.1, 0.125, 0.5}, {0.5, 0.05, 0.375, 0.75}};
  REQUIRE_THAT(render_analysis("timeline", {cohort}, {}, "table"),
               Contains("time within a fit: mean and 95 % interval of its posterior") &&
                   Contains("\nABETA      0.000 [-0.250, 0.500]\n"));
  REQUIRE_THAT(render_analysis("timeline", {cohort}, {}, "csv"),
               Contains("clinic,tempo,h8,posterior,ABETA,0,0.2,-0.25,0.5,time,0,\n"));
}

TEST_CASE("diagnoses of no known order do not rise", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.groups_ordered = false;
  REQUIRE_THAT(render_analysis("groups", {cohort}, {}, "table"),
               Contains("  -\n") && !Contains("yes") &&
                   Contains("their order is not known, nor whether stages rise\n"));
}

TEST_CASE("a table of how near fits come to the truth", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.not_separating = std::vector<std::string>{"ABETA"};
  REQUIRE_THAT(render_analysis("recovery", {cohort}, {}, "table"),
               Contains("\ntempo on h9                0.6667        0.8333     1.0000     1.0000   "
                        "  0.800        0.667\n") &&
                   Contains("\n(all at the median stage)  -             -          -          -    "
                            "      0.400        0.667\n"));
  REQUIRE_THAT(render_analysis("recovery", {cohort}, {}, "csv"),
               Contains("\nclinic,tempo,h8,fit,0,0.16666666666666666,0,0.5,") &&
                   Contains("\nclinic,,,median,,,,,0.4,0.6666666666666666,\n"));
}

TEST_CASE("tables say what of fits they look at", "[report][analysis]") {
  using enum WantedOfFits::Replicates;
  const auto orders = wanted_for({"orders"});
  REQUIRE_FALSE(orders.parts.has(DetailPart::stages));
  REQUIRE_FALSE(orders.parts.has(DetailPart::rank_posterior));
  REQUIRE_FALSE(orders.parts.has(DetailPart::time_spreads));
  REQUIRE(orders.replicates == counted);
  REQUIRE(wanted_for({"timeline"}).parts.has(DetailPart::time_spreads));
  REQUIRE(wanted_for({"timeline"}).replicates == read);
  REQUIRE(wanted_for({"ranks"}).parts.has(DetailPart::rank_posterior));
  REQUIRE(wanted_for({"groups"}).parts.has(DetailPart::stages));
  REQUIRE_FALSE(wanted_for({"groups"}).parts.has(DetailPart::stage_posterior));
  REQUIRE(wanted_for({"participants"}).parts.has(DetailPart::stage_posterior));
  const auto both = wanted_for({"orders", "ranks", "groups"});
  REQUIRE(both.parts.has(DetailPart::stages));
  REQUIRE(both.replicates == read);
}

TEST_CASE("fits in doubt and biomarkers that do not separate are marked", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].doubts = {"no better than chance"};
  cohort.not_separating = std::vector<std::string>{"TAU"};
  for (const std::string table : {"orders", "ranks", "consensus"}) {
    const auto text = render_analysis(table, {cohort}, {}, "table");
    REQUIRE_THAT(text, Contains("tempo on h8 *") && !Contains("tempo on h9 *") &&
                           Contains("TAU *") && !Contains("MMSE *"));
    REQUIRE_THAT(text, Contains("\n* tempo on h8: no better than chance\n") &&
                           Contains("\n* TAU: do not tell healthy from diseased"));
    const auto latex = render_analysis(table, {cohort}, {}, "latex");
    REQUIRE_THAT(latex, Contains("\n% * TAU: do not"));
  }
  REQUIRE_THAT(render_analysis("orders", {cohort}, {}, "csv"),
               Contains("clinic,tempo,h8,2,TAU,2,0.5,0.5,1,false\n") &&
                   Contains("clinic,debm,,1,ABETA,1,1,,0,true\n"));
  REQUIRE_THAT(render_analysis("timeline", {cohort}, {}, "csv"),
               Contains("clinic,tempo,h8,fit,TAU,0.5,,,,time,1,false\n"));
}

TEST_CASE("what does not count over fits is marked, counted and named", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.refuted = {{"h8", "h1", "bayes", -50.25, 10.0}};
  cohort.not_judging = {"known"};
  const std::string lines =
      "1 of 3 fits do not count in what is said over fits (--fits FIT counts them):\n"
      "  1, since the evidence refutes the hypothesis: h8 (50.2 nats worse than h1, se 10.0)\n"
      "the evidence of known refutes no hypothesis: it did not sample the distributions, but took "
      "them for true\n";
  for (const std::string table : {"orders", "ranks", "consensus", "positional-variance", "timeline",
                                  "groups", "stages", "recovery"}) {
    INFO(table);
    const auto text = render_analysis(table, {cohort}, {}, "table");
    REQUIRE_THAT(text, Contains("tempo on h8 *") && !Contains("tempo on h9 *"));
    REQUIRE_THAT(text, !Contains("\n* tempo on h8: "));  // its reason is below
    REQUIRE_THAT(text, Contains(lines));
    REQUIRE_THAT(text, !Contains("count like the others"));
  }
  REQUIRE_THAT(render_analysis("consensus", {cohort}, {}, "table"),
               Contains("consensus of 2 fits") &&
                   Contains("\ntempo on h8 *               0.3333  0.3333  no\n") &&
                   Contains("\nmean of those that count    "));
  REQUIRE_THAT(render_analysis("consensus", {cohort}, {}, "csv"),
               Contains("value,counts,doubts,separates\n") &&
                   Contains("clinic,borda distance,,,tempo,h8,0.3333333333333333,false,1,\n") &&
                   Contains("clinic,borda distance,,,debm,,0.16666666666666666,true,0,\n"));
  // CN 0 and 1, MCI 1 and 1, AD 2.5 and 1.
  REQUIRE_THAT(render_analysis("groups", {cohort}, {}, "csv"),
               Contains("high,counts,doubts\n") &&
                   Contains("clinic,tempo,h8,MCI,1,0.5,,,,false,1\n") &&
                   Contains("\nclinic,,,AD,2,1.75,1.0606601717798212,0,3,,\n"));
  REQUIRE_THAT(render_analysis("groups", {cohort}, {}, "table"),
               Contains("counts  rises\n") && Contains("\nmean (2 fits)  0.50 ["));
  cohort.fits[1].is_asked_for = true;
  REQUIRE_THAT(
      render_analysis("consensus", {cohort}, {}, "table"),
      Contains("consensus of 3 fits") && !Contains("do not count") &&
          Contains(
              "\n* tempo on h8: h8 is refuted by bayes: 50.2 nats worse than h1 (se 10.0)\n") &&
          Contains("count like the others"));
}

TEST_CASE("methods that should agree and do not are told below their orders",
          "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.disagreements = {{"tempo on h8", "tempo on h9", {"fidelity"}, 2.0 / 3.0}};
  const std::string line =
      "\ntempo on h8 and tempo on h9 are one method with another fidelity, and order the events "
      "differently: tau distance 0.67\n";
  for (const std::string table : {"orders", "consensus", "agreement"})
    REQUIRE_THAT(render_analysis(table, {cohort}, {}, "markdown"), Contains(line));
  cohort.fits.pop_back();
  REQUIRE_THAT(render_analysis("orders", {cohort}, {}, "markdown"), !Contains("another fidelity"));
}

TEST_CASE("a training that warned does not count; if all did, all do", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].training_warned = cohort.fits[2].training_warned = true;
  cohort.fits[1].doubts = cohort.fits[2].doubts = {"no better than chance"};
  REQUIRE_THAT(
      render_analysis("consensus", {cohort}, {}, "table"),
      Contains("consensus of 1 fits") && Contains("\n2 of 3 fits do not count") &&
          Contains("\n  2, since the training of the model warned: tempo on h8, tempo on h9\n"));
  cohort.fits.erase(cohort.fits.begin());
  REQUIRE_THAT(render_analysis("consensus", {cohort}, {}, "table"),
               Contains("consensus of 2 fits") &&
                   Contains("\nevery fit is of a refuted hypothesis or a training that warned, so "
                            "that all count\n"));
}

TEST_CASE("names cannot command a terminal", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.biomarkers[1] = "\x1b[31mABETA\nTAU\xc2\x9b";
  cohort.truth->biomarkers = {cohort.biomarkers[1], "FDG", "MMSE", "TAU"};
  cohort.not_separating = std::vector<std::string>{cohort.biomarkers[1]};
  for (const auto& table : analysis_tables()) {
    for (const std::string format : {"table", "latex", "markdown"})
      REQUIRE_THAT(render_analysis(table, {cohort}, {}, format),
                   !Contains("\x1b") && !Contains("\xc2\x9b") && !Contains("ABETA\n"));
    const auto text = render_analysis(table, {cohort}, {}, "table");
    if (table == "ranks") REQUIRE_THAT(text, Contains("\n\\x1b[31mABETA\\x0aTAU\\x9b *  1"));
  }
  REQUIRE_THAT(render_analysis("ranks", {cohort}, {}, "json"),
               Contains("\\u001b"));  // programs get the name
}

TEST_CASE("tables of an analysis for people", "[report][analysis]") {
  REQUIRE(rendered("orders", "table") ==
          "order of events by each fit; = where it has two at the same time\n"
          "fit          order, the earliest first\n"
          "debm         ABETA, MMSE = TAU\n"
          "tempo on h8  ABETA, TAU, MMSE\n"
          "tempo on h9  MMSE, ABETA, TAU\n");
  REQUIRE_THAT(rendered("ranks", "table"),
               Contains("biomarker  debm  tempo on h8  tempo on h9  mean  sd    95 %\n"
                        "ABETA      1     1            2            1.33  0.58  [1.00, 2.77]\n") &&
                   Contains("\nrank within a fit: mean and 95 % interval of its posterior\n"
                            "biomarker  tempo on h8\n"
                            "ABETA      1.0 [1.0, 1.0]\n") &&
                   Contains("tempo on h9: 4 of 5 replicates\n"));
  REQUIRE_THAT(rendered("consensus", "markdown"),
               Contains("| place | Borda | mean rank | Kemeny |\n|---|---|---|---|\n"
                        "| 1 | ABETA | 1.33 | ABETA |\n"));
  REQUIRE_THAT(rendered("positional-variance", "table"),
               Contains("tempo on h9, over 4 cohorts of resampled participants\n"
                        "biomarker  1   2   3\n"
                        "ABETA      25  75  .\n"));
  // ABETA: 0 and 0.5, mean 0.25, interval 3.18 to either side, cut to all 51 cells, the mean 13.
  REQUIRE_THAT(rendered("timeline", "table"),
               Contains("\nABETA  ─────────────●─────────────────────────────────────\n"));
  REQUIRE_THAT(rendered("timeline", "markdown"), !Contains("●"));
  REQUIRE_THAT(rendered("groups", "table"),
               Contains("fit            CN (n = 2)                   MCI (n = 1)                  "
                        "AD (n = 2)                   rises\n"
                        "debm           0.00 [0.00, 0.00] (sd 0.00)  1.00                         "
                        "2.50 [0.00, 3.00] (sd 0.71)  yes\n") &&
                   Contains("\nmean (3 fits)  0.50 [0.00, 1.74] (sd 0.50)  0.83 [0.12, 1.55] (sd "
                            "0.29)  2.08 [0.00, 3.00] (sd 0.95)\n"));
  REQUIRE_THAT(rendered("stages", "latex"), Contains("AD & . & . & 1 & 1 \\\\\n"));
  REQUIRE_THAT(rendered("participants", "table"),
               Contains("p2           CN         0     1 [1, 1]     1\n"
                        "p3           MCI        1     0.5 [0, 1]   1\n"));
  REQUIRE_THAT(rendered("agreement", "table"), Contains("tempo on h8  0.82  1            -0.33\n"));
}

TEST_CASE("tables of an analysis for programs", "[report][analysis]") {
  REQUIRE_THAT(
      rendered("orders", "csv"),
      StartsWith("cohort,method,trained_on,place,biomarker,rank,score,time,doubts,separates\n"
                 "clinic,debm,,1,ABETA,1,1,,0,\n"
                 "clinic,debm,,2,MMSE,2.5,2,,0,\n"
                 "clinic,debm,"));
  REQUIRE_THAT(rendered("participants", "csv"),
               Contains("clinic,p2,CN,tempo,h8,1,1,1\n") && Contains("clinic,p2,CN,debm,,0,,\n"));
  REQUIRE_THAT(rendered("timeline", "csv"), Contains("clinic,tempo,h9,bootstrap,ABETA,0.3125,") &&
                                                Contains(",0,1,time,,\nclinic,"));
  REQUIRE_THAT(rendered("ranks", "csv"),
               Contains("clinic,tempo,h9,bootstrap,MMSE,1.25,0.5,,,0,\n") &&
                   Contains("clinic,,,across,MMSE,"));
  for (const auto& [table, low, high] :
       {std::tuple("ranks", 1.0, 3.0), std::tuple("timeline", 0.0, 1.0),
        std::tuple("groups", 0.0, 3.0)}) {
    const auto json = nlohmann::json::parse(rendered(table, "json"));
    std::size_t intervals = 0;
    for (const auto& row : json["rows"]) {
      if (row["low"].is_null()) continue;
      CAPTURE(table, row.dump());
      REQUIRE(row["low"].get<double>() >= low);
      REQUIRE(row["high"].get<double>() <= high);
      ++intervals;
    }
    REQUIRE(intervals > 0);
  }
  auto cohort = some_cohort();
  cohort.axis_values = {"7"};
  cohort.fits[1].subtypes = with_subtypes().fits[1].subtypes;
  for (const auto& table : analysis_tables()) {
    const auto json = nlohmann::json::parse(render_analysis(table, {cohort}, {"seed"}, "json"));
    REQUIRE(json["table"] == table);
    REQUIRE_FALSE(json["rows"].empty());
    REQUIRE(json["rows"][0]["sweep"]["seed"] == "7");
    REQUIRE(json["rows"][0]["cohort"] == "clinic");
  }
}

TEST_CASE("a single fit of a single biomarker has every table", "[report][analysis]") {
  FittedCohort cohort;
  cohort.name = "one";
  cohort.biomarkers = {"a"};
  cohort.participants = {"p"};
  cohort.groups = {0};
  cohort.group_names = {"CN"};
  cohort.fits = {CohortFit{"debm", "", "", {0.0}, {}, {0.0}, {}, {}, {}, {}, 0}};
  cohort.truth = NamedTruth{{"a"}, {"p"}, {}};
  cohort.truth->truth.event_ranks = Ranks({1});
  cohort.truth->truth.event_times = {1.0};
  cohort.truth->truth.stages = {0.0};
  for (const auto& table : analysis_tables())
    for (const auto& format : table_formats())
      REQUIRE_THAT(render_analysis(table, {cohort}, {}, format), !Contains("nan"));
}

}  // namespace tempo::test
