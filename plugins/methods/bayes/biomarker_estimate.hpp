#pragma once

#include "anchors.hpp"
#include "stage_nodes.hpp"
#include "tempo/event_mixture.hpp"
#include "tempo/process_law.hpp"
#include "tempo/toolkit/biomarker_values.hpp"

namespace tempo::bayes {

/// Where the middle of measurements comes to lie that a trait makes of N(0, 1), in sds of that.
struct TraitShape {
  double median = 0.0;
  double spread = 1.0;  ///< the distance between quartiles, of N(0, 1) being 1
};

/// By simulation with a stream of its own: to a hundredth, of which the centre of a wide prior is
/// made.
/// @throws NumericError if half of all measurements have the same value
TraitShape trait_shape(const ProcessLaw& process, int trait);

/// What is known of one biomarker under one trait, in its unit.
struct BiomarkerEstimate {
  Biomarker biomarker;     ///< the likeliest distributions
  Biomarker prior_centre;  ///< means normal around its means within one of its sds, logarithms of
                           ///< sds within 0.7
  /// No sd is smaller: a tenth of the healthy's, or what the steps of the values allow.
  double least_sd = 0.0;
  Anchors pre, post;  ///< values that participants share, and on which atoms of these lie
};

/// The distributions of one biomarker under one trait that make
///
///   prod_healthy p(x | before) prod_diseased sum_k w_k p(x | k - xi)   times the prior
///
/// largest over pre- and post-event mean and sd and the event time xi, w being the law of the
/// stages (their mean, where it is drawn per cohort). Where measurements switch at the event the
/// sum has two terms, and the share of the later one is free.
///
/// The prior is centred where the trait would have the quartiles of the healthy before the event
/// and those of the diseased after it: alike for all traits, and blind to outliers. The likelihood
/// of a switch may have many peaks (families with edges), so that it is looked at on a grid over
/// that prior first: the distribution before the event by what the healthy have, then the one after
/// it. From the best of these, and from two normals fitted to the values, it is climbed (Nelder and
/// Mead, NLopt).
///
/// Where a few values are shared by participants and the trait has atoms, distributions whose atoms
/// lie on these are tried, too. An atom counts as spread over e^-kAtomPrecision sd, as it does in
/// the likelihood, so that one on a value that is not shared gains nothing.
///
/// Cost: O(J) per evaluation of a switch, O(J Q) else; some 4000 for a switch, 800 else.
///
/// @param process  its parts have laws
/// @param mixture  two normals fitted to the values, the healthy free
/// @param nodes    the process' own
BiomarkerEstimate estimate_biomarker(const ProcessLaw& process, int trait, const TraitShape& shape,
                                     const toolkit::BiomarkerValues& values,
                                     const EventMixture& mixture, const StageNodes& nodes);

}  // namespace tempo::bayes
