#include "report/calibration_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/append.hpp"
#include "report/text_layout.hpp"

namespace tempo {
namespace {

/// A share in per cent.
std::string in_per_cent(const Estimate& share) {
  auto half_width = share.half_width;
  if (half_width) *half_width *= 100.0;
  return with_half_width(100.0 * share.mean, half_width, 1);
}

std::vector<std::string> texts_of(const std::optional<CohortsCalibration>& found) {
  if (!found) return {"-", "-"};
  const auto& [all, inside] = *found;
  const auto [least, most] = std::minmax_element(all.tenths.begin(), all.tenths.end());
  const double per_cent = 100.0 / static_cast<double>(all.truths);
  return {in_per_cent(inside),
          fmt::format("{:.1f} to {:.1f}", per_cent * *least, per_cent * *most)};
}

Block block_of(const std::vector<MethodCalibration>& methods,
               const std::vector<std::string>& axes) {
  Rows rows{axes};
  append(rows[0],
         {"hypothesis", "method", "ranks inside", "in a tenth", "stages inside", "in a tenth"});
  for (const auto& method : methods) {
    auto& row = rows.emplace_back(method.axis_values);
    append(row, {method.hypothesis, method.method});
    append(row, texts_of(method.ranks));
    append(row, texts_of(method.stages));
  }
  return {.heading =
              "calibration: % of truths inside the 90 % interval of their posterior, and in "
              "its emptiest and fullest tenth",
          .rows = std::move(rows),
          .note =
              "90 % inside and 10 % in each tenth are right; fewer inside: the method is surer "
              "than it should be\n± 95 % interval over cohorts; where a label says the stage "
              "of the healthy, they are left out",
          .name_columns = axes.size() + 2};
}

}  // namespace

Table calibration_table(const std::vector<MethodCalibration>& methods,
                        const std::vector<std::string>& axes) {
  Table out;
  if (methods.empty()) return out;
  out.blocks = {block_of(methods, axes)};
  out.axes = axes.size();
  out.columns = axes;
  append(out.columns, {"hypothesis", "method", "posterior", "truths", "inside_90", "half_width_95",
                       "scored", "planned"});
  for (std::size_t i = 1; i <= Calibration().tenths.size(); ++i)
    out.columns.push_back(fmt::format("tenth_{}", i));
  for (const auto& method : methods)
    for (const auto& [kind, found] :
         {std::pair("ranks", &method.ranks), {"stages", &method.stages}}) {
      if (!*found) continue;
      const auto& [all, inside] = **found;
      const auto truths = static_cast<double>(all.truths);
      auto& row = out.rows.emplace_back(method.axis_values.begin(), method.axis_values.end());
      append(row, {method.hypothesis, method.method, kind, all.truths, inside.mean,
                   cell(inside.half_width), inside.scored, inside.planned});
      for (const double tenth : all.tenths) row.emplace_back(tenth / truths);
    }
  return out;
}

namespace {

using NamedPlaces = std::pair<const char*, const PosteriorPlaces*>;

std::vector<NamedPlaces> named_places(const HypothesisCalibration& found) {
  std::vector<NamedPlaces> out;
  if (found.ranks) out.emplace_back("ranks", &*found.ranks);
  if (found.stages) out.emplace_back("stages", &*found.stages);
  return out;
}

/// By how many half-widths of its 95 % interval a mean is off.
double off_by(const Estimate& found, double right) {
  return std::abs(found.mean - right) / found.half_width.value_or(0.0);
}

/// What is wrong with posteriors of one kind. Where they lie to one side, fewer truths are inside,
/// too: then that is what is said.
std::string miscalibration(const char* kind, const PosteriorPlaces& places) {
  const double aside = off_by(places.mean, 0.5);
  const bool is_aside = aside > 1.0 && aside > off_by(places.inside, 0.9);
  const auto how = is_aside && places.mean.mean > 0.5 ? "too low: truths lie above them"
                   : is_aside                         ? "too high: truths lie below them"
                   : places.inside.mean < 0.9         ? "surer than they should be"
                   : places.spread.mean < 1.0         ? "less sure than they should be"
                                                      : "not where the truths are";
  return fmt::format("posteriors of {} are {} (p = {:.2g})", kind, how, places.p);
}

std::string calibration_verdict(const HypothesisCalibration& found) {
  std::vector<std::string> complaints;
  for (const auto& [kind, places] : named_places(found))
    if (places->disagree()) complaints.push_back(miscalibration(kind, *places));
  if (complaints.empty())
    return fmt::format("The law of '{}' and what it draws agree, as far as {} cohorts can tell.",
                       found.hypothesis, found.cohorts);
  return fmt::format(
      "Under '{}' the {}. Either it states another law than that of its draws, or '{}' is not "
      "exact: chains that have not agreed are warned of.",
      found.hypothesis, fmt::join(complaints, ", and the "), found.method);
}

}  // namespace

bool HypothesisCalibration::disagree() const {
  const auto all = named_places(*this);
  return std::any_of(all.begin(), all.end(),
                     [](const NamedPlaces& one) { return one.second->disagree(); });
}

Table places_table(const HypothesisCalibration& found) {
  Table out;
  Rows rows{{"posterior", "truths", "inside 90 %", "mean place", "spread", "p"}};
  out.columns = {"hypothesis", "method",     "posterior", "cohorts", "truths",
                 "inside_90",  "mean_place", "spread",    "p"};
  for (std::size_t i = 1; i <= Calibration().tenths.size(); ++i)
    out.columns.push_back(fmt::format("tenth_{}", i));
  for (const auto& [kind, places] : named_places(found)) {
    rows.push_back({kind, std::to_string(places->all.truths), in_per_cent(places->inside),
                    with_half_width(places->mean.mean, places->mean.half_width, 3),
                    with_half_width(places->spread.mean, places->spread.half_width, 3),
                    fmt::format("{:.2g}", places->p)});
    auto& row = out.rows.emplace_back(
        std::vector<Cell>{found.hypothesis, found.method, kind, found.cohorts, places->all.truths,
                          places->inside.mean, places->mean.mean, places->spread.mean, places->p});
    for (const double tenth : places->all.tenths)
      row.emplace_back(tenth / static_cast<double>(places->all.truths));
  }
  out.blocks = {
      {.heading = fmt::format("where truths lie in the posteriors of '{}' under '{}', {} "
                              "cohorts of {} participants",
                              found.method, found.hypothesis, found.cohorts, found.participants),
       .rows = std::move(rows),
       .note = "right are 90 % inside, mean place 0.5 and spread 1; ± 95 % interval over "
               "cohorts\n" +
               calibration_verdict(found),
       .name_columns = 1}};
  return out;
}

}  // namespace tempo
