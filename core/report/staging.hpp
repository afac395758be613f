#pragma once

#include <span>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"
#include "tempo/order.hpp"

namespace tempo {

/// P(k | x_j) of stages k = 0..B of each participant, all equally likely beforehand: [J, B + 1], rows sum
/// to 1. At stage k the first k events of the order have happened; a missing value has no say, labels
/// neither. Nothing underflows.
///
/// Source: Fonteijn et al. 2012, NeuroImage 60(3), Eq. (1):
///   P(x_j | k) = prod_{i <= k} theta_{s(i)}(x_j) * prod_{i > k} phi_{s(i)}(x_j)
///
/// @param biomarkers distributions before and after the events, in the cohort's columns
/// @throws ShapeError if order or table are not of the cohort's B biomarkers.
Matrix event_based_stages(const Cohort& cohort, const Sequence& order,
                          const BiomarkerTable& biomarkers);

/// The most likely of stages with these probabilities, the lowest of equals.
double most_likely_stage(std::span<const double> probabilities);

}  // namespace tempo
