#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/contexts.hpp"
#include "tempo/export.hpp"
#include "tempo/matrix.hpp"
#include "tempo/measurement_law.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/timeline.hpp"

namespace tempo {

/// Relates biomarker values to disease stage: x_jb given k_j and xi_b.
///
/// Shapes: x is [J, B], column b in the units of biomarker b. Some models fix something per cohort
/// and biomarker before any participant is measured (a distribution family, a direction): the
/// *traits*, one whole number per biomarker with a meaning of the model's own. A model that gives
/// its law to the constructor lets methods infer from it. Objects are immutable: const calls are
/// thread-safe.
class TEMPO_API MeasurementModel : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::measurement_model;
  using Context = MeasurementModelContext;

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

  /// The law of what `measure` draws; null if it is not known.
  const MeasurementLaw* law() const { return law_.get(); }

  void set_plugin_id(std::string id) override;

 protected:
  /// @throws NumericError if the law is of other biomarkers.
  explicit MeasurementModel(BiomarkerTable biomarkers,
                            std::unique_ptr<MeasurementLaw> law = nullptr);

 private:  // What a plugin writes. Sizes have been checked; values will be.
  virtual std::vector<int> do_draw_traits(RandomStream&) const { return {}; }
  virtual void do_measure(const Timeline& timeline, const std::vector<int>& traits,
                          RandomStream& stream, MatrixView<double> x) const = 0;

  BiomarkerTable biomarkers_;
  std::unique_ptr<MeasurementLaw> law_;
};

}  // namespace tempo
