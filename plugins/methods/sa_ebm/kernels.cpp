#include "kernels.hpp"

#include <algorithm>
#include <cmath>

#include "tempo/toolkit/kernel_density.hpp"
#include "tempo/toolkit/normal_mixture.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::sa_ebm {
namespace {

constexpr double kPublishedLeast = 1e-12;  // sd and density, in units of the biomarker
constexpr double kLeastKernelWeight = 2.0;

/// The published threshold of the mean change of J weights.
double least_change(std::size_t J) {
  return J >= 1000 ? 0.005 : J >= 500 ? 0.0075 : J >= 200 ? 0.01 : J >= 50 ? 0.015 : 0.02;
}

}  // namespace

Kernels::Kernels(const Study& study, Fidelity fidelity) : study_(&study), fidelity_(fidelity) {
  const std::size_t J = study.everyone.participants();
  std::vector<bool> diseased(J);
  for (const std::size_t j : study.diseased_rows) diseased[j] = true;
  for (std::size_t b = 0; b < study.biomarkers(); ++b) {
    std::vector<double> phi(J), theta(J), all(J);
    auto in_theta = study.clusters[b].in_theta.begin();
    for (std::size_t j = 0; j < J; ++j) {
      if (std::isnan(study.everyone[b][j])) continue;
      theta[j] = *in_theta++ && diseased[j] ? 1.0 : 0.0;
      phi[j] = 1.0 - theta[j];
      all[j] = diseased[j] ? 1.0 : 0.0;
    }
    if (std::count(theta.begin(), theta.end(), 1.0) == 0) theta = all;
    phi_.push_back(fitted(b, std::move(phi)));
    theta_.push_back(fitted(b, std::move(theta)));
  }
}

Kernels Kernels::refitted(const Matrix& happened) const {
  Kernels out = *this;
  const std::size_t J = happened.rows();
  std::vector<double> phi(J), theta(J);
  for (std::size_t b = 0; b < phi_.size(); ++b) {
    for (std::size_t j = 0; j < J; ++j) {
      const bool present = !std::isnan(study_->everyone[b][j]);
      theta[j] = present ? happened(j, b) : 0.0;
      phi[j] = present ? 1.0 - theta[j] : 0.0;
    }
    if (takes(phi_[b], phi)) out.phi_[b] = fitted(b, phi);
    if (takes(theta_[b], theta)) out.theta_[b] = fitted(b, theta);
  }
  return out;
}

bool Kernels::may_change() const {
  const std::size_t J = study_->everyone.participants();
  return fidelity_ == Fidelity::repaired || 2.0 / static_cast<double>(J) >= least_change(J);
}

bool Kernels::takes(const Density& old, const std::vector<double>& weights) const {
  const double sum = toolkit::pairwise_sum(weights);
  if (fidelity_ == Fidelity::repaired) return sum >= kLeastKernelWeight;
  if (!(sum > 0.0)) return false;
  std::vector<double> changes(weights.size());
  for (std::size_t j = 0; j < weights.size(); ++j)
    changes[j] = std::abs(weights[j] / sum - old.weights[j]);
  return toolkit::pairwise_sum(changes) >=
         static_cast<double>(weights.size()) * least_change(weights.size());
}

Kernels::Density Kernels::fitted(std::size_t b, std::vector<double> weights) const {
  const auto x = study_->everyone[b];
  std::vector<double> points, of_points;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (!std::isnan(x[j])) {
      points.push_back(x[j]);
      of_points.push_back(weights[j]);
    }
  const bool paper = fidelity_ == Fidelity::paper;
  const double unit = study_->scale[b];
  const auto kernels = toolkit::KernelDensity::weighted(
      points, of_points,
      {.alpha = 0.0, .least_sd = paper ? kPublishedLeast / unit : study_->least_sd[b]});
  std::vector<double> logs(points.size());
  if (paper) {
    kernels.densities(points, logs);
    for (double& value : logs)  // per standard deviation: `unit` times the density per unit
      value = toolkit::portable_log(std::max(value, kPublishedLeast * unit));
  } else {
    const auto [low, high] = std::minmax_element(points.begin(), points.end());
    kernels.log_densities(points, *high - *low, logs);
  }
  Density out{std::move(weights), {}};
  out.logs.resize(out.weights.size());
  const double sum = toolkit::pairwise_sum(out.weights);
  for (double& weight : out.weights) weight /= sum;
  auto next = logs.begin();
  for (std::size_t j = 0; j < out.weights.size(); ++j)
    if (!std::isnan(x[j])) out.logs[j] = *next++;
  return out;
}

double Kernels::base() const {
  std::vector<double> sums;
  for (const auto& density : phi_) sums.push_back(toolkit::pairwise_sum(density.logs));
  return toolkit::pairwise_sum(sums);
}

void Kernels::log_ratios(const std::vector<std::size_t>& rows, ParticipantColumns& out) const {
  for (std::size_t b = 0; b < phi_.size(); ++b)
    for (std::size_t i = 0; i < rows.size(); ++i)
      out[b][i] = theta_[b].logs[rows[i]] - phi_[b].logs[rows[i]];
}

}  // namespace tempo::sa_ebm
