#include "report/check_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/append.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

const char* group(bool diseased) { return diseased ? "diseased" : "healthy"; }

/// `skewness of MMSE in the diseased`
std::string subject(const std::string& statistic, const std::string& biomarker, bool diseased) {
  return fmt::format("{} of {} in the {}", statistic, biomarker, group(diseased));
}

std::vector<std::string> texts_of(const MethodChecks& line) {
  if (!line.farthest) return {std::to_string(line.fits), "0", "-", "0", "-"};
  const auto& [about, mean_distance] = *line.farthest;
  const auto share = static_cast<double>(line.low) / static_cast<double>(line.checks);
  return {std::to_string(line.fits), std::to_string(line.checks),
          fmt::format("{:.1f} %", 100.0 * share), std::to_string(line.far),
          fmt::format("{}: {:+.1f} sds", subject(about.statistic, about.biomarker, about.diseased),
                      mean_distance)};
}

Block block_of(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes) {
  Rows rows{axes};
  append(rows[0], {"cohorts of", "method", "fits", "checks", "p < 0.05", "3.5 sds off",
                   "farthest off on average"});
  for (const auto& line : checks_by_method(fits)) {
    auto& row = rows.emplace_back(line.axis_values);
    append(row, {line.hypothesis, line.method});
    append(row, texts_of(line));
  }
  return {
      .heading = "predictive checks: p < 0.05 is at most 5 % by chance, 3.5 sds off hardly ever",
      .rows = std::move(rows),
      .name_columns = axes.size() + 2};
}

Json as_json(const FitChecks& fit, const std::vector<std::string>& axes) {
  Json out;
  if (!axes.empty()) out["sweep"] = point_as_json(axes, fit.id.axis_values);
  out["hypothesis"] = generated_by(fit.id);
  out["cohort"] = fit.id.cohort;
  out["method"] = fit.id.method;
  out["checks"] = Json::array();
  for (const auto& check : fit.checks) out["checks"].push_back(tempo::as_json(check));
  return out;
}

}  // namespace

std::string in_words(const std::vector<NamedCheck>& checks) {
  const auto summary = summarise(checks);
  auto out = fmt::format("{} of {} checks have p < 0.05 (by chance about {:.1f})", summary.low,
                         summary.checks, summary.by_chance());
  if (summary.far.empty()) return out + ", none of them far off";
  constexpr std::size_t kNamed = 3;
  out += fmt::format(", {} of them far off: ", summary.far.size());
  for (std::size_t i = 0; i < std::min(kNamed, summary.far.size()); ++i) {
    const auto& check = *summary.far[i];
    out += fmt::format("{}{} is {:.2f}, replicated {:.2f} +- {:.2f}", i == 0 ? "" : "; ",
                       subject(check.statistic, check.biomarker, check.diseased), check.observed,
                       check.mean, check.sd);
  }
  if (summary.far.size() > kNamed) out += fmt::format("; and {} more", summary.far.size() - kNamed);
  return out;
}

const std::vector<std::string>& check_columns() {
  static const std::vector<std::string> names{"biomarker", "group", "statistic", "observed",
                                              "mean",      "sd",    "p"};
  return names;
}

std::vector<Cell> check_cells(const NamedCheck& check) {
  return {
      check.biomarker, group(check.diseased), check.statistic, check.observed, check.mean, check.sd,
      check.p};
}

Json as_json(const NamedCheck& check) {
  return {{"biomarker", check.biomarker},
          {"group", group(check.diseased)},
          {"statistic", check.statistic},
          {"observed", check.observed},
          {"mean", check.mean},
          {"sd", check.sd},
          {"p", check.p}};
}

Table check_table(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes) {
  Table out;
  out.blocks = {block_of(fits, axes)};
  out.axes = axes.size();
  out.columns = axes;
  append(out.columns, {"hypothesis", "cohort", "method"});
  append(out.columns, check_columns());
  auto document = std::make_shared<Json>();
  auto& list = (*document)["fits"] = Json::array();
  for (const auto& fit : fits) {
    list.push_back(as_json(fit, axes));
    for (const auto& check : fit.checks) {
      auto& row = out.rows.emplace_back(fit.id.axis_values.begin(), fit.id.axis_values.end());
      append(row, {generated_by(fit.id), fit.id.cohort, fit.id.method});
      append(row, check_cells(check));
    }
  }
  out.document = std::move(document);
  return out;
}

}  // namespace tempo
