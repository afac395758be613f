#include "tempo/toolkit/kernel_density.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tempo/toolkit/normal_mixture.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {
namespace {

constexpr std::size_t kVectors = 4;  // enough sums in flight to hide that each waits for itself
constexpr std::size_t kBlock = kVectors * kLanes;

const double kRootTwoPi = std::sqrt(2.0 * std::numbers::pi);

// Two versions of the same arithmetic, one chosen when the library is loaded; neither fuses.
// Under the thread sanitizer there is one: what chooses runs before the sanitizer is ready.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define TEMPO_WIDEST_VECTORS [[gnu::target_clones("avx2", "default")]]
#else
#define TEMPO_WIDEST_VECTORS
#endif

/// Writes sum_i heights_i exp( -((z - at_i) per_width_i)^2 / 2 ) to out, for a block of z.
TEMPO_WIDEST_VECTORS
void sum_kernels(const double* z, std::size_t blocks, const double* at, const double* per_width,
                 const double* heights, std::size_t kernels, double* out) {
  for (std::size_t block = 0; block < blocks; ++block) {
    Lanes sums[kVectors] = {};
    for (std::size_t i = 0; i < kernels; ++i)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Lanes u = (lanes(z + block * kBlock + v * kLanes) - at[i]) * per_width[i];
        const Lanes exponent = -0.5 * (u * u);
        Lanes kernel;
        exp_lanes_to_zero(exponent, kernel);
        sums[v] += heights[i] * kernel;
      }
    for (std::size_t v = 0; v < kVectors; ++v) lanes(out + block * kBlock + v * kLanes) = sums[v];
  }
}

#undef TEMPO_WIDEST_VECTORS

/// The same for any number of z.
void add_up(std::span<const double> z, const std::vector<double>& at,
            const std::vector<double>& per_width, const std::vector<double>& heights,
            std::span<double> out) {
  const std::size_t blocks = (z.size() + kBlock - 1) / kBlock;
  std::vector<double> padded(blocks * kBlock), sums(blocks * kBlock);
  std::copy(z.begin(), z.end(), padded.begin());
  sum_kernels(padded.data(), blocks, at.data(), per_width.data(), heights.data(), at.size(),
              sums.data());
  std::copy_n(sums.begin(), z.size(), out.begin());
}

std::vector<double> standardised(std::span<const double> x, double centre, double scale) {
  std::vector<double> z(x.begin(), x.end());
  for (double& value : z) value = (value - centre) / scale;
  return z;
}

}  // namespace

KernelDensity KernelDensity::adaptive(std::span<const double> points,
                                      const AdaptiveBandwidth& settings) {
  const auto n = static_cast<double>(points.size());
  const Normal moments = population_moments(points);
  KernelDensity density(moments.mean,
                        std::max(moments.sd * std::sqrt(n / (n - 1.0)), settings.least_sd));
  density.points_ = n;
  density.place(points, std::vector<double>(points.size(), 1.0), settings);
  return density;
}

KernelDensity KernelDensity::weighted(std::span<const double> points,
                                      std::span<const double> weights,
                                      const AdaptiveBandwidth& settings) {
  double sum = 0.0, mean = 0.0, squares = 0.0, concentration = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += weights[i];
    concentration += weights[i] * weights[i];
    mean += weights[i] * points[i];
  }
  mean /= sum;
  for (std::size_t i = 0; i < points.size(); ++i)
    squares += weights[i] * (points[i] - mean) * (points[i] - mean);
  KernelDensity density(mean, std::max(std::sqrt(squares / sum), settings.least_sd));
  density.points_ = sum * sum / concentration;
  std::vector<double> used, their_weights;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (weights[i] == 0.0) continue;
    used.push_back(points[i]);
    their_weights.push_back(weights[i]);
  }
  density.place(used, their_weights, settings);
  return density;
}

void KernelDensity::place(std::span<const double> points, std::vector<double> weights,
                          const AdaptiveBandwidth& settings) {
  bandwidth_ = settings.bandwidth.value_or(std::pow(points_, -0.2));
  const double sum = pairwise_sum(weights);
  factor_ = 1.0 / (sum * kRootTwoPi * scale_);
  at_ = standardised(points, centre_, scale_);
  per_width_.assign(points.size(), 1.0 / bandwidth_);
  heights_ = std::move(weights);
  if (settings.alpha != 0.0) {
    std::vector<double> pilot(points.size());
    add_up(at_, at_, per_width_, heights_, pilot);
    std::vector<double> logarithms = pilot;
    for (std::size_t i = 0; i < pilot.size(); ++i) logarithms[i] = heights_[i] * std::log(pilot[i]);
    const double g = std::exp(pairwise_sum(logarithms) / sum);
    for (std::size_t i = 0; i < pilot.size(); ++i)
      per_width_[i] *= std::pow(pilot[i] / g, settings.alpha);
  }
  for (std::size_t i = 0; i < heights_.size(); ++i) heights_[i] *= per_width_[i];
}

void KernelDensity::densities(std::span<const double> x, std::span<double> out) const {
  add_up(standardised(x, centre_, scale_), at_, per_width_, heights_, out);
  for (double& value : out) value *= factor_;
}

void KernelDensity::log_densities(std::span<const double> x, double range,
                                  std::span<double> out) const {
  densities(x, out);
  for (double& value : out) value = std::log((points_ * value + 1.0 / range) / (points_ + 1.0));
}

}  // namespace tempo::toolkit
