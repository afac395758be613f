#include "analysis/fitted_distributions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/values_by_group.hpp"
#include "tempo/quantile.hpp"

namespace tempo {
namespace {

/// log post(x) - log pre(x)
double log_odds(const FittedDistribution& of, double x) {
  const double before = (x - of.pre_event.mean) / of.pre_event.sd;
  const double after = (x - of.post_event.mean) / of.post_event.sd;
  return 0.5 * (before * before - after * after) + std::log(of.pre_event.sd / of.post_event.sd);
}

/// The derivative, by the share after the event, of the log-likelihood of a value with these odds:
/// (e^r - 1) / (1 - q + q e^r), which falls with q. Nothing overflows.
double slope(double odds, double share) {
  if (odds > 0.0) {
    const double inverse = std::exp(-odds);
    return (1.0 - inverse) / ((1.0 - share) * inverse + share);
  }
  return std::expm1(odds) / (1.0 - share + share * std::exp(odds));
}

/// Where the log-likelihood, which is concave in the share, is largest.
double most_likely_share(const FittedDistribution& of, const std::vector<double>& diseased) {
  std::vector<double> odds;
  for (const double x : diseased) odds.push_back(log_odds(of, x));
  const auto rises = [&](double share) {
    return std::accumulate(odds.begin(), odds.end(), 0.0,
                           [&](double sum, double r) { return sum + slope(r, share); }) > 0.0;
  };
  double low = 0.0, high = 1.0;
  constexpr int kHalvings = 40;  // a share to 12 digits
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (rises(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

FittedDistribution::Histogram histogram(const std::vector<double>& values, double low,
                                        double high) {
  constexpr auto kBins = FittedDistribution::kBins;
  const double step = (high - low) / static_cast<double>(kBins);
  FittedDistribution::Histogram out{};
  for (const double x : values) {
    const auto bin =
        static_cast<std::size_t>((x - low) / (high - low) * static_cast<double>(kBins));
    out[std::min(bin, kBins - 1)] += 1.0 / (static_cast<double>(values.size()) * step);
  }
  return out;
}

double mean_of_values(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

bool FittedDistribution::is_direction_odd() const {
  const double direction = post_event.mean - pre_event.mean;
  return direction * mean_difference < 0.0 && direction * median_difference < 0.0;
}

std::vector<FittedDistribution> fitted_distributions(const Cohort& cohort,
                                                     const BiomarkerTable& known) {
  std::vector<FittedDistribution> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto at = std::find_if(known.begin(), known.end(), [&](const Biomarker& one) {
      return one.name == cohort.biomarkers[b];
    });
    const auto groups = values_by_group(cohort, b);
    if (at == known.end() || groups[0].empty() || groups[1].empty()) continue;
    const double low = std::min(groups[0].front(), groups[1].front());
    const double high = std::max(groups[0].back(), groups[1].back());
    if (!(low < high)) continue;
    auto& found = out.emplace_back();
    found.biomarker = at->name;
    found.pre_event = at->phi;
    found.post_event = at->theta;
    found.post_share = most_likely_share(found, groups[1]);
    found.low = low;
    found.high = high;
    found.healthy = histogram(groups[0], low, high);
    found.diseased = histogram(groups[1], low, high);
    found.mean_difference = mean_of_values(groups[1]) - mean_of_values(groups[0]);
    found.median_difference = quantile(groups[1], 0.5) - quantile(groups[0], 0.5);
  }
  return out;
}

}  // namespace tempo
