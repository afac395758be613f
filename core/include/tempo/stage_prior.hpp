#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tempo/contexts.hpp"
#include "tempo/export.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

/// What stages are.
enum class StageScale {
  ordinal,     ///< whole numbers 1..B
  continuous,  ///< real numbers in (0, B]
};

/// The law of ordinal stages: the probabilities of stages 1..B are drawn once per cohort from
/// Dirichlet(alpha), each participant's stage independently from them.
class TEMPO_API DirichletStageLaw : public PluginObject {
 public:
  ~DirichletStageLaw() override;

  /// @param biomarkers B, the last stage; > 0
  /// @return alpha [B], each > 0
  /// @throws ShapeError, NumericError if the plugin returns others; PluginError if it throws.
  std::vector<double> concentrations(std::size_t biomarkers) const;

 private:  // What a plugin writes.
  virtual std::vector<double> do_concentrations(std::size_t biomarkers) const = 0;
};

/// The law of continuous stages: participants' stages are independent and alike.
class TEMPO_API ContinuousStageLaw : public PluginObject {
 public:
  ~ContinuousStageLaw() override;

  /// @param biomarkers B, the last stage; > 0
  /// @param stages in [0, B], ascending
  /// @return P(k <= stage) for each
  /// @throws ShapeError, NumericError if the plugin returns no such probabilities; PluginError if
  ///   it throws.
  std::vector<double> cumulative(std::size_t biomarkers, std::span<const double> stages) const;

 private:  // What a plugin writes.
  virtual std::vector<double> do_cumulative(std::size_t biomarkers,
                                            std::span<const double> stages) const = 0;
};

/// Draws the stages k of the diseased participants of one cohort.
///
/// The healthy are at stage 0 and never drawn. A prior that gives its law to the constructor lets
/// methods infer from it. Objects are immutable: const calls are thread-safe.
class TEMPO_API StagePrior : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::stage_prior;
  using Context = NoContext;

  ~StagePrior() override;

  StageScale scale() const { return scale_; }
  /// Draws the stages of all diseased participants of one cohort into `stages`.
  /// @param biomarkers B, the last stage; > 0.
  /// @throws NumericError for a stage unwritten, outside (0, B], or not whole on the ordinal scale;
  ///   PluginError if the plugin throws.
  void draw(std::size_t biomarkers, RandomStream& stream, std::span<double> stages) const;

  /// Null if stages are continuous, or their law is another or not known.
  const DirichletStageLaw* ordinal_law() const { return ordinal_law_.get(); }
  /// Null if stages are ordinal, or their law is not known.
  const ContinuousStageLaw* continuous_law() const { return continuous_law_.get(); }

  void set_plugin_id(std::string id) override;

 protected:
  /// A prior whose law is not known.
  explicit StagePrior(StageScale scale);
  /// An ordinal prior.
  explicit StagePrior(std::unique_ptr<DirichletStageLaw> law);
  /// A continuous prior.
  explicit StagePrior(std::unique_ptr<ContinuousStageLaw> law);

 private:  // What a plugin writes.
  virtual void do_draw(std::size_t biomarkers, RandomStream& stream,
                       std::span<double> stages) const = 0;

  StageScale scale_;
  std::unique_ptr<DirichletStageLaw> ordinal_law_;
  std::unique_ptr<ContinuousStageLaw> continuous_law_;
};

}  // namespace tempo
