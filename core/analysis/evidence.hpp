#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/store.hpp"

namespace tempo {

/// What a fit of one cohort says under the hypothesis it took for true.
struct AssumedFit {
  std::string assumed;             ///< the hypothesis, or the method that assumes it
  std::vector<double> log_scores;  ///< [J] log p(x_j | all other participants), nats
  double elpd_waic = 0.0;
  std::size_t pareto_k_high = 0;        ///< participants with scores that are not to be trusted
  std::vector<NamedCheck> checks = {};  ///< predictive ones; empty if the method made none
  /// Of the scores' sum, by how far chains, or quarters of one chain, are apart; NaN: not known.
  double elpd_mcse = 0.0;
};

/// One hypothesis in the ranking of a cohort.
struct RankedHypothesis {
  std::string assumed;
  double elpd_loo = 0.0;  ///< sum of the log scores
  double elpd_loo_se = 0.0;
  double difference = 0.0;  ///< of elpd_loo to the best, <= 0
  /// Of the participants' differences, sqrt(J) times their sd, and of both Monte Carlo errors.
  double difference_se = 0.0;
  double elpd_mcse = 0.0;
  double elpd_waic = 0.0;
  std::size_t pareto_k_high = 0;
  double weight = 0.0;  ///< stacking_weights
  bool tied = false;    ///< the data cannot tell it from the best, or it is the best
  std::vector<NamedCheck> checks = {};
};

/// Of rank_by_evidence: standard errors, and nats.
inline constexpr double kTiedWithin = 2.0, kTiedNats = 4.0;

/// Ranks hypotheses by elpd_loo, the best first; of equal ones the earlier. One is tied with the
/// best where the difference is within two of its standard errors, or below four nats: standard
/// errors of smaller differences are too small; and wherever a Monte Carlo error is not finite,
/// since then nothing is known of it.
///
/// Source: Vehtari, Gelman & Gabry 2017, Statistics and Computing 27, Eq. (24); the four nats:
/// Sivula, Magnusson, Matamoros & Vehtari 2020, arXiv:2008.10296.
/// @param fits  of the same participants, at least one
std::vector<RankedHypothesis> rank_by_evidence(const std::vector<AssumedFit>& fits);

/// The weights [H] >= 0, summing to 1, whose mixture of the hypotheses' predictions has the largest
/// log score, sum_j log sum_h w_h exp(s_hj); found by expectation maximisation.
///
/// Source: Yao, Vehtari, Simpson & Gelman 2018, Bayesian Analysis 13(3), 917-1007 (stacking).
std::vector<double> stacking_weights(const std::vector<AssumedFit>& fits);

/// A hypothesis that the evidence on a cohort rules out.
struct RefutedHypothesis {
  std::string hypothesis;
  std::string best;         ///< the one that predicts participants best
  std::string method;       ///< whose evidence it is
  double difference = 0.0;  ///< of elpd_loo to the best, < 0
  double difference_se = 0.0;
};
/// One method's fits of a cohort, each under a hypothesis: its `assumed`.
struct MethodEvidence {
  std::string method;
  std::vector<AssumedFit> fits;
};
/// The hypotheses that rank_by_evidence can tell from the best, by every method that judges them;
/// in order of the first method that does. A method with one hypothesis judges none.
/// @param methods  of the same participants
std::vector<RefutedHypothesis> refuted_hypotheses(const std::vector<MethodEvidence>& methods);

/// Whether a method's evidence on a real cohort can speak against a hypothesis: not where it took
/// distributions for true that it did not sample. Two normals make hypotheses with other
/// measurements lose by that alone; estimates have seen every participant, which the score does not
/// count.
/// @param description  Store::description
bool can_refute(const std::string& method, const std::optional<RunDescription>& description);

/// How well a planned fit predicts each participant from the others.
struct FitEvidence {
  FitId id;
  std::vector<double> log_scores;  ///< Evidence::log_scores; empty where the fit gave none
  double elpd_mcse = 0.0;          ///< Evidence::elpd_mcse
};
/// Of all planned fits, in plan order.
std::vector<FitEvidence> evidence_of_fits(Store& store);

/// How often one assumed hypothesis is preferred on the cohorts of one that generated them.
struct Preference {
  std::size_t preferred = 0;     ///< cohorts on which it is the best
  std::size_t tied = 0;          ///< ... or cannot be told from the best
  double mean_difference = 0.0;  ///< of elpd_loo to the best of each cohort, <= 0
  /// Of that mean, cohorts taken as given: by RankedHypothesis::difference_se.
  double difference_se = 0.0;
};

/// Generating by assumed hypotheses, at one point of a sweep.
struct PreferenceTable {
  struct Row {
    std::string generating;
    std::size_t ranked = 0;  ///< cohorts on which every method gave scores: the others do not count
    std::size_t planned = 0;        ///< cohorts
    std::vector<Preference> cells;  ///< per method

    /// Whether a method is the best, or cannot be told from it, on most cohorts that were ranked.
    bool is_mostly_tied(std::size_t method) const { return 2 * cells[method].tied > ranked; }
  };
  std::vector<std::string> axis_values;
  /// Those that gave log scores anywhere; of a real cohort each with the hypothesis it assumed.
  std::vector<std::string> methods;
  std::vector<Row> rows;  ///< in plan order
};

/// In plan order; none if no method gave log scores.
std::vector<PreferenceTable> preference_tables(const std::vector<FitEvidence>& fits);

/// A cohort and the hypotheses it was fitted under, the best first.
struct CohortRanking {
  std::string cohort;
  std::size_t participants = 0;
  std::size_t biomarkers = 0;
  std::vector<RankedHypothesis> hypotheses;
  std::vector<std::string> caveats = {};  ///< what the verdict depends on, a sentence each
  /// Hypotheses under which the method's Markov chains had not agreed where they ended.
  std::vector<std::string> unsettled = {};
};

/// How often a hypothesis is preferred over cohorts.
struct PreferenceCount {
  std::string assumed;
  std::size_t ranked = 0;        ///< cohorts
  std::size_t best = 0;          ///< ... on which it is the best
  std::size_t tied = 0;          ///< ... or cannot be told from the best
  double mean_difference = 0.0;  ///< of elpd_loo to the best of each cohort
};
/// The most often best first; of equal ones by name.
std::vector<PreferenceCount> preferences_over(const std::vector<CohortRanking>& rankings);

/// Distributions that methods took for known, on which the evidence on real cohorts rests: two
/// normals under every hypothesis.
struct KnownDistributions {
  std::vector<std::string> methods;     ///< ids of those that took them so, and gave log scores
  std::vector<std::string> mismatched;  ///< hypotheses of the run that draw other measurements
};
/// @param description  Store::description
KnownDistributions known_distributions(const std::vector<FitEvidence>& fits,
                                       const std::optional<RunDescription>& description);

}  // namespace tempo
