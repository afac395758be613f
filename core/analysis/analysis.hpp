#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/consensus.hpp"
#include "data/public_cohorts.hpp"
#include "tempo/matrix.hpp"

namespace tempo {

/// A distribution within one fit: over draws of its posterior, or over resampled participants.
struct Within {
  double mean = 0.0;
  double sd = 0.0;
  double low = 0.0;          ///< 2.5 % quantile
  double high = 0.0;         ///< 97.5 % quantile
  bool has_interval = true;  ///< low and high say something
};
/// Fewer replicates have no 95 % interval: 2.5 % of 20 is half a replicate.
inline constexpr std::size_t kIntervalReplicates = 20;

/// What one method, or one model of it, found in a real cohort.
struct CohortFit {
  std::string method;
  std::string
      model;  ///< the hypothesis it learned from or takes for true, or `all`; empty: neither
  std::vector<double> event_scores;                ///< [B], smaller = earlier
  std::optional<std::vector<double>> event_times;  ///< [B] in [0, 1]
  std::vector<double> stages;                      ///< [J] in [0, B]
  std::optional<Matrix> rank_posterior;            ///< [B, B] P(biomarker b has rank r + 1)
  std::optional<Matrix> stage_posterior;           ///< [J, B + 1]
  // Of the same on resampled participants; replicates that failed are left out.
  std::vector<std::vector<double>> replicate_scores;  ///< [replicates][B]
  std::vector<std::vector<double>> replicate_times;   ///< [replicates][B], where there are times
  std::size_t replicates_planned = 0;
  /// Posterior of event_times where the fit has one: mean, sd and 95 % interval.
  std::optional<std::vector<Within>> time_posterior = {};
  bool times_are_ranks = false;  ///< event_times are of a hypothesis that knows an order only
  bool stages_by_label = false;  ///< the healthy are at 0 by their label, whatever was measured
  bool is_asked_for = false;     ///< the user named it
  std::vector<std::string> doubts = {};  ///< why not to count it like the others, a few words each

