#include "method_support.hpp"

#include <fmt/format.h>

namespace tempo::test {

std::unique_ptr<InferenceMethod> method(const std::string& plugin,
                                        const std::vector<Setting>& settings) {
  PartSpec spec = part(plugin);
  for (const auto& [key, content] : settings) {
    ParameterValue value;
    std::visit([&](const auto& held) { value.value = held; }, content);
    spec.settings.set(key, value);
  }
  return shipped().method(spec);
}

SimulatedCohort simulated(std::uint64_t seed, double shift) {
  std::vector<Biomarker> biomarkers;
  for (int b = 0; b < 8; ++b)
    biomarkers.push_back({fmt::format("b{}", b), {10.0 * b, 1.0}, {10.0 * b + shift, 1.0}});
  auto draw = stream(seed);
  return shipped()
      .hypothesis(part("h1"), BiomarkerTable(biomarkers))
      ->simulate({.participants = 400, .healthy_ratio = 0.25}, draw);
}

Cohort with_column(Cohort cohort, std::size_t b, double factor, double shift) {
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    cohort.measurements(j, b) = factor * cohort.measurements(j, b) + shift;
  return cohort;
}

Cohort with_rows(const Cohort& cohort, const std::vector<std::size_t>& order) {
  Cohort out = cohort;
  out.participants.resize(order.size());
  out.diseased.resize(order.size());
  out.measurements = Matrix(order.size(), cohort.biomarker_count());
  for (std::size_t i = 0; i < order.size(); ++i) {
    out.participants[i] = cohort.participants[order[i]];
    out.diseased[i] = cohort.diseased[order[i]];
    for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
      out.measurements(i, b) = cohort.measurements(order[i], b);
  }
  return out;
}

}  // namespace tempo::test
