#pragma once

#include <span>

#include "tempo/biomarker_table.hpp"
#include "tempo/export.hpp"

namespace tempo {

/// What the values of the healthy decide of the pre-event distribution.
enum class HealthyAre {
  fixed,  ///< it is theirs alone: their mean and sd
  free,   ///< theirs and that of the diseased whose event has not happened: all decide together
};

/// One biomarker as the event-based models see it: the healthy before its event, the diseased
/// before or after it.
struct EventMixture {
  Normal pre;
  Normal post;
  double post_share = 0.5;  ///< of the diseased, in (0, 1)
  /// log-likelihood ratio of the mixture against one normal for all participants, in nats; >= 0.
  /// Where it is small, the biomarker tells no participant's state.
  double evidence = 0.0;
};

/// Maximum likelihood of
///
///   prod_healthy pre(x) prod_diseased ((1 - q) pre(x) + q post(x))
///
/// by expectation maximisation from several starts, the best kept. No sd is less than a tenth of
/// the healthy's or than the steps of the values allow (least_sd_of_steps), because the likelihood
/// has no bound where a component closes in on one value. For the same reason the
/// share after the event is at least that of two of the diseased.
/// Equivariant: scaled, shifted or negated values give scaled, shifted or negated distributions;
/// the order of values does not matter.
///
/// Source of the model: Fonteijn et al. 2012, NeuroImage 60(3), 1880-1889, Eq. (3). Cost: O(n) per
/// step.
///
/// @param healthy, diseased  values of one biomarker, none NaN
/// @throws NumericError if a group has fewer than two values, a value is not finite, or all healthy
///   ones are equal.
TEMPO_API EventMixture fit_event_mixture(std::span<const double> healthy,
                                         std::span<const double> diseased, HealthyAre healthy_are);

}  // namespace tempo
