#include "tempo/toolkit/repaired_relabelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "tempo/toolkit/biomarker_values.hpp"
#include "tempo/toolkit/kernel_density.hpp"

namespace tempo::toolkit {
namespace {

using Values = std::vector<double>;  // standardised, ascending

constexpr double kRepairedAlpha = 0.3;
constexpr double kLeastPostEventShare = 0.01;  // of the diseased are post-event, and two at least

/// Pairs of a diseased and a control in which the diseased has the larger value, minus pairs in
/// which the control has.
long long excess(const Values& controls, const Values& diseased) {
  long long sum = 0;
  for (const double x : diseased) {
    const auto [low, high] = std::equal_range(controls.begin(), controls.end(), x);
    sum += (low - controls.begin()) - (controls.end() - high);
  }
  return sum;
}

void negate(Values& values) {
  for (double& value : values) value = -value;
  std::reverse(values.begin(), values.end());
}

double upper_median(const Values& values) { return values[values.size() / 2]; }

/// One biomarker with the diseased on the larger side.
class GroupRelabelling {
 public:
  GroupRelabelling(Values controls, Values diseased, double least_sd)
      : least_sd_(least_sd),
        controls_(std::move(controls)),
        diseased_(std::move(diseased)),
        range_(std::max(controls_.back(), diseased_.back()) -
               std::min(controls_.front(), diseased_.front())),
        pre_(diseased_.size()),
        post_(diseased_.size()) {
    const std::size_t n = diseased_.size();
    const auto least = std::max<std::size_t>(
        2, static_cast<std::size_t>(std::ceil(kLeastPostEventShare * static_cast<double>(n))));
    for (std::size_t cut = 0; cut + least <= n; ++cut)
      if (diseased_[cut] > upper_median(controls_) &&
          (cut == 0 || diseased_[cut - 1] < diseased_[cut]))
        cuts_.push_back(cut);
  }

  bool possible() const { return !cuts_.empty(); }

  /// Labels follow densities, which follow labels, until labels return that were there before: the
  /// same or, seldom, a cycle, of which the one with most post-event is taken.
  void run(long max_iterations) {
    std::size_t cut = cuts_.front();
    std::vector<std::size_t> past;
    while (std::find(past.begin(), past.end(), cut) == past.end() && refits_ < max_iterations) {
      past.push_back(cut);
      fit(cut);
      cut = next(cut);
    }
    const auto cycle = std::find(past.begin(), past.end(), cut);
    const auto last = cycle == past.end() ? cut : *std::min_element(cycle, past.end());
    if (last != past.back()) fit(last);
  }

  /// log(post / pre)
  void log_ratios(std::span<const double> x, std::span<double> out) const {
    std::vector<double> pre(x.size());
    pre_density_->log_densities(x, range_, pre);
    post_density_->log_densities(x, range_, out);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] -= pre[i];
  }

  long refits() const { return refits_; }

 private:
  void fit(std::size_t cut) {
    ++refits_;
    const auto begin = diseased_.begin(), middle = begin + static_cast<std::ptrdiff_t>(cut);
    Values pre(controls_.size() + cut);
    std::merge(controls_.begin(), controls_.end(), begin, middle, pre.begin());
    const AdaptiveBandwidth settings{.alpha = kRepairedAlpha, .least_sd = least_sd_};
    pre_density_ = KernelDensity::adaptive(pre, settings);
    post_density_ = KernelDensity::adaptive(Values(middle, diseased_.end()), settings);
  }

  /// The cut under which the values of the diseased are likeliest, each with the density and share
  /// of its state; the lowest of equals.
  std::size_t next(std::size_t cut) {
    pre_density_->log_densities(diseased_, range_, pre_);
    post_density_->log_densities(diseased_, range_, post_);
    const auto n = static_cast<double>(diseased_.size()), before = static_cast<double>(cut);
    const double odds = std::log((n - before + 1.0) / (before + 1.0));
    double beyond = 0.0, most = -std::numeric_limits<double>::infinity();
    std::size_t best = cut, last = diseased_.size();
    for (auto candidate = cuts_.rbegin(); candidate != cuts_.rend(); ++candidate) {
      for (; last > *candidate; --last) beyond += odds + post_[last - 1] - pre_[last - 1];
      if (beyond < most) continue;
      most = beyond;
      best = *candidate;
    }
    return best;
  }

  double least_sd_;
  Values controls_, diseased_;
  double range_;
  std::vector<std::size_t> cuts_;  // numbers of diseased that may be pre-event
  std::vector<double> pre_, post_;
  std::optional<KernelDensity> pre_density_, post_density_;
  long refits_ = 0;
};

}  // namespace

RepairedRelabelling relabel_as_meant(const Cohort& cohort, long max_iterations) {
  const std::size_t J = cohort.participant_count(), B = cohort.biomarker_count();
  RepairedRelabelling out{Matrix(J, B), 0, {}};
  std::vector<double> z, ratios;
  for (std::size_t b = 0; b < B; ++b) {
    const Standardised standard(values_of(cohort, b));
    auto controls = standard.values.controls, diseased = standard.values.diseased;
    const auto larger = excess(controls, diseased);
    if (larger < 0) {
      negate(controls);
      negate(diseased);
    }
    GroupRelabelling relabelling(std::move(controls), std::move(diseased), standard.least_sd);
    const bool told_apart = larger != 0 && relabelling.possible();
    if (told_apart) {
      relabelling.run(max_iterations);
      out.refits += relabelling.refits();
    } else {
      out.warnings.push_back(fmt::format(
          "biomarker '{}': nothing tells diseased from controls; its values do not influence order or stages",
          cohort.biomarkers[b]));
    }
    z.clear();
    for (std::size_t j = 0; j < J; ++j) {
      const double x = (cohort.measurements(j, b) - standard.centre) / standard.scale;
      if (!std::isnan(x)) z.push_back(larger < 0 ? -x : x);
    }
    ratios.assign(z.size(), 0.0);
    if (told_apart) relabelling.log_ratios(z, ratios);
    std::size_t i = 0;
    for (std::size_t j = 0; j < J; ++j)
      out.log_ratios(j, b) = std::isnan(cohort.measurements(j, b))
                                 ? std::numeric_limits<double>::quiet_NaN()
                                 : ratios[i++];
  }
  return out;
}

}  // namespace tempo::toolkit
