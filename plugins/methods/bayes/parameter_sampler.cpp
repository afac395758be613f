#include "parameter_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "assumptions.hpp"

namespace tempo::bayes {
namespace {

constexpr double kNarrow = 0.1;  // width of the distribution that traits not taken wait in

/// Unnormalised log density of both distributions around the estimate.
double log_around(const Biomarker& now, const Biomarker& around, double means_within,
                  double log_sds_within) {
  double sum = 0.0;
  for (const auto& [at, centre] : {std::pair{now.phi, around.phi}, {now.theta, around.theta}}) {
    const double mean = (at.mean - centre.mean) / (means_within * centre.sd);
    const double log_sd = std::log(at.sd / centre.sd) / log_sds_within;
    sum -= 0.5 * (mean * mean + log_sd * log_sd) + std::log(means_within * log_sds_within);
  }
  return sum;
}

}  // namespace

ParameterSampler::ParameterSampler(const ComposedProcess& process,
                                   const std::vector<BiomarkerTable>& around)
    : process_(process) {
  for (const auto& table : around) {
    auto& of_trait = states_.emplace_back();
    for (const auto& biomarker : table) of_trait.push_back({biomarker, biomarker});
  }
}

double ParameterSampler::log_weight(std::size_t t, std::size_t b) const {
  const auto& [now, around] = states_[t][b];
  return log_around(now, around, kMeansWithin, kLogSdsWithin) -
         log_around(now, around, kNarrow, kNarrow);
}

void ParameterSampler::update(std::size_t t, std::size_t b, std::span<const std::uint8_t> happened,
                              SwitchEvidence& evidence, RandomStream& stream) {
  bool is_changed = false;
  for (const bool is_post : {false, true})
    for (const double stretch : {1.7, 0.5})
      is_changed |= step(t, b, is_post, stretch, happened, evidence, stream);
  if (is_changed) evidence.set(t, b, *model_of(states_[t][b].now), 0);
  if (states_.size() == 1) return;
  const std::size_t other = (t + 1 + stream.index(states_.size() - 1)) % states_.size();
  auto& [now, around] = states_[other][b];
  for (const auto& [at, centre] : {std::pair{&now.phi, &around.phi}, {&now.theta, &around.theta}}) {
    at->mean = centre->mean + kNarrow * centre->sd * stream.normal();
    at->sd = centre->sd * std::exp(kNarrow * stream.normal());
  }
  evidence.set(other, b, *model_of(now), 0);
}

bool ParameterSampler::step(std::size_t t, std::size_t b, bool is_post, double stretch,
                            std::span<const std::uint8_t> happened, const SwitchEvidence& evidence,
                            RandomStream& stream) {
  std::vector<double> values;
  for (std::size_t j = 0; j < evidence.row.size(); ++j) {
    const bool post = evidence.row[j] != SwitchEvidence::kHealthy && happened[evidence.row[j]] != 0;
    if (post == is_post && !std::isnan(evidence.values[b][j]))
      values.push_back(evidence.values[b][j]);
  }
  auto& state = states_[t][b];
  const double width = stretch / std::sqrt(std::max(1.0, static_cast<double>(values.size())));
  auto proposed = state.now;
  auto& normal = is_post ? proposed.theta : proposed.phi;
  // By an sd that the step does not change: forwards and backwards are equally likely.
  normal.mean += width * (is_post ? state.around.theta.sd : state.around.phi.sd) * stream.normal();
  normal.sd *= std::exp(width / std::sqrt(2.0) * stream.normal());
  const std::array<double, 1> since{is_post ? 0.0 : -1.0};
  const auto log_likelihood = [&](const Biomarker& biomarker) {
    const auto model = model_of(biomarker);
    const double floor = least_log_density(biomarker);
    std::array<double, 1> log_p{};
    double sum = log_around(biomarker, state.around, kMeansWithin, kLogSdsWithin);
    for (const double x : values) {
      model->log_density(0, evidence.traits[t], x, since, log_p);
      sum += std::max(log_p[0], floor);
    }
    return sum;
  };
  const double gain = log_likelihood(proposed) - log_likelihood(state.now);
  if (std::log(stream.uniform()) >= gain) return false;
  state.now = proposed;
  return true;
}

std::unique_ptr<MeasurementModel> ParameterSampler::model_of(const Biomarker& biomarker) const {
  return process_.measurement_model(BiomarkerTable({biomarker}));
}

}  // namespace tempo::bayes
