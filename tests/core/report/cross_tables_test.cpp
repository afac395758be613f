// Every model on every hypothesis: numbers by hand, and each format.

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/tables.hpp"
#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

FitRow by_model(FitRow row, const std::string& trained_on) {
  row.id.trained_on = trained_on;
  row.id.labels = "infer";
  return row;
}

/// Two models of `net` on two hypotheses, beside a method that is not trained.
RunResults of_models() {
  RunResults out{"name", {"cohorts.participants"}, {}};
  const auto add = [&](const FitRow& row) { out.rows.push_back(row); };
  add(scored("h1", 0, "sa_ebm", 0.5));
  add(by_model(scored("h1", 0, "net", 0.125), "h1"));
  add(by_model(scored("h1", 0, "net", 0.5), "h_2"));
  add(by_model(scored("h1", 1, "net", 0.375), "h1"));
  add(by_model(failed("h1", 1, "net", "no"), "h_2"));
  add(by_model(scored("h_2", 0, "net", 0.75), "h1"));
  add(by_model(failed("h_2", 0, "net", "no"), "h_2"));
  return out;
}

std::string rendered(const std::string& format) {
  const auto& metric = *find_metric("tau_distance");
  const auto results = of_models();
  return render(cross_table(cross_tables(results, metric), results.axes, metric),
                table_format(format).value());
}

const std::string kTitle =
    "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5):\n"
    "cohorts.participants=100 net (labels: infer), trained on the row, tested on the column: mean "
    "over 2 cohorts; (n/N): n scored of N planned\n";

}  // namespace

