#include "run/measured_normals.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "tempo/composed_process.hpp"

namespace tempo {
namespace {

/// @param since  time since the event, in stages
bool is_normal_density(const MeasurementModel& model, std::size_t biomarker, double since,
                       const Normal& normal) {
  const auto trait = model.possible_traits().front();
  for (const double z : {-2.0, 0.0, 0.5}) {
    double found = 0.0;
    model.log_density(biomarker, trait, normal.mean + z * normal.sd, {&since, 1}, {&found, 1});
    const double expected = -0.5 * (z * z + std::log(2.0 * std::numbers::pi)) - std::log(normal.sd);
    constexpr double kDigits = 1e-9;  // of nats about 1, whatever the unit is
    if (!(std::abs(found - expected) < kDigits * (1.0 + std::abs(expected)))) return false;
  }
  return true;
}

}  // namespace

std::optional<bool> draws_from_normals(const GenerativeProcess& process) {
  const auto* composed = dynamic_cast<const ComposedProcess*>(&process);
  if (composed == nullptr) return std::nullopt;
  const auto& model = composed->measurement_model();
  if (!model.has_log_density() || !model.is_switch() || model.possible_traits().size() != 1)
    return false;
  constexpr double kLongBefore = -std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < process.biomarkers().size(); ++b)
    if (!is_normal_density(model, b, kLongBefore, process.biomarkers()[b].phi) ||
        !is_normal_density(model, b, 0.0, process.biomarkers()[b].theta))
      return false;
  return true;
}

}  // namespace tempo