  std::string name() const { return model.empty() ? method : method + " on " + model; }
};

/// A cohort without truth and its fits that came to something, in plan order.
struct FittedCohort {
  std::vector<std::string> axis_values;  ///< in the order of RunResults::axes
  std::string name;
  std::vector<std::string> biomarkers;    ///< [B]
  std::vector<std::string> participants;  ///< [J]
  std::vector<std::uint8_t> diseased;     ///< [J], or empty where nobody can say
  std::vector<std::size_t> groups;        ///< [J] index into group_names
  std::vector<std::string> group_names;   ///< diagnoses, the mildest first where that is known
  bool groups_ordered = false;            ///< it is known; otherwise they come by name
  std::vector<CohortFit> fits;
  std::size_t planned = 0;  ///< fits
  /// Biomarkers that do not tell healthy from diseased, whose places say little; absent: nobody can
  /// say.
  std::optional<std::vector<std::string>> not_separating = {};
  /// What a simulation knows of the cohort, where the reader has it: of all its biomarkers and
  /// participants.
  std::optional<NamedTruth> truth = {};
};

/// `bayes on h1 is in doubt: its chains disagree ...`, one for each of its doubts.
std::vector<std::string> doubts_in_sentences(const CohortFit& fit);

/// Whether a biomarker tells healthy from diseased; absent where nobody can say.
std::optional<bool> is_separating(const FittedCohort& cohort, std::size_t biomarker);

/// What is said of FittedCohort::not_separating, after their names.
extern const char* const kNotSeparating;

/// Mean of n values with its 95 % interval mean +- half_width: t sd / sqrt(n), n - 1 in the sd, t
/// the 97.5 % quantile of Student's t with n - 1 degrees of freedom. It may reach beyond what the
/// values can be; tables cut it there.
struct Spread {
  std::size_t count = 0;
  double mean = 0.0;
  std::optional<double> sd;  ///< absent for fewer than two, as is half_width
  std::optional<double> half_width;
};
/// Absent for no values.
std::optional<Spread> spread(const std::vector<double>& values);

/// Of values over replicates, quantiles interpolated, these from kIntervalReplicates on; absent for
/// fewer than two.
std::optional<Within> within(const std::vector<double>& values);
/// Of a biomarker's or participant's row of a posterior: probabilities of first, first + 1, ...;
/// the interval holds the least number of whole values that leave at most 2.5 % on either side.
Within within_posterior(std::span<const double> probabilities, double first);

/// Ranks of biomarkers by fit.
struct RankTable {
  std::vector<std::size_t> rows;           ///< biomarkers by mean rank; of equal ones by name
  std::vector<std::vector<double>> ranks;  ///< [fit][B], ties share the mean of their places
  std::vector<Spread> across;              ///< [B] over fits
  std::vector<std::vector<std::optional<Within>>> posterior;   ///< [fit][B]
  std::vector<std::vector<std::optional<Within>>> replicates;  ///< [fit][B]
};
/// @param cohort with at least one fit
RankTable rank_table(const FittedCohort& cohort);

/// How often each biomarker takes each place.
struct PositionalVariance {
  enum class Source { fits, posterior, replicates };
  Source source = Source::fits;
  std::optional<std::size_t> fit;  ///< absent: across fits
  std::size_t count = 0;           ///< fits or replicates; 0 for a posterior
  Matrix shares;  ///< [B, B] biomarker by place, rows sum to 1; ties share their places
};
/// Across fits first, then within each fit that has a posterior or replicates.
std::vector<PositionalVariance> positional_variance(const FittedCohort& cohort);

/// Consensus orders of the fits.
struct ConsensusTable {
  Consensus borda;
  Consensus kemeny;
  std::vector<double> mean_ranks;  ///< [B]
};
ConsensusTable consensus_table(const FittedCohort& cohort);

/// Fits that a timeline leaves out, and why: the end of a sentence on several.
struct LeftOut {
  std::vector<std::size_t> fits;
  const char* why;
  bool can_be_asked_for;  ///< they have times of a sort
};

/// Event times, each fit's rescaled to [0, 1] by its first and last event. Fits whose times
/// are ranks, or all the same, are left out unless they were asked for.
struct RescaledTimeline {
  std::vector<std::size_t> fits;                               ///< those with times
  std::vector<std::size_t> rows;                               ///< biomarkers by mean time
  std::vector<std::vector<double>> times;                      ///< [of fits][B]
  std::vector<std::vector<std::optional<Within>>> replicates;  ///< [of fits][B]
  /// [of fits][B], rescaled as the fit's times are: an interval may reach beyond 0 and 1.
  std::vector<std::vector<std::optional<Within>>> posterior;
  std::vector<Spread>
      across;  ///< [B] over fits whose times are not ranks, if there are any, else over all
  bool across_ranks = false;      ///< they all are
  std::vector<LeftOut> left_out;  ///< each with at least one fit
};
RescaledTimeline timeline(const FittedCohort& cohort);
/// Values rescaled to [0, 1]; 0.5 where all are equal.
std::vector<double> rescaled(const std::vector<double>& values);

/// Stages of diagnosis groups in one fit.
struct GroupStages {
  std::vector<std::optional<Spread>> groups;     ///< by group; absent where a group has nobody
  std::vector<std::vector<std::size_t>> counts;  ///< [group][stage 0..B], half stages to even
  /// Every group's mean is above the one before; absent where the order of groups is not known, or
  /// fewer than two have members.
  std::optional<bool> rises;
};
std::vector<GroupStages> group_stages(const FittedCohort& cohort);  ///< per fit

/// How alike two fits are.
struct Agreement {
  std::size_t first = 0, second = 0;  ///< fits, first < second
  std::optional<double> tau;          ///< of orders, Kendall's tau-b
  /// Of stages over the diseased: methods that stage by the label have the healthy at 0, and agree
  /// on that unseen.
  std::optional<double> spearman;
  std::optional<double> icc;  ///< of the same, absolute_agreement
};
std::vector<Agreement> agreement(const FittedCohort& cohort);  ///< of every pair

/// How near an order and stages come to the truth.
struct Recovery {
  struct Distance {
    double tau = 0.0;        ///< order_distance: a pair that the fit has at one time counts half
    double by_chance = 0.0;  ///< share_of_orders_as_near: what blind guessing is worth
  };
  enum class Of {
    fit,
    consensus,  ///< Kemeny's order of all fits; no stages
    median,  ///< all diseased at the median of their true stages: what stages are worth that tell
             ///< nobody apart
  };
  Of of = Of::fit;
  std::size_t fit = 0;          ///< of a fit: which
  std::optional<Distance> all;  ///< over all biomarkers of the cohort
  std::optional<Distance>
      separating;  ///< over those that separate; absent where all do, or fewer than two
  std::optional<double> stage_mae;     ///< over all participants
  std::optional<double> diseased_mae;  ///< over the diseased; absent if there are none
};
/// Every fit; of several, then the consensus; then the median. Stages are events of the cohort's
/// own biomarkers: a truth may know of more.
/// @param cohort  with its truth
std::vector<Recovery> recovery(const FittedCohort& cohort);

/// Names of the tables of an analysis: orders, ranks, ...
const std::vector<std::string>& analysis_tables();

/// What of fits a reader wants beside their scores, times and warnings: the rest is not even
/// parsed.
struct WantedOfFits {
  bool stages = false;
  bool posteriors = false;        ///< of ranks and times
  bool stage_posteriors = false;  ///< [J, B + 1] each
  bool replicates = false;
};
/// What these tables look at.
WantedOfFits wanted_for(const std::vector<std::string>& tables);

/// One of these tables of each cohort, in one of summary_formats().
/// @param axes  as in RunResults
/// @param cohorts  each with at least one fit, and for `recovery` with its truth
std::string render_analysis(const std::string& table, const std::vector<FittedCohort>& cohorts,
                            const std::vector<std::string>& axes, const std::string& format);

}  // namespace tempo
