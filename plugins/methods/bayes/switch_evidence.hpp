#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"
#include "tempo/measurement_law.hpp"
#include "tempo/toolkit/stage_likelihood.hpp"

namespace tempo::bayes {

/// What a cohort tells of every biomarker before and after its event, under each of the traits that
/// it may have. Missing cells are skipped.
struct SwitchEvidence {
  /// Of no biomarker yet.
  /// @param columns   [B] of the cohort, by biomarker of the hypothesis
  /// @param diseased  rows of the cohort
  SwitchEvidence(const Cohort& cohort, std::span<const std::size_t> columns,
                 std::span<const std::size_t> diseased, std::vector<int> traits);

  /// Takes over biomarker b under trait t from a law in which it is `of_law`.
  void set(std::size_t t, std::size_t b, const MeasurementLaw& law, std::size_t of_law);
  /// Called once, when everything has been set: bounds what the log ratios of a participant may add
  /// up to in absolute value, whatever the traits, by 1300 nats as OrderSampler needs it. Cells of
  /// participants whose sum is below half of that stay as they are, and may still grow by 650 / B
  /// each.
  void bound();

  /// The same of some participants, bounded as it is; `set` is not for it.
  /// @param participants  rows of the cohort
  SwitchEvidence of(std::span<const std::size_t> participants) const;

  std::size_t size() const { return values.size(); }  ///< B

  std::vector<int> traits;
  std::vector<std::vector<double>> values;  ///< [B][J] NaN where missing
  std::vector<std::size_t> row;             ///< [J] among the diseased, or kHealthy
  std::vector<toolkit::ParticipantColumns>
      log_ratios;                               ///< [traits] of the diseased, after less before
  std::vector<Matrix> before;                   ///< [traits] [B, J] log p(x_jb | before)
  std::vector<std::vector<double>> all_before;  ///< [traits][B] its sums over participants

  static constexpr std::size_t kHealthy = static_cast<std::size_t>(-1);

 private:
  SwitchEvidence() = default;

  Matrix most_;  // [B, diseased] absolute log ratio that a cell may have; empty before bound()
};

/// Everything that a law tells of a cohort, bounded.
/// @param columns   [B] of the cohort, by biomarker of the law
/// @param diseased  rows of the cohort
SwitchEvidence switch_evidence(const MeasurementLaw& law, const Cohort& cohort,
                               std::span<const std::size_t> columns,
                               std::span<const std::size_t> diseased);

}  // namespace tempo::bayes
