#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tempo/export.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

/// The law of the diseased participants' stages k in one cohort.
///
/// Ordinal priors draw whole numbers 1..B, continuous ones real numbers in (0, B]. The healthy
/// are at stage 0 and never drawn. Objects are immutable: const calls are thread-safe.
class TEMPO_API StagePrior : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::stage_prior;
  static constexpr std::uint32_t kInterfaceVersion = 1;

  ~StagePrior() override;

  /// Whether stages are whole numbers 1..B.
  bool ordinal() const { return do_ordinal(); }
  /// Draws the stages of all diseased participants of one cohort into `stages`.
  /// @param biomarkers B, the last stage; > 0.
  /// @throws NumericError for a stage unwritten, outside (0, B], or not whole from an ordinal prior;
  ///   PluginError if the plugin throws.
  void draw(std::size_t biomarkers, RandomStream& stream, std::span<double> stages) const;

 private:  // What a plugin writes.
  virtual bool do_ordinal() const = 0;
  virtual void do_draw(std::size_t biomarkers, RandomStream& stream,
                       std::span<double> stages) const = 0;
};

}  // namespace tempo
