#include "tempo/toolkit/bias_corrected_mixtures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tempo::toolkit {
namespace {

using Point = NormalMixture::Parameters;

constexpr double kAddedToSd = 0.001;     // paper: in the units of the biomarker
constexpr double kShapeFreedom = 0.001;  // paper: of a standard error, in the mixing step
constexpr double kLeastWidth = 0.01;     // paper: of any interval
constexpr double kLeastShare = 0.01, kLargestShare = 0.99;
constexpr double kAddedToDensity = 1e-100;  // paper
constexpr int kMaxRounds = 1000;            // the published program has no limit

/// @param least_sd  repaired
NormalMixture moments(const std::vector<double>& controls, const std::vector<double>& diseased,
                      Fidelity fidelity, double least_sd) {
  NormalMixture mixture{population_moments(controls), population_moments(diseased), 0.5};
  for (Normal* normal : {&mixture.pre, &mixture.post})
    normal->sd =
        fidelity == Fidelity::paper ? normal->sd + kAddedToSd : std::max(normal->sd, least_sd);
  return mixture;
}

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

bool looks_diseased(const NormalMixture& mixture, double x, Fidelity fidelity) {
  if (fidelity == Fidelity::paper) return posterior(mixture, x, kAddedToDensity) > 0.5;
  return log_odds_post(mixture, x) > 0.0;
}

// ------------------------------------------------------------------- as published

class PublishedFit {
 public:
  PublishedFit(const Cohort& cohort, const MixtureFitSettings& settings) : settings_(settings) {
    for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
      auto values = values_of(cohort, b);
      pruned_.push_back(reject_mislabelled(values, Fidelity::paper));
      const auto& kept = pruned_.back();
      if (std::min(kept.controls, kept.diseased) < 2)
        fit_.warnings.push_back(
            fmt::format("biomarker '{}': the rejection step keeps {} of {} controls and {} of {} "
                        "diseased; as in the "
                        "published program, its place in the order means little",
                        values.name, kept.controls, values.controls.size(), kept.diseased,
                        values.diseased.size()));
      objectives_.emplace_back(std::move(values.pooled), DensityFloor{.added = kAddedToDensity});
      points_.push_back(pruned_.back().mixture.parameters());
    }
  }

  MixtureFit run() {
    const std::size_t B = points_.size();
    std::vector<double> previous(B, 0.5), change(B);
    while (true) {
      ++fit_.rounds;
      for (std::size_t b = 0; b < B; ++b) {
        mixing_step(b);
        shape_step(b);
        change[b] = std::abs(points_[b][4] - previous[b]);
        previous[b] = points_[b][4];
      }
      if (pairwise_sum(change) / static_cast<double>(B) < settings_.mixing_tolerance) break;
      if (fit_.rounds == kMaxRounds) {
        fit_.warnings.push_back(
            fmt::format("the mixing fractions still change after {} rounds", kMaxRounds));
        break;
      }
    }
    for (const auto& point : points_) fit_.mixtures.push_back(NormalMixture::from(point));
    return std::move(fit_);
  }

 private:
  void mixing_step(std::size_t b) {
    Point low = points_[b], high = points_[b];
    const double kept[] = {static_cast<double>(pruned_[b].controls),
                           static_cast<double>(pruned_[b].diseased)};
    for (std::size_t group = 0; group < 2; ++group) {
      const std::size_t mean = 2 * group, sd = mean + 1;
      const double of_mean = kShapeFreedom * points_[b][sd] / std::sqrt(kept[group]);
      const double of_sd = kShapeFreedom * points_[b][sd] / std::sqrt(kept[group] - 2.0);
      low[mean] -= of_mean;
      high[mean] += of_mean;
      low[sd] -= of_sd;
      high[sd] += of_sd;
    }
    low[4] = kLeastShare;
    high[4] = kLargestShare;
    minimise(b, low, high);
  }

  void shape_step(std::size_t b) {
    const auto pruned = pruned_[b].mixture;
    const auto [least, largest] = std::minmax(pruned.pre.mean, pruned.post.mean);
    const double mix = points_[b][4];
    minimise(b, {least, pruned.pre.sd, least, pruned.post.sd, mix},
             {largest, 2.0 * pruned.pre.sd, largest, 2.0 * pruned.post.sd, mix});
  }

  void minimise(std::size_t b, Point low, Point high) {
    // Nothing kept: the start is NaN, and so is what the published search would return.
    if (has_nan(points_[b])) return;
    // Fewer than two kept: widths of 0.001 sd / sqrt(n - 2) are NaN, which SciPy takes for no
    // bound.
    for (std::size_t i = 0; i < high.size(); ++i) {
      if (std::isnan(low[i])) low[i] = -std::numeric_limits<double>::infinity();
      if (std::isnan(high[i])) high[i] = std::numeric_limits<double>::infinity();
    }
    for (std::size_t i = 0; i < high.size(); ++i)
      if (high[i] - low[i] <= kLeastWidth) high[i] = low[i] + kLeastWidth;
    const auto minimum = minimise_in_box(objectives_[b], points_[b], low, high,
                                         {.gradient = Gradient::forward_difference,
                                          .tolerance = settings_.tolerance,
                                          .max_iterations = settings_.max_iterations});
    fit_.evaluations += minimum.evaluations;
    // Where the search ends without convergence its last point counts all the same.
    if (!has_nan(minimum.x)) std::copy(minimum.x.begin(), minimum.x.end(), points_[b].begin());
  }

