#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "event_based_model.hpp"
#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"

namespace tempo::toolkit {

/// Writes the densities of values x [n] of biomarker b before its event to pre [n] and after it to
/// post [n]. No x is NaN.
using StateDensities = std::function<void(std::size_t b, std::span<const double> x,
                                          std::span<double> pre, std::span<double> post)>;

/// Of every cell, [J, B].
struct CellDensities {
  Matrix pre, post;
};

/// The densities of a cohort's cells as in the program kde_ebm. A missing cell counts as the value
/// at which both densities are about equal: the sharpest bend of |pre - post| on 1000 points from
/// the least value to the largest, the median of equals.
///
/// @throws NumericError naming the biomarker, as values_of.
CellDensities cell_densities(const Cohort& cohort, const StateDensities& densities);

/// Order and stages from cell_densities as in the program kde_ebm: products of densities in the
/// units of the data, 1e-250 added per participant; ascents, then one chain; its most likely order.
///
/// @throws NumericError naming the biomarker, as values_of.
Inference infer_from_densities(const Cohort& cohort, const StateDensities& densities,
                               const EventBasedSettings& settings, RandomStream& stream);

}  // namespace tempo::toolkit
