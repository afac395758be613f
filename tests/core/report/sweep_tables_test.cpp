// Scores along a sweep: pivot tables and learning curves.

#include "report/sweep_tables.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

/// Two cohorts at each of two sizes, with two settings of a method with an awkward id: 0.4 and 0.6
/// at 100; at 200 a tenth less. `twice` has 0.2 more. `chance` has 0.5 everywhere.
RunResults swept() {
  RunResults out{"name", {"cohorts.participants", "method.a_b%.fidelity"}, {}};
  for (const std::string size : {"100", "200"})
    for (const std::string fidelity : {"once", "twice"})
      for (std::size_t cohort = 0; cohort < 2; ++cohort)
        for (const std::string method : {"a_b%", "chance"}) {
          const double score = method == "chance"
                                   ? 0.5
                                   : (cohort == 0 ? 0.4 : 0.6) + (fidelity == "twice" ? 0.2 : 0.0) -
                                         (size == "200" ? 0.1 : 0.0);
          out.rows.push_back(test::scored("h1", cohort, method, score));
          out.rows.back().id.axis_values = {size, fidelity};
        }
  return out;
}

std::vector<LearningCurve> curves_along(std::size_t axis) {
  const auto results = swept();
  std::vector<LearningCurve> out;
  for (const auto& line : sweep_lines(results))
    if (line.axis == axis)
      out.push_back(learning_curve(line, results, *find_metric("tau_distance")));
  return out;
}

Table pivot() { return pivot_table(curves_along(0), *find_metric("tau_distance")); }
Table curve() { return curve_table(curves_along(0), *find_metric("tau_distance"), Shared::orders); }

std::size_t count_of(const std::string& what, const std::string& text) {
  std::size_t out = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++out;
  return out;
}

/// Whether LaTeX would take each of these signs for its own.
std::size_t bare(char sign, const std::string& text) {
  std::size_t out = 0;
  bool is_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') is_comment = false;
    if (i == 0 || text[i - 1] == '\n') is_comment = text[i] == '%';
    out += !is_comment && text[i] == sign && (i == 0 || text[i - 1] != '\\');
  }
  return out;
}

}  // namespace

// Half widths: two values that differ by 0.2 have sd 0.2 / sqrt(2), so that t with one degree of
// freedom gives 12.706205 x 0.2 / sqrt(2) / sqrt(2) = 1.271.
TEST_CASE("a pivot table has the values of a swept key as columns", "[report][sweep]") {
  REQUIRE(render(pivot(), TableFormat::markdown) ==
          "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5) along "
          "participants:\nmean ± 95 % interval over 2 cohorts\n\n"
          "| a_b%.fidelity | method | labels | 100 | 200 |\n"
          "|---|---|---|---|---|\n"
          "| once | a_b% | none | 0.500 ± 1.271 | 0.400 ± 1.271 |\n"
          "| once | chance | none | 0.500 ± 0.000 | 0.500 ± 0.000 |\n"
          "| twice | a_b% | none | 0.700 ± 1.271 | 0.600 ± 1.271 |\n"
          "| twice | chance | none | 0.500 ± 0.000 | 0.500 ± 0.000 |\n");
  SECTION("so it has for programs") {
    const auto csv = render(pivot(), TableFormat::csv);
    REQUIRE_THAT(csv,
                 StartsWith("method.a_b%.fidelity,hypothesis,method,labels,"
                            "mean at cohorts.participants=100,mean at cohorts.participants=200,"
                            "half_width_95 at cohorts.participants=100,"
                            "half_width_95 at cohorts.participants=200\n"
                            "once,h1,a_b%,none,0.5,0.4"));
    const auto rows = json::parse(render(pivot(), TableFormat::json)).at("rows");
    REQUIRE(rows.size() == 4);
    REQUIRE(rows[2].at("sweep").at("method.a_b%.fidelity") == "twice");
  }
  SECTION("along the other key, the first stays") {
    const auto table = pivot_table(curves_along(1), *find_metric("tau_distance"));
    REQUIRE_THAT(render(table, TableFormat::markdown),
                 Contains("| participants | method | labels | once | twice |") &&
                     Contains("| 200 | a_b% | none | 0.400 ± 1.271 | 0.600 ± 1.271 |"));
  }
}

