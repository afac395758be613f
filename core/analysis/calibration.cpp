#include "analysis/calibration.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>

#include "analysis/spread.hpp"

namespace tempo {

std::optional<double> share_inside(const std::optional<Calibration>& calibration) {
  if (!calibration || calibration->truths == 0) return std::nullopt;
  return calibration->inside / static_cast<double>(calibration->truths);
}

namespace {

/// The posteriors of one kind of a method's fits.
class Gathered {
 public:
  void add(const std::optional<Calibration>& fit) {
    const auto share = share_inside(fit);
    if (!share) return;
    all_.add(*fit);
    shares_.push_back(*share);
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

namespace {

/// What one cohort's truths say of their places.
using OfCohort = std::function<double(const Calibration&)>;

/// The mean of a function of places, each tenth evenly filled.
template <class OfTenth>
double over_tenths(const Calibration& cohort, OfTenth of_tenth) {
  const auto count = static_cast<double>(cohort.tenths.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < cohort.tenths.size(); ++i)
    sum += cohort.tenths[i] *
           of_tenth(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
  return sum / static_cast<double>(cohort.truths);
}

double inside_of(const Calibration& cohort) {
  return cohort.inside / static_cast<double>(cohort.truths);
}

double mean_place(const Calibration& cohort) {
  return over_tenths(cohort, [](double low, double high) { return (low + high) / 2.0; });
}

/// The mean of (u - 1/2)^2 between two places, times twelve.
double spread_of(const Calibration& cohort) {
  return over_tenths(cohort, [](double low, double high) {
    const double a = low - 0.5, b = high - 0.5;
    return 4.0 * (a * a + a * b + b * b);
  });
}

std::vector<double> of_each(const std::vector<Calibration>& cohorts, const OfCohort& of_cohort) {
  std::vector<double> out;
  for (const auto& cohort : cohorts) out.push_back(of_cohort(cohort));
  return out;
}

/// Two-sided, of a mean. Shares that are alike in all cohorts say for certain.
double p_of_mean(const std::vector<double>& values, double expected) {
  constexpr double kAlike = 1e-9;  // of shares
  const auto found = *spread(values);
  const double off = std::abs(found.mean - expected), sd = found.sd.value_or(0.0);
  if (sd < kAlike) return off < kAlike ? 1.0 : 0.0;
  const auto n = static_cast<double>(values.size());
  const double t = off / sd * std::sqrt(n);
  return 2.0 * boost::math::cdf(boost::math::complement(boost::math::students_t(n - 1.0), t));
}

}  // namespace

PosteriorPlaces places_of_truths(const std::vector<Calibration>& cohorts) {
  PosteriorPlaces out;
  for (const auto& cohort : cohorts) out.all.add(cohort);
  std::vector<double> p_values;
  const auto test = [&](const OfCohort& of_cohort, double expected) {
    const auto values = of_each(cohorts, of_cohort);
    p_values.push_back(p_of_mean(values, expected));
    return estimate(values, values.size());
  };
  out.inside = test(inside_of, 0.9);
  out.mean = test(mean_place, 0.5);
  out.spread = test(spread_of, 1.0);
  const auto tenths = out.all.tenths.size();
  for (std::size_t i = 0; i < tenths; ++i)
    test([i](const Calibration& one) { return one.tenths[i] / static_cast<double>(one.truths); },
         1.0 / static_cast<double>(tenths));
  out.p = std::min(1.0, *std::min_element(p_values.begin(), p_values.end()) *
                            static_cast<double>(p_values.size()));
  return out;
}

}  // namespace tempo
