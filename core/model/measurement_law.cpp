#include "tempo/measurement_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {

MeasurementLaw::MeasurementLaw(BiomarkerTable biomarkers, EventEffect effect,
                               std::vector<int> possible_traits)
    : biomarkers_(std::move(biomarkers)),
      effect_(effect),
      possible_traits_(std::move(possible_traits)) {}

MeasurementLaw::~MeasurementLaw() = default;

void MeasurementLaw::log_density(std::size_t b, int trait, double x, std::span<const double> since,
                                 std::span<double> out) const {
  if (b >= biomarkers_.size() || since.size() != out.size())
    throw ShapeError("log density: biomarker " + std::to_string(b) + " of " +
                     std::to_string(biomarkers_.size()) + ", " + std::to_string(since.size()) +
                     " times, " + std::to_string(out.size()) + " densities");
  std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  guard_quickly("computing log densities", [&] { do_log_density(b, trait, x, since, out); });
  for (const auto value : out)
    if (!(value < std::numeric_limits<double>::infinity()))
      throw NumericError(blame("computing log densities") + "biomarker '" + biomarkers_[b].name +
                         "' has log density " + std::to_string(value) + " at " + std::to_string(x));
}

std::vector<double> MeasurementLaw::atoms(std::size_t b, int trait, EventState state) const {
  if (b >= biomarkers_.size())
    throw ShapeError("atoms: biomarker " + std::to_string(b) + " of " +
                     std::to_string(biomarkers_.size()));
  std::vector<double> out;
  guard_quickly("listing atoms", [&] { out = do_atoms(b, trait, state); });
  for (const auto value : out)
    if (!std::isfinite(value))
      throw NumericError(blame("listing atoms") + "biomarker '" + biomarkers_[b].name +
                         "' has an atom at " + std::to_string(value));
  return out;
}

}  // namespace tempo
