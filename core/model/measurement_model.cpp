#include "tempo/measurement_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tempo/error.hpp"

namespace tempo {

MeasurementModel::~MeasurementModel() = default;

std::vector<int> MeasurementModel::draw_traits(RandomStream& stream) const {
  std::vector<int> traits;
  guard("drawing traits", [&] { traits = do_draw_traits(stream); });
  if (!traits.empty() && traits.size() != biomarkers_.size())
    throw ShapeError(blame("drawing traits") + "expected none or " +
                     std::to_string(biomarkers_.size()) + ", got " + std::to_string(traits.size()));
  return traits;
}

void MeasurementModel::measure(const Timeline& timeline, const std::vector<int>& traits,
                               RandomStream& stream, MatrixView<double> x) const {
  const auto J = timeline.stages.size();
  const auto B = biomarkers_.size();
  const auto& cells = timeline.cell_event_times;
  if (x.rows() != J || x.cols() != B || timeline.diseased.size() != J ||
      timeline.event_times.size() != B ||
      (!cells.empty() && (cells.rows() != J || cells.cols() != B)))
    throw ShapeError("x: expected [J=" + std::to_string(J) + ", B=" + std::to_string(B) +
                     "] with a timeline of the same size, got [" + std::to_string(x.rows()) + ", " +
                     std::to_string(x.cols()) + "]");
  std::fill_n(x.data(), J * B, std::numeric_limits<double>::quiet_NaN());
  guard("measuring", [&] { do_measure(timeline, traits, stream, x); });
  const std::span<const double> cells_of_x(x.data(), J * B);
  const auto wrong = std::find_if(cells_of_x.begin(), cells_of_x.end(),
                                  [](double value) { return !std::isfinite(value); });
  if (wrong != cells_of_x.end()) {
    const auto cell = static_cast<std::size_t>(wrong - cells_of_x.begin());
    throw NumericError(blame("measuring") + "row " + std::to_string(cell / B) + " of biomarker '" +
                       biomarkers_[cell % B].name + "' is not finite");
  }
}

void MeasurementModel::log_density(std::size_t b, int trait, double x,
                                   std::span<const double> since, std::span<double> out) const {
  if (b >= biomarkers_.size() || since.size() != out.size())
    throw ShapeError("log density: biomarker " + std::to_string(b) + " of " +
                     std::to_string(biomarkers_.size()) + ", " + std::to_string(since.size()) +
                     " times, " + std::to_string(out.size()) + " densities");
  std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  guard("computing log densities", [&] { do_log_density(b, trait, x, since, out); });
  for (const auto value : out)
    if (!(value < std::numeric_limits<double>::infinity()))
      throw NumericError(blame("computing log densities") + "biomarker '" + biomarkers_[b].name +
                         "' has log density " + std::to_string(value) + " at " + std::to_string(x));
}

std::vector<double> MeasurementModel::atoms(std::size_t b, int trait, bool is_post) const {
  if (b >= biomarkers_.size())
    throw ShapeError("atoms: biomarker " + std::to_string(b) + " of " +
                     std::to_string(biomarkers_.size()));
  std::vector<double> out;
  guard("listing atoms", [&] { out = do_atoms(b, trait, is_post); });
  for (const auto value : out)
    if (!std::isfinite(value))
      throw NumericError(blame("listing atoms") + "biomarker '" + biomarkers_[b].name +
                         "' has an atom at " + std::to_string(value));
  return out;
}

void MeasurementModel::do_log_density(std::size_t, int, double, std::span<const double>,
                                      std::span<double>) const {
  throw PluginError("has no log density");
}

}  // namespace tempo
