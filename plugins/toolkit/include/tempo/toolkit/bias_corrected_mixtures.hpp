#pragma once

#include <string>
#include <vector>

#include "biomarker_values.hpp"
#include "normal_mixture.hpp"
#include "tempo/parameters.hpp"

namespace tempo::toolkit {

/// What the rejection step leaves of one biomarker.
struct PrunedMixture {
  NormalMixture mixture;  ///< moments of the values kept; mix 0.5
  std::size_t controls = 0;
  std::size_t diseased = 0;  ///< numbers of values kept
};

/// Drops controls that look diseased and diseased participants that look healthy: with the moments
/// of each group and equal shares, a control value is kept if P(post | x) <= 0.5 and a diseased one
/// if it is > 0.5.
///
/// paper: 0.001 is added to each sd, before and after, whatever the units; moments are NaN for a
/// group of which nothing is left. repaired: an sd is at least least_sd_of the values, which are
/// expected to be standardised; a group of which fewer than two values are left stays whole.
///
/// Source: the first part of the method of Venkatraghavan et al. 2019, NeuroImage 186, 518-532.
PrunedMixture reject_mislabelled(const BiomarkerValues& values, Fidelity fidelity);

struct MixtureFitSettings {
  Fidelity fidelity = Fidelity::repaired;
  double tolerance = 1e-9;         ///< BoxMinimiserSettings::tolerance
  int max_iterations = 600;        ///< of the minimiser
  double mixing_tolerance = 0.01;  ///< change of the share(s) that ends the rounds
};

/// Reads the keys of the fit: tolerance, max_iterations, mixing_tolerance.
MixtureFitSettings read_mixture_fit(Parameters& keys, Fidelity fidelity);

struct MixtureFit {
  std::vector<NormalMixture> mixtures;  ///< [B], in the units of each biomarker
  int rounds = 0;                       ///< of the alternation; repaired: the most of any biomarker
  long evaluations = 0;                 ///< of the likelihood
  std::vector<std::string> warnings;
};

/// Maximum likelihood mixtures whose shapes stay near those of the pruned groups: means between the
/// two pruned means, each sd between the pruned sd and twice that.
///
/// Alternates between the share (shapes kept) and the shapes (share kept) until the share hardly
/// changes. That early end is part of the method: at the joint maximum the order is worse.
///
/// paper: all biomarkers run until the mean change of their shares is below `mixing_tolerance`;
/// "kept" means nearly kept, by absolute widths; forward differences. repaired: each biomarker runs
/// until its own share changes by less than that, on standardised values; kept means kept; analytic
/// gradients.
///
/// Source: as above; README of ../methods/debm.
/// @throws NumericError naming the biomarker, as values_of.
MixtureFit fit_bias_corrected_mixtures(const Cohort& cohort, const MixtureFitSettings& settings);

}  // namespace tempo::toolkit
