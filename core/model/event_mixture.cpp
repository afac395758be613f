#include "tempo/event_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "tempo/error.hpp"
#include "tempo/value_steps.hpp"

namespace tempo {
namespace {

constexpr double kLeastSd = 0.1;      // of the healthy's
constexpr double kLeastShare = 1e-6;  // of the diseased before the event
constexpr double kFewestAfter = 2.0;  // diseased: the value of one is no distribution
constexpr int kMostSteps = 2000;
constexpr double kEnough = 1e-10;  // nats per value that a step must gain to go on

double log_density(const Normal& normal, double z) {
  const double d = (z - normal.mean) / normal.sd;
  return -0.5 * d * d - std::log(normal.sd) - 0.5 * std::log(2.0 * std::numbers::pi);
}

/// Weighted moments; values without a weight count as 1.
struct Moments {
  double weight = 0.0, sum = 0.0, squares = 0.0;
  void add(double z, double w) {
    weight += w;
    sum += w * z;
    squares += w * z * z;
  }
  Normal normal(double least_sd) const {
    const double mean = sum / weight;
    return {mean, std::max(std::sqrt(std::max(squares / weight - mean * mean, 0.0)), least_sd)};
  }
};

Moments moments_of(std::span<const double> values) {
  Moments out;
  for (const double z : values) out.add(z, 1.0);
  return out;
}

double log_likelihood(std::span<const double> values, const Normal& normal) {
  double sum = 0.0;
  for (const double z : values) sum += log_density(normal, z);
  return sum;
}

double least_share(std::size_t diseased) {
  return std::min(kFewestAfter / static_cast<double>(diseased), 0.5);
}

/// Expectation maximisation on values in units of the healthy.
class Fit {
 public:
  Fit(std::span<const double> healthy, std::span<const double> diseased, HealthyAre healthy_are,
      double least_sd)
      : healthy_(healthy),
        diseased_(diseased),
        healthy_are_(healthy_are),
        least_sd_(least_sd),
        least_share_(least_share(diseased.size())) {}

  void climb(EventMixture mixture) {
    double last = -std::numeric_limits<double>::infinity();
    const double enough = kEnough * static_cast<double>(healthy_.size() + diseased_.size());
    for (int step = 0; step < kMostSteps; ++step) {
      auto next = mixture;
      const double value = step_from(mixture, next);
      if (value > best_) {
        best_ = value;
        best_mixture_ = mixture;
      }
      if (value - last < enough) return;
      last = value;
      mixture = next;
    }
  }
  const EventMixture& best() const { return best_mixture_; }
  double value() const { return best_; }

 private:
  /// @return the log-likelihood of `mixture`
  double step_from(const EventMixture& mixture, EventMixture& next) const {
    double value = log_likelihood(healthy_, mixture.pre);
    Moments pre, post;
    const double log_pre = std::log1p(-mixture.post_share), log_post = std::log(mixture.post_share);
    for (const double z : diseased_) {
      const double a = log_pre + log_density(mixture.pre, z);
      const double b = log_post + log_density(mixture.post, z);
      const double top = std::max(a, b);
      const double sum = top + std::log(std::exp(a - top) + std::exp(b - top));
      value += sum;
      post.add(z, std::exp(b - sum));
      pre.add(z, std::exp(a - sum));
    }
    const double n = static_cast<double>(diseased_.size());
    next.post_share = std::clamp(post.weight / n, least_share_, 1.0 - kLeastShare);
    if (post.weight > 0.0) next.post = post.normal(least_sd_);
    if (healthy_are_ == HealthyAre::free) {
      for (const double z : healthy_) pre.add(z, 1.0);
      next.pre = pre.normal(least_sd_);
    }
    return value;
  }

  std::span<const double> healthy_, diseased_;
  HealthyAre healthy_are_;
  double least_sd_, least_share_;
  double best_ = -std::numeric_limits<double>::infinity();
  EventMixture best_mixture_;
};

}  // namespace

EventMixture fit_event_mixture(std::span<const double> healthy, std::span<const double> diseased,
                               HealthyAre healthy_are) {
  if (healthy.size() < 2 || diseased.size() < 2)
    throw NumericError("two distributions need at least two healthy and two diseased values");
  for (const auto group : {healthy, diseased})
    for (const double x : group)
      if (!std::isfinite(x)) throw NumericError("a value is not finite");

  // In units of the healthy, sorted, the diseased above: sums then do not depend on order or sign.
  std::vector<double> h(healthy.begin(), healthy.end()), d(diseased.begin(), diseased.end());
  std::sort(h.begin(), h.end());
  std::sort(d.begin(), d.end());
  const double n = static_cast<double>(h.size());
  double centre = 0.0, squares = 0.0, above = 0.0;
  for (const double x : h) centre += x / n;
  for (const double x : h) squares += (x - centre) * (x - centre) / (n - 1.0);
  if (h.front() == h.back() || !(squares > 0.0))
    throw NumericError("the healthy all have the same value");
  for (const double x : d) above += x - centre;
  const double scale = above < 0.0 ? -std::sqrt(squares) : std::sqrt(squares);
  for (auto* group : {&h, &d}) {
    for (double& x : *group) x = (x - centre) / scale;
    std::sort(group->begin(), group->end());
  }

  auto both = h;
  both.insert(both.end(), d.begin(), d.end());
  const double least_sd = std::max(kLeastSd, least_sd_of_steps(std::move(both)));
  // The healthy's own, by their scale.
  const Normal pre{0.0, std::max(1.0, least_sd)};
  const auto all = moments_of(d).normal(least_sd);
  Fit fit(h, d, healthy_are, least_sd);
  for (const double post_share : {0.2, 0.5, 0.8}) {
    // The highest of that share; all of them, further out.
    const auto first = static_cast<std::size_t>(static_cast<double>(d.size()) * (1.0 - post_share));
    const auto highest = std::span(d).subspan(std::min(first, d.size() - 2));
    for (const auto& post :
         {moments_of(highest).normal(least_sd), Normal{all.mean / post_share, all.sd}})
      fit.climb({pre, post, post_share, 0.0});
  }

  auto out = fit.best();
  auto pooled = moments_of(d);
  for (const double z : h) pooled.add(z, 1.0);
  const auto one = pooled.normal(least_sd);
  out.evidence = std::max(0.0, fit.value() - log_likelihood(h, one) - log_likelihood(d, one));
  for (auto* normal : {&out.pre, &out.post})
    *normal = {centre + scale * normal->mean, std::abs(scale) * normal->sd};
  return out;
}

}  // namespace tempo
