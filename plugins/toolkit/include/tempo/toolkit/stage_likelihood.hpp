#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/matrix.hpp"

namespace tempo::toolkit {

/// A number per biomarker and participant, [B, J], column by column, so that a loop over
/// participants reads neighbours. Every column is filled up with zeros to whole blocks.
class ParticipantColumns {
 public:
  static constexpr std::size_t kBlock = 16;

  ParticipantColumns() = default;
  ParticipantColumns(std::size_t biomarkers, std::size_t participants);
  /// All `padded()` values of biomarker b.
  std::span<double> operator[](std::size_t b) { return {values_.data() + b * padded_, padded_}; }
  std::span<const double> operator[](std::size_t b) const {
    return {values_.data() + b * padded_, padded_};
  }
  std::size_t biomarkers() const { return biomarkers_; }
  std::size_t participants() const { return participants_; }
  std::size_t padded() const { return padded_; }  ///< J rounded up to whole blocks

 private:
  std::vector<double> values_;
  std::size_t biomarkers_ = 0, participants_ = 0, padded_ = 0;
};

/// Sums over participants of w_jb, the weight with which event b has happened in participant j.
struct StageSums {
  double log_likelihood = 0.0;   ///< sum_j log sum_k pi_k exp(S_j(k)), see StageLikelihood
  std::vector<double> happened;  ///< [B] by position in the order: sum_j w, measured or not
  std::vector<double> weight;    ///< [B] by biomarker: sum_j w over those with a measurement
  std::vector<double> x;         ///< [B] by biomarker: sum_j w x
  std::vector<double> xx;        ///< [B] by biomarker: sum_j w x^2
};

/// Which of the sums an evaluation needs.
enum class Sums { counts, moments };  ///< counts: log_likelihood and happened only

/// The likelihood of an order of events with the stages summed out, for many evaluations on one
/// cohort.
///
/// An order is a sequence of biomarkers, earliest first; stage k means that its first k events have
/// happened. With log ratios D_jb = log p(x_jb | theta_b) - log p(x_jb | phi_b), 0 where missing,
///
///   log p(x_j | k) = sum_b log p(x_jb | phi_b) + S_j(k),    S_j(k) = sum over the first k events
///   of D_jb.
///
/// The first term does not depend on the order and is the caller's. `log_pi` [B] has the logarithms
/// of the probabilities of stages 1..B; stage 0 is left out.
///
/// Source of the model: Fonteijn et al. 2012, NeuroImage 60(3), 1880-1889.
///
/// O(J B) per call, vectorised over participants; the same bits on every CPU. Not thread-safe
/// (scratch).
class StageLikelihood {
 public:
  /// @param values  x, NaN where missing
  explicit StageLikelihood(ParticipantColumns values);

  std::size_t participants() const { return values_.participants(); }
  std::size_t biomarkers() const { return values_.biomarkers(); }
  /// Writes D_jb of normal distributions to column b. A standard deviation of 0 stands for no
  /// distribution: it adds 0.
  void normal_log_ratios(std::size_t b, const Normal& phi, const Normal& theta,
                         ParticipantColumns& log_ratios) const;

  /// w_jb = P(k_j >= rank of b | x_j): the expected state.
  void expect(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
              std::span<const double> log_pi, Sums sums, StageSums& out);

  /// w_jb = 1 if k_j >= rank of b, else 0, at the stage k_j where the distribution function of P(k
  /// | x_j) passes u_j: a draw from it for u_j ~ U(0, 1). At u_j = 1/2 it is the state that is more
  /// likely, event by event.
  /// @param u  [J padded]; not 0 or 1
  void assign(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
              std::span<const double> log_pi, std::span<const double> u, StageSums& out);

 private:
  void run(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
           std::span<const double> log_pi, Sums sums, const double* u, StageSums& out);

  ParticipantColumns values_;    // 0 where missing
  ParticipantColumns present_;   // 1 where measured
  std::vector<double> counted_;  // [padded] 1 for a participant, 0 for padding
  std::vector<double> scratch_;  // of one block: a number per position and participant
  std::vector<double> totals_;   // per position: lanes of four sums
  std::vector<const double*> ratios_in_order_, values_in_order_, present_in_order_;
};

/// Adds P(k_j = k | x_j), k = 0..B, of every participant to sum [J, B + 1].
/// @param log_prior  [B + 1] of stages 0..B
void add_stage_posterior(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
                         std::span<const double> log_prior, Matrix& sum);

}  // namespace tempo::toolkit
