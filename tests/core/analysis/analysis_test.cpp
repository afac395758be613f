#include "analysis/analysis.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// Three biomarkers, five participants of three groups, a method that ties two events, a model with
/// times and posteriors, and one with replicates.
FittedCohort some_cohort() {
  FittedCohort out;
  out.name = "clinic";
  out.biomarkers = {"MMSE", "ABETA", "TAU"};
  out.participants = {"p1", "p2", "p3", "p4", "p5"};
  out.group_names = {"CN", "MCI", "AD"};
  out.groups_ordered = true;
  out.groups = {0, 0, 1, 2, 2};
  out.diseased = {0, 0, 1, 1, 1};
  out.planned = 4;
  CohortFit debm{"debm", "", {2.0, 1.0, 2.0}, {}, {0, 0, 1, 2, 3}, {}, {}, {}, {}, 0};
  CohortFit tempo{"tempo",
                  "h8",
                  {0.75, 0.25, 0.5},
                  std::vector{0.75, 0.25, 0.5},
                  {0, 1, 0.5, 2.5, 3},
                  matrix({{0, 0.25, 0.75}, {1, 0, 0}, {0, 0.75, 0.25}}),
                  matrix({{1, 0, 0, 0},
                          {0.01, 0.98, 0.01, 0},
                          {0.5, 0.5, 0, 0},
                          {0, 0, 0.5, 0.5},
                          {0, 0.02, 0.02, 0.96}}),
                  {},
                  {},
                  0};
  CohortFit other{"tempo",
                  "h9",
                  {1.0, 2.0, 3.0},
                  std::vector{0.0, 0.5, 1.0},
                  {1, 1, 1, 1, 1},
                  {},
                  {},
                  {{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}, {2.0, 1.0, 3.0}, {1.0, 2.0, 3.0}},
                  {{0.0, 0.5, 1.0}, {0.0, 0.25, 1.0}, {0.5, 0.25, 0.75}, {0.0, 0.5, 1.0}},
                  5};
  out.fits = {debm, tempo, other};
  // Of one biomarker and one participant more.
  out.truth = NamedTruth{{"ABETA", "FDG", "MMSE", "TAU"}, {"p3", "p2", "p1", "p4", "x", "p5"}, {}};
  out.truth->truth.event_ranks = Ranks({1, 2, 4, 3});
  out.truth->truth.event_times = {1, 2, 4, 3};
  out.truth->truth.stages = {2.5, 0, 0, 4, 1, 1};
  return out;
}

std::string rendered(const std::string& table, const std::string& format) {
  return render_analysis(table, {some_cohort()}, {}, format);
}

}  // namespace

TEST_CASE("ranks over fits have mean, sd and interval; ties share their places",
          "[report][analysis]") {
  const auto found = rank_table(some_cohort());
  REQUIRE(found.ranks[0] == std::vector{2.5, 1.0, 2.5});
  // ABETA 1, 1, 2; MMSE 2.5, 3, 1; TAU 2.5, 2, 3.
  REQUIRE(found.rows == std::vector<std::size_t>{1, 0, 2});
  REQUIRE(found.across[1].mean == Approx(4.0 / 3.0));
  REQUIRE(*found.across[1].sd == Approx(std::sqrt(1.0 / 3.0)));
  REQUIRE(*found.across[1].half_width == Approx(4.302652729911275 / 3.0));  // t with two degrees
  // Within the model: P(rank) of MMSE is 0, 1/4, 3/4.
  REQUIRE(found.posterior[1][0]->mean == Approx(2.75));
  REQUIRE(found.posterior[1][0]->sd == Approx(std::sqrt(3.0) / 4.0));
  REQUIRE(found.posterior[1][0]->low == 2.0);
  REQUIRE(found.posterior[1][0]->high == 3.0);
  REQUIRE(found.posterior[1][1]->sd == 0.0);
  REQUIRE_FALSE(found.posterior[0][0]);
  // MMSE over replicates: 1, 1, 2, 1.
  REQUIRE(found.replicates[2][0]->mean == 1.25);
  REQUIRE(found.replicates[2][0]->sd == 0.5);
  REQUIRE_FALSE(found.replicates[2][0]->has_interval);  // four replicates
}

TEST_CASE("the mean of two values has the interval of Student's t", "[report][analysis]") {
  REQUIRE(*spread({1.0, 3.0})->half_width == Approx(12.706204736432095));  // sd / sqrt(n) is 1
  REQUIRE_FALSE(spread({1.0})->half_width);
  REQUIRE(*spread({2.0, 2.0})->half_width == 0.0);
}

