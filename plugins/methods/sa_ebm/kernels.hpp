#pragma once

#include <vector>

#include "tempo/matrix.hpp"
#include "tempo/toolkit/study.hpp"

namespace tempo::sa_ebm {

using toolkit::Fidelity;
using toolkit::Moments;
using toolkit::ParticipantColumns;
using toolkit::Study;

/// Kernel densities before and after every event, phi and theta: a normal kernel at every value,
/// as wide as any other of its density, weighted by how far the value belongs to it. The bandwidth
/// is s n_eff^(-1/5), s the weighted standard deviation and n_eff = (sum w)^2 / sum w^2.
///
/// paper: weights change only where they change much, see refitted(); s is at least 1e-12 and a
/// density at least 1e-12, in the units of the biomarker. repaired: s is at least Study::least_sd,
/// and a density is that of KernelDensity::log_densities over the range of the values.
class Kernels {
 public:
  /// Weights are the clusters', but controls belong to phi. Without a diseased in its cluster theta
  /// starts from all of them.
  Kernels(const Study& study, Fidelity fidelity);

  /// The kernels with new weights. repaired: a density of which the weights add up to less than 2
  /// stays as it is. paper: so does one where none is positive, or where the mean over participants
  /// of |new - old|, weights scaled to a sum of 1, is below a threshold between 0.005 and 0.02 that
  /// depends on J only. That mean is at most 2 / J: from J = 134 on no weights are ever renewed,
  /// but (J = 200) where new and old have no participant in common.
  /// @param happened  [J, B] share with which an event has happened; 0 for controls
  Kernels refitted(const Matrix& happened) const;
  /// Whether refitted() could change anything.
  bool may_change() const;

  /// sum over everyone and all biomarkers of log p(x | phi).
  double base() const;
  /// Writes the log ratios of `rows` of the cohort, 0 where missing, to out [B, rows].
  void log_ratios(const std::vector<std::size_t>& rows, ParticipantColumns& out) const;

 private:
  struct Density {
    std::vector<double> weights;  // [J] of sum 1; 0 where missing
    std::vector<double> logs;     // [J] of the density, standardised units; 0 where missing
  };

  bool takes(const Density& old, const std::vector<double>& weights) const;
  Density fitted(std::size_t b, std::vector<double> weights) const;

  const Study* study_;
  Fidelity fidelity_;
  std::vector<Density> phi_, theta_;  // [B]
};

}  // namespace tempo::sa_ebm
