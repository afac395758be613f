#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tempo/biomarker_table.hpp"

namespace tempo::bayes {

/// A value that several participants share, where the biomarker's distribution has an atom z sds
/// from its mean: mean and sd are tied by mean + z sd = value.
struct Anchor {
  double value;
  double z;
};

/// Those of one distribution: none, one, or two, which fix it.
class Anchors {
 public:
  Anchors() = default;
  explicit Anchors(std::vector<Anchor> anchors) : anchors_(std::move(anchors)) {}

  std::size_t size() const { return anchors_.size(); }
  /// Whether one more still leaves a distribution: at most two, on different values and atoms, in
  /// the same order.
  bool allows(const Anchor& anchor) const;
  /// @pre allows(anchor)
  Anchors with(const Anchor& anchor) const;

  /// The distribution with this sd, or mean and sd, that the anchors allow.
  Normal hold(const Normal& normal) const;
  /// n (kAtomPrecision - ln sd) + ln |d(v_1, .., v_n) / d(mean, ln sd)| for n anchors, v_i = mean +
  /// z_i sd (of one the derivative by the mean, 1): the log density, by mean in the biomarker's
  /// unit and ln sd, of a law under which each v_i is uniform over e^-kAtomPrecision sd around its
  /// value; 0 for none.
  double log_density(const Normal& at) const;
  /// How far ln sd may go where a free mean would go `mean_width` sds and a free ln sd
  /// `log_sd_width`: on the line of one anchor the mean goes with it, |z| times as far.
  double log_sd_width(double mean_width, double log_sd_width) const;

 private:
  std::vector<Anchor> anchors_;
};

}  // namespace tempo::bayes