TEST_CASE("replicates have a 95 % interval from 20 on", "[report][analysis]") {
  std::vector<double> values;
  for (int i = 19; i > 0; --i) values.push_back(i);
  REQUIRE_FALSE(within(values)->has_interval);
  REQUIRE(within(values)->mean == 10.0);
  values.push_back(0.0);
  const auto found = within(values);
  REQUIRE(found->has_interval);
  REQUIRE(found->low == Approx(0.475));  // 2.5 % of the way from 0 to 19
  REQUIRE(found->high == Approx(18.525));
  REQUIRE_FALSE(within({1.0}));
}

TEST_CASE("a posterior's interval leaves at most 2.5 % on either side", "[report][analysis]") {
  const std::vector<double> p{0.02, 0.005, 0.95, 0.02, 0.005};
  const auto found = within_posterior(p, 0.0);
  REQUIRE(found.low == 2.0);   // 0.025 below
  REQUIRE(found.high == 2.0);  // 0.025 above
  const auto edge = within_posterior(std::vector{0.03, 0.97}, 1.0);
  REQUIRE(edge.low == 1.0);
  REQUIRE(edge.high == 2.0);
  REQUIRE(within_posterior(std::vector{1.0}, 1.0).high == 1.0);
}

TEST_CASE("positional variance: over fits, by a posterior, over replicates", "[report][analysis]") {
  const auto found = positional_variance(some_cohort());
  REQUIRE(found.size() == 3);
  REQUIRE(found[0].shares(0, 0) == Approx(1.0 / 3.0));  // MMSE: half of 2 and 3 by one, 3, 1
  REQUIRE(found[0].shares(0, 1) == Approx(0.5 / 3.0));
  REQUIRE(found[0].shares(0, 2) == Approx(1.5 / 3.0));
  REQUIRE(found[1].source == PositionalVariance::Source::posterior);
  REQUIRE(found[1].shares(0, 2) == 0.75);
  REQUIRE(found[2].count == 4);
  REQUIRE(found[2].shares == matrix({{0.75, 0.25, 0}, {0.25, 0.75, 0}, {0, 0, 1}}));
}

TEST_CASE("times are rescaled by each fit's first and last event", "[report][analysis]") {
  const auto found = timeline(some_cohort());
  REQUIRE(found.fits == std::vector<std::size_t>{1, 2});
  REQUIRE(found.times[0] == std::vector{1.0, 0.0, 0.5});
  REQUIRE(found.across[2].mean == 0.75);
  // ABETA over replicates: 0.5, 0.25, 0 (the first of the third), 0.5.
  REQUIRE(found.replicates[1][1]->mean == 0.3125);
  REQUIRE_FALSE(found.replicates[0][1]);
  REQUIRE(rescaled({2.0, 2.0}) == std::vector{0.5, 0.5});
}

TEST_CASE("fits that know an order only have no times, unless they are asked for",
          "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].times_are_ranks = true;
  auto found = timeline(cohort);
  REQUIRE(found.fits == std::vector<std::size_t>{2});
  REQUIRE(found.left_out.size() == 2);
  REQUIRE(found.left_out[0].fits == std::vector<std::size_t>{1});
  REQUIRE(found.left_out[0].can_be_asked_for);
  REQUIRE(found.left_out[1].fits == std::vector<std::size_t>{0});  // it gives no times whatsoever
  REQUIRE_FALSE(found.left_out[1].can_be_asked_for);
  REQUIRE(found.across[2].mean == 1.0);
  cohort.fits[1].is_asked_for = true;
  found = timeline(cohort);
  REQUIRE(found.fits == std::vector<std::size_t>{1, 2});
  REQUIRE(found.left_out.size() == 1);
  REQUIRE(found.across[2].mean == 1.0);  // of times alone
  REQUIRE_FALSE(found.across_ranks);
  const auto csv = render_analysis("timeline", {cohort}, {}, "csv");
  REQUIRE_THAT(csv, Contains("clinic,tempo,h8,fit,ABETA,0,,,,rank,0,\n") &&
                        Contains("clinic,tempo,h9,fit,ABETA,0.5,,,,time,0,\n"));
  cohort.fits[2].times_are_ranks = true;
  REQUIRE(timeline(cohort).fits == std::vector<std::size_t>{1});
  REQUIRE(timeline(cohort).across_ranks);
}

