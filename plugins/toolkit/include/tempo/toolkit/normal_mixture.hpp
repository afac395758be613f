#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "box_minimiser.hpp"
#include "tempo/biomarker_table.hpp"

namespace tempo::toolkit {

/// Two normal distributions of one biomarker, pre-event and post-event, in its units.
struct NormalMixture {
  Normal pre;
  Normal post;
  double mix = 0.5;  ///< share of the pre-event component, in [0, 1]

  static constexpr std::size_t kParameters = 5;
  using Parameters = std::array<double, kParameters>;
  /// (pre.mean, pre.sd, post.mean, post.sd, mix): the order in which the objectives below take
  /// them.
  Parameters parameters() const { return {pre.mean, pre.sd, post.mean, post.sd, mix}; }
  static NormalMixture from(std::span<const double> p) {
    return {{p[0], p[1]}, {p[2], p[3]}, p[4]};
  }
};

/// Sum by halves down to runs of eight interleaved partial sums, as NumPy adds a contiguous array:
/// its rounding is part of published results. 0 for nothing.
double pairwise_sum(std::span<const double> values);

/// Mean and standard deviation (divided by n) of at least one value, with `pairwise_sum`.
Normal population_moments(std::span<const double> values);

/// The density of a normal distribution, operation by operation as SciPy's `norm.pdf` has it.
double density(const Normal& normal, double x);
double log_density(const Normal& normal, double x);

/// Odds on a logarithmic scale that x is post-event, log((1 - mix) post(x) / (mix pre(x))); finite
/// for finite x and 0 < mix < 1.
double log_odds_post(const NormalMixture& mixture, double x);

/// P(post-event | x) = (1 - mix) post(x) / ((1 - mix) post(x) + mix pre(x) + added), from
/// densities.
double posterior(const NormalMixture& mixture, double x, double added);

/// What keeps log(0) out of a likelihood computed from densities.
struct DensityFloor {
  double added = 0.0;         ///< to every mixture density; pyebm 1e-100
  double instead_of_0 = 0.0;  ///< replaces a density that is 0; kde_ebm 2.2e-16
};

/// F = -sum_j log(mix pre(x_j) + (1 - mix) post(x_j)), from densities: what the published programs
/// minimise. Underflow and floor are part of it. No analytic gradient.
///
/// Keeps the densities of both components: moving one parameter costs one component at most.
class MixtureObjective final : public BoxObjective {
 public:
  /// @param values  [n], none NaN; the order of the values decides the rounding of the sum.
  MixtureObjective(std::vector<double> values, DensityFloor floor);

  double value(std::span<const double> p) override;
  double value_moved(std::span<const double> p, std::size_t moved) override;

 private:
  void fill(const Normal& normal, std::vector<double>& out) const;
  double sum(double mix, const std::vector<double>& pre, const std::vector<double>& post);

  std::vector<double> values_;
  DensityFloor floor_;
  Normal pre_at_, post_at_;         // the parameters of
  std::vector<double> pre_, post_;  // these densities
  std::vector<double> moved_, logarithms_;
  bool filled_ = false;
};

/// The same F in the log domain, without underflow or floor, with its gradient:
///   r_j = mix pre(x_j) / (mix pre(x_j) + (1 - mix) post(x_j)),   z = (x_j - mean) / sd
///   dF/dmean = -sum r z / sd,  dF/dsd = -sum r (z^2 - 1) / sd    (post: 1 - r for r)
///   dF/dmix  = -sum (r / mix - (1 - r) / (1 - mix))
/// Values known to be pre-event, if any, add -sum_i log pre(x_i). Needs 0 < mix < 1.
class LogMixtureObjective final : public BoxObjective {
 public:
  /// @param values  [n] of the mixture, none NaN.
  explicit LogMixtureObjective(std::vector<double> values, std::span<const double> known_pre = {});

  double value(std::span<const double> p) override;
  void gradient(std::span<const double> p, std::span<double> out) override;

 private:
  std::vector<double> values_;
  double known_count_ = 0.0;
  Normal known_moments_;
};

}  // namespace tempo::toolkit
