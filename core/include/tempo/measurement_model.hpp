#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/export.hpp"
#include "tempo/matrix.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/timeline.hpp"

namespace tempo {

/// Relates biomarker values to disease stage: x_jb given k_j and xi_b.
///
/// Shapes: x is [J, B], column b in the units of biomarker b. Some models fix something per cohort
/// and biomarker before anybody is measured (a distribution family, a direction): the *traits*, one
/// whole number per biomarker with a meaning of the model's own. Objects are immutable: const calls
/// are thread-safe.
class TEMPO_API MeasurementModel : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::measurement_model;
  static constexpr std::uint32_t kInterfaceVersion = 3;

  ~MeasurementModel() override;

  const BiomarkerTable& biomarkers() const { return biomarkers_; }
  /// What is fixed once per cohort, [B]; empty if the model fixes nothing.
  /// @throws ShapeError if the plugin returns another size; PluginError if it throws.
  std::vector<int> draw_traits(RandomStream& stream) const;
  /// Draws every cell of x [J, B].
  /// @param traits as returned by draw_traits.
  /// @throws ShapeError if sizes do not belong together; NumericError if the plugin leaves a cell
  ///   unwritten or not finite; PluginError if it throws.
  void measure(const Timeline& timeline, const std::vector<int>& traits, RandomStream& stream,
               MatrixView<double> x) const;

  /// Whether the law of a measurement is known, so that a method may infer from it. If not, those
  /// below must not be called.
  bool has_log_density() const { return do_has_log_density(); }
  /// Whether the law depends on the time since the event only by whether the event has happened:
  /// the switch of the event-based models.
  bool is_switch() const { return do_is_switch(); }
  /// The traits that a biomarker may have, all equally likely and independent of other biomarkers';
  /// a single 0 if the model fixes nothing.
  std::vector<int> possible_traits() const { return do_possible_traits(); }
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
  /// unless the model says so. Where distributions of a switch are not known, values that
  /// participants share tell of them.
  /// @throws ShapeError, NumericError if one is not finite; PluginError if the plugin throws.
  std::vector<double> atoms(std::size_t b, int trait, bool is_post) const;

 protected:
  explicit MeasurementModel(BiomarkerTable biomarkers) : biomarkers_(std::move(biomarkers)) {}

 private:  // What a plugin writes. Sizes have been checked; values will be.
  virtual std::vector<int> do_draw_traits(RandomStream&) const { return {}; }
  virtual void do_measure(const Timeline& timeline, const std::vector<int>& traits,
                          RandomStream& stream, MatrixView<double> x) const = 0;
  virtual bool do_has_log_density() const { return false; }
  virtual bool do_is_switch() const { return false; }
  virtual std::vector<int> do_possible_traits() const { return {0}; }
  /// Called only if do_has_log_density.
  virtual void do_log_density(std::size_t b, int trait, double x, std::span<const double> since,
                              std::span<double> out) const;
  virtual std::vector<double> do_atoms(std::size_t, int, bool) const { return {}; }

  BiomarkerTable biomarkers_;
};

}  // namespace tempo
