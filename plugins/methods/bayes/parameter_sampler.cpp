#include "parameter_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "assumptions.hpp"

namespace tempo::bayes {
namespace {

/// Log density over mean and log sd.
double log_around(const Normal& now, const Normal& around, double mean_within,
                  double log_sd_within) {
  const double mean = (now.mean - around.mean) / (mean_within * around.sd);
  const double log_sd = std::log(now.sd / around.sd) / log_sd_within;
  return -0.5 * (mean * mean + log_sd * log_sd) -
         std::log(2.0 * std::numbers::pi * mean_within * around.sd * log_sd_within);
}

double log_prior(const Biomarker& now, const Biomarker& centre) {
  return log_around(now.phi, centre.phi, kMeansWithin, kLogSdsWithin) +
         log_around(now.theta, centre.theta, kMeansWithin, kLogSdsWithin);
}

/// That of the logarithm of an sd beside that of the mean, as values of a normal distribution leave
/// them.
double log_sd_width(double mean_width) { return mean_width / std::numbers::sqrt2; }

/// Of a mean, in sds.
double waiting_width(double values) {
  constexpr double kWider = 1.5;  // than if it were known whose event has happened
  return std::min(kWider / std::sqrt(std::max(1.0, values)), kMeansWithin);
}

/// How far a logarithm of an sd goes where a mean goes this far.
double log_sd_width(const Anchors& anchors, double mean_width) {
  return anchors.log_sd_width(mean_width, log_sd_width(mean_width));
}

/// Log density of where distributions wait: around an estimate, as far as no atom holds it.
double log_waiting(const Normal& now, const Normal& around, const Anchors& anchors, double width) {
  if (anchors.size() == 0) return log_around(now, around, width, log_sd_width(width));
  const double held = anchors.log_density(now);
  if (anchors.size() == 2) return held;
  const double log_sd = std::log(now.sd / around.sd) / log_sd_width(anchors, width);
  return held - 0.5 * log_sd * log_sd -
         std::log(std::sqrt(2.0 * std::numbers::pi) * log_sd_width(anchors, width));
}

}  // namespace

ParameterSampler::ParameterSampler(const ProcessLaw& process, const BiomarkerEstimates& estimates,
                                   std::size_t healthy, std::size_t diseased)
    : process_(process),
      narrow_before_(
          waiting_width(static_cast<double>(healthy) + 0.5 * static_cast<double>(diseased))),
      narrow_after_(waiting_width(0.5 * static_cast<double>(diseased))) {
  for (const auto& by_biomarker : estimates) {
    auto& of_trait = states_.emplace_back();
    for (const auto& estimate : by_biomarker) of_trait.push_back({estimate.biomarker, estimate});
  }
}

std::optional<ParameterSampler> parameter_sampler(const ProcessLaw& process,
                                                  const BiomarkerEstimates& estimates,
                                                  std::size_t healthy, std::size_t diseased) {
  if (estimates.empty()) return std::nullopt;
  return ParameterSampler(process, estimates, healthy, diseased);
}

double ParameterSampler::log_weight(std::size_t t, std::size_t b) const {
  const auto& [now, estimate] = states_[t][b];
  const auto& around = estimate.biomarker;
  if (std::min(now.phi.sd, now.theta.sd) < estimate.least_sd)
    return -std::numeric_limits<double>::infinity();
  return log_prior(now, estimate.prior_centre) -
         log_waiting(now.phi, around.phi, estimate.pre, narrow_before_) -
         log_waiting(now.theta, around.theta, estimate.post, narrow_after_);
}

bool ParameterSampler::move(std::size_t t, std::size_t b, std::size_t before, std::size_t after,
                            const LogLikelihood& log_likelihood, RandomStream& stream) {
  auto& [now, estimate] = states_[t][b];
  const auto& around = estimate.biomarker;
  bool is_changed = false;
  for (const bool is_post : {false, true}) {
    const auto& anchors = is_post ? estimate.post : estimate.pre;
    if (anchors.size() == 2) continue;
    // On the line of an anchor, per ln sd: the atom is narrower where the sd is.
    const auto value_at = [&](const Biomarker& biomarker) {
      return log_likelihood(*model_of(biomarker)->law(), is_post) +
             log_prior(biomarker, estimate.prior_centre) -
             anchors.log_density(is_post ? biomarker.theta : biomarker.phi);
    };
    double here = value_at(now);
    for (const double stretch : {1.7, 0.5}) {
      const auto values = static_cast<double>(std::max<std::size_t>(1, is_post ? after : before));
      const double width = stretch / std::sqrt(values);
      auto proposed = now;
      auto& normal = is_post ? proposed.theta : proposed.phi;
      // By an sd that the step does not change: forwards and backwards are equally likely.
      normal.mean += width * (is_post ? around.theta.sd : around.phi.sd) * stream.normal();
      normal.sd *= std::exp(log_sd_width(anchors, width) * stream.normal());
      normal = anchors.hold(normal);
      const double u = stream.uniform();
      if (normal.sd < estimate.least_sd) continue;
      const double there = value_at(proposed);
      if (!(std::log(u) < there - here)) continue;
      now = proposed;
      here = there;
      is_changed = true;
    }
  }
  return is_changed;
}

std::size_t ParameterSampler::redraw_other(std::size_t t, std::size_t b, RandomStream& stream) {
  if (states_.size() == 1) return t;
  const std::size_t other = (t + 1 + stream.index(states_.size() - 1)) % states_.size();
  auto& [now, estimate] = states_[other][b];
  const auto& around = estimate.biomarker;
  const auto wait = [&](Normal& normal, const Normal& centre, const Anchors& anchors,
                        double width) {
    normal.mean = centre.mean + width * centre.sd * stream.normal();
    normal.sd = centre.sd * std::exp(log_sd_width(anchors, width) * stream.normal());
    normal = anchors.hold(normal);
  };
  wait(now.phi, around.phi, estimate.pre, narrow_before_);
  wait(now.theta, around.theta, estimate.post, narrow_after_);
  return other;
}

void ParameterSampler::update(std::size_t t, std::size_t b, std::span<const std::uint8_t> happened,
                              SwitchEvidence& evidence, RandomStream& stream) {
  std::array<std::vector<double>, 2> values;  // before and after
  for (std::size_t j = 0; j < evidence.row.size(); ++j) {
    const bool post = evidence.row[j] != SwitchEvidence::kHealthy && happened[evidence.row[j]] != 0;
    if (!std::isnan(evidence.values[b][j])) values[post].push_back(evidence.values[b][j]);
  }
  const auto log_likelihood = [&](const MeasurementLaw& law, bool is_post) {
    const std::array<double, 1> since{is_post ? 0.0 : -1.0};
    const double floor = least_log_density(law.biomarkers()[0]);
    std::array<double, 1> log_p{};
    double sum = 0.0;
    for (const double x : values[is_post]) {
      law.log_density(0, evidence.traits[t], x, since, log_p);
      sum += std::max(log_p[0], floor);
    }
    return sum;
  };
  if (move(t, b, values[0].size(), values[1].size(), log_likelihood, stream))
    evidence.set(t, b, *model(t, b)->law(), 0);
  if (const auto other = redraw_other(t, b, stream); other != t)
    evidence.set(other, b, *model(other, b)->law(), 0);
}

std::unique_ptr<MeasurementModel> ParameterSampler::model_of(const Biomarker& biomarker) const {
  return process_.make_measurement_model(BiomarkerTable({biomarker}));
}

}  // namespace tempo::bayes
