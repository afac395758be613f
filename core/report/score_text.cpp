#include "report/score_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "report/table.hpp"
#include "report/text_layout.hpp"

namespace tempo {

std::optional<double> mean_of(const Estimate& estimate) {
  return estimate.scored > 0 ? std::optional(estimate.mean) : std::nullopt;
}

int decimals_of(const Metric& metric) { return metric.decimals - 1; }

std::string number_text(double value, int decimals, bool is_difference) {
  auto text = fmt::format("{:.{}f}", value, decimals);
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return (is_difference && text.front() != '-' ? "+" : "") + text;
}

std::string seconds_text(double seconds) {
  if (seconds < 0.0005) return "<0.001";
  const double size = std::floor(std::log10(std::max(seconds, 1e-3)));
  return fmt::format("{:.{}f}", seconds, static_cast<int>(std::clamp(2.0 - size, 0.0, 3.0)));
}

void Counts::add(std::size_t scored, std::size_t planned) {
  if (planned == 0) return;
  ++how_often_[planned];
  are_complete_ &= scored == planned;
}

std::size_t Counts::usual() const {
  std::size_t out = 0, most = 0;
  for (const auto& [planned, count] : how_often_)
    if (count >= most) most = count, out = planned;
  return out;
}

std::string Counts::beside(std::size_t scored, std::size_t planned) const {
  if (scored == planned && planned == usual()) return {};
  return fmt::format(" ({}/{})", scored, planned);
}

std::string Counts::in_words(const char* cohorts) const {
  auto out = fmt::format("over {} {}", usual(), usual() == 1 ? "cohort" : cohorts);
  if (!are_alike()) out += "; (n/N): n scored of N planned";
  return out;
}

Counts counts_of(const Summary& summary) {
  Counts out;
  for (const auto& row : summary.rows)
    for (const auto& cell : row.estimates) out.add(cell.scored, cell.planned);
  return out;
}

bool has_intervals(const Summary& summary) {
  return std::any_of(summary.rows.begin(), summary.rows.end(), [](const Summary::Row& row) {
    return std::any_of(row.estimates.begin(), row.estimates.end(),
                       [](const Estimate& cell) { return cell.half_width.has_value(); });
  });
}

std::string what_cells_are(const Summary& summary) {
  const auto counts = counts_of(summary);
  const auto& rows = summary.rows;
  const bool is_over_all = !rows.empty() && rows.front().hypothesis.empty();
  const char* cohorts = is_over_all ? "cohorts of all hypotheses" : "cohorts";
  if (has_intervals(summary)) return "mean ± 95 % interval " + counts.in_words(cohorts);
  if (counts.usual() == 0) return "not known of any cohort";
  if (counts.usual() == 1) return "of one cohort, which gives no interval";
  return "mean " + counts.in_words();
}

Style style_of(const Summary& summary, int decimals, const char* plus_minus) {
  Style out{decimals, plus_minus, 0, !summary.reference.empty()};
  for (const auto& row : summary.rows)
    for (const auto& cell : row.estimates)
      if (cell.scored > 0)
        out.width = std::max(out.width, number_text(cell.mean, decimals, out.is_difference).size());
  return out;
}

std::string score_text(const Estimate& cell, bool is_best, const Style& style) {
  auto out = fmt::format("{:>{}}", number_text(cell.mean, style.decimals, style.is_difference),
                         style.width);
  if (cell.half_width)
    out += fmt::format("{}{:.{}f}", style.plus_minus, *cell.half_width, style.decimals);
  return is_best ? out + kBestMark : out;
}

std::string text_of(const Summary::Row& row, std::size_t method, const Counts& counts,
                    const Style& style) {
  const auto& cell = row.estimates[method];
  if (cell.planned == 0) return "-";
  const auto beside = counts.beside(cell.scored, cell.planned);
  return (cell.scored == 0 ? "none" : score_text(cell, row.is_best[method], style)) + beside;
}

std::string name_of(const Summary& summary, std::size_t method) {
  const auto& id = summary.methods[method];
  if (summary.outside.contains(id)) return id + " (outside)";
  return id == summary.limit ? id + " (limit)" : id;
}

std::string short_axis(const std::string& axis) {
  for (const std::string_view prefix : {"cohorts.", "method.", "hypothesis."})
    if (axis.starts_with(prefix)) return axis.substr(prefix.size());
  return axis;
}

std::vector<std::size_t> shown_methods(const Summary& summary) {
  std::vector<std::size_t> out, all;
  for (std::size_t m = 0; m < summary.methods.size(); ++m) {
    all.push_back(m);
    if (std::any_of(summary.rows.begin(), summary.rows.end(),
                    [&](const Summary::Row& row) { return row.estimates[m].planned > 0; }))
      out.push_back(m);
  }
  return out.empty() ? all : out;
}

std::string name_of(const Summary::Row& row) {
  return row.hypothesis.empty() ? "all" : row.hypothesis;
}

std::string in_one_or_two_lines(const std::string& one, const std::string& two) {
  const bool is_short = display_width(one) + 2 + display_width(two) <= kScreenWidth;
  return one + (is_short ? ": " : ":\n") + two;
}

bool row_has_best(const Summary::Row& row) {
  return std::find(row.is_best.begin(), row.is_best.end(), true) != row.is_best.end();
}

bool has_best(const Summary& summary) {
  return std::any_of(summary.rows.begin(), summary.rows.end(), row_has_best);
}

std::string best_note(const Summary& summary) {
  const auto& methods = summary.methods;
  const bool has_limit = std::find(methods.begin(), methods.end(), summary.limit) != methods.end();
  return fmt::format("{} best, or cannot be told from the best on the same cohorts{}", kBestMark,
                     has_limit ? "; the limit does not compete" : "");
}

}  // namespace tempo
