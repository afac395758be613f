#include <nlohmann/json.hpp>

#include "analysis/fitted_cohorts.hpp"
#include "analysis/timeline.hpp"
#include "report/analysis_tables.hpp"
#include "report/doubts_text.hpp"
#include "report/page_parts.hpp"

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
    if (!fit.doubts.empty()) {
      out["doubts"].push_back(ids(fit));
      out["doubts"].back()["why"] = fit.doubts;
    }
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

}  // namespace

void add_real_cohorts(Store& store, const std::vector<std::string>& axes, Json& out) {
  out["cohorts"] = Json::array();
  for (const auto& cohort : store.cohorts())
    out["cohorts"].push_back(
        {{"sweep", cohort.axis_values}, {"name", cohort.name}, {"intake", cohort.intake}});
  const std::vector<std::string> shown{
      "ranks", "positional-variance", "timeline", "stages", "groups", "agreement"};
  auto cohorts = fitted_cohorts(store, wanted_for(shown));
  std::erase_if(cohorts, [](const FittedCohort& cohort) { return cohort.fits.empty(); });
  if (cohorts.empty()) return;
  for (const auto& cohort : cohorts) out["analysis"]["cohorts"].push_back(caution(cohort, axes));
  for (const auto& table : shown)
    out["analysis"][table] = columns_as_json(analysis_table(table, cohorts, axes));
}

}  // namespace tempo::page
