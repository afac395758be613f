#include "tempo/toolkit/normal_mixture.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace tempo::toolkit {
namespace {

const double kRootTwoPi = std::sqrt(2.0 * std::numbers::pi);
const double kLogRootTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

/// log(1 + exp(t)) without overflow.
double softplus(double t) {
  return t > 0.0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t));
}

}  // namespace

double pairwise_sum(std::span<const double> values) {
  constexpr std::size_t kLanes = 8, kBlock = 128;
  const std::size_t n = values.size();
  if (n < kLanes) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum;
  }
  if (n <= kBlock) {
    std::array<double, kLanes> r;
    for (std::size_t k = 0; k < kLanes; ++k) r[k] = values[k];
    const std::size_t whole = n - n % kLanes;
    for (std::size_t i = kLanes; i < whole; i += kLanes)
      for (std::size_t k = 0; k < kLanes; ++k) r[k] += values[i + k];
    double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (std::size_t i = whole; i < n; ++i) sum += values[i];
    return sum;
  }
  std::size_t half = n / 2;
  half -= half % kLanes;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

Normal population_moments(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = pairwise_sum(values) / n;
  std::vector<double> squares;
  squares.reserve(values.size());
  for (const double value : values) squares.push_back((value - mean) * (value - mean));
  return {mean, std::sqrt(pairwise_sum(squares) / n)};
}

double density(const Normal& normal, double x) {
  const double z = (x - normal.mean) / normal.sd;
  return std::exp(-(z * z) / 2.0) / kRootTwoPi / normal.sd;
}

double log_density(const Normal& normal, double x) {
  const double z = (x - normal.mean) / normal.sd;
  return -0.5 * z * z - std::log(normal.sd) - kLogRootTwoPi;
}

double log_odds_post(const NormalMixture& mixture, double x) {
  return log_density(mixture.post, x) - log_density(mixture.pre, x) +
         std::log((1.0 - mixture.mix) / mixture.mix);
}

double posterior(const NormalMixture& mixture, double x, double added) {
  const double pre = mixture.mix * density(mixture.pre, x);
  const double post = (1.0 - mixture.mix) * density(mixture.post, x);
  return post / (post + pre + added);
}

MixtureObjective::MixtureObjective(std::vector<double> values, DensityFloor floor)
    : values_(std::move(values)),
      floor_(floor),
      pre_(values_.size()),
      post_(values_.size()),
      moved_(values_.size()),
      logarithms_(values_.size()) {}

double MixtureObjective::value(std::span<const double> p) {
  const auto at = NormalMixture::from(p);
  if (!filled_ || !(at.pre == pre_at_)) fill(pre_at_ = at.pre, pre_);
  if (!filled_ || !(at.post == post_at_)) fill(post_at_ = at.post, post_);
  filled_ = true;
  return sum(at.mix, pre_, post_);
}

double MixtureObjective::value_moved(std::span<const double> p, std::size_t moved) {
  const auto at = NormalMixture::from(p);
  if (moved == 4) return sum(at.mix, pre_, post_);
  fill(moved < 2 ? at.pre : at.post, moved_);
  return moved < 2 ? sum(at.mix, moved_, post_) : sum(at.mix, pre_, moved_);
}

// The loops around exp and log are separate so that the compiler vectorises the rest.

void MixtureObjective::fill(const Normal& normal, std::vector<double>& out) const {
  const std::size_t n = values_.size();
  for (std::size_t j = 0; j < n; ++j) {
    const double z = (values_[j] - normal.mean) / normal.sd;
    out[j] = -(z * z) / 2.0;
  }
  for (std::size_t j = 0; j < n; ++j) out[j] = std::exp(out[j]);
  const double root = kRootTwoPi;
  for (std::size_t j = 0; j < n; ++j) out[j] = out[j] / root / normal.sd;
}

double MixtureObjective::sum(double mix, const std::vector<double>& pre,
                             const std::vector<double>& post) {
  const std::size_t n = values_.size();
  const double rest = 1.0 - mix;
  const DensityFloor floor = floor_;
  for (std::size_t j = 0; j < n; ++j) {
    const double mixed = mix * pre[j] + rest * post[j] + floor.added;
    logarithms_[j] = mixed == 0.0 ? floor.instead_of_0 : mixed;
  }
  for (std::size_t j = 0; j < n; ++j) logarithms_[j] = std::log(logarithms_[j]);
  return -pairwise_sum(logarithms_);
}

LogMixtureObjective::LogMixtureObjective(std::vector<double> values,
                                         std::span<const double> known_pre)
    : values_(std::move(values)), known_count_(static_cast<double>(known_pre.size())) {
  if (!known_pre.empty()) known_moments_ = population_moments(known_pre);
}

double LogMixtureObjective::value(std::span<const double> p) {
  const auto at = NormalMixture::from(p);
  const double pre = std::log(at.mix / at.pre.sd), post = std::log((1.0 - at.mix) / at.post.sd);
  double sum = 0.0;
  for (const double x : values_) {
    const double u = (x - at.pre.mean) / at.pre.sd, v = (x - at.post.mean) / at.post.sd;
    const double a = pre - 0.5 * u * u;
    sum += a + softplus(post - 0.5 * v * v - a);
  }
  if (known_count_ > 0.0) {
    const double u = (known_moments_.mean - at.pre.mean) / at.pre.sd;
    const double spread = known_moments_.sd / at.pre.sd;
    sum -= known_count_ * (0.5 * (u * u + spread * spread) + std::log(at.pre.sd));
  }
  return (static_cast<double>(values_.size()) + known_count_) * kLogRootTwoPi - sum;
}

void LogMixtureObjective::gradient(std::span<const double> p, std::span<double> out) {
  const auto at = NormalMixture::from(p);
  const double base = std::log((1.0 - at.mix) / at.mix) + std::log(at.pre.sd / at.post.sd);
  double pre_mean = 0.0, pre_sd = 0.0, post_mean = 0.0, post_sd = 0.0, pre_share = 0.0;
  for (const double x : values_) {
    const double u = (x - at.pre.mean) / at.pre.sd, v = (x - at.post.mean) / at.post.sd;
    const double r = 1.0 / (1.0 + std::exp(base + 0.5 * (u * u - v * v)));
    pre_share += r;
    pre_mean += r * u;
    pre_sd += r * (u * u - 1.0);
    post_mean += (1.0 - r) * v;
    post_sd += (1.0 - r) * (v * v - 1.0);
  }
  if (known_count_ > 0.0) {
    const double u = (known_moments_.mean - at.pre.mean) / at.pre.sd;
    const double spread = known_moments_.sd / at.pre.sd;
    pre_mean += known_count_ * u;
    pre_sd += known_count_ * (u * u + spread * spread - 1.0);
  }
  const auto n = static_cast<double>(values_.size());
  out[0] = -pre_mean / at.pre.sd;
  out[1] = -pre_sd / at.pre.sd;
  out[2] = -post_mean / at.post.sd;
  out[3] = -post_sd / at.post.sd;
  out[4] = -(pre_share / at.mix - (n - pre_share) / (1.0 - at.mix));
}

}  // namespace tempo::toolkit
