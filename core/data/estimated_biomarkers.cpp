#include "data/estimated_biomarkers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "data/values_by_group.hpp"
#include "model/printable.hpp"
#include "tempo/error.hpp"
#include "tempo/gross_errors.hpp"
#include "tempo/value_steps.hpp"

namespace tempo {
namespace {

constexpr double kFewestAfter = 5.0;

std::string why_it_does_not_separate(const EstimatedBiomarker& found) {
  const auto n = static_cast<double>(found.healthy + found.diseased);
  const double after = found.mixture.post_share * static_cast<double>(found.diseased);
  if (const double needed = 1.5 * std::log(n); found.mixture.evidence < needed)
    return fmt::format(
        "biomarker '{}' does not separate: two distributions describe it no better than "
        "one for everybody (by {:.1f} nats, and three more parameters call for {:.1f})",
        found.name, found.mixture.evidence, needed);
  if (found.distance < kLeastDistance)
    return fmt::format(
        "biomarker '{}' does not separate: its means before and after the event are {:.2f} "
        "sd apart, less than {}",
        found.name, found.distance, kLeastDistance);
  if (after < kFewestAfter)
    return fmt::format(
        "biomarker '{}' does not separate: it takes {:.3g} of {} diseased to be after the "
        "event, fewer than {}",
        found.name, after, found.diseased, kFewestAfter);
  return {};
}

std::span<const GrossError> of_biomarker(std::span<const GrossError> errors, std::size_t b) {
  const auto [from, to] = std::ranges::equal_range(errors, b, {}, &GrossError::biomarker);
  return {from, to};
}

/// @throws NumericError as fit_event_mixture
EstimatedBiomarker estimate_biomarker(const Cohort& cohort, std::size_t b, HealthyAre healthy_are) {
  const auto [healthy, diseased] = values_by_group(cohort, b);
  EstimatedBiomarker found{.name = cohort.biomarkers[b],
                           .mixture = fit_event_mixture(healthy, diseased, healthy_are),
                           .healthy = healthy.size(),
                           .diseased = diseased.size(),
                           .distance = 0.0,
                           .warning = {},
                           .doubts = {}};
  const auto& [pre, post, share, evidence] = found.mixture;
  found.distance = distance_in_sds(pre, post);
  found.warning = why_it_does_not_separate(found);
  auto pooled = healthy;
  pooled.insert(pooled.end(), diseased.begin(), diseased.end());
  if (are_few(std::move(pooled))) found.doubts.push_back(few_values(found.name));
  return found;
}

}  // namespace

double distance_in_sds(const Normal& before, const Normal& after) {
  return std::abs(after.mean - before.mean) / std::hypot(before.sd, after.sd) * std::sqrt(2.0);
}

std::vector<EstimatedBiomarker> estimate_biomarkers(const Cohort& given, HealthyAre healthy_are,
                                                    std::vector<std::string>& faults) {
  const auto before = faults.size();
  const auto errors = gross_errors(given);
  const auto cohort = without(given, errors);
  std::vector<EstimatedBiomarker> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) try {
      out.push_back(estimate_biomarker(cohort, b, healthy_are));
    } catch (const NumericError& error) {
      faults.push_back(fmt::format("the distributions of '{}' cannot be estimated: {}",
                                   cohort.biomarkers[b], error.what()));
    }
  if (faults.size() > before) return {};
  for (std::size_t b = 0; b < out.size(); ++b)
    for (const auto& sentence : described(given, of_biomarker(errors, b)))
      out[b].doubts.push_back(sentence + ": they were left out; check them");
  return out;
}

std::vector<std::string> not_separating(const std::vector<EstimatedBiomarker>& estimated) {
  std::vector<std::string> out;
  for (const auto& found : estimated)
    if (!found.warning.empty()) out.push_back(found.name);
  return out;
}

std::optional<std::vector<std::string>> not_separating(const Cohort& given) {
  const auto cohort = without(given, gross_errors(given));
  std::vector<std::string> out;
  std::size_t estimated = 0;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) try {
      const auto found = estimate_biomarker(cohort, b, HealthyAre::free);
      ++estimated;
      if (!found.warning.empty()) out.push_back(found.name);
    } catch (const NumericError&) {
      const auto [healthy, diseased] = values_by_group(cohort, b);
      const bool are_few = healthy.size() < 2 || diseased.size() < 2;
      const bool is_constant =
          !are_few && std::all_of(diseased.begin(), diseased.end(),
                                  [&](double x) { return x == healthy.front(); });
      // A biomarker separates where all healthy values are at the end of a scale that the diseased
      // leave.
      if (are_few || is_constant) out.push_back(cohort.biomarkers[b]);
    }
  return estimated > 0 ? std::optional(std::move(out)) : std::nullopt;
}

std::vector<std::string> doubts_of(const EstimatedBiomarker& found) {
  auto out = found.doubts;
  if (!found.warning.empty()) out.insert(out.begin(), found.warning);
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
  auto text = fmt::format(
      "{:<{}}  before: mean          sd  after: mean          sd  of diseased  "
      "distance  evidence\n",
      "biomarker", width);
  for (const auto& [name, mixture, healthy, diseased, distance, warning, doubts] : estimated)
    text += fmt::format(
        "{:<{}}  {:>12.5g}  {:>10.4g}  {:>11.5g}  {:>10.4g}  {:>9.1f} %  {:>8.2f}  {:>8.1f}\n",
        name, width, mixture.pre.mean, mixture.pre.sd, mixture.post.mean, mixture.post.sd,
        100.0 * mixture.post_share, distance, mixture.evidence);
  for (const auto& found : estimated)
    for (const auto& sentence : doubts_of(found)) text += fmt::format("warning: {}\n", sentence);
  return printable(text);
}

}  // namespace tempo
