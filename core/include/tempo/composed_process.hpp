#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tempo/generative_process.hpp"
#include "tempo/measurement_model.hpp"
#include "tempo/parameters.hpp"
#include "tempo/part_factory.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo {

/// How event times xi come about.
struct EventTimes {
  enum class Kind {
    permutation,  ///< xi is a uniformly random permutation of 1..B
    beta,         ///< xi_b = B * Beta(alpha, beta), independently
    own,          ///< as the hypothesis's do_draw_event_times has it: a law that nobody else knows
  };
  Kind kind = Kind::permutation;
  double alpha = 2.0;  ///< beta only; > 0
  double beta = 2.0;   ///< beta only; > 0
  /// Share of B; when measured, each diseased (j, b) uses clip(xi_b + N(0, (noise_sd B)^2), 0, B).
  double noise_sd = 0.0;
};

/// Reads `event_times = "permutation"`, `"beta"` or `{ kind = "beta", alpha, beta, noise_sd }`.
TEMPO_API EventTimes read_event_times(Parameters& keys, const std::string& key);

/// A part with the numbers it is to use: `fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}})`.
TEMPO_API PartSpec fixed_part(
    std::string plugin, std::initializer_list<std::pair<std::string_view, double>> numbers = {});

/// The parts of a composed hypothesis by the ids of their plugins.
struct Composition {
  EventTimes event_times = {};  ///< by default a permutation
  PartSpec stage_prior;
  PartSpec measurement_model;
};

/// Event times + stage prior + measurement model -> (cohort, truth).
///
/// Source: Hao & Austerweil (CHIL 2026), the cohort skeleton shared by the nine hypotheses: floor(J
/// r) participants are healthy with k = 0, the others' stages come from the prior, participants are
/// shuffled, and the ordinal truth y_j is the number of biomarkers with xi_b <= k_j (un-noised xi).
/// Cost: O(J B). A hypothesis with event times of its own says EventTimes::Kind::own and
/// overrides do_draw_event_times.
class TEMPO_API ComposedProcess : public GenerativeProcess {
 public:
  /// @throws PluginError or InputError if a part cannot be made.
  ComposedProcess(const Composition& composition, const BuildContext& context);
  ~ComposedProcess() override;

  /// Measures participants whose truth is known: the last step of simulate(). Given the same truth,
  /// repeated calls are independent.
  /// @param truth event times, stages and traits count, the rest is not looked at
  /// @param diseased [J] 0 | 1
  /// @return x [J, B]
  /// @throws ShapeError, NumericError, PluginError as MeasurementModel::measure does.
  Matrix measure(const Truth& truth, std::span<const std::uint8_t> diseased,
                 RandomStream& stream) const;

  const StagePrior& stage_prior() const { return *stage_prior_; }
  const MeasurementModel& measurement_model() const { return *measurement_model_; }
  const EventTimes& event_times() const { return composition_.event_times; }
  /// A measurement model as this hypothesis has it, of other biomarkers or the same with other
  /// parameters: for methods that estimate them. Thread-safe.
  /// @throws PluginError or InputError if it cannot be made.
  std::unique_ptr<MeasurementModel> measurement_model(const BiomarkerTable& biomarkers) const;
  /// The same event times and stages, measured otherwise.
  std::unique_ptr<ComposedProcess> with_measurement_model(
      std::shared_ptr<const MeasurementModel> model) const;

 private:
  ComposedProcess(const ComposedProcess& other, std::shared_ptr<const MeasurementModel> model);

  std::vector<double> draw_event_times(RandomStream& stream) const;
  /// Draws xi [B] on the scale 0..B, in the order of `biomarkers()`. Called only if the composition
  /// says EventTimes::Kind::own, so that methods which infer from the law of event times are not
  /// misled.
  virtual std::vector<double> do_draw_event_times(RandomStream& stream) const;
  SimulatedCohort do_simulate(const CohortSize& size, RandomStream& stream) const override;

  const PartFactory* parts_;  // the registry outlives what it makes
  Composition composition_;
  std::shared_ptr<const StagePrior> stage_prior_;
  std::shared_ptr<const MeasurementModel> measurement_model_;
};

}  // namespace tempo
