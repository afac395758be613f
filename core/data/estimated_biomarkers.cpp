#include "data/estimated_biomarkers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/printable.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr double kLeastDistance = 0.5;
constexpr double kFewestAfter = 5.0;

std::string why_it_does_not_separate(const EstimatedBiomarker& found) {
  const auto n = static_cast<double>(found.healthy + found.diseased);
  const double after = found.mixture.post_share * static_cast<double>(found.diseased);
  if (const double needed = 1.5 * std::log(n); found.mixture.evidence < needed)
    return fmt::format("biomarker '{}' does not separate: two distributions describe it no better than "
                       "one for everybody (by {:.1f} nats, and three more parameters call for {:.1f})",
                       found.name, found.mixture.evidence, needed);
  if (found.distance < kLeastDistance)
    return fmt::format("biomarker '{}' does not separate: its means before and after the event are {:.2f} "
                       "sd apart, less than {}",
                       found.name, found.distance, kLeastDistance);
  if (after < kFewestAfter)
    return fmt::format("biomarker '{}' does not separate: it takes {:.3g} of {} diseased to be after the "
                       "event, fewer than {}",
                       found.name, after, found.diseased, kFewestAfter);
  return {};
}

}  // namespace

std::vector<EstimatedBiomarker> estimate_biomarkers(const Cohort& cohort, HealthyAre healthy_are,
                                                    std::vector<std::string>& faults) {
  const auto before = faults.size();
  std::vector<EstimatedBiomarker> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    std::vector<double> healthy, diseased;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (const double x = cohort.measurements(j, b); !std::isnan(x))
        (cohort.diseased[j] != 0 ? diseased : healthy).push_back(x);
    EstimatedBiomarker found{.name = cohort.biomarkers[b],
                             .mixture = {},
                             .healthy = healthy.size(),
                             .diseased = diseased.size(),
                             .distance = 0.0,
                             .warning = {}};
    try {
      found.mixture = fit_event_mixture(healthy, diseased, healthy_are);
    } catch (const NumericError& error) {
      faults.push_back(fmt::format("the distributions of '{}' cannot be estimated: {}", found.name,
                                   error.what()));
      continue;
    }
    const auto& [pre, post, share, evidence] = found.mixture;
    found.distance = std::abs(post.mean - pre.mean) / std::hypot(pre.sd, post.sd) * std::sqrt(2.0);
    found.warning = why_it_does_not_separate(found);
    out.push_back(std::move(found));
  }
  return faults.size() > before ? std::vector<EstimatedBiomarker>() : out;
}

std::vector<std::string> not_separating(const std::vector<EstimatedBiomarker>& estimated) {
  std::vector<std::string> out;
  for (const auto& found : estimated)
    if (!found.warning.empty()) out.push_back(found.name);
  return out;
}

BiomarkerTable table_of(const std::vector<EstimatedBiomarker>& estimated) {
  std::vector<Biomarker> out;
  for (const auto& found : estimated)
    out.push_back({found.name, found.mixture.pre, found.mixture.post});
  return BiomarkerTable(std::move(out));
}

std::string report(const std::vector<EstimatedBiomarker>& estimated) {
  std::size_t width = 9;
  for (const auto& found : estimated) width = std::max(width, found.name.size());
  auto text = fmt::format("{:<{}}  before: mean          sd  after: mean          sd  of diseased  "
                          "distance  evidence\n",
                          "biomarker", width);
  for (const auto& [name, mixture, healthy, diseased, distance, warning] : estimated)
    text += fmt::format("{:<{}}  {:>12.5g}  {:>10.4g}  {:>11.5g}  {:>10.4g}  {:>9.1f} %  {:>8.2f}  {:>8.1f}\n",
                        name, width, mixture.pre.mean, mixture.pre.sd, mixture.post.mean,
                        mixture.post.sd, 100.0 * mixture.post_share, distance, mixture.evidence);
  for (const auto& found : estimated)
    if (!found.warning.empty()) text += fmt::format("warning: {}\n", found.warning);
  return printable(text);
}

}  // namespace tempo