// h1 on h1: (0.125 + 0.375) / 2 = 0.25. Row h1: (0.25 + 0.75) / 2 = 0.5, cells of equal weight
// whatever their cohorts. Row h_2 and column h1, h_2 leave out what has no score: 0.5; (0.25 + 0.5)
// / 2 = 0.375; 0.75. All: (0.25 + 0.75 + 0.5) / 3 = 0.5.
TEST_CASE("cross tables in each format", "[report][cross]") {
  SECTION("table: counts stand beside cells where they are not as of most") {
    REQUIRE(
        rendered("table") ==
        "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5):\n"
        "cohorts.participants=100 net (labels: infer), trained on the row, tested on the column: "
        "mean over 2 cohorts; (n/N): n\nscored of N planned\n"
        "trained on  h1           h_2          mean\n"
        "h1          0.250        0.750 (1/1)  0.500\n"
        "h_2         0.500 (1/2)  none (0/1)   0.500\n"
        "mean        0.375        0.750        0.500\n");
  }
  SECTION("markdown") {
    REQUIRE(rendered("markdown") == kTitle +
                                        "\n| trained on | h1 | h_2 | mean |\n"
                                        "|---|---|---|---|\n"
                                        "| h1 | 0.250 | 0.750 (1/1) | 0.500 |\n"
                                        "| h_2 | 0.500 (1/2) | none (0/1) | 0.500 |\n"
                                        "| mean | 0.375 | 0.750 | 0.500 |\n");
  }
  SECTION("latex") {
    REQUIRE_THAT(rendered("latex"),
                 Catch::Matchers::StartsWith("% needs \\usepackage{booktabs}\n% tau distance (") &&
                     Catch::Matchers::EndsWith(R"(\begin{tabular}{lrrr}
\toprule
trained on & h1 & h\_2 & mean \\
\midrule
h1 & 0.250 & 0.750 (1/1) & 0.500 \\
h\_2 & 0.500 (1/2) & none (0/1) & 0.500 \\
mean & 0.375 & 0.750 & 0.500 \\
\bottomrule
\end{tabular}
)"));
  }
  // Its half width: Student's t of one degree of freedom is 12.7062047, and 12.7062047 x 0.25 / 2 =
  // 1.58827559.
  SECTION("csv: an empty id is the mean over all; sd of 0.125 and 0.375 is 0.25 / sqrt(2)") {
    const auto half_width = estimate({0.125, 0.375}, 2).half_width.value();
    REQUIRE(half_width == Approx(1.58827559));
    REQUIRE(rendered("csv") ==
            "cohorts.participants,method,labels,trained_on,hypothesis,mean,half_width_95,scored,"
            "planned\n"
            "100,net,infer,h1,h1,0.25," +
                fmt::format("{}", half_width) +
                ",2,2\n"
                "100,net,infer,h1,h_2,0.75,,1,1\n"
                "100,net,infer,h1,,0.5,,3,3\n"
                "100,net,infer,h_2,h1,0.5,,1,2\n"
                "100,net,infer,h_2,h_2,,,0,1\n"
                "100,net,infer,h_2,,0.5,,1,3\n"
                "100,net,infer,,h1,0.375,,3,4\n"
                "100,net,infer,,h_2,0.75,,1,2\n"
                "100,net,infer,,,0.5,,4,6\n");
  }
  SECTION("json") {
    const auto half_width = fmt::format("{}", estimate({0.125, 0.375}, 2).half_width.value());
    REQUIRE(nlohmann::json::parse(rendered("json")) ==
            nlohmann::json::parse(R"({
      "metric": "tau_distance",
      "tables": [{
        "sweep": {"cohorts.participants": "100"}, "method": "net", "labels": "infer",
        "trained_on": ["h1", "h_2"], "tested_on": ["h1", "h_2"],
        "cells": [[{"mean": 0.25, "half_width_95": )" +
                                  half_width + R"(, "scored": 2, "planned": 2},
                   {"mean": 0.75, "half_width_95": null, "scored": 1, "planned": 1}],
                  [{"mean": 0.5, "half_width_95": null, "scored": 1, "planned": 2},
                   {"mean": null, "half_width_95": null, "scored": 0, "planned": 1}]],
        "row_means": [{"mean": 0.5, "scored": 3, "planned": 3},
                      {"mean": 0.5, "scored": 1, "planned": 3}],
        "column_means": [{"mean": 0.375, "scored": 3, "planned": 4},
                         {"mean": 0.75, "scored": 1, "planned": 2}],
        "mean": {"mean": 0.5, "scored": 4, "planned": 6}}]})"));
  }
}

TEST_CASE("other metrics have their own tables", "[report][cross]") {
  const auto tables = cross_tables(of_models(), *find_metric("stage_mae"));
  REQUIRE(tables.size() == 1);
  REQUIRE(tables[0].cells[0][0].mean == 2.5);
}

TEST_CASE("each method and each point of a sweep has a table", "[report][cross]") {
  auto results = of_models();
  results.rows.push_back(by_model(scored("h1", 0, "other", 0.5), "all"));
  results.rows.push_back(by_model(scored("h1", 0, "net", 0.5), "h1"));
  results.rows.back().id.axis_values = {"200"};
  const auto tables = cross_tables(results, *find_metric("tau_distance"));
  REQUIRE(tables.size() == 3);
  REQUIRE(tables[1].method == "other");
  REQUIRE(tables[1].trained_on == std::vector<std::string>{"all"});
  REQUIRE(tables[2].axis_values == std::vector<std::string>{"200"});
  REQUIRE(cross_tables(some_results(), *find_metric("tau_distance")).empty());
}

TEST_CASE("the summary has of trained methods what is in distribution", "[report][cross]") {
  auto results = of_models();
  results.rows.push_back(by_model(scored("h_2", 0, "general", 0.25), "all"));
  const auto summary = summarise(results, *find_metric("tau_distance"));
  REQUIRE(summary.methods == std::vector<std::string>{"sa_ebm", "net", "general"});
  REQUIRE(summary.rows.size() == 2);
  REQUIRE(summary.rows[0].estimates[1].mean == 0.25);
  REQUIRE(summary.rows[0].estimates[1].planned == 2);
  REQUIRE(summary.rows[1].estimates[1].scored == 0);  // the model of h_2 failed
  REQUIRE(summary.rows[1].estimates[1].planned == 1);
  REQUIRE(summary.rows[1].estimates[2].mean == 0.25);
}

TEST_CASE("models are shown with the numbers of their last epoch", "[report][models]") {
  ModelRecord model;
  model.name = "net on h1";
  model.seconds = 61.25;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto shown = [&] { return render(model_table({model}), TableFormat::table); };
  model.history = {{"epoch", "loss", "tau"}, {{1, 0.5, 0.25}, {2, 0.125, unknown}}};
  REQUIRE(shown() ==
          "model      epochs  seconds  last epoch\n"
          "net on h1  2       61.2     loss 0.125, tau nan\n");
  model.history.epochs = {{1, unknown}};  // a store from elsewhere may hold anything
  REQUIRE(shown() ==
          "model      epochs  seconds  last epoch\n"
          "net on h1  1       61.2     loss nan\n");
  model.history = {{"epoch", "training_loss", "validation_tau_distance", "validation_stage_mae"},
                   {{1, 0.5, 0.25, 0.75}}};
  REQUIRE(
      shown() ==
      "model      epochs  seconds  last epoch\n"
      "net on h1  1       61.2     tau distance 0.25, staging MAE 0.75 on validation cohorts\n");
  model.history = {};
  REQUIRE(shown() ==
          "model      epochs  seconds  last epoch\n"
          "net on h1  0       61.2\n");
  REQUIRE(model_table({}).empty());
}

}  // namespace tempo::test
