#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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
  static constexpr std::uint32_t kInterfaceVersion = 2;

  ~StagePrior() override;

  /// Whether stages are whole numbers 1..B.
  bool ordinal() const { return do_ordinal(); }
  /// Draws the stages of all diseased participants of one cohort into `stages`.
  /// @param biomarkers B, the last stage; > 0.
  /// @throws NumericError for a stage unwritten, outside (0, B], or not whole from an ordinal
  /// prior;
  ///   PluginError if the plugin throws.
  void draw(std::size_t biomarkers, RandomStream& stream, std::span<double> stages) const;

  /// The law of an ordinal prior, if it is of this kind: the probabilities of stages 1..B are drawn
  /// once per cohort from Dirichlet(alpha), each participant's stage independently from them.
  /// @return alpha [B], each > 0; nothing if the law is another, or not known.
  std::optional<std::vector<double>> concentrations(std::size_t biomarkers) const;
  /// The law of a continuous prior, if it is known: participants' stages are independent and alike.
  /// @param stages in [0, B], ascending
  /// @return P(k <= stage) for each; nothing if not known.
  std::optional<std::vector<double>> cumulative(std::size_t biomarkers,
                                                std::span<const double> stages) const;

 private:  // What a plugin writes.
  virtual bool do_ordinal() const = 0;
  virtual void do_draw(std::size_t biomarkers, RandomStream& stream,
                       std::span<double> stages) const = 0;
  virtual std::optional<std::vector<double>> do_concentrations(std::size_t biomarkers) const;
  virtual std::optional<std::vector<double>> do_cumulative(std::size_t biomarkers,
                                                           std::span<const double> stages) const;
};

}  // namespace tempo
