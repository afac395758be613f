#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/contexts.hpp"
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

/// Markov chains count as agreeing up to this split R-hat, in methods and in reports on their fits.
inline constexpr double kAgreedRHat = 1.05;

/// How far the Markov chains of a fit agree where their length ends. R-hat is split R-hat, and of
/// several traces the largest; effective samples are those of all chains, and the least.
struct TEMPO_API ChainAgreement {
  double r_hat = 1.0;              ///< of the events' ranks
  double effective_samples = 0.0;  ///< of the events' ranks
  double r_hat_log_likelihood = 1.0;
  double effective_samples_log_likelihood = 0.0;
  std::optional<double> r_hat_traits = {};  ///< of the traits, where they are inferred

  /// Whether every R-hat is at most kAgreedRHat.
  bool agreed() const;
};

/// How well a hypothesis predicts participants from all others: what hypotheses are compared by. A
/// method has to give the log scores; what it does not know of the rest it leaves at 0.
///
/// Sources: Vehtari, Gelman & Gabry 2017, Statistics and Computing 27, 1413-1432 (loo); Watanabe
/// 2010, JMLR 11, 3571-3594 (waic).
struct Evidence {
  std::vector<double> log_scores;  ///< [J] log p(x_j | all other participants), nats per unit
  double elpd_loo = 0.0;           ///< the sum of the log scores
  double elpd_loo_se = 0.0;        ///< by how much participants differ
  double elpd_waic = 0.0;
  double elpd_waic_se = 0.0;
  double elpd_mcse = 0.0;                  ///< Monte Carlo error of either; NaN if it is not known
  std::size_t pareto_k_high = 0;           ///< participants whose score is not to be trusted
  std::size_t draws = 0;                   ///< from which scores are
  std::optional<std::size_t> states = {};  ///< distinct ones, where scores are from states
  /// Columns whose shared values were taken for limits of measurement.
  std::vector<std::size_t> clipped_biomarkers = {};
};

/// What a method found of several progressions; K of them.
struct SubtypeInference {
  Matrix event_scores;         ///< [K, B], smaller = earlier; only the order within a row counts
  std::vector<double> shares;  ///< [K] of the diseased, sum to 1
  Matrix posterior;            ///< [J, K] P(participant is of that progression), rows sum to 1
  std::vector<double> log_evidence;  ///< by the number of progressions, from 1 on; may be empty
  /// [K] matrices [B, B], P(biomarker b has rank r + 1 in that progression), rows sum to 1; or none
  std::vector<Matrix> rank_posteriors = {};
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
  std::optional<ChainAgreement> chains;                            ///< if it runs Markov chains
  std::optional<Evidence> evidence;            ///< if it infers under a hypothesis
  std::vector<PredictiveCheck> checks;         ///< empty if the method makes none
  std::optional<Matrix> log_likelihood_trace;  ///< [chains, at most kTracePoints] of kept draws
  std::map<std::string, double> diagnostics;   ///< other named numbers (iterations, ...)
  std::vector<std::string> warnings;           ///< one sentence each, naming what it is about
  /// If it looks for several progressions. `event_scores` and `stages` are then the consensus of
  /// the progressions and the stages whatever the progression.
  std::optional<SubtypeInference> subtypes;
};

/// Checks the sizes and ranges above. @throws ShapeError, NumericError
TEMPO_API void check(const Inference& inference, const Cohort& cohort);

/// Finds the order of events and the participants' stages from one cohort.
///
/// The order of the columns holds nothing about the truth. Objects are immutable: const calls
/// are thread-safe; a fit runs on one thread and draws only from its stream.
class TEMPO_API InferenceMethod : public Method {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::inference_method;
  using Context = AssumptionContext;  ///< methods that infer under a hypothesis; others take none

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
