#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "parameter_sampler.hpp"
#include "switch_evidence.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// What one chain has of biomarkers whose measurements switch: the trait of each, its distributions
/// where they are sampled, and what the cohort tells by these. Traits are indices into
/// `SwitchEvidence::traits`; at first all have index 0.
class SwitchTraits {
 public:
  /// @param evidence    of the cohort, outlives this
  /// @param parameters  of the biomarkers, where they are sampled: the evidence is then copied
  SwitchTraits(const SwitchEvidence& evidence, std::optional<ParameterSampler> parameters);
  // Refers to itself where distributions are sampled.
  SwitchTraits(const SwitchTraits&) = delete;
  SwitchTraits& operator=(const SwitchTraits&) = delete;

  std::size_t size() const { return trait_.size(); }                ///< B
  std::size_t possible() const { return evidence_.traits.size(); }  ///< how many there are
  std::size_t participants() const { return evidence_.log_ratios[0].participants(); }  ///< diseased
  const SwitchEvidence& evidence() const { return evidence_; }
  bool are_distributions_sampled() const { return parameters_.has_value(); }

  std::size_t operator[](std::size_t b) const { return trait_[b]; }
  const std::vector<std::size_t>& all() const { return trait_; }  ///< [B]
  void set(std::size_t b, std::size_t t) { trait_[b] = t; }

  /// [padded] after less before, of the diseased, under the present trait.
  std::span<const double> log_ratios(std::size_t b) const { return log_ratios(trait_[b], b); }
  std::span<const double> log_ratios(std::size_t t, std::size_t b) const {
    return evidence_.log_ratios[t][b];
  }
  /// log p(all measurements of b | before its event), under a trait.
  double log_before(std::size_t t, std::size_t b) const { return evidence_.all_before[t][b]; }
  /// What distributions that are sampled add to it where traits are compared, in nats; else 0.
  double log_weight(std::size_t t, std::size_t b) const {
    return parameters_ ? parameters_->log_weight(t, b) : 0.0;
  }
  /// Sums over biomarkers, under their present traits.
  double log_before() const;
  double log_weight() const;

  /// Draws the distributions of b anew. @param happened  [diseased] whether b's event has
  /// @pre are_distributions_sampled()
  void draw_distributions(std::size_t b, std::span<const std::uint8_t> happened,
                          RandomStream& stream) {
    parameters_->update(trait_[b], b, happened, *own_evidence_, stream);
  }
  /// [B] the present ones; empty where they are not sampled.
  std::vector<Biomarker> distributions() const;

 private:
  std::optional<SwitchEvidence> own_evidence_;  // under distributions that are sampled
  const SwitchEvidence& evidence_;              // that, or the cohort's
  std::optional<ParameterSampler> parameters_;
  std::vector<std::size_t> trait_;
};

}  // namespace tempo::bayes
