// What a screen shows of scores: methods by hypothesis, all methods at a glance.

#include <algorithm>

#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const Metric& tau_distance() { return *find_metric("tau_distance"); }

std::string shown_summary(const Table& table) { return render(table, TableFormat::table); }

FitRow unswept(FitRow row, const std::string& labels) {
  row.id.axis_values.clear();
  row.id.labels = labels;
  return row;
}

/// Two cohorts of each of two hypotheses. `exact` has 0 and 0.1 of h1 and h2; `near` has 0.1 more
/// on each cohort, `far` 0.3 and 0.5 more. `net` was trained on h2 only, and has 0.2 there.
RunResults four_methods() {
  RunResults out{"name", {}, {}};
  const auto add = [&](const std::string& hypothesis, std::size_t cohort, const std::string& method,
                       const std::string& labels, double score) {
    out.rows.push_back(unswept(test::scored(hypothesis, cohort, method, score), labels));
  };
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t cohort = 0; cohort < 2; ++cohort) {
      const std::string hypothesis = h == 0 ? "h1" : "h2";
      const double base = h == 0 ? 0.0 : 0.1;
      add(hypothesis, cohort, "exact", "infer", base);
      add(hypothesis, cohort, "near", "fit", base + 0.1);
      add(hypothesis, cohort, "far", "none", base + (cohort == 0 ? 0.3 : 0.5));
      add(hypothesis, cohort, "net", "infer", 0.2);
      out.rows.back().id.trained_on = "h2";
    }
  return out;
}

/// As many methods and hypotheses as wanted, two cohorts each.
RunResults of_size(std::size_t methods, std::size_t hypotheses, const std::string& name,
                   std::vector<std::string> points = {}) {
  RunResults out{"name", {}, {}};
  if (!points.empty()) out.axes = {"cohorts.participants"};
  if (points.empty()) points = {""};
  for (const auto& point : points)
    for (std::size_t h = 0; h < hypotheses; ++h)
      for (std::size_t cohort = 0; cohort < 2; ++cohort)
        for (std::size_t m = 0; m < methods; ++m) {
          auto row =
              test::scored(name + "h" + std::to_string(h + 1), cohort, name + std::to_string(m + 1),
                           0.01 * static_cast<double>(m + cohort));
          row.id.axis_values.clear();
          if (!out.axes.empty()) row.id.axis_values = {point};
          out.rows.push_back(row);
        }
  return out;
}

