#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "subtype_posterior.hpp"
#include "subtype_stages.hpp"
#include "switch_evidence.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// How probable a cohort is if it has so many progressions.
struct NumberEvidence {
  std::vector<double> log_evidence;  ///< [most] by their number, from 1 on
  std::vector<double> errors;        ///< [most] standard errors of Monte Carlo
};

/// Sequential Monte Carlo over participants: states are drawn as they are known beforehand, and see
/// the healthy, then ever more of the diseased. How well they predict the next ones is a factor of
/// the evidence, and says how often each state goes on; then every state moves as sample_subtypes
/// does. All that is sampled is integrated out, and so is how subtypes are numbered. The mean of
/// three passes, each with the participants in another order; their spread gives the error.
///
/// O(J B^2) for a state and a progression; some ten times what a sweep over all participants costs.
///
/// Source: Chopin 2002, Biometrika 89(3), 539-551.
/// @param settings  what is known of orders and shares; its number of subtypes does not count
/// @param most      numbers 1..most are compared
NumberEvidence evidence_of_numbers(const SwitchEvidence& evidence, const DrawStages& draw_stages,
                                   const SubtypeSettings& settings, std::size_t most,
                                   const RandomStream& stream);

/// sample_subtypes with the most probable number of subtypes, if all from 1 to `most` are equally
/// likely beforehand. Says where the cohort does not tell it.
Inference sample_number_and_subtypes(const SwitchEvidence& evidence, const DrawStages& draw_stages,
                                     std::span<const std::size_t> columns,
                                     std::span<const std::size_t> diseased,
                                     SubtypeSettings settings, std::size_t most,
                                     const RandomStream& stream);

}  // namespace tempo::bayes
