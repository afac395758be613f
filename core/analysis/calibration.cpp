#include "analysis/calibration.hpp"

#include <algorithm>

namespace tempo {
namespace {

/// The posteriors of one kind of a method's fits.
class Gathered {
 public:
  void add(const std::optional<Calibration>& fit) {
    if (!fit || fit->truths == 0) return;
    all_.add(*fit);
    shares_.push_back(fit->inside / static_cast<double>(fit->truths));
  }
  bool empty() const { return shares_.empty(); }
  std::optional<CohortsCalibration> over(std::size_t fits) const {
    if (empty()) return std::nullopt;
    return CohortsCalibration{all_, estimate(shares_, fits)};
  }

 private:
  Calibration all_;
  std::vector<double> shares_;  // in their 90 % intervals, per fit
};

struct OfMethod {
  MethodCalibration about;
  std::size_t fits = 0;
  Gathered ranks, stages;
};

}  // namespace

std::vector<MethodCalibration> calibration_by_method(Store& store) {
  std::vector<OfMethod> methods;
  store.visit([&](const StoredFit& fit) {
    const auto& id = fit.id();
    if (id.is_real() || !is_in_distribution(id)) return;
    auto at = std::find_if(methods.begin(), methods.end(), [&](const OfMethod& known) {
      return known.about.axis_values == id.axis_values && known.about.hypothesis == id.hypothesis &&
             known.about.method == id.method;
    });
    if (at == methods.end()) {
      at = methods.emplace(methods.end());
      at->about = {id.axis_values, id.hypothesis, id.method, {}, {}};
    }
    ++at->fits;
    const auto details = fit.details({DetailPart::calibration});
    at->ranks.add(details.rank_calibration);
    at->stages.add(details.stage_calibration);
  });
  std::vector<MethodCalibration> out;
  for (auto& [about, fits, ranks, stages] : methods) {
    if (ranks.empty() && stages.empty()) continue;
    about.ranks = ranks.over(fits);
    about.stages = stages.over(fits);
    out.push_back(std::move(about));
  }
  return out;
}

}  // namespace tempo
