#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"
#include "tempo/metrics.hpp"

namespace tempo {

/// A posterior predictive check (tempo::PredictiveCheck) that names its biomarker.
struct NamedCheck {
  std::string biomarker;
  bool diseased = false;  ///< of which group
  std::string statistic;
  double observed = 0.0;
  double mean = 0.0;
  double sd = 0.0;
  double p = 1.0;
};

/// What a fit found, in the columns and rows of its cohort: B biomarkers, J participants.
struct FitDetails {
  // Of a real cohort these are empty: StoredCohort has them, once for all fits.
  std::vector<std::string> biomarkers;    ///< names [B]
  std::vector<std::string> participants;  ///< ids [J]
  /// [B] places 1..B in the true order; empty where nobody knows it, and in results of versions
  /// that kept none.
  std::vector<std::size_t> true_ranks;

  std::vector<double> event_scores;                ///< [B], smaller = earlier
  std::optional<std::vector<double>> event_times;  ///< [B] in [0, 1]
  // Of a replicate nothing that follows is kept.
  std::vector<double> stages;                                      ///< [J] in [0, B]
  std::optional<std::vector<EventTimeSpread>> event_time_spreads;  ///< [B]
  std::optional<Matrix> rank_posterior;                            ///< [B, B], rows sum to 1
  std::optional<Matrix> stage_posterior;                           ///< [J, B + 1], rows sum to 1
  // Where there is a truth:
  std::optional<Calibration> rank_calibration;   ///< of the ranks of the B events
  std::optional<Calibration> stage_calibration;  ///< of the stages of participants, but for the
                                                 ///< healthy whose label says theirs
  std::optional<Evidence> evidence;
  std::optional<ChainAgreement> chains;
  std::optional<Matrix> log_likelihood_trace;  ///< [chains, points]
  std::vector<NamedCheck> checks;
  std::map<std::string, double> diagnostics;  ///< free numbers, for people
  std::optional<SubtypeInference> subtypes;
};

/// A part of FitDetails that a reader may want.
enum class DetailPart : unsigned {
  names = 1U << 0U,            ///< biomarkers, participants, true_ranks
  order = 1U << 1U,            ///< event_scores, event_times
  stages = 1U << 2U,           ///< [J]
  rank_posterior = 1U << 3U,   ///< [B, B]
  time_spreads = 1U << 4U,     ///< event_time_spreads
  stage_posterior = 1U << 5U,  ///< [J, B + 1]: the largest
  evidence = 1U << 6U,         ///< log scores [J] and their sums
  chains = 1U << 7U,           ///< agreement of Markov chains
  trace = 1U << 8U,            ///< log_likelihood_trace
  checks = 1U << 9U,           ///< posterior predictive ones
  diagnostics = 1U << 10U,     ///< free numbers
  subtypes = 1U << 11U,        ///< several progressions
  calibration = 1U << 12U,     ///< rank_calibration, stage_calibration
};

/// Which parts of FitDetails are read; the others stay as they are by default.
class DetailParts {
 public:
  constexpr DetailParts(std::initializer_list<DetailPart> parts) {
    for (const auto part : parts) add(part);
  }
  constexpr void add(DetailPart part) { bits_ |= static_cast<unsigned>(part); }
  constexpr bool has(DetailPart part) const { return (bits_ & static_cast<unsigned>(part)) != 0; }
  static constexpr DetailParts all() {
    DetailParts out{};
    out.bits_ = ~0U;
    return out;
  }

 private:
  unsigned bits_ = 0;
};

}  // namespace tempo
