#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/export.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

// How near a method comes to several progressions in one cohort: K true orders of B events, L that
// were found. Nothing here depends on how subtypes are numbered.

/// The assignment of columns to rows of least total cost: for each of the n rows a column of its
/// own. Of several the one found first. O(n^2 m).
///
/// Source: Kuhn 1955, Naval Research Logistics Quarterly 2(1-2), 83-97, by shortest augmenting
/// paths with potentials.
/// @param cost  [n, m] finite, n <= m
/// @throws ShapeError if there are more rows than columns
TEMPO_API std::vector<std::size_t> least_assignment(const Matrix& cost);

/// The matched tau distance in [0, 1]: each true order is matched with an order that was found,
/// such that the mean tau distance of the pairs is least; sizes of subtypes do not count. Where
/// fewer orders were found than there are, all are used equally often, as nearly as can be: one
/// order answers for every subtype. Where more were found, the best K count.
/// @param event_scores  [L, B], smaller = earlier, as tau_distance takes them
/// @throws ShapeError if there is no order on either side, or sizes differ
TEMPO_API double matched_tau_distance(const Matrix& event_scores,
                                      std::span<const Progression> truth);

/// The assigned tau distance in [0, 1]: the mean over the diseased of the tau distance between the
/// order that a participant was assigned and the order that it follows. It needs no matching, and
/// large subtypes count for more.
/// @param event_scores  [L, B]
/// @param assigned      [J] the row of `event_scores` that each participant was assigned
/// @return NaN without any diseased participant
TEMPO_API double assigned_tau_distance(const Matrix& event_scores,
                                       std::span<const std::size_t> assigned,
                                       const TrueSubtypes& truth);

/// The adjusted Rand index of two partitions of the same items: 1 where they are the same but for
/// names, 0 on average where one is random, below 0 where they agree less than by chance. Two
/// partitions without any choice (all items together in both, or all apart) agree: 1.
///
/// Source: Hubert & Arabie 1985, Journal of Classification 2, 193-218, Eq. (5).
/// @throws ShapeError if sizes differ
TEMPO_API double adjusted_rand_index(std::span<const std::size_t> found,
                                     std::span<const std::size_t> truth);

/// The subtype score: the adjusted Rand index of the assigned against the true subtypes over the
/// diseased. NaN where there is one true subtype, or fewer than two diseased: nothing can be told
/// apart.
/// @param assigned  [J]
TEMPO_API double subtype_score(std::span<const std::size_t> assigned, const TrueSubtypes& truth);

/// The place of the largest value, the first of equals.
/// @param probabilities  at least one
TEMPO_API std::size_t most_probable(std::span<const double> probabilities);
/// Each row's column of the largest value, the first of equals: the subtype of most probability.
TEMPO_API std::vector<std::size_t> most_probable(const Matrix& posterior);

/// What guessing is worth: the expected scores of a method that knows nothing, on this truth.
struct SubtypeChance {
  /// Of as many uniform random orders as there are subtypes; simulated.
  double matched_tau_distance = 0.0;
  double assigned_tau_distance = 0.5;  ///< of random orders and any assignment; exact
  double subtype_score = 0.0;          ///< of any partition with random members; exact
  double stage_mae = 0.0;              ///< of a stage drawn uniformly from 0..B each; exact
};
/// @param draws  sets of orders that the matched distance is the mean over
/// @throws ShapeError if the truth has no subtypes
TEMPO_API SubtypeChance subtype_chance(const Truth& truth, std::size_t draws, RandomStream& stream);

/// What a uniform guess of the number of subtypes, 1..most, is worth: exact.
struct SubtypeNumberChance {
  double share_right = 0.0;
  double mean_error = 0.0;  ///< guessed minus true
};
TEMPO_API SubtypeNumberChance subtype_number_chance(std::size_t truth, std::size_t most);

/// The consensus of progressions: their event times averaged, each progression counting as often as
/// participants follow it. Ranks are those of the averages, ties as in the first
/// progression: where a biomarker stands in a table counts for nothing.
/// @param has_times  event times are times and are averaged; else they are ranks again
/// @throws ShapeError if there is no progression, or nobody follows one
TEMPO_API Progression consensus_of(const TrueSubtypes& subtypes, bool has_times);

}  // namespace tempo
