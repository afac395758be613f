#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "subtype_answer.hpp"
#include "subtype_chain.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::toolkit {

/// Draws of a chain over several orders, one after the other; what they point to outlives it.
struct SubtypeTrace {
  std::vector<const SubtypeState*> states;
  std::vector<double> log_likelihoods;  ///< of the states, in nats
};

/// @param draws  each with a `state` and a `log_likelihood`
template <class Draw>
SubtypeTrace trace_of(std::span<const Draw> draws) {
  SubtypeTrace out;
  for (const auto& draw : draws) {
    out.states.push_back(&draw.state);
    out.log_likelihoods.push_back(draw.log_likelihood);
  }
  return out;
}

/// How far the orders of a chain over several of them have settled.
struct SubtypeAgreement {
  /// With fewer independent draws, probabilities look surer than they are.
  static constexpr double kLeastEffective = 100.0;

  std::vector<double> r_hats;  ///< [K] split R-hat of the ranks of a subtype's events, the largest
  ChainAgreement chains;       ///< of all subtypes

  bool has_settled() const { return chains.r_hat <= kAgreedRHat; }
  bool has_enough_draws() const { return chains.effective_samples >= kLeastEffective; }
  bool is_done() const { return has_settled() && has_enough_draws(); }
};

/// @param reference  as whose subtypes those of the draws are numbered
/// @throws ShapeError for fewer than four draws
SubtypeAgreement agreement_of(const SubtypeState& reference, const SubtypeTrace& draws);

/// Fills in what a method reports of its chain over several orders: the agreement of the chain with
/// itself and `r_hat_of_subtype_S`. Warns if orders have not settled, or too few draws of them are
/// independent.
void report(const SubtypeAgreement& agreement, Inference& inference);
/// The same of these draws; nothing of fewer than four.
void report_agreement(const SubtypeState& reference, const SubtypeTrace& draws,
                      Inference& inference);

/// Warns if a start other than the best, and nearly as probable, ended at other orders than those
/// of the draws: they are farther from the reference than those of any draw.
/// @param log_posteriors  [starts] but for a common constant, in nats
/// @param ends            [starts] where each ended
/// @param setting         the key that asks for more starts
/// @return whether it warned
bool warn_of_other_orders(std::span<const double> log_posteriors,
                          std::span<const SubtypeState> ends, const SubtypeState& reference,
                          const SubtypeTrace& draws, std::string_view setting,
                          Inference& inference);

}  // namespace tempo::toolkit
