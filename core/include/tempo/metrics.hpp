#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "tempo/export.hpp"
#include "tempo/order.hpp"

namespace tempo {

/// Share of discordant pairs, (1 - tau)/2 in [0, 1]; 0 is perfect. Scores are sorted ascending,
/// smallest = earliest; ties keep biomarker order. O(B^2).
/// @throws ShapeError if sizes differ.
TEMPO_API double tau_distance(std::span<const double> scores, const Ranks& truth);

/// The share of all B! orders whose tau distance from the truth is no larger: how easily an order
/// drawn blindly comes as near. Exact, O(B^3), from the number of permutations by inversions.
/// Source: Kendall 1938, Biometrika 30(1-2), 81-93 (the recurrence of its distribution).
/// @param distance  of an order; ties may count half
/// @throws NumericError if it is not in [0, 1]
TEMPO_API double share_of_orders_as_near(double distance, std::size_t biomarkers);

/// Mean over all participants of |clip(round(y_hat), 0, B) - y|, round half to even. In stages.
TEMPO_API double stage_mae(std::span<const double> stages, std::span<const int> truth,
                           std::size_t biomarkers);

/// Scores min-max rescaled to [min xi, max xi] of the truth, then the mean absolute difference to
/// xi_b. Constant scores count as the middle of that range. In units of xi.
TEMPO_API double sequence_mae(std::span<const double> scores, std::span<const double> event_times);

/// A sum over participants and its standard error by how much they differ, sqrt(J) sd; 0 for one.
struct ScoreSum {
  double sum = 0.0;
  double standard_error = 0.0;
};
TEMPO_API ScoreSum sum_of_scores(std::span<const double> scores);

/// Where truths lie in their posteriors. Of a method that is as sure as it should be, each tenth of
/// the posteriors' probability holds a tenth of the truths, and the 90 % interval holds 90 %.
/// A truth counts in parts, evenly over the probability of its value: whole numbers fill tenths
/// evenly, too.
/// Source: Czado, Gneiting & Held 2009, Biometrics 65(4), 1254-1261, Eq. (2).
struct TEMPO_API Calibration {
  std::size_t truths = 0;
  double inside = 0.0;              ///< of them, between 5 % and 95 % of their posteriors
  std::array<double, 10> tenths{};  ///< of them, from the lowest tenth on

  /// @param posterior  probabilities of 0, 1, ...; they sum to 1
  /// @throws ShapeError if the posterior is not of that truth
  void add(std::span<const double> posterior, std::size_t truth);
  void add(const Calibration& other);
};

}  // namespace tempo
