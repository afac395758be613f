#include "tempo/toolkit/separating_mixtures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "tempo/error.hpp"

namespace tempo::toolkit {
namespace {

using SeparatedPoint = NormalMixture::Parameters;

constexpr double kLeastSeparatedShare = 0.1;  // paper: of either component
constexpr double kLeastSeparatedShareRepaired = 0.01;
constexpr double kShrinking = 0.05;         // of an sd
constexpr double kInsteadOfZero = 0x1p-52;  // paper: for a density of 0

struct MixtureBox {
  SeparatedPoint low, high;
};

/// @param least_share  of either component
MixtureBox mixture_box(const NormalMixture& start, const BiomarkerValues& values,
                       double least_share) {
  const auto [least, most] = std::minmax_element(values.pooled.begin(), values.pooled.end());
  const auto largest = [](const std::vector<double>& x) {
    return *std::max_element(x.begin(), x.end());
  };
  const bool up = start.pre.mean < start.post.mean;
  MixtureBox box;
  box.low = {up ? *least : start.pre.mean, kShrinking * start.pre.sd, up ? start.post.mean : *least,
             kShrinking * start.post.sd, least_share};
  box.high = {up ? start.pre.mean : largest(values.controls), start.pre.sd,
              up ? largest(values.diseased) : start.post.mean, start.post.sd, 1.0 - least_share};
  // The mean of equal values may be rounded to one beyond them.
  for (std::size_t i = 0; i < box.low.size(); ++i) box.high[i] = std::max(box.high[i], box.low[i]);
  return box;
}

NormalMixture start_of(const BiomarkerValues& values) {
  return {population_moments(values.controls), population_moments(values.diseased), 0.5};
}

class SeparatingFits {
 public:
  explicit SeparatingFits(const SeparatingFitSettings& settings) : settings_(settings) {}

  void add(const BiomarkerValues& values) {
    fit_.mixtures.push_back(settings_.fidelity == Fidelity::paper ? as_published(values)
                                                                  : as_meant(values));
  }
  SeparatingFit result() { return std::move(fit_); }

 private:
  NormalMixture as_published(const BiomarkerValues& values) {
    const auto start = start_of(values);
    for (const auto& [group, sd] :
         {std::pair{"controls", start.pre.sd}, std::pair{"diseased", start.post.sd}})
      if (sd == 0.0)
        throw NumericError(fmt::format(
            "biomarker '{}': all {} have the same value, and the published mixture divides by "
            "their standard deviation; use fidelity = \"repaired\", or leave the biomarker out",
            values.name, group));
    MixtureObjective objective(values.pooled, {.instead_of_0 = kInsteadOfZero});
    return minimised(values.name, objective, start,
                     mixture_box(start, values, kLeastSeparatedShare),
                     Gradient::forward_difference);
  }

  NormalMixture as_meant(const BiomarkerValues& raw) {
    const Standardised standard(raw);
    auto start = start_of(standard.values);
    start.pre.sd = std::max(start.pre.sd, standard.least_sd);
    start.post.sd = std::max(start.post.sd, standard.least_sd);
    auto bounds = mixture_box(start, standard.values, kLeastSeparatedShareRepaired);
    bounds.low[1] = std::max(bounds.low[1], standard.least_sd);
    bounds.low[3] = std::max(bounds.low[3], standard.least_sd);
    // Of all the values, those of controls are known to be pre-event.
    LogMixtureObjective objective(standard.values.diseased, standard.values.controls);
    return standard.back(minimised(raw.name, objective, start, bounds, Gradient::analytic));
  }

  NormalMixture minimised(const std::string& name, BoxObjective& objective,
                          const NormalMixture& start, const MixtureBox& bounds, Gradient gradient) {
    const auto from = start.parameters();
    const auto minimum = minimise_in_box(objective, from, bounds.low, bounds.high,
                                         {.gradient = gradient,
                                          .tolerance = settings_.tolerance,
                                          .max_iterations = settings_.max_iterations});
    fit_.evaluations += minimum.evaluations;
    if (std::any_of(minimum.x.begin(), minimum.x.end(), [](double x) { return std::isnan(x); })) {
      fit_.warnings.push_back(fmt::format(
          "biomarker '{}': the mixture could not be fitted; the moments of the groups are used",
          name));
      return start;
    }
    if (settings_.fidelity == Fidelity::repaired && minimum.stop == BoxStop::iteration_limit)
      fit_.warnings.push_back(fmt::format(
          "biomarker '{}': the mixture did not converge in {} iterations; its last point is used",
          name, settings_.max_iterations));
    SeparatedPoint to{};
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = std::clamp(minimum.x[i], bounds.low[i], bounds.high[i]);
    return NormalMixture::from(to);
  }

  const SeparatingFitSettings& settings_;
  SeparatingFit fit_;
};

}  // namespace

SeparatingFit fit_separating_mixtures(const Cohort& cohort, const SeparatingFitSettings& settings) {
  SeparatingFits fit(settings);
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) fit.add(values_of(cohort, b));
  return fit.result();
}

StateDensities densities_of(std::vector<NormalMixture> mixtures) {
  return [mixtures = std::move(mixtures)](std::size_t b, std::span<const double> x,
                                          std::span<double> pre, std::span<double> post) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      pre[j] = density(mixtures[b].pre, x[j]);
      post[j] = density(mixtures[b].post, x[j]);
    }
  };
}

Matrix log_ratios_of(const Cohort& cohort, const std::vector<NormalMixture>& mixtures) {
  const auto& x = cohort.measurements;
  Matrix out(x.rows(), x.cols());
  for (std::size_t j = 0; j < x.rows(); ++j)
    for (std::size_t b = 0; b < x.cols(); ++b)
      out(j, b) = log_density(mixtures[b].post, x(j, b)) - log_density(mixtures[b].pre, x(j, b));
  return out;
}

}  // namespace tempo::toolkit
