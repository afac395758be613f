#pragma once

#include <vector>

#include "biomarker_values.hpp"
#include "kernel_density.hpp"
#include "published_event_model.hpp"
#include "tempo/cohort.hpp"

namespace tempo::toolkit {

/// One biomarker's densities before and after its event, in its units.
struct StateKernels {
  KernelDensity pre, post;
};

/// Kernel densities of controls and diseased, participants given over to the state in which they
/// are likelier until no label changes: plugins/methods/ucl_kde/README.md. With the published
/// quirks: the densities returned have, as a rule, the bandwidth of one relabelling earlier, one
/// faulty piece of the axis is mended at a time, and labels that alternate go on until
/// `max_iterations`.
///
/// Source: Firth et al. 2020, Alzheimer's & Dementia 16(7), 965-973, as in the program kde_ebm.
/// @param diseased  [n] of values.pooled
/// @throws NumericError naming the biomarker where the program divides by zero: a state is left
///   with fewer than two different values, or neither group lies higher.
StateKernels relabel_as_published(const BiomarkerValues& values, const std::vector<bool>& diseased,
                                  long max_iterations);

/// The densities of all biomarkers so found.
StateDensities relabelled_densities(const Cohort& cohort, long max_iterations);

}  // namespace tempo::toolkit
