#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/export.hpp"
#include "tempo/matrix.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

/// What a method does with the diagnosis (diseased or not). Printed in every table of results.
enum class LabelUse : std::uint32_t {
  none = 1,   ///< never sees it: the cohort it gets has no labels
  fit = 2,    ///< to fit (mixtures, initial values); staging does not look at it
  infer = 3,  ///< also when stages are inferred
};
TEMPO_API std::string_view to_string(LabelUse use);

/// What a method does with missing cells (NaN).
enum class MissingData : std::uint32_t {
  refused = 1,   ///< a cohort with missing cells is an error that counts them
  marginal = 2,  ///< a missing cell adds nothing to the likelihood
  imputed = 3,   ///< a missing cell takes a value that stands for it; the method's page says which
};
TEMPO_API std::string_view to_string(MissingData ability);

/// What a method found, in the columns and rows of the cohort it was given.
struct Inference {
  static constexpr std::size_t kTracePoints = 200;  ///< of a chain's trace

  std::vector<double> event_scores;         ///< [B], smaller = earlier; only the order counts
  std::vector<double> stages;               ///< [J] in [0, B]
  std::optional<Matrix> rank_posterior;     ///< [B, B] P(biomarker b has rank r + 1), rows sum to 1
  std::optional<std::vector<double>> event_times;  ///< [B] in [0, 1]
  std::optional<Matrix> stage_posterior;    ///< [J, B + 1], rows sum to 1
  std::optional<std::vector<double>> log_scores;  ///< [J] log p(x_j | all other participants), nats per unit
  std::optional<Matrix> log_likelihood_trace;  ///< [chains, at most kTracePoints] of kept draws
  std::map<std::string, double> diagnostics;       ///< named numbers (iterations, R-hat, ...)
  std::vector<std::string> warnings;        ///< one sentence each, naming what it is about
};

/// Checks the sizes and ranges above. @throws ShapeError, NumericError
TEMPO_API void check(const Inference& inference, const Cohort& cohort);

/// Finds the order of events and the participants' stages from one cohort.
///
/// Columns come in an order that says nothing about the truth. Objects are immutable: const calls
/// are thread-safe; a fit runs on one thread and draws only from its stream.
class TEMPO_API InferenceMethod : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::inference_method;
  static constexpr std::uint32_t kInterfaceVersion = 2;

  ~InferenceMethod() override;

  /// What the plugin's descriptor declares; set by the registry before first use.
  LabelUse label_use() const { return label_use_; }
  MissingData missing_data() const { return missing_data_; }
  void set_abilities(LabelUse labels, MissingData missing);

  /// Cells missing though the method refuses them, labels missing though it uses them, and sizes
  /// that do not belong together are refused before the plugin sees the cohort.
  /// @throws ShapeError, NumericError (also for a result that breaks Inference's rules), PluginError
  Inference fit(const Cohort& cohort, RandomStream& stream) const;

 private:  // What a plugin writes.
  virtual Inference do_fit(const Cohort& cohort, RandomStream& stream) const = 0;

  LabelUse label_use_ = LabelUse::infer;
  MissingData missing_data_ = MissingData::refused;
};

}  // namespace tempo
