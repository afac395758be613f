#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tempo/biomarker_table.hpp"

namespace tempo::bayes {

/// A value that several participants share, where the biomarker's distribution has an atom z sds from its mean:
/// mean and sd are tied by mean + z sd = value.
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
  bool has(double value) const;
  bool has_atom(double z) const;
  Anchors with(const Anchor& anchor) const;

  /// The distribution with this sd, or mean and sd, that the anchors allow.
  Normal hold(const Normal& normal) const;
  /// Log of how densely the atoms fill what is near: density, over mean (in the biomarker's unit) and the logarithm of
  /// the sd, of a law that spreads each of them over a width of e^-kAtomPrecision sd, without what it leaves free. 0
  /// without anchors.
  double log_density(const Normal& at) const;
  /// How far the logarithm of the sd may go where a mean would go `mean_width` sds, and a log sd `log_sd_width`.
  double log_sd_width(double mean_width, double log_sd_width) const;

 private:
  std::vector<Anchor> anchors_;
};

}  // namespace tempo::bayes
