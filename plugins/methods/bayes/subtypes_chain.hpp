#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "order_centre.hpp"
#include "subtype_posterior.hpp"
#include "subtype_stages.hpp"
#include "switch_evidence.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/toolkit/subtype_chain.hpp"

namespace tempo::bayes {

/// The range of the dispersion of orders about their centre.
inline constexpr double kLeastDispersion = 0.01, kMostDispersion = 0.5;

/// What a chain over several progressions is at.
struct SubtypeDraw {
  toolkit::SubtypeState state;
  std::vector<std::size_t> traits;         ///< [B] index into SwitchEvidence::traits
  std::optional<OrderCentre> centre = {};  ///< none: all orders are equally likely
  double log_likelihood = 0.0;
};

/// A Markov chain over several progressions: see sample_subtypes. Copies go on by themselves. Not
/// thread-safe (scratch).
class SubtypesChain {
 public:
  /// Starts at random orders, and at traits that each biomarker alone makes likely.
  /// @param evidence  outlives the chain
  SubtypesChain(const SwitchEvidence& evidence, const DrawStages& draw_stages,
                const SubtypeSettings& settings, RandomStream stream);

  /// A step of everything.
  /// @param temperature  orders and traits are drawn from the likelihood to the power of its
  ///   inverse
  void sweep(double temperature = 1.0);
  /// Goes there, also from a chain on other participants.
  void go_to(const SubtypeDraw& draw);

  std::size_t participants() const { return chain_.participants(); }
  const toolkit::SubtypeState& state() const { return chain_.state(); }
  /// log p(measurements) of what the last sweep began with, or where it went to since.
  double log_likelihood() const { return log_likelihood_; }
  double log_prior() const { return centre_ ? centre_->log_probability(state().orders) : 0.0; }
  SubtypeDraw draw() const { return {chain_.state(), traits_, centre_, log_likelihood_}; }

 private:
  RandomStream& draws() { return chain_.stream(); }
  std::size_t traits() const { return evidence_->traits.size(); }
  void set_trait(std::size_t b, std::size_t t);
  std::size_t draw_first_trait(std::size_t b);
  void move_traits(double temperature, const toolkit::SubtypeChain::AddPriors& add_priors);
  double log_before() const;

  const SwitchEvidence* evidence_;
  toolkit::SubtypeChain chain_;
  std::vector<std::size_t> traits_;
  std::optional<OrderCentre> centre_;
  double log_likelihood_ = 0.0;
};

}  // namespace tempo::bayes
