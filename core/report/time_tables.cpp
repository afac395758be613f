// Table of a real cohort: the timeline of its events.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/timeline.hpp"
#include "report/cohort_tables.hpp"
#include "report/doubts_text.hpp"

namespace tempo::of_cohort {
namespace {

/// A line per biomarker from 0 to 1: its mean time and the interval over fits.
Rows drawn(const FittedCohort& cohort, const RescaledTimeline& found) {
  constexpr std::size_t kCells = 51;
  const auto cell = [](double time) {
    return static_cast<std::size_t>(
        std::lround(std::clamp(time, 0.0, 1.0) * static_cast<double>(kCells - 1)));
  };
  Rows rows{{"", "0" + std::string(kCells - 2, ' ') + "1"}};
  for (const auto b : found.rows) {
    const auto& times = found.across[b];
    const double half_width = times.half_width.value_or(0.0);
    const auto from = cell(times.mean - half_width), to = cell(times.mean + half_width);
    std::string line;
    for (std::size_t i = 0; i < kCells; ++i)
      line += i == cell(times.mean) ? "●" : i >= from && i <= to ? "─" : "·";
    rows.push_back({marked_biomarker(cohort, b), line});
  }
  return rows;
}

/// Fits that are left out though they have times of a sort, a line per reason.
std::string left_out_in_words(const RescaledTimeline& found) {
  std::string out;
  for (const auto& some : found.left_out)
    if (some.can_be_asked_for())
      add_lines(out, fmt::format("{} fit{} left out: {}; --fits shows them", some.fits.size(),
                                 some.fits.size() == 1 ? " is" : "s are", in_words(some.why)));
  return out;
}

/// The column `scale`, and the marks.
std::vector<Cell> scale_and_marks(const FittedCohort& cohort, const CohortFit& fit, std::size_t b) {
  std::vector<Cell> out{fit.times_are_ranks ? "rank" : "time"};
  append(out, marks(cohort, &fit, b));
  return out;
}

/// Each fit's times, and their spread over fits.
void add_times(const FittedCohort& cohort, const RescaledTimeline& found, Table& out) {
  Rows rows{{"biomarker"}};
  for (const auto f : found.fits)
    rows[0].push_back(marked_name(cohort, cohort.fits[f]) +
                      (cohort.fits[f].times_are_ranks ? " (ranks)" : ""));
  append(rows[0], {"mean", "sd", "95 %"});
  for (const auto b : found.rows) {
    rows.push_back({marked_biomarker(cohort, b)});
    for (std::size_t i = 0; i < found.fits.size(); ++i) {
      const auto& fit = cohort.fits[found.fits[i]];
      rows.back().push_back(number(found.times[i][b], 3));
      auto row = ids(&fit);
      append(row, {"fit", cohort.biomarkers[b], found.times[i][b], Cell(), Cell(), Cell()});
      append(row, scale_and_marks(cohort, fit, b));
      out.rows.push_back(std::move(row));
    }
    append(rows.back(), texts(found.across[b], kOfTimes, 3));
    auto row = ids(nullptr);
    append(row, {"across", cohort.biomarkers[b]});
    append(row, values(found.across[b], kOfTimes));
    row.emplace_back(found.across_ranks ? "rank" : "time");
    append(row, marks(cohort, nullptr, b));
    out.rows.push_back(std::move(row));
  }
  auto note = marks_in_words(cohort, found.fits);
  add_lines(note, left_out_in_words(found));
  out.blocks.push_back({.heading = "times of events, 0 the first and 1 the last by each fit, and "
                                   "over fits mean, sd and 95 % interval of the mean",
                        .rows = std::move(rows),
                        .note = std::move(note),
                        .drawing = drawn(cohort, found)});
}

}  // namespace

Table times(const FittedCohort& cohort) {
  const auto found = timeline(cohort);
  Table out;
  out.columns = {"method", "trained_on", "kind", "biomarker", "mean", "sd", "low", "high", "scale"};
  append(out.columns, mark_columns());
  if (found.fits.empty()) {
    out.blocks.push_back({.heading = "no fit gives times of events (methods that infer under a "
                                     "hypothesis with times of events do)",
                          .rows = {},
                          .note = left_out_in_words(found)});
    return out;
  }
  add_times(cohort, found, out);
  const auto further = [&](const CohortFit& fit, std::size_t b) {
    return scale_and_marks(cohort, fit, b);
  };
  add_within(cohort, found.fits, found.rows, found.posterior,
             {"time within a fit: mean and 95 % interval of its posterior, on the scale of its "
              "times above",
              "posterior", 3, further},
             out);
  add_within(cohort, found.fits, found.rows, found.replicates,
             {over_replicates("time"), "bootstrap", 3, further}, out);
  return out;
}

}  // namespace tempo::of_cohort
