#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/store.hpp"

namespace tempo {

/// What a fit of one cohort says under the hypothesis it took for true.
struct AssumedFit {
  std::string assumed;             ///< the hypothesis, or the method that assumes it
  std::vector<double> log_scores;  ///< [J] log p(x_j | all other participants), nats
  double elpd_waic = 0.0;
  std::size_t pareto_k_high = 0;        ///< participants whose score is not to be trusted
  std::vector<NamedCheck> checks = {};  ///< predictive ones; empty if the method made none
  double elpd_mcse = 0.0;  ///< of the scores' sum, by how far chains are apart; NaN: not known
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

/// How often one assumed hypothesis is preferred on the cohorts of one that generated them.
struct Preference {
  std::size_t preferred = 0;     ///< cohorts on which it is the best
  std::size_t tied = 0;          ///< ... or cannot be told from the best
  double mean_difference = 0.0;  ///< of elpd_loo to the best of each cohort, <= 0
  double difference_se =
      0.0;  ///< of that mean, cohorts taken as given: by RankedHypothesis::difference_se
};

/// Generating by assumed hypotheses, at one point of a sweep.
struct PreferenceTable {
  struct Row {
    std::string generating;
    std::size_t ranked = 0;  ///< cohorts on which every method gave scores: the others do not count
    std::size_t planned = 0;        ///< cohorts
    std::vector<Preference> cells;  ///< per method
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

/// `The data prefer h1.`, or which cannot be told apart. Nothing is preferred for certain where
/// chains had not agreed.
std::string verdict(const CohortRanking& ranking);

/// How rankings can be written.
const std::vector<std::string>& ranking_formats();  // table, csv, json
/// Rankings of cohorts; in a table those of several are followed by how often each is preferred.
std::string render(const std::vector<CohortRanking>& rankings, const std::string& format);

/// The predictive checks of all hypotheses as CSV: cohort, hypothesis, then check_columns().
std::string checks_csv(const std::vector<CohortRanking>& rankings);

/// What the evidence on real cohorts rests on beyond fits in doubt, a sentence each: distributions
/// that a method took for known.
/// @param fits   Store::evidence
/// @param about  Store::about
std::vector<std::string> evidence_caveats(const std::vector<FitEvidence>& fits,
                                          const std::string& about);

/// Preference tables in one of summary_formats(), and what they depend on.
std::string render(const std::vector<PreferenceTable>& tables,
                   const std::vector<std::string>& caveats, const std::vector<std::string>& axes,
                   const std::string& format);

}  // namespace tempo
