#include "kernel_density.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "normal_mixture.hpp"
#include "portable_math.hpp"

namespace tempo::toolkit {
namespace {

constexpr std::size_t kVectors = 4;  // enough sums in flight to hide that each waits for itself
constexpr std::size_t kBlock = kVectors * kLanes;

const double kRootTwoPi = std::sqrt(2.0 * std::numbers::pi);

// Two versions of the same arithmetic, one chosen when the library is loaded; neither fuses.
#if defined(__x86_64__)
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
  const double h = density.bandwidth_ = settings.bandwidth.value_or(std::pow(n, -0.2));
  density.points_ = n;
  density.factor_ = 1.0 / (n * kRootTwoPi * density.scale_);
  density.at_ = standardised(points, density.centre_, density.scale_);
  density.per_width_.assign(points.size(), 1.0 / h);
  density.heights_ = density.per_width_;
  if (settings.alpha == 0.0) return density;

  std::vector<double> pilot(points.size()), logarithms;
  add_up(density.at_, density.at_, density.per_width_, density.heights_, pilot);
  for (double& value : pilot) logarithms.push_back(std::log(value *= density.factor_));
  const double g = std::exp(pairwise_sum(logarithms) / n);
  for (std::size_t i = 0; i < pilot.size(); ++i)
    density.per_width_[i] = std::pow(pilot[i] / g, settings.alpha) / h;
  density.heights_ = density.per_width_;
  return density;
}

KernelDensity KernelDensity::weighted(std::span<const double> points,
                                      std::span<const double> weights, double least_sd) {
  double sum = 0.0, mean = 0.0, squares = 0.0, concentration = 0.0;
  for (const double w : weights) sum += w;
  for (std::size_t i = 0; i < points.size(); ++i) mean += weights[i] / sum * points[i];
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double w = weights[i] / sum, difference = points[i] - mean;
    squares += w * difference * difference;
    concentration += w * w;
  }
  KernelDensity density(mean, std::max(std::sqrt(squares), least_sd));
  density.points_ = 1.0 / concentration;
  density.bandwidth_ = std::pow(density.points_, -0.2);
  density.factor_ = 1.0 / (kRootTwoPi * density.scale_ * density.bandwidth_);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (weights[i] == 0.0) continue;
    density.at_.push_back((points[i] - mean) / density.scale_);
    density.heights_.push_back(weights[i] / sum);
  }
  density.per_width_.assign(density.at_.size(), 1.0 / density.bandwidth_);
  return density;
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
