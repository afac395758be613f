#include "components.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tempo/toolkit/portable_math.hpp"

namespace tempo::sa_ebm {

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
    base += toolkit::log_likelihood(study.moments[b], phi[b]);
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
