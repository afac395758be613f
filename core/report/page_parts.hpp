#pragma once

// Parts of the data that the page of `tempo report` shows: report_data puts them together, and the
// JavaScript below report/page reads their keys.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analysis/evidence.hpp"
#include "analysis/rank_posteriors.hpp"
#include "analysis/remarks.hpp"
#include "report/withheld_ids.hpp"
#include "results/store.hpp"

namespace tempo::page {

using Json = nlohmann::ordered_json;

/// JSON has neither NaN nor infinity: null.
Json number(double value);

/// Adds `fits`, results.csv by column, and the lists that it counts in: `points`, `hypotheses`,
/// `methods` and `trained_on`.
void add_fits(const RunResults& results, Json& out);

/// Adds tables of each metric: `metrics`, `overall`, `summaries`, `against_limit` and `cross`.
/// @param limit  RunDescription::limit
void add_tables(const RunResults& results, const std::string& limit, Json& out);

/// Adds `changes`, by metric what each step along the sweep changes (rows of curve_table), and
/// `shared_along`, what its intervals rest on, by swept key.
/// @param limit  RunDescription::limit
void add_curves(const RunResults& results, const std::string& limit, Store& store, Json& out);

/// Remarks in the order of first mention.
Json remarks(const Remarks& said);

/// Models with their trainings, epoch by epoch.
Json models(const std::vector<ModelRecord>& records);

/// Rank posteriors in per mille: what a colour can show.
Json rank_posteriors(const std::vector<RankPosterior>& posteriors);

/// Adds what is said of real cohorts: `cohorts`, what became of their participants, and `analysis`,
/// tables by column, in its `cohorts` what stands below them, and in its `distributions` the
/// histograms of the groups and the fitted distributions of the run's only cohort.
/// @param axes    as in RunResults
/// @param people  withheld: what became of participants comes without notes
void add_real_cohorts(Store& store, const std::vector<std::string>& axes, People people, Json& out);

/// Adds `calibration`, calibration_table for programs; no rows where there is none.
/// @param axes  as in RunResults
void add_calibration(Store& store, const std::vector<std::string>& axes, Json& out);

/// Adds `evidence` if there is any.
/// @param axes  as in RunResults
void add_evidence(Store& store, const std::vector<std::string>& axes, Json& out);

}  // namespace tempo::page
