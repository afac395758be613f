#include "report/mixture_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "data/values_by_group.hpp"
#include "model/printable.hpp"

namespace tempo {
namespace {

double probability_below(const Normal& normal, double x) {
  return 0.5 * std::erfc((normal.mean - x) / (normal.sd * std::numbers::sqrt2));
}

double density(const Normal& normal, double x) {
  const double z = (x - normal.mean) / normal.sd;
  return std::exp(-0.5 * z * z) / (normal.sd * std::sqrt(2.0 * std::numbers::pi));
}

/// Share of ascending values in [low, high).
double share_between(const std::vector<double>& values, double low, double high) {
  const auto first = std::lower_bound(values.begin(), values.end(), low);
  const auto last = std::lower_bound(values.begin(), values.end(), high);
  return static_cast<double>(last - first) / static_cast<double>(values.size());
}

/// One side of a line: a bar, and marks of what the fit expects.
std::string side(double share, const std::vector<std::pair<double, char>>& expected, double scale,
                 std::size_t width, bool ascii) {
  const auto length = [&](double x) {
    return std::min(width - 1, static_cast<std::size_t>(
                                   std::lround(x / scale * static_cast<double>(width - 1))));
  };
  std::vector<std::string> cells(width, " ");
  for (std::size_t i = 0; i < length(share); ++i) cells[i] = ascii ? "#" : "█";
  for (const auto& [x, mark] : expected) cells[length(x)] = std::string(1, mark);
  std::string text;
  for (const auto& cell : cells) text += cell;
  return text;
}

std::string plot_one(const EstimatedBiomarker& found, const ValuesByGroup& groups,
                     const PlotStyle& style) {
  constexpr std::size_t kBins = 14;
  constexpr std::size_t kLabel = 11;
  constexpr double kOutside = 0.005;  // of all values, beyond either end
  constexpr auto kInfinity = std::numeric_limits<double>::infinity();
  const auto& [pre, post, q, evidence] = found.mixture;
  auto all = groups[0];
  all.insert(all.end(), groups[1].begin(), groups[1].end());
  std::sort(all.begin(), all.end());
  const auto cut = static_cast<std::size_t>(kOutside * static_cast<double>(all.size()));
  const double low = all[cut], high = all[all.size() - 1 - cut];
  const double step = (high - low) / static_cast<double>(kBins);
  std::array<std::array<double, kBins>, 2> observed{};
  std::array<double, kBins> before{}, after{};  // of their distributions
  double scale = 0.0;
  for (std::size_t i = 0; i < kBins; ++i) {
    const double from = i == 0 ? -kInfinity : low + step * static_cast<double>(i);
    const double to = i + 1 == kBins ? kInfinity : low + step * static_cast<double>(i + 1);
    for (const std::size_t group : {0, 1})
      observed[group][i] = share_between(groups[group], from, to);
    before[i] = probability_below(pre, to) - probability_below(pre, from);
    after[i] = probability_below(post, to) - probability_below(post, from);
    scale = std::max({scale, observed[0][i], observed[1][i], before[i], q * after[i]});
  }
  const std::size_t width = (style.width - kLabel - 4) / 2;
  auto text = fmt::format(
      "{}: before {:.5g} sd {:.3g} (o), after {:.5g} sd {:.3g} (x), {:.0f} % of the "
      "diseased after\n{:>{}}  {:<{}}  diseased ({})\n",
      found.name, pre.mean, pre.sd, post.mean, post.sd, 100.0 * q, "value", kLabel,
      fmt::format("healthy ({})", found.healthy), width, found.diseased);
  for (std::size_t i = 0; i < kBins; ++i) {
    auto line =
        fmt::format("{:>{}.4g}  {}  {}", low + step * (static_cast<double>(i) + 0.5), kLabel,
                    side(observed[0][i], {{before[i], 'o'}}, scale, width, style.ascii),
                    side(observed[1][i], {{(1.0 - q) * before[i], 'o'}, {q * after[i], 'x'}}, scale,
                         width, style.ascii));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  if (!found.warning.empty()) text += "warning: " + found.warning + "\n";
  return printable(text);
}

}  // namespace

std::string plot(const std::vector<EstimatedBiomarker>& estimated, const Cohort& cohort,
                 const PlotStyle& style) {
  std::string text;
  for (std::size_t b = 0; b < estimated.size(); ++b)
    text += (b == 0 ? "" : "\n") + plot_one(estimated[b], values_by_group(cohort, b), style);
  return text;
}

std::vector<DensityPoint> densities(const std::vector<EstimatedBiomarker>& estimated,
                                    const Cohort& cohort) {
  constexpr std::size_t kPoints = 50;
  std::vector<DensityPoint> out;
  for (std::size_t b = 0; b < estimated.size(); ++b) {
    const auto groups = values_by_group(cohort, b);
    const double low = std::min(groups[0].front(), groups[1].front());
    const double high = std::max(groups[0].back(), groups[1].back());
    const double step = (high - low) / static_cast<double>(kPoints);
    const auto& [pre, post, q, evidence] = estimated[b].mixture;
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double from = low + step * static_cast<double>(i);
      const double to = i + 1 == kPoints ? std::numeric_limits<double>::infinity()
                                         : low + step * static_cast<double>(i + 1);
      const double x = low + step * (static_cast<double>(i) + 0.5);
      out.push_back({.biomarker = estimated[b].name,
                     .value = x,
                     .pre_event = density(pre, x),
                     .post_event = density(post, x),
                     .diseased = (1.0 - q) * density(pre, x) + q * density(post, x),
                     .healthy_observed = share_between(groups[0], from, to) / step,
                     .diseased_observed = share_between(groups[1], from, to) / step});
    }
  }
  return out;
}

namespace {

struct Column {
  const char* name;
  double DensityPoint::*value;
};
constexpr std::array<Column, 6> kColumns{{{"value", &DensityPoint::value},
                                          {"pre_event", &DensityPoint::pre_event},
                                          {"post_event", &DensityPoint::post_event},
                                          {"diseased", &DensityPoint::diseased},
                                          {"healthy_observed", &DensityPoint::healthy_observed},
                                          {"diseased_observed", &DensityPoint::diseased_observed}}};

}  // namespace

Table density_table(const std::vector<DensityPoint>& points) {
  Table out;
  out.columns = {"biomarker"};
  for (const auto& column : kColumns) out.columns.emplace_back(column.name);
  auto document = std::make_shared<nlohmann::ordered_json>(nlohmann::ordered_json::array());
  for (const auto& point : points) {
    auto& row = out.rows.emplace_back(std::vector<Cell>{point.biomarker});
    if (document->empty() || document->back()["biomarker"] != point.biomarker)
      document->push_back({{"biomarker", point.biomarker}});
    for (const auto& column : kColumns) {
      row.emplace_back(point.*column.value);
      document->back()[column.name].push_back(point.*column.value);
    }
  }
  out.document = std::move(document);
  return out;
}

}  // namespace tempo