TEST_CASE("curves that lack a point keep the order of values, and name the step they have",
          "[report][sweep]") {
  RunResults results{"name", {"cohorts.participants", "method.a.fidelity"}, {}};
  for (const std::string fidelity : {"once", "twice"})
    for (const std::string size : {"100", "200", "400"}) {
      if (fidelity == "once" && size == "200") continue;
      for (std::size_t cohort = 0; cohort < 2; ++cohort) {
        results.rows.push_back(
            test::scored("h1", cohort, "a", (cohort == 0 ? 0.4 : 0.6) - std::stod(size) / 1000.0));
        results.rows.back().id.axis_values = {size, fidelity};
      }
    }
  std::vector<LearningCurve> curves;
  for (const auto& line : sweep_lines(results))
    if (line.axis == 0)
      curves.push_back(learning_curve(line, results, *find_metric("tau_distance")));
  const auto text = render(curve_table(curves, *find_metric("tau_distance"), Shared::orders),
                           TableFormat::markdown);
  INFO(text);
  REQUIRE_THAT(text, Contains("| method | labels | 100 | 200 | 400 |\n") &&
                         Contains("| method | labels | 100 to 200 | 200 to 400 |\n") &&
                         Contains("| once | a | none | - | -0.300 ± 0.000 (from 100) |\n") &&
                         Contains("| twice | a | none | -0.100 ± 0.000 | -0.200 ± 0.000 |\n"));
}

TEST_CASE("a learning curve shows what each step changes, and why it is so sure",
          "[report][sweep]") {
  const auto text = render(curve(), TableFormat::table);
  REQUIRE_THAT(text,
               Contains("change from one value of participants to the next, on cohorts of one "
                        "number:") &&
                   Contains("over 2 pairs of cohorts") && Contains("100 to 200") &&
                   Contains("-0.100 ± 0.000") && Contains("the same true order at all points"));
  SECTION("programs get a row per value; the first has no step") {
    const auto rows = json::parse(render(curve(), TableFormat::json)).at("rows");
    REQUIRE(rows.size() == 8);
    REQUIRE(rows[0].at("along") == "cohorts.participants");
    REQUIRE(rows[0].at("from").is_null());
    REQUIRE(rows[0].at("change").is_null());
    REQUIRE(rows[2].at("from") == "100");
    REQUIRE(rows[2].at("change").get<double>() == Approx(-0.1));
    REQUIRE(rows[2].at("pairs") == 2);
  }
  SECTION("it says how the points hang together") {
    const auto said = [](Shared shared) {
      return render(curve_table(curves_along(0), *find_metric("tau_distance"), shared),
                    TableFormat::table);
    };
    REQUIRE_THAT(said(Shared::cohorts), Contains("Points have the same cohorts"));
    REQUIRE_THAT(said(Shared::nothing), Contains("True orders differ from point to point"));
    REQUIRE_THAT(said(Shared::unknown), Contains("is not stored"));
  }
}

TEST_CASE("LaTeX of a sweep is whole: booktabs, balanced, names escaped", "[report][sweep]") {
  for (const auto& table : {pivot(), curve()}) {
    const auto latex = render(table, TableFormat::latex);
    REQUIRE_THAT(latex, StartsWith("% needs \\usepackage{booktabs}\n"));
    const auto tables = count_of("\\begin{tabular}", latex);
    REQUIRE(tables == table.blocks.size());
    for (const auto* part : {"\\end{tabular}", "\\toprule", "\\midrule", "\\bottomrule"})
      REQUIRE(count_of(part, latex) == tables);
    REQUIRE(bare('{', latex) == bare('}', latex));
    REQUIRE(bare('_', latex) == 0);
    REQUIRE(bare('%', latex) == 0);
    REQUIRE_THAT(latex, Contains("a\\_b\\%"));
    REQUIRE(bare('$', latex) % 2 == 0);
    // Each row has as many cells as the table has columns.
    std::size_t columns = 0;
    for (std::size_t at = 0; at < latex.size();) {
      const auto end = latex.find('\n', at);
      const auto line = latex.substr(at, end - at);
      at = end + 1;
      if (line.starts_with("\\begin{tabular}"))
        columns = line.size() - std::string("\\begin{tabular}{}").size();
      else if (line.ends_with("\\\\"))
        REQUIRE(bare('&', line) + 1 == columns);
    }
  }
}

}  // namespace tempo::test
