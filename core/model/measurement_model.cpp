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
  for (std::size_t j = 0; j < J; ++j)
    for (std::size_t b = 0; b < B; ++b)
      if (!std::isfinite(x(j, b)))
        throw NumericError(blame("measuring") + "row " + std::to_string(j) + " of biomarker '" + biomarkers_[b].name + "' is not finite");
}

}  // namespace tempo
