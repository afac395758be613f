#include "tempo/toolkit/conjugate_normal.hpp"

#include <algorithm>
#include <cmath>

#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {

double log_likelihood(const Moments& data, const Normal& normal) {
  if (!(normal.sd > 0.0)) return 0.0;
  const double log_root_two_pi = 0.91893853320467274;
  const double squares = data.xx - 2.0 * normal.mean * data.x + data.n * normal.mean * normal.mean;
  return -data.n * (portable_log(normal.sd) + log_root_two_pi) -
         0.5 * squares / (normal.sd * normal.sd);
}

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

}  // namespace tempo::toolkit
