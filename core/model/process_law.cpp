#include "tempo/process_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {
namespace {

/// Event times of single cells: clip(xi_b + N(0, sd^2), 0, B) of the diseased, xi_b of the healthy.
Matrix draw_cell_event_times(std::span<const double> event_times, double sd,
                             std::span<const std::uint8_t> diseased, RandomStream& stream) {
  const auto J = diseased.size();
  const auto B = event_times.size();
  const auto last = static_cast<double>(B);
  Matrix out(J, B);
  for (std::size_t j = 0; j < J; ++j) {
    const auto row = out.row(j);
    if (diseased[j] != 0) {
      stream.normals(row);
      std::transform(event_times.begin(), event_times.end(), row.begin(), row.begin(),
                     [=](double xi, double z) { return std::clamp(xi + sd * z, 0.0, last); });
    } else {
      std::copy(event_times.begin(), event_times.end(), row.begin());
    }
  }
  return out;
}

}  // namespace

ProcessLaw::ProcessLaw(EventTimes event_times, std::shared_ptr<const StagePrior> stage_prior,
                       std::shared_ptr<const MeasurementModel> measurement_model,
                       MakeMeasurementModel make_measurement_model)
    : event_times_(std::move(event_times)),
      stage_prior_(std::move(stage_prior)),
      measurement_model_(std::move(measurement_model)),
      make_measurement_model_(std::move(make_measurement_model)) {}

std::unique_ptr<MeasurementModel> ProcessLaw::make_measurement_model(
    const BiomarkerTable& biomarkers) const {
  return make_measurement_model_(biomarkers);
}

ProcessLaw ProcessLaw::make_with(std::shared_ptr<const MeasurementModel> model) const {
  return {event_times_, stage_prior_, std::move(model), make_measurement_model_};
}

Matrix ProcessLaw::measure(const Truth& truth, std::span<const std::uint8_t> diseased,
                           RandomStream& stream) const {
  const auto J = truth.stages.size();
  const auto B = biomarkers().size();
  if (diseased.size() != J || truth.event_times.size() != B)
    throw ShapeError("truth: expected [J=" + std::to_string(J) + "] labels and [B=" +
                     std::to_string(B) + "] event times, got " + std::to_string(diseased.size()) +
                     " and " + std::to_string(truth.event_times.size()));
  Matrix cell_event_times;
  if (const double noise_sd = event_times_.noise_sd(); noise_sd > 0.0)
    cell_event_times = draw_cell_event_times(truth.event_times, noise_sd * static_cast<double>(B),
                                             diseased, stream);
  Matrix x(J, B);
  measurement_model_->measure(
      {truth.stages, diseased, truth.event_times, std::as_const(cell_event_times).view()},
      truth.traits, stream, x.view());
  return x;
}

namespace {

/// @param since  time since the event, in stages
bool is_normal_density(const MeasurementLaw& law, std::size_t biomarker, double since,
                       const Normal& normal) {
  const auto trait = law.possible_traits().front();
  for (const double z : {-2.0, 0.0, 0.5}) {
    double found = 0.0;
    law.log_density(biomarker, trait, normal.mean + z * normal.sd, {&since, 1}, {&found, 1});
    const double expected = -0.5 * (z * z + std::log(2.0 * std::numbers::pi)) - std::log(normal.sd);
    constexpr double kDigits = 1e-9;  // of nats about 1, whatever the unit is
    if (!(std::abs(found - expected) < kDigits * (1.0 + std::abs(expected)))) return false;
  }
  return true;
}

}  // namespace

bool measures_normals(const ProcessLaw& law) {
  const auto* measurements = law.measurement_model().law();
  if (measurements == nullptr || measurements->effect() != EventEffect::switched ||
      measurements->possible_traits().size() != 1)
    return false;
  constexpr double kLongBefore = -std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < law.biomarkers().size(); ++b)
    if (!is_normal_density(*measurements, b, kLongBefore, law.biomarkers()[b].phi) ||
        !is_normal_density(*measurements, b, 0.0, law.biomarkers()[b].theta))
      return false;
  return true;
}

}  // namespace tempo
