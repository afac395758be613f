#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/stage_posterior.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"
#include "tempo/order.hpp"

namespace tempo {

/// Orders of events, each with the share of patients who follow it; at least one.
struct SharedOrders {
  std::vector<Sequence> orders;
  std::vector<double> shares;  ///< as many, at least 0; sum to 1
};

/// P(order, k | x_j) of stages k = 0..B of each participant, the stages of an order equally likely
/// beforehand and orders as their shares say: for each order [J, B + 1], rows of all together sum
/// to one. At stage k the first k events of the order have happened. Missing values are skipped,
/// and labels are not looked at. Nothing underflows.
///
/// Source: Fonteijn et al. 2012, NeuroImage 60(3), Eq. (1):
///   P(x_j | k) = prod_{i <= k} theta_{s(i)}(x_j) * prod_{i > k} phi_{s(i)}(x_j)
///
/// @param biomarkers distributions before and after the events, in the cohort's columns
/// @throws ShapeError if orders or table are not of the cohort's B biomarkers.
std::vector<Matrix> event_based_stages(const Cohort& cohort, const SharedOrders& orders,
                                       const BiomarkerTable& biomarkers);

/// A participant's stage and, where there are probabilities of stages, what they say.
struct Staged {
  std::optional<double> stage;              ///< in [0, B]; absent without any measured value
  std::optional<StagePosterior> posterior;  ///< absent, too, where a label says the stage
  std::string note = {};              ///< why there is no stage, or why it says little; a few words
  std::vector<double> subtypes = {};  ///< P(order) where there are several; empty without a stage
};

/// New patients' stages, in their order.
struct StagedPatients {
  std::vector<Staged> patients;
  std::vector<std::string> warnings;  ///< one sentence each
  bool has_subtypes = false;          ///< those who have a stage have probabilities of orders, too
};

/// By event_based_stages: each patient alone, at the most likely stage, whatever the order.
StagedPatients stage_by_orders(const SharedOrders& orders, const BiomarkerTable& biomarkers,
                               const Cohort& patients);

/// Stages each patient alone among the reference's participants: what is said of one does not
/// depend on the other patients.
/// @param reference  with labels
/// @param patients   with the reference's biomarkers in their order; with labels unless the method
/// sees none
/// @param file       whose patients they are, for complaints
/// @throws InputError naming the patients whom the method cannot stage
StagedPatients stage_among(const InferenceMethod& method, const Cohort& reference,
                           const Cohort& patients, const std::string& file);

/// Puts the reference's mean of a biomarker where a patient lacks it. Patients without any measured
/// value stay as they are.
/// @return how many cells
std::size_t fill_means(const Cohort& reference, Cohort& patients);

/// Values of patients that are far from all of the reference's: beyond the least or the greatest of
/// them by more than half of what lies between these, as they stand or by their logarithms
/// (ValueRange). And biomarkers of which more than half of at least three patients lie on one side
/// of all of the reference's.
struct FarValues {
  std::vector<std::string> warnings;                 ///< a sentence per biomarker that has any
  std::vector<std::vector<std::string>> biomarkers;  ///< [J] of each patient
};
/// Whether values are those of a table, or what an adjustment left of them.
enum class ValuesAre { as_given, adjusted };
/// @param patients    with the reference's biomarkers in their order
/// @param values_are  warnings say so
FarValues far_values(const Cohort& reference, const Cohort& patients, ValuesAre values_are);

}  // namespace tempo
