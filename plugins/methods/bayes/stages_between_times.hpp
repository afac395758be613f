#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/event_times.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo::bayes {

/// The whole stages of a progression whose event times and stages are continuous: stage k is
/// between the k-th event and the next one. With sorted event times t_1 < .. < t_B and the stages'
/// distribution function F, its probability is
///
///   pi_k = F(t_{k+1}) - F(t_k),   F(t_0) = 0,   F(t_{B+1}) = 1
///
/// Event times are independent and Beta(alpha, beta) beforehand, as a share of B. Given how many
/// participants are at each stage, each time is drawn between its neighbours by slice sampling,
/// which needs no proposal. F is taken to be linear within each of 4096 cells.
///
/// Source: Neal 2003, Annals of Statistics 31(3), 705-767, section 4.
class StagesBetweenTimes {
 public:
  /// @param times  of kind beta
  StagesBetweenTimes(const EventTimes& times, const ContinuousStageLaw& law,
                     std::size_t biomarkers);

  /// Moves every time by a draw from its conditional distribution, and gives log pi [B + 1].
  /// @param counts       [B + 1] participants by stage
  /// @param event_times  [B] ascending in [0, 1], in order of the progression; empty: drawn
  ///   beforehand, without counts
  std::vector<double> draw(std::span<const double> counts, std::vector<double>& event_times,
                           RandomStream& stream) const;

 private:
  double below(double time) const;  ///< F
  double log_share(double from, double to) const;

  EventTimes times_;
  std::vector<double> edges_;  // F at the edges of cells
};

}  // namespace tempo::bayes