TEST_CASE("a fit that has all events at one time says nothing of when", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.fits[1].event_times = std::vector{1.0, 1.0, 1.0};
  REQUIRE(timeline(cohort).fits == std::vector<std::size_t>{2});
  REQUIRE_THAT(
      render_analysis("timeline", {cohort}, {}, "table"),
      Contains("1 fit is left out: they have all events at one time; --fits shows them\n"));
  cohort.fits[1].is_asked_for = true;
  REQUIRE(timeline(cohort).times[0] == std::vector{0.5, 0.5, 0.5});
}

TEST_CASE("posteriors of times are on the scale of the fit's times", "[report][analysis]") {
  auto cohort = some_cohort();  // MMSE 0.75, ABETA 0.25, TAU 0.5: a range of 1/2 from 1/4 on
  cohort.fits[1].time_posterior = {
      {0.75, 0.05, 0.625, 0.875}, {0.25, 0.1, 0.125, 0.5}, {0.5, 0.05, 0.375, 0.75}};
  const auto found = timeline(cohort);
  const auto& abeta = *found.posterior[0][1];
  REQUIRE(abeta.mean == 0.0);
  REQUIRE(abeta.sd == Approx(0.2));
  REQUIRE(abeta.low == Approx(-0.25));
  REQUIRE(abeta.high == Approx(0.5));
  REQUIRE_FALSE(found.posterior[1][1]);
  REQUIRE_THAT(render_analysis("timeline", {cohort}, {}, "table"),
               Contains("time within a fit: mean and 95 % interval of its posterior") &&
                   Contains("\nABETA      0.000 [-0.250, 0.500]\n"));
  REQUIRE_THAT(render_analysis("timeline", {cohort}, {}, "csv"),
               Contains("clinic,tempo,h8,posterior,ABETA,0,0.2,-0.25,0.5,time,0,\n"));
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

TEST_CASE("names cannot command a terminal", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.biomarkers[1] = "\x1b[31mABETA\nTAU\xc2\x9b";
  cohort.truth->biomarkers = {cohort.biomarkers[1], "FDG", "MMSE", "TAU"};
  cohort.not_separating = std::vector<std::string>{cohort.biomarkers[1]};
  for (const auto& table : analysis_tables()) {
    for (const auto* format : {"table", "latex", "markdown"})
      REQUIRE_THAT(render_analysis(table, {cohort}, {}, format),
                   !Contains("\x1b") && !Contains("\xc2\x9b") && !Contains("ABETA\n"));
    const auto text = render_analysis(table, {cohort}, {}, "table");
    if (table == "ranks") REQUIRE_THAT(text, Contains("\n\\x1b[31mABETA\\x0aTAU\\x9b *  1"));
  }
  REQUIRE_THAT(render_analysis("ranks", {cohort}, {}, "json"),
               Contains("\\u001b"));  // programs get the name
}

TEST_CASE("stages by diagnosis: means, counts, and whether they rise", "[report][analysis]") {
  const auto found = group_stages(some_cohort());
  REQUIRE(found[0].groups[2]->mean == 2.5);
  REQUIRE(*found[0].groups[2]->sd == Approx(std::sqrt(0.5)));
  REQUIRE_FALSE(found[0].groups[1]->sd);  // one participant
  REQUIRE(found[0].rises == true);
  REQUIRE(found[1].rises == false);                                     // 0.5, 0.5, 2.75
  REQUIRE(found[2].rises == false);                                     // all at 1
  REQUIRE(found[1].counts[1] == std::vector<std::size_t>{1, 0, 0, 0});  // 0.5 to even
  REQUIRE(found[1].counts[2] == std::vector<std::size_t>{0, 0, 1, 1});  // 2.5 to even
}

TEST_CASE("stages rise only along a known order of two groups or more", "[report][analysis]") {
  auto cohort = some_cohort();
  cohort.groups_ordered = false;
  for (const auto& of_fit : group_stages(cohort)) REQUIRE_FALSE(of_fit.rises.has_value());
  REQUIRE_THAT(render_analysis("groups", {cohort}, {}, "table"),
               Contains("  -\n") && !Contains("yes") &&
                   Contains("their order is not known, nor whether stages rise\n"));
  cohort.groups_ordered = true;
  cohort.groups = {1, 1, 1, 1, 1};
  REQUIRE_FALSE(group_stages(cohort)[0].rises.has_value());
  cohort.groups = {0, 0, 2, 2, 2};  // nobody in the middle
  REQUIRE(group_stages(cohort)[0].rises == true);
}

TEST_CASE("every pair of fits is compared once", "[report][analysis]") {
  const auto found = agreement(some_cohort());
  REQUIRE(found.size() == 3);
  REQUIRE(*found[1].tau == Approx(0.0).margin(1e-12));  // debm and h9: one pair alike, one not
  REQUIRE(*found[2].tau == Approx(-1.0 / 3.0));
  REQUIRE_FALSE(found[1].spearman);  // h9 has all at one stage
}

TEST_CASE("stages are compared among the diseased: the label puts the healthy at 0",
          "[report][analysis]") {
  auto cohort = some_cohort();
  // Opposite among the three diseased; alike only in that both healthy are at 0.
  cohort.fits[0].stages = {0, 0, 1, 2, 3};
  cohort.fits[1].stages = {0, 0, 3, 2, 1};
  REQUIRE(*agreement(cohort)[0].spearman == Approx(-1.0));
  cohort.diseased.clear();  // nobody can say who is
  REQUIRE(*agreement(cohort)[0].spearman > -0.5);
}

TEST_CASE("how near fits come to a truth that knows of more", "[report][analysis]") {
  auto cohort = some_cohort();  // the true order of its three: ABETA, TAU, MMSE
  const auto found = recovery(cohort);
  using Of = Recovery::Of;
  REQUIRE(found.size() == 5);
  // debm has MMSE and TAU at one time, which is half a pair; h8 is right; h9 has two of three pairs
  // wrong.
  REQUIRE(found[0].all->tau == Approx(0.5 / 3.0));
  REQUIRE(found[0].all->by_chance == Approx(1.0 / 6.0));  // an order of one wrong pair is farther
  REQUIRE(found[1].all->tau == 0.0);
  REQUIRE(found[1].all->by_chance == Approx(1.0 / 6.0));
  REQUIRE(found[2].all->tau == Approx(2.0 / 3.0));
  REQUIRE_FALSE(found[1].separating);
  // Events of these three by then: p3 1 (FDG is none of them), p4 3, p5 1.
  REQUIRE(*found[0].stage_mae ==
          Approx((0.0 + 0.0 + 0.0 + 1.0 + 2.0) / 5.0));  // 0, 0, 1, 2, 3 of 0, 0, 1, 3, 1
  REQUIRE(*found[0].diseased_mae == Approx((0.0 + 1.0 + 2.0) / 3.0));
  REQUIRE(*found[1].stage_mae ==
          Approx((0.0 + 1.0 + 1.0 + 1.0 + 2.0) / 5.0));  // 0, 1, 0 (half to even), 2, 3
  REQUIRE(found[3].of == Of::consensus);
  REQUIRE_FALSE(found[3].stage_mae);
  REQUIRE(found[4].of == Of::median);
  REQUIRE_FALSE(found[4].all);
  REQUIRE(*found[4].diseased_mae == Approx((0.0 + 2.0 + 0.0) / 3.0));  // at 1
  REQUIRE(*found[4].stage_mae == Approx(2.0 / 5.0));
  cohort.not_separating = std::vector<std::string>{"ABETA"};
  REQUIRE(recovery(cohort)[2].separating->tau == 1.0);
  REQUIRE(recovery(cohort)[2].separating->by_chance == 1.0);
  REQUIRE_THAT(render_analysis("recovery", {cohort}, {}, "table"),
               Contains("\ntempo on h9                0.6667        0.8333     1.0000     1.0000   "
                        "  0.800      0.667\n") &&
                   Contains("\n(all at the median stage)  -             -          -          -    "
                            "      0.400      0.667\n"));
  REQUIRE_THAT(render_analysis("recovery", {cohort}, {}, "csv"),
               Contains("\nclinic,tempo,h8,fit,0,0.16666666666666666,0,0.5,") &&
                   Contains("\nclinic,,,median,,,,,0.4,0.6666666666666666,\n"));
  cohort.fits.resize(1);
  REQUIRE(recovery(cohort).size() == 2);  // one fit is its own consensus
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
               Contains("fit          CN (n = 2)                   MCI (n = 1)  AD (n = 2)         "
                        "          rises\n"
                        "debm         0.00 [0.00, 0.00] (sd 0.00)  1.00         2.50 [0.00, 3.00] "
                        "(sd 0.71)  yes\n"));
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
  cohort.fits = {CohortFit{"debm", "", {0.0}, {}, {0.0}, {}, {}, {}, {}, 0}};
  cohort.truth = NamedTruth{{"a"}, {"p"}, {}};
  cohort.truth->truth.event_ranks = Ranks({1});
  cohort.truth->truth.event_times = {1.0};
  cohort.truth->truth.stages = {0.0};
  for (const auto& table : analysis_tables())
    for (const auto* format : {"table", "csv", "json", "latex", "markdown"})
      REQUIRE_THAT(render_analysis(table, {cohort}, {}, format), !Contains("nan"));
}

}  // namespace tempo::test
