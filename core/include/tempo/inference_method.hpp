#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/export.hpp"
#include "tempo/matrix.hpp"
#include "tempo/method.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

/// A posterior predictive check: a number that describes one biomarker in one group of the cohort,
/// beside the same number of cohorts that the method drew from what it had found. It should not
/// change with units or names: the plugin's page says what it is measured in.
///
/// Source: Gelman, Meng & Stern 1996, Statistica Sinica 6(4), 733-760.
struct PredictiveCheck {
  std::size_t biomarker = 0;  ///< column of the cohort
  bool diseased = false;      ///< of which group
  std::string statistic;      ///< mean, sd, ...: a few words
  double observed = 0.0;
  double mean = 0.0;  ///< of the replicated cohorts
  double sd = 0.0;    ///< of the replicated cohorts
  double p = 1.0;  ///< two-sided, in (0, 1]: the share of replications as far out as the cohort, or
                   ///< farther
};

/// How sure a method is of an event's time: of its posterior, in units of event_times.
struct EventTimeSpread {
  double sd = 0.0;
  double low = 0.0;   ///< 2.5 % quantile
  double high = 0.0;  ///< 97.5 % quantile
};

/// Markov chains count as agreeing up to this split R-hat, in methods and in what is said of their
/// fits.
inline constexpr double kAgreedRHat = 1.05;

/// Whether Markov chains agree where they ended: split R-hat (1 is agreement; NaN where chains are
/// constant but differ) and effective sample sizes.
struct ChainAgreement {
  double r_hat = 1.0;              ///< of an event's rank, the largest
  double effective_samples = 0.0;  ///< of an event's rank, the least
  double r_hat_log_likelihood = 1.0;
  double effective_samples_log_likelihood = 0.0;
  std::optional<double> r_hat_traits;  ///< of a biomarker's trait, the largest

  bool agreed() const;  ///< each R-hat is at most kAgreedRHat
};

/// How well a fit predicts each participant from the others.
struct Evidence {
  std::vector<double> log_scores;  ///< [J] log p(x_j | all other participants), nats per unit
  double elpd_loo = 0.0;           ///< their sum
  double elpd_loo_se = 0.0;
  double elpd_waic = 0.0;
  double elpd_waic_se = 0.0;
  double elpd_mcse = 0.0;  ///< how far Monte Carlo error may have moved the sum; NaN: not known
  std::size_t pareto_k_high = 0;  ///< participants whose score is not to be trusted
  std::size_t draws = 0;          ///< behind the scores
  std::size_t states = 0;         ///< distinct ones behind the scores, where they are weighed; or 0
  std::size_t clipped_biomarkers = 0;  ///< shared values of these were taken for limits
};

/// Several progressions that a method told apart in one cohort.
struct InferredSubtypes {
  std::vector<std::vector<double>> event_scores;  ///< [K][B], smaller = earlier
  std::vector<double> shares;                     ///< [K], sum to 1
  Matrix posterior;                               ///< [J, K], rows sum to 1
  std::map<std::size_t, double> log_evidence;     ///< by number of subtypes, nats
};

/// What a method found, in the columns and rows of the cohort it was given.
struct Inference {
  static constexpr std::size_t kTracePoints = 200;  ///< of a chain's trace

  std::vector<double> event_scores;      ///< [B], smaller = earlier; only the order counts
  std::vector<double> stages;            ///< [J] in [0, B]
  std::optional<Matrix> rank_posterior;  ///< [B, B] P(biomarker b has rank r + 1), rows sum to 1
  std::optional<std::vector<double>> event_times;                  ///< [B] in [0, 1]
  std::optional<std::vector<EventTimeSpread>> event_time_spreads;  ///< [B], beside event_times
  std::optional<Matrix> stage_posterior;                           ///< [J, B + 1], rows sum to 1
  std::optional<std::vector<double>>
      log_scores;                       ///< [J] log p(x_j | all other participants), nats per unit
  std::vector<PredictiveCheck> checks;  ///< empty if the method makes none
  std::optional<Matrix> log_likelihood_trace;  ///< [chains, at most kTracePoints] of kept draws
  std::map<std::string, double> diagnostics;   ///< named numbers (iterations, R-hat, ...)
  std::vector<std::string> warnings;           ///< one sentence each, naming what it is about
};

/// Checks the sizes and ranges above. @throws ShapeError, NumericError
TEMPO_API void check(const Inference& inference, const Cohort& cohort);

/// Finds the order of events and the participants' stages from one cohort.
///
/// Columns come in an order that says nothing about the truth. Objects are immutable: const calls
/// are thread-safe; a fit runs on one thread and draws only from its stream.
class TEMPO_API InferenceMethod : public Method {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::inference_method;
  static constexpr std::uint32_t kInterfaceVersion = 5;

  ~InferenceMethod() override;

  /// Cells missing though the method refuses them, labels missing though it uses them, and sizes
  /// that do not belong together are refused before the plugin sees the cohort.
  /// @throws ShapeError, NumericError (also for a result that breaks Inference's rules),
  /// PluginError
  Inference fit(const Cohort& cohort, RandomStream& stream) const;
  /// The same for several cohorts, which a method may compute together: what it finds is what `fit`
  /// finds in each, but for the rounding of sums. All are checked before any is fitted.
  /// @param streams as many as cohorts
  /// @throws as `fit`, for the first cohort with a fault; ShapeError if there are fewer or more
  /// streams
  std::vector<Inference> fit_all(std::span<const Cohort> cohorts,
                                 std::span<RandomStream> streams) const;

 private:  // What a plugin writes.
  virtual Inference do_fit(const Cohort& cohort, RandomStream& stream) const = 0;
  /// Optional: one `do_fit` after the other if a plugin does not write it.
  virtual std::vector<Inference> do_fit_all(std::span<const Cohort> cohorts,
                                            std::span<RandomStream> streams) const;

  void check_input(const Cohort& cohort) const;
  void check_output(const Inference& inference, const Cohort& cohort) const;
};

}  // namespace tempo
