#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stage_nodes.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"
#include "time_factors.hpp"

namespace tempo::bayes {

/// Events on whole stages, participants' stages being known: then the posterior of order and
/// traits,
///
///   p(S, t | k, x)  ~  prod_b f_b(place of b, t_b),   log f_bt(p) = sum_j log F_jbt(k_j - p),
///
/// couples events by nothing but that no two have the same place, so that an exchange costs four
/// look-ups however many participants there are.
///
/// O(B T J w) for f, w being the stages over which a measurement changes. Not thread-safe.
class PlacesGivenStages {
 public:
  /// @param factors  with logarithms, see TimeFactors
  PlacesGivenStages(const TimeFactors& factors, const StageNodes& nodes);

  /// @param node         [diseased] where each participant is
  /// @param log_weights  [B, T] added to f
  void set_nodes(std::span<const std::size_t> node, const Matrix& log_weights);
  /// log f of event b at place p (0 = first) with trait t, log weight included.
  double log_factor(std::size_t b, std::size_t t, std::size_t p) const {
    return by_trait_[(b * T_ + t) * B_ + p];
  }
  /// Metropolis exchanges of any two events, traits summed out: so many that an order which the
  /// stages leave open is forgotten; then every trait from its distribution.
  /// @param order   events by place, changed
  /// @param traits  [B] changed
  void draw(std::vector<std::size_t>& order, std::vector<std::size_t>& traits,
            RandomStream& stream);

 private:
  const TimeFactors& factors_;
  const StageNodes& nodes_;
  std::size_t B_, T_;
  std::vector<double> by_trait_;  // [B, T, B]
  Matrix factors_of_;             // [B, B] logarithms, traits summed out
};

}  // namespace tempo::bayes
