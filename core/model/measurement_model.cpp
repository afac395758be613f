#include "tempo/measurement_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {

MeasurementModel::MeasurementModel(BiomarkerTable biomarkers, std::unique_ptr<MeasurementLaw> law)
    : biomarkers_(std::move(biomarkers)), law_(std::move(law)) {
  if (law_ != nullptr && !(law_->biomarkers() == biomarkers_))
    throw NumericError("the law of the measurement model is of other biomarkers than the model");
}

MeasurementModel::~MeasurementModel() = default;

void MeasurementModel::set_plugin_id(std::string id) {
  if (law_ != nullptr) law_->set_plugin_id(id);
  PluginObject::set_plugin_id(std::move(id));
}

std::vector<int> MeasurementModel::draw_traits(RandomStream& stream) const {
  std::vector<int> traits;
  guard_quickly("drawing traits", [&] { traits = do_draw_traits(stream); });
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
  guard_quickly("measuring", [&] { do_measure(timeline, traits, stream, x); });
  const std::span<const double> cells_of_x(x.data(), J * B);
  const auto wrong = std::find_if(cells_of_x.begin(), cells_of_x.end(),
                                  [](double value) { return !std::isfinite(value); });
  if (wrong != cells_of_x.end()) {
    const auto cell = static_cast<std::size_t>(wrong - cells_of_x.begin());
    throw NumericError(blame("measuring") + "row " + std::to_string(cell / B) + " of biomarker '" +
                       biomarkers_[cell % B].name + "' is not finite");
  }
}

}  // namespace tempo
