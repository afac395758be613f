#pragma once

#include <string>
#include <vector>

#include "biomarker_values.hpp"
#include "normal_mixture.hpp"
#include "published_event_model.hpp"
#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"

namespace tempo::toolkit {

struct SeparatingFitSettings {
  Fidelity fidelity = Fidelity::repaired;
  double tolerance = 1e-9;   ///< BoxMinimiserSettings::tolerance
  int max_iterations = 100;  ///< of the minimiser
};

struct SeparatingFit {
  std::vector<NormalMixture> mixtures;  ///< [B], in the units of each biomarker
  long evaluations = 0;                 ///< of the likelihood
  std::vector<std::string> warnings;
};

/// Maximum likelihood mixtures that start from the moments of controls and diseased, m0, s0 and m1,
/// s1, and may only move apart and shrink: the smaller of the two means within [least value,
/// itself] and the larger one within [itself, largest value], each sd within [0.05 of itself,
/// itself], the share of the pre-event component within [0.1, 0.9].
///
/// paper: the larger mean stays within its own group's values; all participants are of the mixture;
/// forward differences of the sum of log densities, early stop. repaired: controls are pre-event,
/// and the mixture is that of the diseased, its share within [0.01, 0.99]; on standardised values,
/// where an sd is at least 0.001; analytic gradient, converged.
///
/// Source: the mixtures of Firth et al. 2020, Alzheimer's & Dementia 16(7), as in the program
/// kde_ebm.
/// @throws NumericError naming the biomarker, as values_of; paper: also if the controls or the
///   diseased all have one value.
SeparatingFit fit_separating_mixtures(const Cohort& cohort, const SeparatingFitSettings& settings);

/// The densities of both components of each mixture, [B].
StateDensities densities_of(std::vector<NormalMixture> mixtures);
/// log(post / pre) of every cell, [J, B]; NaN where missing.
Matrix log_ratios_of(const Cohort& cohort, const std::vector<NormalMixture>& mixtures);

}  // namespace tempo::toolkit
