#include "tempo/toolkit/row_order.hpp"

#include <algorithm>
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
  std::vector<double> values;
  double diseased = 0.0, healthy = 0.0, ill = 0.0, well = 0.0;  // sums and counts
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const double x = cohort.measurements(j, b);
    if (std::isnan(x)) continue;
    values.push_back(x);
    const bool is_diseased = cohort.diseased.empty() || cohort.diseased[j] != 0;
    (is_diseased ? diseased : healthy) += x;
    (is_diseased ? ill : well) += 1.0;
  }
  if (values.empty() || ill == 0.0) return 1.0;
  std::sort(values.begin(), values.end());
  const double reference = well > 0.0 ? healthy / well : quantile(values, 0.5);
  return diseased / ill < reference ? -1.0 : 1.0;
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
  if (!inference.stage_posterior) return;
  const auto found = *inference.stage_posterior;
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(found.row(i), inference.stage_posterior->row(rows[i]).begin());
}

}  // namespace tempo::toolkit
