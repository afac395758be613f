#pragma once

#include <vector>

#include "tempo/toolkit/mixture_likelihood.hpp"
#include "tempo/toolkit/study.hpp"

namespace tempo::bebms {

using toolkit::MixtureLikelihood;
using toolkit::ParticipantColumns;
using toolkit::Study;

/// Whether the diagnosis says who is before every event.
enum class Variant {
  labels,  ///< the healthy are; the diseased have had one event at least
  blind    ///< nobody is known to be: all are of a subtype, at stages 0..B
};

/// The normals that all subtypes share, with what an evaluation of orders needs of them.
struct Components {
  std::vector<Normal> phi, theta;  ///< [B] standardised units
  ParticipantColumns log_ratios;   ///< [B, n] of the participants who are of a subtype
  double base = 0.0;               ///< sum over everyone and all biomarkers of log p(x | phi)

  /// The clusters' normals; nothing evaluated.
  Components(const Study& study, std::size_t participants);
  void evaluate(const Study& study, const MixtureLikelihood& likelihood);
};

/// Those who are of a subtype, [B, n].
const ParticipantColumns& members(const Study& study, Variant variant);

/// log of Dirichlet(1 + counts) of stages 0..B; -inf of stage 0 where nobody of a subtype can be
/// before every event.
/// @param counts  [B + 1]
std::vector<double> draw_log_pi(Variant variant, std::vector<double> counts, RandomStream& stream);

}  // namespace tempo::bebms
