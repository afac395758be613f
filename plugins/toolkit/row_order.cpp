#include "tempo/toolkit/row_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tempo/quantile.hpp"

namespace tempo::toolkit {
namespace {

void put_back(std::span<const std::size_t> rows, std::vector<double>& of_participants) {
  const auto found = of_participants;
  for (std::size_t i = 0; i < rows.size(); ++i) of_participants[rows[i]] = found[i];
}

/// -1 for a biomarker that is higher among the healthy, or without labels has its longer tail
/// below: the order of rows must not turn with its sign.
double orientation(const Cohort& cohort, std::size_t b) {
  std::array<std::vector<double>, 2> groups;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (const double x = cohort.measurements(j, b); !std::isnan(x))
      groups[cohort.diseased.empty() ? 1 : cohort.diseased[j]].push_back(x);
  for (auto& group : groups) std::sort(group.begin(), group.end());  // sums know no rows then
  const auto& [healthy, diseased] = groups;
  if (diseased.empty()) return 1.0;
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const double reference = healthy.empty() ? quantile(diseased, 0.5) : mean(healthy);
  return mean(diseased) < reference ? -1.0 : 1.0;
}

void put_back(std::span<const std::size_t> rows, Matrix& of_participants) {
  const Matrix found = of_participants;
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(found.row(i), of_participants.row(rows[i]).begin());
}

}  // namespace

std::vector<std::size_t> rows_by_values(const Cohort& cohort,
                                        std::span<const std::size_t> columns) {
  std::vector<double> signs;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    signs.push_back(orientation(cohort, b));
  const auto comes_before = [&](std::size_t j, std::size_t k) {
    if (!cohort.diseased.empty() && cohort.diseased[j] != cohort.diseased[k])
      return cohort.diseased[j] < cohort.diseased[k];
    for (const auto b : columns) {
      const double x = cohort.measurements(j, b), y = cohort.measurements(k, b);
      if (std::isnan(x) != std::isnan(y)) return std::isnan(x);
      if (!std::isnan(x) && x != y) return signs[b] * x < signs[b] * y;
    }
    return false;
  };
  std::vector<std::size_t> rows(cohort.participant_count());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::stable_sort(rows.begin(), rows.end(), comes_before);
  return rows;
}

Cohort with_rows(const Cohort& cohort, std::span<const std::size_t> rows) {
  Cohort out = cohort;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.participants[i] = cohort.participants[rows[i]];
    if (!cohort.diseased.empty()) out.diseased[i] = cohort.diseased[rows[i]];
    if (!cohort.diagnoses.empty()) out.diagnoses[i] = cohort.diagnoses[rows[i]];
    std::ranges::copy(cohort.measurements.row(rows[i]), out.measurements.row(i).begin());
  }
  return out;
}

void put_back(std::span<const std::size_t> rows, Inference& inference) {
  put_back(rows, inference.stages);
  if (inference.evidence) put_back(rows, inference.evidence->log_scores);
  if (inference.stage_posterior) put_back(rows, *inference.stage_posterior);
  if (inference.subtypes) put_back(rows, inference.subtypes->posterior);
}

}  // namespace tempo::toolkit
