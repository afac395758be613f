#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "components.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::bebms {

/// Event scores, stages and subtypes from the ranks of events by subtype and P(subtype, stage | x).
///
/// Events are scored by rank; the consensus is the mean over subtypes, weighted by share. Stages
/// are the most probable ones, whatever the subtype.
/// @param ranks      [K, B] biomarkers in the order of the study
/// @param shares     [K]
/// @param posterior  [K] matrices [J, B + 1], participants in the order of the study; together they
///                   sum to 1 in each row
Inference answer_of(const Study& study, const Matrix& ranks, std::vector<double> shares,
                    std::span<const Matrix> posterior);

/// The ranks 1..B of orders.
Matrix ranks_of_orders(std::span<const std::vector<std::size_t>> orders);

/// exp of the log-likelihoods of stages 0..B, in each subtype, divided by the largest of the
/// participant: [K] matrices [J, B + 1] in the order of the study.
std::vector<Matrix> stage_likelihoods(const ParticipantColumns& log_ratios,
                                      std::span<const std::vector<std::size_t>> orders);

}  // namespace tempo::bebms
