#include "tempo/toolkit/published_relabelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "tempo/error.hpp"

namespace tempo::toolkit {
namespace {

using Labels = std::vector<bool>;  // of sorted values: true where post-event

constexpr double kAlpha = 0.3;
constexpr double kControls = 0.3, kDiseased = 0.1;  // alpha, to find the direction
constexpr double kLeastLabelShare = 0.1;  // of either state; below it the relabelling ends

/// Running sums, in parts of the last.
std::vector<double> cumulated(std::vector<double> values) {
  std::partial_sum(values.begin(), values.end(), values.begin());
  const double last = values.back();
  for (double& value : values) value /= last;
  return values;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

/// Gives the other label to one piece of the axis if a label is in several pieces.
void mend(Labels& labels, const std::vector<double>& x) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 1; i < labels.size(); ++i)
    if (labels[i] != labels[i - 1]) starts.push_back(i);
  if (starts.size() < 3) return;
  starts.push_back(labels.size());
  const bool zeros_adjacent = starts.size() == 4 && labels[0];
  const bool a = zeros_adjacent;
  std::vector<double> in_a, others;
  for (std::size_t i = 0; i < labels.size(); ++i) (labels[i] == a ? in_a : others).push_back(x[i]);
  const bool a_is_lower = median(std::move(in_a)) < median(std::move(others));
  const std::size_t third = starts[3] - starts[2];
  const std::size_t from = a_is_lower ? labels.size() - third : 0;
  const std::size_t to = a_is_lower ? labels.size() : starts[1];
  for (std::size_t i = from; i < to; ++i) labels[i] = !a;
}

class PublishedRelabelling {
 public:
  PublishedRelabelling(const BiomarkerValues& values, const std::vector<bool>& diseased)
      : name_(values.name), x_(values.pooled), labels_(diseased) {
    std::vector<std::size_t> order(x_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return values.pooled[a] < values.pooled[b];
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      x_[i] = values.pooled[order[i]];
      labels_[i] = diseased[order[i]];
    }
  }

  StateKernels run(long max_iterations) {
    rising_ = rises();
    std::vector<double> old(x_.size(), 0.0);
    for (long i = 0;; ++i) {
      auto kernels = fitted({}, {});
      const double pre_bandwidth = kernels.pre.bandwidth();
      const double post_bandwidth = kernels.post.bandwidth();
      weigh(kernels);
      if (i == 0) {
        clear_forced();
        kernels = fitted(pre_bandwidth, post_bandwidth);
        weigh(kernels);
      }
      if (ratio_ == old) return kernels;
      old = ratio_;
      for (std::size_t j = 0; j < x_.size(); ++j) labels_[j] = ratio_[j] < 0.5;
      mend(labels_, x_);
      clear_forced();
      const double share = pre_share();
      if (share < kLeastLabelShare || share > 1.0 - kLeastLabelShare || i + 1 == max_iterations)
        return fitted(pre_bandwidth, post_bandwidth);
    }
  }

 private:
  /// Of the values with this label. No bandwidth: the points' own.
  KernelDensity fitted_to(bool label, double alpha, std::optional<double> bandwidth) const {
    std::vector<double> points;
    for (std::size_t j = 0; j < x_.size(); ++j)
      if (labels_[j] == label) points.push_back(x_[j]);
    if (points.size() < 2 || points.front() == points.back())
      throw NumericError(fmt::format(
          "biomarker '{}': the values taken as {}-event are {}, and the published kernel "
          "density divides by their standard deviation; use fidelity = \"repaired\", or "
          "leave the biomarker out",
          name_, label ? "post" : "pre", points.size() < 2 ? "fewer than two" : "all the same"));
    return KernelDensity::adaptive(points, {.alpha = alpha, .bandwidth = bandwidth});
  }

  StateKernels fitted(std::optional<double> pre, std::optional<double> post) const {
    return {fitted_to(false, kAlpha, pre), fitted_to(true, kAlpha, post)};
  }

  double pre_share() const {
    const auto pre = std::count(labels_.begin(), labels_.end(), false);
    return static_cast<double>(pre) / static_cast<double>(labels_.size());
  }

  /// Whether the diseased have the larger values, by running sums of densities at the values.
  bool rises() const {
    std::vector<double> controls(x_.size()), diseased(x_.size());
    fitted_to(false, kControls, {}).densities(x_, controls);
    fitted_to(true, kDiseased, {}).densities(x_, diseased);
    controls = cumulated(std::move(controls));
    diseased = cumulated(std::move(diseased));
    double sum = 0.0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const double term = (diseased[j] - controls[j]) / (diseased[j] + controls[j]);
      if (!std::isnan(term)) sum += term;
    }
    if (sum == 0.0)
      throw NumericError(
          fmt::format("biomarker '{}': neither controls nor diseased have the larger values on the "
                      "whole, and the published method needs to know; use fidelity = \"repaired\", "
                      "or leave the biomarker out",
                      name_));
    return sum < 0.0;
  }

  /// The share of the pre-event density in both at every value (NaN where both are 0), and which
  /// values are pre-event whatever it is: those on the side of the controls of the median.
  void weigh(const StateKernels& kernels) {
    const double mix = pre_share();
    std::vector<double> pre(x_.size());
    ratio_.resize(x_.size());
    kernels.pre.densities(x_, pre);
    kernels.post.densities(x_, ratio_);
    for (std::size_t j = 0; j < x_.size(); ++j) {
      pre[j] *= mix;
      ratio_[j] = pre[j] / (pre[j] + (1.0 - mix) * ratio_[j]);
    }
    const auto cumulative = cumulated(std::move(pre));
    forced_.resize(x_.size());
    for (std::size_t j = 0; j < x_.size(); ++j)
      forced_[j] = rising_ ? cumulative[j] < 0.5 : cumulative[j] > 0.5;
  }

  void clear_forced() {
    for (std::size_t j = 0; j < x_.size(); ++j)
      if (forced_[j]) labels_[j] = false;
  }

  std::string name_;
  std::vector<double> x_;  // ascending
  Labels labels_;
  bool rising_ = true;
  std::vector<double> ratio_;
  std::vector<bool> forced_;
};

}  // namespace

StateKernels relabel_as_published(const BiomarkerValues& values, const std::vector<bool>& diseased,
                                  long max_iterations) {
  return PublishedRelabelling(values, diseased).run(max_iterations);
}

StateDensities relabelled_densities(const Cohort& cohort, long max_iterations) {
  std::vector<StateKernels> kernels;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    std::vector<bool> diseased;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (!std::isnan(cohort.measurements(j, b))) diseased.push_back(cohort.diseased[j] != 0);
    kernels.push_back(relabel_as_published(values_of(cohort, b), diseased, max_iterations));
  }
  return [kernels = std::move(kernels)](std::size_t b, std::span<const double> x,
                                        std::span<double> pre, std::span<double> post) {
    kernels[b].pre.densities(x, pre);
    kernels[b].post.densities(x, post);
  };
}

}  // namespace tempo::toolkit
