#include "analysis/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "report/rows.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLowP = 0.05, kFar = 3.5;

const char* group(const NamedCheck& check) { return check.diseased ? "diseased" : "healthy"; }

/// `skewness of MMSE in the diseased`
std::string subject(const NamedCheck& check) {
  return fmt::format("{} of {} in the {}", check.statistic, check.biomarker, group(check));
}

/// One row of the table of a run.
struct Line {
  std::vector<std::string> names;  // axis values, hypothesis, method
  std::size_t fits = 0, checks = 0, low = 0, far = 0;
  std::map<std::string, double> distances;  // by subject, summed over fits
};

std::vector<Line> lines_of(const std::vector<FitChecks>& fits) {
  std::vector<Line> out;
  for (const auto& [row, checks] : fits) {
    auto names = row.axis_values;
    names.push_back(row.hypothesis);
    names.push_back(row.method);
    auto at = std::find_if(out.begin(), out.end(),
                           [&](const Line& known) { return known.names == names; });
    if (at == out.end()) at = out.insert(out.end(), Line{std::move(names), 0, 0, 0, 0, {}});
    const auto summary = summarise(checks);
    ++at->fits;
    at->checks += summary.checks;
    at->low += summary.low;
    at->far += summary.far.size();
    for (const auto& check : checks) at->distances[subject(check)] += distance(check);
  }
  return out;
}

Rows cells(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes) {
  Rows rows{axes};
  for (const auto* name : {"cohorts of", "method", "fits", "checks", "p < 0.05", "3.5 sds off",
                           "farthest off on average"})
    rows[0].push_back(name);
  for (const auto& line : lines_of(fits)) {
    rows.push_back(line.names);
    if (line.checks == 0) {
      for (const auto& text : {std::to_string(line.fits), std::string("0"), std::string("-"),
                               std::string("0"), std::string("-")})
        rows.back().push_back(text);
      continue;
    }
    const auto worst = std::max_element(
        line.distances.begin(), line.distances.end(),
        [](const auto& a, const auto& b) { return std::abs(a.second) < std::abs(b.second); });
    for (const auto& text : {std::to_string(line.fits), std::to_string(line.checks),
                             fmt::format("{:.1f} %", 100.0 * static_cast<double>(line.low) /
                                                         static_cast<double>(line.checks)),
                             std::to_string(line.far),
                             fmt::format("{}: {:+.1f} sds", worst->first,
                                         worst->second / static_cast<double>(line.fits))})
      rows.back().push_back(text);
  }
  return rows;
}

std::string all_as_csv(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes) {
  Rows rows{axes};
  for (const auto* name : {"hypothesis", "cohort", "method"}) rows[0].push_back(name);
  for (const auto& name : check_columns()) rows[0].push_back(name);
  for (const auto& [row, checks] : fits)
    for (const auto& check : checks) {
      auto& line = rows.emplace_back(row.axis_values);
      for (const auto& text : {row.hypothesis, std::to_string(row.cohort), row.method})
        line.push_back(text);
      for (const auto& text : check_cells(check)) line.push_back(text);
    }
  return csv(rows);
}

std::string all_as_json(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes) {
  Json out;
  out["fits"] = Json::array();
  for (const auto& [row, checks] : fits) {
    Json item;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      item["sweep"][axes[axis]] = row.axis_values[axis];
    item["hypothesis"] = row.hypothesis;
    item["cohort"] = row.cohort;
    item["method"] = row.method;
    item["checks"] = Json::array();
    for (const auto& check : checks) item["checks"].push_back(as_json(check));
    out["fits"].push_back(std::move(item));
  }
  return out.dump(2) + "\n";
}

constexpr const char* kHeading =
    "predictive checks: p < 0.05 is at most 5 % by chance, 3.5 sds off hardly ever";

}  // namespace

std::vector<NamedCheck> named_checks(const std::vector<PredictiveCheck>& checks,
                                     const std::vector<std::string>& biomarkers) {
  std::vector<NamedCheck> out;
  for (const auto& check : checks)
    out.push_back({biomarkers[check.biomarker], check.diseased, check.statistic, check.observed,
                   check.mean, check.sd, check.p});
  return out;
}

double distance(const NamedCheck& check) {
  const double away = check.observed - check.mean;
  if (away == 0.0) return 0.0;
  return check.sd > 0.0 ? away / check.sd
                        : std::copysign(std::numeric_limits<double>::infinity(), away);
}

CheckSummary summarise(const std::vector<NamedCheck>& checks) {
  CheckSummary out;
  out.checks = checks.size();
  for (const auto& check : checks) {
    if (!(check.p < kLowP)) continue;
    ++out.low;
    if (std::abs(distance(check)) >= kFar) out.far.push_back(&check);
  }
  std::stable_sort(out.far.begin(), out.far.end(), [](const auto* a, const auto* b) {
    return std::abs(distance(*a)) > std::abs(distance(*b));
  });
  return out;
}

std::string in_words(const std::vector<NamedCheck>& checks) {
  const auto summary = summarise(checks);
  auto out = fmt::format("{} of {} checks have p < 0.05 (by chance up to {:.1f})", summary.low,
                         summary.checks, summary.by_chance());
  if (summary.far.empty()) return out + ", none of them far off";
  constexpr std::size_t kNamed = 3;
  out += fmt::format(", {} of them far off: ", summary.far.size());
  for (std::size_t i = 0; i < std::min(kNamed, summary.far.size()); ++i) {
    const auto& check = *summary.far[i];
    out += fmt::format("{}{} is {:.2f}, replicated {:.2f} +- {:.2f}", i == 0 ? "" : "; ",
                       subject(check), check.observed, check.mean, check.sd);
  }
  if (summary.far.size() > kNamed) out += fmt::format("; and {} more", summary.far.size() - kNamed);
  return out;
}

std::vector<std::string> check_columns() {
  return {"biomarker", "group", "statistic", "observed", "mean", "sd", "p"};
}

std::vector<std::string> check_cells(const NamedCheck& check) {
  return {check.biomarker,
          group(check),
          check.statistic,
          fmt::format("{}", check.observed),
          fmt::format("{}", check.mean),
          fmt::format("{}", check.sd),
          fmt::format("{}", check.p)};
}

nlohmann::ordered_json as_json(const NamedCheck& check) {
  return {{"biomarker", check.biomarker},
          {"group", group(check)},
          {"statistic", check.statistic},
          {"observed", check.observed},
          {"mean", check.mean},
          {"sd", check.sd},
          {"p", check.p}};
}

std::string render(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes,
                   const std::string& format) {
  if (format == "csv") return all_as_csv(fits, axes);
  if (format == "json") return all_as_json(fits, axes);
  const auto rows = cells(fits, axes);
  if (format == "latex") return latex(rows, axes.size() + 2, kHeading);
  if (format == "markdown") return std::string(kHeading) + "\n\n" + markdown(rows);
  return std::string(kHeading) + "\n" + aligned(rows);
}

}  // namespace tempo
