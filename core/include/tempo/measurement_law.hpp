#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/export.hpp"
#include "tempo/plugin_object.hpp"

namespace tempo {

/// What an event does to the law of measurements.
enum class EventEffect {
  switched,  ///< only whether the event has happened counts: the switch of event-based models
  gradual,   ///< the time since the event counts, too
};

/// On which side of its event a biomarker is.
enum class EventState { pre, post };

/// The law of a measurement, p(x_b | time since the event): what methods infer from.
///
/// Objects are immutable: const calls are thread-safe.
class TEMPO_API MeasurementLaw : public PluginObject {
 public:
  ~MeasurementLaw() override;

  const BiomarkerTable& biomarkers() const { return biomarkers_; }
  EventEffect effect() const { return effect_; }
  /// The traits that a biomarker may have, all equally likely and independent of other biomarkers';
  /// a single 0 if the model fixes nothing.
  const std::vector<int>& possible_traits() const { return possible_traits_; }
  /// log p(x_b | time since the event), in nats per unit of biomarker b; -inf where impossible. A
  /// value that has probability of its own (an atom, where values are clipped) counts as spread
  /// over a width of e^-kAtomPrecision sd.
  /// @param trait of biomarker b, one of possible_traits().
  /// @param since k_j - xi_b in stages, any order; -inf for the healthy; post-event from 0 on.
  /// @param out as long as `since`
  /// @throws ShapeError, NumericError if the plugin writes NaN or +inf; PluginError if it throws.
  void log_density(std::size_t b, int trait, double x, std::span<const double> since,
                   std::span<double> out) const;
  /// Minus the logarithm of the width, in sds, over which an atom counts as spread.
  static constexpr double kAtomPrecision = 20.0;
  /// The values of biomarker b that are atoms under this trait, before its event or after it, in
  /// its unit: mean + z sd of the distribution in question, z the same for all means and sds. None
  /// unless the law says so. Where distributions of a switch are not known, values that
  /// participants share tell of them.
  /// @throws ShapeError, NumericError if one is not finite; PluginError if the plugin throws.
  std::vector<double> atoms(std::size_t b, int trait, EventState state) const;

 protected:
  MeasurementLaw(BiomarkerTable biomarkers, EventEffect effect,
                 std::vector<int> possible_traits = {0});

 private:  // What a plugin writes. Sizes have been checked; values will be.
  virtual void do_log_density(std::size_t b, int trait, double x, std::span<const double> since,
                              std::span<double> out) const = 0;
  virtual std::vector<double> do_atoms(std::size_t, int, EventState) const { return {}; }

  BiomarkerTable biomarkers_;
  EventEffect effect_;
  std::vector<int> possible_traits_;
};

}  // namespace tempo
