#include "components.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tempo/toolkit/portable_math.hpp"

namespace tempo::sa_ebm {
namespace {

/// sum over the values of log N(x | normal); 0 for the missing distribution, of standard deviation
/// 0.
double log_likelihood(const Moments& data, const Normal& normal) {
  if (!(normal.sd > 0.0)) return 0.0;
  const double log_root_two_pi = 0.91893853320467274;
  const double squares = data.xx - 2.0 * normal.mean * data.x + data.n * normal.mean * normal.mean;
  return -data.n * (toolkit::portable_log(normal.sd) + log_root_two_pi) -
         0.5 * squares / (normal.sd * normal.sd);
}

}  // namespace

ConjugatePosterior::ConjugatePosterior(const Normal& prior, const Moments& data)
    : weight(1.0 + data.n), mean(prior.mean), squares(prior.sd * prior.sd) {
  constexpr double kNothing = 1e-12;
  if (data.n <= kNothing) {
    weight = 1.0;
    return;
  }
  const double from_prior = data.mean() - prior.mean;
  mean = (prior.mean + data.x) / weight;
  squares += data.squares() + data.n / weight * from_prior * from_prior;
}

Normal ConjugatePosterior::point(double least_sd) const {
  return {mean, std::max(std::sqrt(squares / weight), least_sd)};
}

Normal ConjugatePosterior::draw(double least_sd, RandomStream& stream) const {
  // Whole weights: with one, chi^2 is the square of a normal (gamma() below shape 1 would need
  // powers).
  const double z = stream.normal();
  const double chi_squared = weight < 2.0 ? z * z : 2.0 * stream.gamma(0.5 * weight);
  const double sd = std::max(std::sqrt(squares / chi_squared), least_sd);
  return {mean + sd / std::sqrt(weight) * stream.normal(), sd};
}

Normal weighted_normal(const Moments& data, double lost) {
  return {data.mean(), std::sqrt(data.squares() / (data.n - lost))};
}

Components::Components(const Study& study)
    : log_ratios(study.biomarkers(), study.diseased.participants()) {
  for (const auto& clusters : study.clusters) {
    phi.push_back(clusters.phi);
    theta.push_back(clusters.theta);
  }
}

void Components::evaluate(const Study& study, const toolkit::StageLikelihood& likelihood) {
  if (kernels) {
    base = kernels->base();
    kernels->log_ratios(study.diseased_rows, log_ratios);
    return;
  }
  base = 0.0;
  for (std::size_t b = 0; b < phi.size(); ++b) {
    likelihood.normal_log_ratios(b, phi[b], theta[b], log_ratios);
    base += log_likelihood(study.moments[b], phi[b]);
  }
}

ParticipantColumns Components::log_ratios_of_everyone(
    const toolkit::StageLikelihood& everyone) const {
  ParticipantColumns out(phi.size(), everyone.participants());
  if (kernels) {
    std::vector<std::size_t> rows(everyone.participants());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    kernels->log_ratios(rows, out);
    return out;
  }
  for (std::size_t b = 0; b < phi.size(); ++b) everyone.normal_log_ratios(b, phi[b], theta[b], out);
  return out;
}

Matrix Components::happened(const Study& study, std::span<const std::size_t> order,
                            std::span<const double> log_pi) const {
  const std::size_t B = order.size();
  std::vector<double> log_prior = {-std::numeric_limits<double>::infinity()};
  log_prior.insert(log_prior.end(), log_pi.begin(), log_pi.end());
  Matrix stages(study.diseased_rows.size(), B + 1), out(study.everyone.participants(), B);
  toolkit::add_stage_posterior(log_ratios, order, log_prior, stages);
  for (std::size_t i = 0; i < stages.rows(); ++i) {
    double sum = 0.0;
    for (std::size_t k = B; k > 0; --k)
      out(study.diseased_rows[i], order[k - 1]) = sum += stages(i, k);
  }
  return out;
}

}  // namespace tempo::sa_ebm
