#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/event_times.hpp"
#include "tempo/export.hpp"
#include "tempo/matrix.hpp"
#include "tempo/measurement_model.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo {

/// The law of a hypothesis in its parts: event times, stage prior and measurement model, each drawn
/// independently of the others. What a method needs that infers under the hypothesis.
///
/// Each part may still have a law that is not known. Copies share the parts, which are immutable:
/// const calls are thread-safe.
class TEMPO_API ProcessLaw {
 public:
  /// Makes a measurement model of the hypothesis for other biomarkers. Thread-safe.
  using MakeMeasurementModel =
      std::function<std::unique_ptr<MeasurementModel>(const BiomarkerTable&)>;

  /// @pre no pointer is null
  ProcessLaw(EventTimes event_times, std::shared_ptr<const StagePrior> stage_prior,
             std::shared_ptr<const MeasurementModel> measurement_model,
             MakeMeasurementModel make_measurement_model);

  const BiomarkerTable& biomarkers() const { return measurement_model_->biomarkers(); }
  const EventTimes& event_times() const { return event_times_; }
  const StagePrior& stage_prior() const { return *stage_prior_; }
  const MeasurementModel& measurement_model() const { return *measurement_model_; }

  /// A measurement model as this hypothesis has it, of other biomarkers or the same with other
  /// distributions: for methods that estimate these. Thread-safe.
  /// @throws PluginError or InputError if it cannot be made.
  std::unique_ptr<MeasurementModel> make_measurement_model(const BiomarkerTable& biomarkers) const;
  /// The same event times and stages, measured otherwise.
  ProcessLaw make_with(std::shared_ptr<const MeasurementModel> model) const;

  /// Measures participants whose truth is known: the last step of a simulation. Given the same
  /// truth, repeated calls are independent.
  /// @param truth event times, stages and traits count, the rest is not looked at
  /// @param diseased [J] 0 | 1
  /// @return x [J, B]
  /// @throws ShapeError, NumericError, PluginError as MeasurementModel::measure does.
  Matrix measure(const Truth& truth, std::span<const std::uint8_t> diseased,
                 RandomStream& stream) const;

 private:
  EventTimes event_times_;
  std::shared_ptr<const StagePrior> stage_prior_;
  std::shared_ptr<const MeasurementModel> measurement_model_;
  MakeMeasurementModel make_measurement_model_;
};

/// Whether the two normals of the law's table are what each biomarker is drawn from, before its
/// event and after it. False if the law of measurements is not known. Otherwise (sigmoids, skewed
/// families) a mixture of two normals that was estimated from a cohort describes what was measured,
/// and not what it is made of: cohorts simulated with it differ from that one even if the
/// hypothesis is true.
TEMPO_API bool measures_normals(const ProcessLaw& law);

}  // namespace tempo
