#include "tempo/toolkit/row_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tempo::toolkit {
namespace {

void put_back(std::span<const std::size_t> rows, std::vector<double>& of_participants) {
  const auto found = of_participants;
  for (std::size_t i = 0; i < rows.size(); ++i) of_participants[rows[i]] = found[i];
}

}  // namespace

std::vector<std::size_t> rows_by_values(const Cohort& cohort,
                                        std::span<const std::size_t> columns) {
  const auto comes_before = [&](std::size_t j, std::size_t k) {
    if (!cohort.diseased.empty() && cohort.diseased[j] != cohort.diseased[k])
      return cohort.diseased[j] < cohort.diseased[k];
    for (const auto b : columns) {
      const double x = cohort.measurements(j, b), y = cohort.measurements(k, b);
      if (std::isnan(x) != std::isnan(y)) return std::isnan(x);
      if (!std::isnan(x) && x != y) return x < y;
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
