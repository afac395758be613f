#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/evidence.hpp"
#include "analysis/spread.hpp"
#include "data/public_cohorts.hpp"
#include "results/store.hpp"
#include "tempo/matrix.hpp"

namespace tempo {

/// What one method, or one model of it, found in a real cohort.
struct CohortFit {
  std::string method;
  std::string trained_on;                          ///< FitId::trained_on
  std::string assumed;                             ///< FitId::assumed
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
  bool stages_by_label = false;  ///< the healthy are at 0 because of their label
  bool is_asked_for = false;     ///< the user named it
  std::vector<std::string> doubts = {};  ///< reasons to trust it less than others, a few words each
  bool training_warned = false;          ///< the training of its model did: the first of `doubts`
  std::string model = {};  ///< key of the model that was applied; empty: its method is not trained
  std::optional<SubtypeInference> subtypes = {};  ///< if it looked for several progressions

  /// The hypothesis that it learned from or took for true; empty for neither.
  const std::string& rests_on() const { return trained_on.empty() ? assumed : trained_on; }
  /// As tables have it: `method on hypothesis`.
  std::string name() const { return rests_on().empty() ? method : method + " on " + rests_on(); }
};

/// Two methods of one plugin, such as its default and its published fidelity, that order the events
/// differently.
struct SettingsDisagreement {
  std::string first, second;          ///< CohortFit::name
  std::vector<std::string> settings;  ///< keys that the two have otherwise
  double distance = 0.0;              ///< order_distance
};
inline constexpr double kMostAgreeing = 0.3;  ///< of the distance; what is beyond is told

/// A cohort without truth and its fits that came to something, in plan order.
struct FittedCohort {
  std::vector<std::string> axis_values;  ///< in the order of RunResults::axes
  std::string name;
  std::vector<std::string> biomarkers;    ///< [B]
  std::vector<std::string> participants;  ///< [J]
  std::vector<std::uint8_t> diseased;     ///< [J], or empty where it is not known
  std::vector<std::size_t> groups;        ///< [J] index into group_names
  std::vector<std::string> group_names;   ///< diagnoses, the mildest first where that is known
  bool groups_ordered = false;            ///< it is known; otherwise they come by name
  Covariates covariates = {};             ///< [J, P] as they were read; P may be 0
  std::vector<CohortFit> fits;
  std::size_t planned = 0;  ///< fits
  /// Biomarkers that do not tell healthy from diseased, so that their places say little; absent
  /// where it is not known.
  std::optional<std::vector<std::string>> not_separating = {};
  std::vector<SettingsDisagreement> disagreements = {};  ///< beyond kMostAgreeing
  std::vector<RefutedHypothesis> refuted = {};           ///< by the evidence of the fits
  /// Methods whose evidence on two hypotheses or more cannot refute any: can_refute.
  std::vector<std::string> not_judging = {};
  /// What a simulation knows of the cohort, where the reader has it: of all its biomarkers and
  /// participants.
  std::optional<NamedTruth> truth = {};
};

/// Whether a biomarker tells healthy from diseased; absent where it is not known.
std::optional<bool> is_separating(const FittedCohort& cohort, std::size_t biomarker);

/// The event scores of each fit.
std::vector<std::vector<double>> scores_of(const FittedCohort& cohort);

/// The diseased participants, or all where it is not known.
std::vector<std::size_t> diseased_of(const FittedCohort& cohort);

/// Those values at these places.
template <class Value>
std::vector<Value> selected(const std::vector<Value>& values,
                            const std::vector<std::size_t>& places) {
  std::vector<Value> out;
  for (const auto place : places) out.push_back(values[place]);
  return out;
}

/// What of fits a reader wants beside their scores, times and warnings: the rest is not even
/// parsed.
struct WantedOfFits {
  enum class Replicates {
    counted,  ///< how many were planned, and no more
    read,
  };
  DetailParts parts{};  ///< stages, rank_posterior, time_spreads, stage_posterior, subtypes
  Replicates replicates = Replicates::counted;
};

/// The real cohorts of a run with their fits that came to something; those that are still to be
/// made or have failed are counted. Replicates go to the fit that they are replicates of.
std::vector<FittedCohort> fitted_cohorts(Store& store, const WantedOfFits& wanted);

/// Keeps the fits of these methods, or with these names as tables have them.
/// @return names that are neither, in the order given
std::vector<std::string> keep_fits(const std::vector<std::string>& wanted,
                                   std::vector<FittedCohort>& cohorts);

}  // namespace tempo
