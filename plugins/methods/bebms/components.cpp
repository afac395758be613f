#include "components.hpp"

#include <limits>

#include "tempo/toolkit/conjugate_normal.hpp"
#include "tempo/toolkit/simplex.hpp"

namespace tempo::bebms {

Components::Components(const Study& study, std::size_t participants)
    : log_ratios(study.biomarkers(), participants) {
  for (const auto& clusters : study.clusters) {
    phi.push_back(clusters.phi);
    theta.push_back(clusters.theta);
  }
}

void Components::evaluate(const Study& study, const MixtureLikelihood& likelihood) {
  base = 0.0;
  for (std::size_t b = 0; b < phi.size(); ++b) {
    likelihood.normal_log_ratios(b, phi[b], theta[b], log_ratios);
    base += toolkit::log_likelihood(study.moments[b], phi[b]);
  }
}

const ParticipantColumns& members(const Study& study, Variant variant) {
  return variant == Variant::labels ? study.diseased : study.everyone;
}

std::vector<double> draw_log_pi(Variant variant, std::vector<double> counts, RandomStream& stream) {
  if (variant == Variant::blind) return toolkit::draw_log_shares(counts, stream);
  counts.erase(counts.begin());
  auto out = toolkit::draw_log_shares(counts, stream);
  out.insert(out.begin(), -std::numeric_limits<double>::infinity());
  return out;
}

}  // namespace tempo::bebms
