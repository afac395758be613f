#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/toolkit/stage_likelihood.hpp"

namespace tempo::toolkit {

/// What one subtype says of every participant. With S_j(k) as in StageLikelihood,
///
///   p(x_j | subtype) / p(x_j | no event) = sum_k pi_k exp(S_j(k)) = total_j exp(top_j).
struct SubtypeTerms {
  std::vector<double> top, total;  ///< [n padded]
  ParticipantColumns happened;     ///< [B, n] by biomarker: P(event has happened | x_j, subtype)
};

/// Sums over participants of the weight with which event b has happened, whatever the subtype.
struct MixtureMoments {
  std::vector<double> weight, x, xx;  ///< [B] over those with a measurement
};

/// How many belong to a subtype, and at which stage.
struct SubtypeCounts {
  double participants = 0.0;
  std::vector<double> stages;  ///< [B + 1]
};

/// A subtype and a stage drawn for everybody, and added up.
struct SubtypeAssignment {
  std::vector<std::size_t> subtypes, stages;  ///< [n]
  std::vector<SubtypeCounts> counts;          ///< [K]
  MixtureMoments moments;                     ///< of those whose event has happened
};

/// The likelihood of several orders of events over the same normals, stages summed out. Vectorised
/// over participants; the same bits on every CPU. Not thread-safe (scratch).
class MixtureLikelihood {
 public:
  /// @param values  [B, n] NaN where missing
  explicit MixtureLikelihood(const ParticipantColumns& values);

  std::size_t participants() const { return values_.participants(); }
  std::size_t biomarkers() const { return values_.biomarkers(); }
  std::size_t padded() const { return values_.padded(); }
  /// Writes log p(x | theta) - log p(x | phi) of biomarker b, 0 where missing.
  void normal_log_ratios(std::size_t b, const Normal& phi, const Normal& theta,
                         ParticipantColumns& log_ratios) const {
    normals_.normal_log_ratios(b, phi, theta, log_ratios);
  }

  /// @param log_pi  [B + 1] of stages 0..B; the first may be -inf
  void weigh(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
             std::span<const double> log_pi, SubtypeTerms& out);
  /// The same without `happened`, which stays as it was.
  void weigh_totals(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
                    std::span<const double> log_pi, SubtypeTerms& out);

  /// sum_j log sum_s w_s p(x_j | s) / p(x_j | no event).
  /// @param log_shares  [K] log w_s
  double log_likelihood(std::span<const SubtypeTerms> terms, std::span<const double> log_shares);
  /// Over P(s | x_j) P(event has happened | x_j, s).
  void moments(std::span<const SubtypeTerms> terms, std::span<const double> log_shares,
               MixtureMoments& out);
  /// Expected numbers by subtype.
  std::vector<SubtypeCounts> counts(std::span<const SubtypeTerms> terms,
                                    std::span<const double> log_shares,
                                    std::span<const std::vector<std::size_t>> orders);
  /// Draws from P(subtype, stage | x_j) of everybody. @return the log-likelihood
  double assign(std::span<const SubtypeTerms> terms, std::span<const double> log_shares,
                std::span<const std::vector<std::size_t>> orders, RandomStream& stream,
                SubtypeAssignment& out);

 private:
  void share_out(std::span<const SubtypeTerms> terms, std::span<const double> log_shares);

  ParticipantColumns values_, present_;  // 0 where missing; 1 where measured
  std::vector<double> counted_;          // [padded] 1 for a participant, 0 for padding
  StageLikelihood normals_;
  std::vector<double> scratch_;
  std::vector<std::vector<double>> responsibility_;  // [K][padded] of the last share_out
  double log_likelihood_ = 0.0;                      // of the same
};

}  // namespace tempo::toolkit