std::size_t widest(const std::string& text) {
  std::size_t out = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    out = std::max(out, display_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

}  // namespace

// Half widths: the scores of `far` under a hypothesis differ by 0.2, sd 0.2 / sqrt(2), so that
// 12.706205 x 0.2 / sqrt(2) / sqrt(2) = 1.271.
TEST_CASE("methods are rows, hypotheses columns, counts are said once", "[report][summary]") {
  REQUIRE(shown_summary(
              summary_table(summarise(four_methods(), tau_distance(), "exact"), tau_distance())) ==
          "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5): mean ± 95 % "
          "interval over 2 cohorts\n"
          "method         labels  h1             h2\n"
          "exact (limit)  infer   0.000 ± 0.000  0.100 ± 0.000\n"
          "near           fit     0.100 ± 0.000  0.200 ± 0.000\n"
          "far            none    0.400 ± 1.271  0.500 ± 1.271\n"
          "net            infer   -              0.200 ± 0.000\n"
          "- net was not trained on that hypothesis: --table cross has its scores\n");
}

TEST_CASE("a cell that is empty for a reason of its own gets no other", "[report][summary]") {
  const auto shown_with = [](const std::vector<RunDescription::Misfit>& misfits) {
    return shown_summary(
        summary_table(summarise(four_methods(), tau_distance()), tau_distance(), misfits));
  };
  REQUIRE_THAT(shown_with({{"near", "h1", "it leaves it out", 2}}), Contains("\n- net was not"));
  REQUIRE_THAT(shown_with({{"net", "h1", "it leaves it out", 2}}), !Contains("net was not"));
}

// Over both hypotheses: `near` has 0.1, 0.1, 0.2, 0.2: sd 0.05774, 3.182446 x 0.05774 / 2 = 0.092;
// `far` 0.3, 0.5, 0.4, 0.6, sd 0.1291: 0.205. Its differences to `near` are 0.2, 0.4, 0.2, 0.4:
// mean 0.3, sd 0.11547, half width 0.184: told apart. Seconds are a tenth of the scores.
TEST_CASE("all methods at a glance: the best order first", "[report][summary]") {
  REQUIRE(
      shown_summary(glance_table(four_methods(), "exact")) ==
      "all methods over 2 hypotheses: mean ± 95 % interval over the cohorts scored; lower "
      "is better\n"
      "method         labels  tau distance    staging MAE   seconds per cohort  scored\n"
      "exact (limit)  infer   0.050 ± 0.092   0.50 ± 0.92   0.005               4 of 4\n"
      "near           fit     0.150 ± 0.092✓  1.50 ± 0.92✓  0.015               4 of 4\n"
      "net            infer   0.200 ± 0.000   2.00 ± 0.00   0.020               2 of 2\n"
      "far            none    0.450 ± 0.205   4.50 ± 2.05   0.045               4 of 4\n"
      "✓ best, or cannot be told from the best on the same cohorts; the limit does not compete\n"
      "net counts only where it was trained on the cohort's hypothesis: it is not compared with "
      "the others\n");
  REQUIRE(glance_table({}, "").empty());
}

TEST_CASE("counts stand where they differ", "[report][summary]") {
  auto results = four_methods();
  std::erase_if(results.rows, [](const FitRow& row) { return row.id.is_trained(); });
  results.rows[1].result.status = FitStatus::failed;  // near, h1, cohort 0
  results.rows[2].result.status = FitStatus::failed;  // far, h1, both cohorts
  results.rows[5].result.status = FitStatus::failed;
  REQUIRE(shown_summary(summary_table(summarise(results, tau_distance()), tau_distance())) ==
          "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5):\n"
          "mean ± 95 % interval over 2 cohorts; (n/N): n scored of N planned\n"
          "method  labels  h1             h2\n"
          "exact   infer   0.000 ± 0.000  0.100 ± 0.000\n"
          "near    fit     0.100 (1/2)    0.200 ± 0.000\n"
          "far     none    none (0/2)     0.500 ± 1.271\n");
}

TEST_CASE("one cohort gives no interval, and no best", "[report][summary]") {
  auto results = four_methods();
  std::erase_if(results.rows, [](const FitRow& row) { return row.id.cohort > 0; });
  REQUIRE(
      shown_summary(summary_table(summarise(results, tau_distance(), "exact"), tau_distance())) ==
      "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5): of one cohort, "
      "which gives no interval\n"
      "method         labels  h1     h2\n"
      "exact (limit)  infer   0.000  0.100\n"
      "near           fit     0.100  0.200\n"
      "far            none    0.300  0.400\n"
      "net            infer   -      0.200\n"
      "- net was not trained on that hypothesis: --table cross has its scores\n");
}

TEST_CASE("differences have a sign", "[report][summary]") {
  auto results = four_methods();
  std::erase_if(results.rows, [](const FitRow& row) { return row.id.method == "net"; });
  REQUIRE(shown_summary(summary_table(summarise_against("near", results, tau_distance(), "exact"),
                                      tau_distance())) ==
          "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5), minus that of "
          "near on the same cohort:\nmean ± 95 % interval over 2 cohorts\n"
          "method         labels  h1              h2\n"
          "exact (limit)  infer   -0.100 ± 0.000  -0.100 ± 0.000\n"
          "far            none    +0.300 ± 1.271  +0.300 ± 1.271\n");
}

// Under h1 `near` is 0.1 better than `far` on each of three cohorts; under h2 it is once better,
// once worse and once alike.
TEST_CASE("a hypothesis without a best says that nothing can be told", "[report][summary]") {
  RunResults results{"name", {}, {}};
  const double far_under_h2[] = {0.1, 0.2, 0.3};
  for (std::size_t cohort = 0; cohort < 3; ++cohort)
    for (const auto& [hypothesis, method, score] : {std::tuple{"h1", "near", 0.1},
                                                    {"h1", "far", 0.2},
                                                    {"h2", "near", 0.2},
                                                    {"h2", "far", far_under_h2[cohort]}})
      results.rows.push_back(unswept(test::scored(hypothesis, cohort, method, score), "fit"));
  const auto said = [](const RunResults& found) {
    return shown_summary(summary_table(summarise(found, tau_distance()), tau_distance()));
  };
  const auto line = "where no method has a ✓, none can be told from the best";
  REQUIRE_THAT(said(results), Contains("near    fit     0.100 ± 0.000✓  0.200 ± 0.000\n"));
  REQUIRE_THAT(said(results), Contains(line));
  std::erase_if(results.rows, [](const FitRow& row) { return row.id.hypothesis == "h2"; });
  REQUIRE_THAT(said(results), Contains("✓ best") && !Contains(line));
}

TEST_CASE("nine hypotheses and seven methods stand on one screen", "[report][summary]") {
  const auto text =
      shown_summary(summary_table(summarise(of_size(7, 9, ""), tau_distance()), tau_distance()));
  REQUIRE(widest(text) <= 120);
  REQUIRE_THAT(text, Contains("\nhypothesis  1 ") && Contains("\nlabels      none "));
  REQUIRE(std::count(text.begin(), text.end(), '\n') <= 13);
}

TEST_CASE("a sweep has a row per point; what its axes are called is short", "[report][summary]") {
  const auto text = shown_summary(
      summary_table(summarise(of_size(2, 1, "", {"100", "200"}), tau_distance()), tau_distance()));
  REQUIRE_THAT(text,
               Contains("\nparticipants  hypothesis  1 ") && Contains("\n200           h1  "));
}

TEST_CASE("tables of scores fit a screen, whatever is compared", "[report][summary]") {
  for (const auto& name : {std::string(), std::string("a long name of many words "),
                           std::string("海马体积萎缩之前的某种方法"), std::string(70, 'x')})
    for (const std::size_t methods : {1, 2, 8, 20})
      for (const std::size_t hypotheses : {1, 2, 9, 40})
        for (const bool sweeps : {false, true}) {
          const auto results = of_size(
              methods, hypotheses, name,
              sweeps ? std::vector<std::string>{"100", "1000"} : std::vector<std::string>{});
          INFO(name << ": " << methods << " methods, " << hypotheses << " hypotheses");
          for (const auto& metric : metrics()) {
            const auto text = shown_summary(summary_table(summarise(results, metric), metric));
            REQUIRE(widest(text) <= 120);
            REQUIRE_THAT(text, !Contains("…"));
          }
          if (!sweeps) REQUIRE(widest(shown_summary(glance_table(results, ""))) <= 120);
        }
}

}  // namespace tempo::test
