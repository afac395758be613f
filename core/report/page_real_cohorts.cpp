#include <nlohmann/json.hpp>

#include "analysis/counted_fits.hpp"
#include "analysis/fitted_cohorts.hpp"
#include "analysis/fitted_distributions.hpp"
#include "analysis/timeline.hpp"
#include "data/cohort_table.hpp"
#include "data/estimated_biomarkers.hpp"
#include "report/analysis_tables.hpp"
#include "report/doubts_text.hpp"
#include "report/page_parts.hpp"
#include "tempo/gross_errors.hpp"

namespace tempo::page {
namespace {

Json ids(const CohortFit& fit) { return {{"method", fit.method}, {"trained_on", fit.rests_on()}}; }

/// What lines below the tables of a real cohort say: which fits and biomarkers are in doubt and
/// why, and what is left out.
Json caution(const FittedCohort& cohort, const std::vector<std::string>& axes) {
  Json out;
  if (!axes.empty()) out["sweep"] = point_as_json(axes, cohort.axis_values);
  out["cohort"] = cohort.name;
  out["doubts"] = Json::array();
  for (const auto& fit : cohort.fits)
    if (const auto doubts = doubts_of(cohort, fit); !doubts.empty()) {
      out["doubts"].push_back(ids(fit));
      out["doubts"].back()["why"] = doubts;
    }
  out["left_out"] = Json::array();
  for (const auto& [fit, why] : counted_fits(cohort).left_out) {
    out["left_out"].push_back(ids(cohort.fits[fit]));
    out["left_out"].back()["refuted"] = why == UncountedFit::Why::refuted;
  }
  out["over_fits"] = counting_in_words(cohort);
  out["disagreements"] = disagreements_in_words(cohort);
  out["not_separating"] = cohort.not_separating ? Json(*cohort.not_separating) : Json();
  out["why_not_separating"] = kNotSeparating;
  out["groups_ordered"] = cohort.groups_ordered;
  out["without_times"] = Json::array();
  for (const auto& [why, fits] : timeline(cohort).left_out) {
    auto& item = out["without_times"].emplace_back(Json{{"fits", Json::array()}});
    item["why"] = in_words(why);
    for (const auto f : fits) item["fits"].push_back(ids(cohort.fits[f]));
  }
  return out;
}

Json as_json(const Normal& normal) { return {{"mean", normal.mean}, {"sd", normal.sd}}; }

/// The distributions that the run took for known, or else estimates: empty where there are none.
BiomarkerTable distributions_of(const CohortContent& content) {
  if (content.distributions.size() > 0) return content.distributions;
  std::vector<std::string> ignored;  // a figure less; `tempo fit-parameters` says why
  return table_of(estimate_biomarkers(content.cohort, HealthyAre::free, ignored));
}

/// Of the one real cohort of the run; nothing where there are several.
Json distributions(Store& store) {
  Json out = Json::array();
  const auto content = store.cohort_content();
  if (!content || content->cohort.diseased.empty()) return out;
  const auto believed = without(content->cohort, gross_errors(content->cohort));
  for (const auto& found : fitted_distributions(believed, distributions_of(*content)))
    out.push_back({{"biomarker", found.biomarker},
                   {"pre_event", as_json(found.pre_event)},
                   {"post_event", as_json(found.post_event)},
                   {"post_share", found.post_share},
                   {"low", found.low},
                   {"high", found.high},
                   {"healthy", found.healthy},
                   {"diseased", found.diseased},
                   {"mean_difference", found.mean_difference},
                   {"median_difference", found.median_difference},
                   {"direction_is_odd", found.is_direction_odd()}});
  return out;
}

}  // namespace

void add_real_cohorts(Store& store, const std::vector<std::string>& axes, People people,
                      Json& out) {
  out["cohorts"] = Json::array();
  for (const auto& cohort : store.cohorts())
    out["cohorts"].push_back(
        {{"sweep", cohort.axis_values},
         {"name", cohort.name},
         {"intake", people == People::named ? cohort.intake : without_people(cohort.intake)}});
  const std::vector<std::string> shown{
      "ranks",    "positional-variance", "timeline", "consensus", "stages", "groups", "subtypes",
      "agreement"};
  auto cohorts = fitted_cohorts(store, wanted_for(shown));
  std::erase_if(cohorts, [](const FittedCohort& cohort) { return cohort.fits.empty(); });
  if (cohorts.empty()) return;
  out["analysis"]["distributions"] = distributions(store);
  for (const auto& cohort : cohorts) out["analysis"]["cohorts"].push_back(caution(cohort, axes));
  for (const auto& table : shown)
    out["analysis"][table] = columns_as_json(analysis_table(table, cohorts, axes));
}

}  // namespace tempo::page
