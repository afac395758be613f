#include "anchors.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tempo/measurement_law.hpp"

namespace tempo::bayes {

bool Anchors::allows(const Anchor& anchor) const {
  if (anchors_.size() == 2) return false;
  return anchors_.empty() || (anchor.value - anchors_[0].value) * (anchor.z - anchors_[0].z) > 0.0;
}

Anchors Anchors::with(const Anchor& anchor) const {
  assert(allows(anchor));
  auto anchors = anchors_;
  anchors.push_back(anchor);
  return Anchors(std::move(anchors));
}

Normal Anchors::hold(const Normal& normal) const {
  if (anchors_.empty()) return normal;
  const auto& first = anchors_.front();
  double sd = normal.sd;
  if (const auto& last = anchors_.back(); last.z != first.z)
    sd = (last.value - first.value) / (last.z - first.z);
  return {first.value - first.z * sd, sd};
}

double Anchors::log_density(const Normal& at) const {
  const double precision = MeasurementLaw::kAtomPrecision - std::log(at.sd);
  if (anchors_.empty()) return 0.0;
  if (anchors_.size() == 1) return precision;
  // From both values to mean and log sd: |d(value_1, value_2) / d(mean, log sd)| = |z_2 - z_1| sd.
  return 2.0 * precision + std::log(std::abs(anchors_[1].z - anchors_[0].z) * at.sd);
}

double Anchors::log_sd_width(double mean_width, double log_sd_width) const {
  if (anchors_.empty()) return log_sd_width;
  return std::min(log_sd_width, mean_width / std::max(1.0, std::abs(anchors_.front().z)));
}

}  // namespace tempo::bayes
