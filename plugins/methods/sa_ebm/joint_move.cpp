#include "joint_move.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tempo/toolkit/log_sum.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::sa_ebm {
namespace {

using toolkit::log_sum;
using toolkit::portable_exp;
using toolkit::portable_log;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// log pi_k, k = 0..B: the diseased have had an event.
double log_share(const std::vector<double>& log_pi, std::size_t k) {
  return k == 0 ? kImpossible : log_pi[k - 1];
}

/// log N but for its constant.
class LogNormal {
 public:
  explicit LogNormal(const Normal& normal)
      : mean_(normal.mean), inverse_(1.0 / normal.sd), log_sd_(portable_log(normal.sd)) {}
  double operator()(double x) const {
    const double z = (x - mean_) * inverse_;
    return -0.5 * z * z - log_sd_;
  }

 private:
  double mean_, inverse_, log_sd_;
};

Moments operator+(const Moments& a, const Moments& b) {
  return {a.n + b.n, a.x + b.x, a.xx + b.xx};
}

}  // namespace

JointMove::JointMove(const Study& study) : study_(&study), at_(study.biomarkers()) {
  // Gamma(x + 1) = x Gamma(x) from Gamma(1/2) = sqrt(pi) and Gamma(1) = 1.
  log_gamma_ = {0.57236494292470009, 0.0};
  for (std::size_t n = 2; n <= study.everyone.participants() + 1; ++n)
    log_gamma_.push_back(log_gamma_[n - 2] + portable_log(0.5 * static_cast<double>(n - 1)));
}

/// But for (2 pi)^(-n/2), which all places share.
double JointMove::marginal(const Normal& prior, const Moments& data,
                           const ConjugatePosterior& posterior) const {
  const auto n = static_cast<std::size_t>(std::lround(data.n));
  const double v = 1.0 + data.n;
  return log_gamma_[n] - 0.5 * portable_log(v) + portable_log(prior.sd) -
         0.5 * v * portable_log(0.5 * posterior.squares);
}

double JointMove::boundary(std::size_t b, std::size_t place, const std::vector<double>& log_pi,
                           const Normal& phi, const Normal& theta) const {
  double sum = 0.0;
  const double before = log_share(log_pi, place), after = log_share(log_pi, place + 1);
  const LogNormal log_phi(phi), log_theta(theta);
  for (const std::size_t j : at_[place]) {
    const double x = study_->diseased[b][j];
    sum +=
        std::isnan(x) ? log_sum(before, after) : log_sum(before + log_phi(x), after + log_theta(x));
  }
  return sum;
}

bool JointMove::operator()(std::size_t b, const std::vector<double>& log_pi,
                           std::vector<std::size_t>& order, Components& components,
                           std::vector<double>& stages, RandomStream& stream) {
  const std::size_t B = order.size(), n = study_->diseased.participants();
  const auto from =
      static_cast<std::size_t>(std::find(order.begin(), order.end(), b) - order.begin());
  std::vector<Moments> groups(B);
  std::vector<double> counts(B);
  others_.resize(n);
  for (auto& group : at_) group.clear();
  Moments diseased;
  for (std::size_t j = 0; j < n; ++j) {
    const auto stage = static_cast<std::size_t>(stages[j]);
    const std::size_t others = stage - (stage > from);
    others_[j] = others;
    at_[others].push_back(j);
    counts[others] += 1.0;
    const double x = study_->diseased[b][j];
    if (std::isnan(x)) continue;
    groups[others] = groups[others] + Moments{1.0, x, x * x};
    diseased = diseased + Moments{1.0, x, x * x};
  }
  const Moments controls = study_->moments[b] - diseased;

  // Groups before and after the place, and what their stages weigh.
  std::vector<Place> places;
  places.reserve(B);
  Moments before, after = diseased;
  double shares_before = 0.0, shares_after = 0.0;
  for (std::size_t k = 0; k < B; ++k)
    if (counts[k] > 0.0) shares_after += counts[k] * log_share(log_pi, k + 1);
  const auto& prior = study_->clusters[b];
  const double least = study_->least_sd[b];
  double top = kImpossible;
  for (std::size_t p = 0; p < B; ++p) {
    after = after - groups[p];
    if (counts[p] > 0.0) shares_after -= counts[p] * log_share(log_pi, p + 1);
    const Moments unhappened = controls + before;
    const ConjugatePosterior phi(prior.phi, unhappened), theta(prior.theta, after);
    Place place{phi, theta, phi.point(least), theta.point(least), 0.0, 0.0};
    place.boundary = boundary(b, p, log_pi, place.phi_point, place.theta_point);
    place.weight = shares_before + shares_after + place.boundary +
                   marginal(prior.phi, unhappened, phi) + marginal(prior.theta, after, theta);
    top = std::max(top, place.weight);
    places.push_back(place);
    before = before + groups[p];
    if (counts[p] > 0.0) shares_before += counts[p] * log_share(log_pi, p);
  }
  double total = 0.0;
  for (const auto& place : places)
    total += place.weight == kImpossible ? 0.0 : portable_exp(place.weight - top);
  double left = stream.uniform() * total;
  std::size_t to = 0;
  while (to + 1 < B &&
         (left -= places[to].weight == kImpossible ? 0.0 : portable_exp(places[to].weight - top)) >=
             0.0)
    ++to;
  const Normal theta = places[to].theta.draw(least, stream);
  const Normal phi = places[to].phi.draw(least, stream);
  const double gain = boundary(b, to, log_pi, phi, theta) - places[to].boundary;
  const double loss =
      boundary(b, from, log_pi, components.phi[b], components.theta[b]) - places[from].boundary;
  const bool taken = portable_exp(gain - loss) > stream.uniform();
  if (taken) {
    components.phi[b] = phi;
    components.theta[b] = theta;
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), b);
  }
  const std::size_t place = taken ? to : from;
  const double log_before = log_share(log_pi, place), log_after = log_share(log_pi, place + 1);
  const LogNormal log_phi(components.phi[b]), log_theta(components.theta[b]);
  for (std::size_t j = 0; j < n; ++j) {
    bool happened = others_[j] > place;
    if (others_[j] == place) {
      const double x = study_->diseased[b][j];
      double odds = log_after - log_before;
      if (!std::isnan(x)) odds += log_theta(x) - log_phi(x);
      happened = stream.uniform() * (1.0 + portable_exp(-odds)) < 1.0;
    }
    stages[j] = static_cast<double>(others_[j] + happened);
  }
  return taken;
}

}  // namespace tempo::sa_ebm
