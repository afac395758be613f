#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mixture_likelihood.hpp"

namespace tempo::toolkit {

/// The likelihoods of all places of one event in one subtype's order, stages and subtypes summed
/// out. With S'_j(k) the sum of the first k log ratios of the other events and c_j what the other
/// subtypes say,
///
///   L(p) = prod_j [ c_j + w ( sum_{k <= p} pi_k e^{S'_j(k)} + e^{D_j} sum_{k >= p} pi_{k+1}
///   e^{S'_j(k)} ) ]
///
/// is the likelihood with p events before it. O(n B) for all of them. Not thread-safe (scratch).
class OrderPlacement {
 public:
  OrderPlacement(std::size_t biomarkers, std::size_t padded);

  /// Takes what the other subtypes say of every participant.
  /// @param log_shares  [K] log w_s
  void set_others(std::span<const SubtypeTerms> terms, std::span<const double> log_shares,
                  std::size_t subtype);
  /// log L(p) of p = 0..B-1, but for a constant.
  /// @param others   [B - 1] the order without the event
  /// @param log_pi   [B + 1] of the subtype
  std::span<const double> log_likelihoods(const ParticipantColumns& log_ratios,
                                          std::span<const std::size_t> others, std::size_t event,
                                          std::span<const double> log_pi, double log_share);
  /// The constant that the last values lack: with it they can be compared with those of other log
  /// ratios, orders and shares.
  double constant() const { return constant_; }

 private:
  std::size_t padded_;
  std::vector<double> top_, total_;  // [padded] what the others say: total exp(top)
  std::vector<double> pi_, values_, scratch_, mantissas_;
  std::vector<std::uint64_t> exponents_;
  double constant_ = 0.0;
};

}  // namespace tempo::toolkit
