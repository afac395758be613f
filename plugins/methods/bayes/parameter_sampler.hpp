#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "switch_evidence.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// The biomarkers' distributions as a part of what one Markov chain samples, given who is at which stage.
///
/// Prior, for each trait around the estimate of `estimated_tables`: means normal within two of its sds,
/// logarithms of sds within 0.7. A biomarker has distributions under every trait, so that its trait can
/// change; those of the traits that it has not are drawn from a narrow distribution around the estimate, and
/// `log_weight` makes up for that (Carlin & Chib 1995, JRSS B 57(3), 473-484).
class ParameterSampler {
 public:
  /// @param around  [traits]
  ParameterSampler(const ComposedProcess& process, const std::vector<BiomarkerTable>& around);

  /// The present distributions of b under trait t.
  const Biomarker& biomarker(std::size_t t, std::size_t b) const { return states_[t][b].now; }
  /// Log of prior over narrow distribution at the present parameters of b under trait t: to be added to
  /// the log-likelihood when traits are compared.
  double log_weight(std::size_t t, std::size_t b) const;

  /// Metropolis steps of b's distributions under its trait t, then new ones for another trait; and what
  /// the cohort says under them.
  /// @param happened  [diseased] whether b's event has
  void update(std::size_t t, std::size_t b, std::span<const std::uint8_t> happened,
              SwitchEvidence& evidence, RandomStream& stream);

 private:
  struct State {
    Biomarker now, around;
  };
  /// A random walk of one of the two distributions. @return whether it was taken
  bool step(std::size_t t, std::size_t b, bool is_post, double stretch,
            std::span<const std::uint8_t> happened, const SwitchEvidence& evidence,
            RandomStream& stream);
  std::unique_ptr<MeasurementModel> model_of(const Biomarker& biomarker) const;

  const ComposedProcess& process_;
  std::vector<std::vector<State>> states_;  // [traits][B]
};

}  // namespace tempo::bayes
