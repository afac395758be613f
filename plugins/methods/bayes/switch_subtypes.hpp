#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "order_centre.hpp"
#include "subtype_posterior.hpp"
#include "subtype_stages.hpp"
#include "switch_evidence.hpp"
#include "switch_traits.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/toolkit/subtype_chain.hpp"

namespace tempo::bayes {

/// A chain over progressions whose measurements switch, and of which the order alone counts beside
/// probabilities of stages. Not thread-safe (scratch).
class SwitchSubtypesChain final : public SubtypeWalk {
 public:
  /// Starts at random orders, and at traits that each biomarker alone makes likely.
  /// @param evidence    outlives the chain
  /// @param parameters  of the biomarkers, where they are sampled, too
  SwitchSubtypesChain(const SwitchEvidence& evidence,
                      const std::optional<ParameterSampler>& parameters,
                      const DrawStages& draw_stages, const SubtypeSettings& settings,
                      RandomStream stream);

  void sweep(double temperature) override;
  /// Goes there, also from a chain on other participants; `log_likelihood` is then of there. Not
  /// where distributions are sampled.
  void go_to(const SubtypeDraw& draw);

  const toolkit::SubtypeState& state() const override { return chain_.state(); }
  double log_likelihood() const override { return log_likelihood_; }
  double log_prior() const override;
  SubtypeDraw draw() const override;

 private:
  RandomStream& draws() { return chain_.stream(); }
  void set_trait(std::size_t b, std::size_t t);
  std::size_t draw_first_trait(std::size_t b);
  void move_traits(double temperature, const toolkit::SubtypeChain::AddPriors& add_priors);
  void draw_distributions();

  SwitchTraits traits_;
  toolkit::SubtypeChain chain_;
  std::optional<OrderCentre> centre_;
  std::vector<std::uint8_t> happened_;  // [diseased] scratch
  double log_likelihood_ = 0.0;
};

/// Several progressions of a hypothesis whose measurements switch and whose event times have no
/// noise.
class SwitchSubtypes final : public SubtypeModel {
 public:
  /// @param parameters  of the biomarkers, where they are sampled, too
  /// @param diseased    rows of the cohort, as in the evidence
  SwitchSubtypes(SwitchEvidence evidence, std::optional<ParameterSampler> parameters,
                 DrawStages draw_stages, std::span<const std::size_t> diseased);

  std::size_t participants() const override { return evidence_.row.size(); }
  std::size_t diseased() const override { return diseased_.size(); }
  std::unique_ptr<SubtypeWalk> start(const SubtypeSettings& settings,
                                     RandomStream stream) const override;
  SubtypesOfEveryone everyone_under(const SubtypeDraw& draw) const override;

 private:
  /// @param evidence  under the traits and distributions of the draw
  SubtypesOfEveryone everyone_by(const SwitchEvidence& evidence, const SubtypeDraw& draw) const;

  SwitchEvidence evidence_;
  std::optional<ParameterSampler> parameters_;
  DrawStages draw_stages_;
  std::vector<std::size_t> diseased_;
};

}  // namespace tempo::bayes
