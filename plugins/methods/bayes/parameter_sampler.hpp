#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "estimated_process.hpp"
#include "switch_evidence.hpp"
#include "tempo/process_law.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// The biomarkers' distributions as a part of what one Markov chain samples, given participants'
/// stages.
///
/// The prior is that of `BiomarkerEstimate`, for each trait. A biomarker has distributions under
/// every trait, so that its trait can change; those of the traits that it has not wait in a narrow
/// distribution around the estimate, one and a half times as wide as n values leave a normal
/// distribution's mean and sd, and `log_weight` makes up for that (Carlin & Chib 1995, JRSS B
/// 57(3), 473-484). Their width decides how often traits change, not their posterior.
class ParameterSampler {
 public:
  /// @param healthy   how many of them the cohort has
  /// @param diseased  the same: half of them are taken to be past any event
  ParameterSampler(const ProcessLaw& process, const BiomarkerEstimates& estimates,
                   std::size_t healthy, std::size_t diseased);

  /// The present distributions of b under trait t.
  const Biomarker& biomarker(std::size_t t, std::size_t b) const { return states_[t][b].now; }
  /// The measurement model of that biomarker alone.
  std::unique_ptr<MeasurementModel> model(std::size_t t, std::size_t b) const {
    return model_of(states_[t][b].now);
  }
  /// The measurement model of a biomarker alone that has these distributions.
  std::unique_ptr<MeasurementModel> model_of(const Biomarker& biomarker) const;
  /// Log of prior over narrow distribution at the present parameters of b under trait t: to be
  /// added to the log-likelihood when traits are compared.
  double log_weight(std::size_t t, std::size_t b) const;

  /// What the measurements of a biomarker tell of the law of it alone, as far as they depend
  /// on its distribution before the event or, if is_post, after it.
  using LogLikelihood = std::function<double(const MeasurementLaw& of_one, bool is_post)>;
  /// Metropolis steps of b's distributions under its trait t.
  /// @param before, after  how many values tell of either distribution: for the width of steps
  /// @return whether any was taken
  bool move(std::size_t t, std::size_t b, std::size_t before, std::size_t after,
            const LogLikelihood& log_likelihood, RandomStream& stream);
  /// Draws b's distributions under a trait other than t anew. @return which one; t if there is none
  std::size_t redraw_other(std::size_t t, std::size_t b, RandomStream& stream);

  /// Both, where measurements switch; and the evidence of the cohort under the new distributions.
  /// @param happened  [diseased] whether b's event has
  void update(std::size_t t, std::size_t b, std::span<const std::uint8_t> happened,
              SwitchEvidence& evidence, RandomStream& stream);

 private:
  struct State {
    Biomarker now;
    BiomarkerEstimate estimate;
  };

  const ProcessLaw& process_;
  double narrow_before_, narrow_after_;     // width of a mean's waiting distribution, in sds
  std::vector<std::vector<State>> states_;  // [traits][B]
};

/// What chains start from: none if there are no estimates, since distributions are not sampled
/// then.
std::optional<ParameterSampler> parameter_sampler(const ProcessLaw& process,
                                                  const BiomarkerEstimates& estimates,
                                                  std::size_t healthy, std::size_t diseased);

}  // namespace tempo::bayes
