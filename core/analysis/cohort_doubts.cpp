#include "analysis/cohort_doubts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tempo {
namespace {

using Kind = CohortDoubt::Kind;

enum class Group { all, healthy };

/// Measured values of a biomarker, ascending.
std::vector<double> measured(const Cohort& cohort, std::size_t b, Group group) {
  std::vector<double> out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const double x = cohort.measurements(j, b);
    if (!std::isnan(x) && (group == Group::all || cohort.diseased[j] == 0)) out.push_back(x);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// @param values  ascending
std::size_t distinct_count(const std::vector<double>& values) {
  std::size_t count = values.empty() ? 0 : 1;
  for (std::size_t i = 1; i < values.size(); ++i) count += values[i] != values[i - 1];
  return count;
}

/// What is odd about the values of a biomarker; at most one doubt.
std::optional<CohortDoubt> doubt_of_values(const std::string& name,
                                           const std::vector<double>& values,
                                           const std::vector<double>& healthy, bool is_estimated) {
  constexpr std::size_t kPerValue = 10;  // participants: a scale rather than measurements
  if (values.empty()) return CohortDoubt{.kind = Kind::not_measured, .biomarker = name};
  if (values.front() == values.back())
    return CohortDoubt{.kind = Kind::constant, .biomarker = name, .value = values.front()};
  if (is_estimated && healthy.size() > 1 && healthy.front() == healthy.back())
    return CohortDoubt{
        .kind = Kind::constant_in_healthy, .biomarker = name, .value = healthy.front()};
  if (const auto distinct = distinct_count(values); distinct * kPerValue <= values.size())
    return CohortDoubt{.kind = Kind::few_values,
                       .biomarker = name,
                       .distinct = distinct,
                       .measured = values.size()};
  return std::nullopt;
}

/// Whether the healthy's values are far from what a table says of them.
/// @param healthy  ascending, at least one
std::optional<CohortDoubt> doubt_of_table(const Biomarker& known,
                                          const std::vector<double>& healthy) {
  constexpr double kFar = 5.0;  // sds: of a median, out of the question even in a few healthy
  const double median = healthy[healthy.size() / 2];
  const double sds = std::abs(median - known.phi.mean) / known.phi.sd;
  if (!(sds > kFar)) return std::nullopt;
  return CohortDoubt{.kind = Kind::far_from_table,
                     .biomarker = known.name,
                     .value = median,
                     .sds = sds,
                     .mean = known.phi.mean};
}

}  // namespace

std::vector<CohortDoubt> cohort_doubts(const Cohort& cohort, const BiomarkerTable* known) {
  std::vector<CohortDoubt> out;
  const auto& diseased = cohort.diseased;
  const auto is_healthy = [](std::uint8_t flag) { return flag == 0; };
  if (std::none_of(diseased.begin(), diseased.end(), is_healthy))
    out.push_back({.kind = Kind::no_healthy});
  if (std::all_of(diseased.begin(), diseased.end(), is_healthy))
    out.push_back({.kind = Kind::no_diseased});
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto values = measured(cohort, b, Group::all);
    const auto healthy = measured(cohort, b, Group::healthy);
    if (auto doubt = doubt_of_values(cohort.biomarkers[b], values, healthy, known == nullptr))
      out.push_back(std::move(*doubt));
    if (known == nullptr || healthy.empty()) continue;
    if (auto doubt = doubt_of_table((*known)[b], healthy)) out.push_back(std::move(*doubt));
  }
  return out;
}

}  // namespace tempo
