#include "tempo/toolkit/biomarker_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tempo/error.hpp"
#include "tempo/value_steps.hpp"

namespace tempo::toolkit {

Fidelity read_fidelity(Parameters& keys) {
  const auto name =
      keys.choice("fidelity", "repaired", {"repaired", "paper"},
                  "paper: as published, with every quirk; repaired: without its errors");
  return name == "paper" ? Fidelity::paper : Fidelity::repaired;
}

namespace {

constexpr double kLargest = 1e150;  // squares of what is beyond are no numbers

BiomarkerValues all_values(const Cohort& cohort, std::size_t b) {
  BiomarkerValues values;
  values.name = cohort.biomarkers[b];
  if (cohort.diseased.empty()) return values;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const double x = cohort.measurements(j, b);
    if (std::isnan(x)) continue;
    values.pooled.push_back(x);
    (cohort.diseased[j] != 0 ? values.diseased : values.controls).push_back(x);
  }
  return values;
}

/// Why groups cannot be compared; empty if they can.
std::string why_not(const Cohort& cohort, const BiomarkerValues& values) {
  const auto diseased = std::count(cohort.diseased.begin(), cohort.diseased.end(), 1);
  const auto controls = std::ssize(cohort.diseased) - diseased;
  if (controls < 2 || diseased < 2)
    return fmt::format(
        "the cohort has {} controls and {} diseased, and a mixture needs two or more of each",
        controls, diseased);
  if (values.controls.size() < 2 || values.diseased.size() < 2)
    return fmt::format(
        "biomarker '{}' has values of {} controls and {} diseased, and a mixture needs two or more "
        "of each; leave the biomarker out, or check the diagnosis column",
        values.name, values.controls.size(), values.diseased.size());
  const auto [least, largest] = std::minmax_element(values.pooled.begin(), values.pooled.end());
  if (*least == *largest)
    return fmt::format(
        "biomarker '{}' has the same value, {}, in all {} participants: it says nothing about the "
        "disease; leave it out",
        values.name, *least, values.pooled.size());
  if (std::max(-*least, *largest) > kLargest || *largest - *least < 1.0 / kLargest)
    return fmt::format(
        "biomarker '{}' has values from {} to {}: squares of such numbers or their differences are "
        "beyond the range of numbers; give it in another unit",
        values.name, *least, *largest);
  return {};
}

}  // namespace

BiomarkerValues values_of(const Cohort& cohort, std::size_t b) {
  auto values = all_values(cohort, b);
  if (const auto why = why_not(cohort, values); !why.empty()) throw NumericError(why);
  return values;
}

std::optional<BiomarkerValues> comparable_values(const Cohort& cohort, std::size_t b) {
  auto values = all_values(cohort, b);
  if (!why_not(cohort, values).empty()) return std::nullopt;
  return values;
}

double least_sd_of(const BiomarkerValues& values) {
  constexpr double kLeastSd = 0.001;
  return std::max(kLeastSd, least_sd_of_steps(values.pooled));
}

Standardised::Standardised(const BiomarkerValues& raw) {
  auto pooled = raw.pooled;
  std::sort(pooled.begin(), pooled.end());
  const auto moments = population_moments(pooled);
  centre = moments.mean;
  scale = moments.sd;
  values = {raw.name, transformed(raw.controls), transformed(raw.diseased), {}};
  if (population_moments(values.diseased).mean < population_moments(values.controls).mean) {
    scale = -scale;
    values = {raw.name, transformed(raw.controls), transformed(raw.diseased), {}};
  }
  values.pooled = transformed(raw.pooled);
  least_sd = least_sd_of(values);
}

std::vector<double> Standardised::transformed(std::vector<double> x) const {
  for (double& value : x) value = (value - centre) / scale;
  std::sort(x.begin(), x.end());
  return x;
}

Normal Standardised::back(const Normal& z) const {
  return {centre + scale * z.mean, std::abs(scale) * z.sd};
}

}  // namespace tempo::toolkit
