#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stage_likelihood.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"

namespace tempo::toolkit {

/// Several orders of events: [K][B] events, earliest first.
using OrderSet = std::vector<std::vector<std::size_t>>;

/// What a chain over several orders is at.
struct SubtypeState {
  OrderSet orders;                 ///< [K]
  std::vector<double> log_shares;  ///< [K]
  /// [K][B + 1] of stages 0..B; -inf: impossible. Empty where a law fixes them between whole
  /// stages.
  std::vector<std::vector<double>> log_pi;
  /// [K][B] times of the first event, the second, ..., as shares of the time axis, where a chain
  /// draws them; else [K] empty, or none.
  std::vector<std::vector<double>> event_times = {};
};

/// Event scores, stages and subtypes from the ranks of events by subtype and P(subtype, stage | x).
///
/// Events are scored by rank; the consensus is the mean over subtypes, weighted by share. Stages
/// are the most probable ones, whatever the subtype.
/// @param columns    [B] of the cohort, by event
/// @param ranks      [K, B] by event
/// @param shares     [K]
/// @param posterior  [K] matrices [J, B + 1]; together they sum to 1 in each row, but for rounding
Inference subtype_answer(std::span<const std::size_t> columns, const Matrix& ranks,
                         std::vector<double> shares, std::span<const Matrix> posterior);

/// Warns if there are more subtypes than participants, or than biomarkers have orders.
/// @param participants  who may be of a subtype
void warn_of_too_many_subtypes(std::size_t subtypes, std::size_t participants,
                               std::size_t biomarkers, Inference& inference);

/// The ranks 1..B of orders.
Matrix ranks_of_orders(const OrderSet& orders);

/// exp of the log-likelihoods of stages 0..B, in each subtype, divided by the largest of the
/// participant: [K] matrices [J, B + 1].
std::vector<Matrix> stage_likelihoods(const ParticipantColumns& log_ratios, const OrderSet& orders);

/// Which subtypes of two draws are the same: a chain may exchange their numbers as it goes.
struct SubtypeMatch {
  std::vector<std::size_t> of_reference;  ///< [K] which of the draw's each of the reference's is
  double order_distance = 0.0;            ///< mean share of pairs in the other order, in [0, 1]
};

/// The pairs whose costs have the least sum. The cost of a pair is the share of pairs of events
/// that the two orders have the other way round, plus the difference of their shares. Of several
/// any. O(K^2 B^2 + K^3).
SubtypeMatch match_subtypes(const SubtypeState& reference, const SubtypeState& draw);

/// How often each event takes each place in each of several orders.
class PlaceCounts {
 public:
  PlaceCounts(std::size_t subtypes, std::size_t events);

  /// @param label  [K] which of the orders is that of each subtype
  void add(const OrderSet& orders, std::span<const std::size_t> label);
  /// Shares of what was added: [K] matrices [B, B], rows by column of the cohort.
  /// @param columns  [B] of the cohort, by event
  std::vector<Matrix> rank_posteriors(std::span<const std::size_t> columns) const;

 private:
  std::vector<Matrix> counts_;  // [K][B, B] by event, place
  double orders_ = 0.0;
};

/// What is averaged over the draws of a chain: places, ranks, shares and P(subtype, stage | x),
/// subtypes numbered as in the reference.
class SubtypeMean {
 public:
  SubtypeMean(SubtypeState reference, std::size_t participants);

  /// @param weights  [K] matrices [J, B + 1], proportional to P(subtype, stage | x) in each row
  void add(const SubtypeState& draw, std::span<const Matrix> weights);
  /// The means; stages are the medians of their posterior.
  /// @param columns  [B] of the cohort, by event
  Inference answer(std::span<const std::size_t> columns) const;

 private:
  SubtypeState reference_;
  PlaceCounts places_;
  Matrix ranks_;                   // [K, B] sums
  std::vector<double> shares_;     // [K] sums
  std::vector<Matrix> posterior_;  // [K][J, B + 1] sums
  double draws_ = 0.0;
};

}  // namespace tempo::toolkit
