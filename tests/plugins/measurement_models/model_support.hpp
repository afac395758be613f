#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "statistics.hpp"
#include "support.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/measurement_model.hpp"

namespace tempo::test {

/// Participants at given stages, all diseased unless k = 0; event times shared by all.
struct People {
  People(std::vector<double> k, std::vector<double> xi)
      : stages(std::move(k)), event_times(std::move(xi)) {
    for (const double stage : stages) diseased.push_back(stage > 0.0 ? 1 : 0);
  }
  Timeline timeline() const { return {stages, diseased, event_times, {}}; }

  std::vector<double> stages;          ///< k [J]
  std::vector<std::uint8_t> diseased;  ///< [J]
  std::vector<double> event_times;     ///< xi [B]
};

inline Matrix measured(const MeasurementModel& model, const Timeline& timeline,
                       const std::vector<int>& traits, RandomStream random) {
  Matrix x(timeline.stages.size(), timeline.event_times.size());
  model.measure(timeline, traits, random, x.view());
  return x;
}

inline std::vector<double> column(const Matrix& x, std::size_t b) {
  std::vector<double> out;
  for (std::size_t j = 0; j < x.rows(); ++j) out.push_back(x(j, b));
  return out;
}

inline double normal_cdf(double x, double mean = 0.0, double sd = 1.0) {
  return 0.5 * std::erfc((mean - x) / (sd * std::sqrt(2.0)));
}

}  // namespace tempo::test
