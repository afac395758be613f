#include "switch_evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "assumptions.hpp"
#include "tempo/toolkit/order_sampler.hpp"

namespace tempo::bayes {
namespace {

/// The largest c for which sum_i min(values_i, c) <= limit; infinite if the sum is below it anyway.
double water_level(std::vector<double> values, double limit) {
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double level = limit / static_cast<double>(values.size() - i);
    if (level < values[i]) return level;
    limit -= values[i];
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

SwitchEvidence::SwitchEvidence(const Cohort& cohort, std::span<const std::size_t> columns,
                               std::span<const std::size_t> diseased, std::vector<int> with_traits)
    : traits(std::move(with_traits)),
      row(cohort.participant_count(), kHealthy),
      log_ratios(traits.size(), toolkit::ParticipantColumns(columns.size(), diseased.size())),
      before(traits.size(), Matrix(columns.size(), cohort.participant_count())),
      all_before(traits.size(), std::vector<double>(columns.size())) {
  for (std::size_t i = 0; i < diseased.size(); ++i) row[diseased[i]] = i;
  for (const auto column : columns) {
    auto& of_biomarker = values.emplace_back();
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      of_biomarker.push_back(cohort.measurements(j, column));
  }
}

void SwitchEvidence::set(std::size_t t, std::size_t b, const MeasurementLaw& law,
                         std::size_t of_law) {
  const double floor = least_log_density(law.biomarkers()[of_law]);
  const std::array<double, 2> states{-1.0, 0.0};
  std::array<double, 2> log_p{};
  double sum = 0.0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (std::isnan(values[b][j])) continue;
    law.log_density(of_law, traits[t], values[b][j], states, log_p);
    const double pre = std::max(log_p[0], floor);
    sum += pre;
    before[t](b, j) = pre;
    if (row[j] == kHealthy) continue;
    double ratio = std::max(log_p[1], floor) - pre;
    if (most_.rows() > 0) {
      const double most = most_(b, row[j]);
      ratio = std::clamp(ratio, -most, most);
    }
    log_ratios[t][b][row[j]] = ratio;
  }
  all_before[t][b] = sum;
}

void SwitchEvidence::bound() {
  const std::size_t B = size(), J = log_ratios[0].participants();
  most_ = Matrix(B, J);
  std::vector<double> largest(B);
  for (std::size_t i = 0; i < J; ++i) {
    for (std::size_t b = 0; b < B; ++b) {
      largest[b] = 0.0;
      for (const auto& of_trait : log_ratios)
        largest[b] = std::max(largest[b], std::abs(of_trait[b][i]));
    }
    const double level = water_level(largest, 0.5 * toolkit::kMostEvidence);
    for (std::size_t b = 0; b < B; ++b) {
      const double kept = std::min(largest[b], level);
      for (auto& of_trait : log_ratios) of_trait[b][i] = std::clamp(of_trait[b][i], -kept, kept);
      most_(b, i) = kept + 0.5 * toolkit::kMostEvidence / static_cast<double>(B);
    }
  }
}

SwitchEvidence SwitchEvidence::of(std::span<const std::size_t> participants) const {
  SwitchEvidence out;
  out.traits = traits;
  std::size_t diseased = 0;
  for (const auto j : participants) out.row.push_back(row[j] == kHealthy ? kHealthy : diseased++);
  out.values.assign(size(), {});
  for (std::size_t b = 0; b < size(); ++b)
    for (const auto j : participants) out.values[b].push_back(values[b][j]);
  for (std::size_t t = 0; t < traits.size(); ++t) {
    auto& of_before = out.before.emplace_back(size(), participants.size());
    auto& ratios = out.log_ratios.emplace_back(size(), diseased);
    auto& sums = out.all_before.emplace_back(size(), 0.0);
    for (std::size_t b = 0; b < size(); ++b)
      for (std::size_t i = 0; i < participants.size(); ++i) {
        sums[b] += of_before(b, i) = before[t](b, participants[i]);
        if (out.row[i] != kHealthy) ratios[b][out.row[i]] = log_ratios[t][b][row[participants[i]]];
      }
  }
  return out;
}

SwitchEvidence switch_evidence(const MeasurementLaw& law, const Cohort& cohort,
                               std::span<const std::size_t> columns,
                               std::span<const std::size_t> diseased) {
  SwitchEvidence out(cohort, columns, diseased, law.possible_traits());
  for (std::size_t t = 0; t < out.traits.size(); ++t)
    for (std::size_t b = 0; b < columns.size(); ++b) out.set(t, b, law, b);
  out.bound();
  return out;
}

}  // namespace tempo::bayes