  const MixtureFitSettings& settings_;
  std::vector<PrunedMixture> pruned_;
  std::vector<MixtureObjective> objectives_;
  std::vector<Point> points_;
  MixtureFit fit_;
};

// ------------------------------------------------------------------- as meant

class RepairedFit {
 public:
  RepairedFit(const BiomarkerValues& raw, const MixtureFitSettings& settings, MixtureFit& fit)
      : name_(raw.name),
        settings_(settings),
        standard_(raw),
        objective_(standard_.values.pooled),
        fit_(fit) {}

  NormalMixture run() {
    const auto pruned = reject_mislabelled(standard_.values, Fidelity::repaired).mixture;
    const auto [least, largest] = std::minmax(pruned.pre.mean, pruned.post.mean);
    at_ = pruned.parameters();
    for (int round = 1;; ++round) {
      const double previous = at_[4];
      Point low = at_, high = at_;  // the share, the shapes as they are
      low[4] = kLeastShare;
      high[4] = kLargestShare;
      minimise(low, high);
      const double mix = at_[4];  // the shapes, the share as it is
      minimise({least, pruned.pre.sd, least, pruned.post.sd, mix},
               {largest, 2.0 * pruned.pre.sd, largest, 2.0 * pruned.post.sd, mix});
      at_[4] = mix;
      fit_.rounds = std::max(fit_.rounds, round);
      if (std::abs(mix - previous) < settings_.mixing_tolerance) break;
      if (round == kMaxRounds) {
        warn("the mixing fraction still changes after {} rounds", kMaxRounds);
        break;
      }
    }
    return standard_.back(NormalMixture::from(at_));
  }

 private:
  void minimise(const Point& low, const Point& high) {
    const auto minimum = minimise_in_box(objective_, at_, low, high,
                                         {.gradient = Gradient::analytic,
                                          .tolerance = settings_.tolerance,
                                          .max_iterations = settings_.max_iterations});
    fit_.evaluations += minimum.evaluations;
    if (minimum.stop == BoxStop::iteration_limit)
      warn("the mixture did not converge in {} iterations; its last point is used",
           settings_.max_iterations);
    if (minimum.stop == BoxStop::failed)
      warn("the mixture's likelihood is not finite near {}; the last good point is used", at_[4]);
    for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = std::clamp(minimum.x[i], low[i], high[i]);
  }

  template <class Limit>
  void warn(fmt::format_string<Limit&> what, Limit limit) {
    fit_.warnings.push_back(fmt::format("biomarker '{}': ", name_) + fmt::format(what, limit));
  }

  const std::string& name_;
  const MixtureFitSettings& settings_;
  Standardised standard_;
  LogMixtureObjective objective_;
  MixtureFit& fit_;
  Point at_{};
};

}  // namespace

MixtureFitSettings read_mixture_fit(Parameters& keys, Fidelity fidelity) {
  MixtureFitSettings fit;
  fit.fidelity = fidelity;
  fit.tolerance =
      keys.number("tolerance", fidelity == Fidelity::paper ? 1e-6 : fit.tolerance, positive,
                  "absolute tolerance of the optimiser (paper default: 1e-6)");
  fit.max_iterations = static_cast<int>(keys.integer(
      "max_iterations", fit.max_iterations, {.low = 1, .high = 1e6}, "limit of the optimiser"));
  fit.mixing_tolerance =
      keys.number("mixing_tolerance", fit.mixing_tolerance, positive,
                  "change of the mixing fractions that ends the alternation (paper: mean change "
                  "over biomarkers; repaired: of each biomarker)");
  return fit;
}

PrunedMixture reject_mislabelled(const BiomarkerValues& values, Fidelity fidelity) {
  const double least_sd = fidelity == Fidelity::paper ? 0.0 : least_sd_of(values);
  const auto whole = moments(values.controls, values.diseased, fidelity, least_sd);
  std::vector<double> controls, diseased;
  for (const double x : values.controls)
    if (!looks_diseased(whole, x, fidelity)) controls.push_back(x);
  for (const double x : values.diseased)
    if (looks_diseased(whole, x, fidelity)) diseased.push_back(x);
  if (fidelity == Fidelity::repaired) {
    if (controls.size() < 2) controls = values.controls;
    if (diseased.size() < 2) diseased = values.diseased;
  }
  return {moments(controls, diseased, fidelity, least_sd), controls.size(), diseased.size()};
}

MixtureFit fit_bias_corrected_mixtures(const Cohort& cohort, const MixtureFitSettings& settings) {
  if (settings.fidelity == Fidelity::paper) return PublishedFit(cohort, settings).run();
  MixtureFit fit;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    fit.mixtures.push_back(RepairedFit(values_of(cohort, b), settings, fit).run());
  return fit;
}

}  // namespace tempo::toolkit
