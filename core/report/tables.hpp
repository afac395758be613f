#pragma once

#include <string>
#include <vector>

#include "analysis/cross_table.hpp"
#include "analysis/summary.hpp"
#include "analysis/traces.hpp"
#include "report/table.hpp"
#include "results/fit_result.hpp"
#include "results/model_record.hpp"
#include "results/run_description.hpp"
#include "results/stored_cohort.hpp"

namespace tempo {

/// The summary of a metric: methods by hypothesis, whichever of the two in rows a screen has room
/// for; of a sweep a row per point. kBestMark marks the best, `-` what was not to be fitted.
/// @param misfits  cells that are empty for reasons of their own, which misfit_lines has
Table summary_table(const Summary& summary, const Metric& metric,
                    const std::vector<RunDescription::Misfit>& misfits = {});

/// Every method over the cohorts of all hypotheses together, the best order first, for people only;
/// empty if nothing was planned. Of runs without a sweep.
/// @param limit  as summarise has it
Table glance_table(const RunResults& results, const std::string& limit);

/// Cross tables of a metric: rows are what a model was trained on, columns what it was tested on.
/// In CSV an empty id stands for the mean over all.
/// @param axes  as in RunResults
Table cross_table(const std::vector<CrossTable>& tables, const std::vector<std::string>& axes,
                  const Metric& metric);

/// A line per model, by its name: how many epochs, how long, and the numbers of its last epoch;
/// empty if there is none.
Table model_table(const std::vector<ModelRecord>& models);

/// What became of the participants of real cohorts, each text once and under the path it is about.
std::string intake_text(const std::vector<StoredCohort>& cohorts);

/// What was fitted to real cohorts, which have no truth to score against: a line per point of the
/// sweep, method and hypothesis assumed or model applied, with how many fits of the cohort itself
/// and of its replicates went well, of how many planned, and mean seconds; empty if no row is of a
/// real cohort.
Table real_fit_table(const RunResults& results);

/// results.csv: a row per finished fit in plan order. Columns: sweep axes, hypothesis, cohort,
/// method, trained_on, status, tau_distance, stage_mae, sequence_mae, seconds, labels, error. Where
/// a fit is of a cohort with subtypes, subtype_metrics() stand before seconds.
std::string results_csv(const RunResults& results);

/// The log-likelihoods along Markov chains, a row per point: sweep axes, hypothesis, cohort,
/// method, trained_on, chain, point, log_likelihood; chains and points count from 0.
Table trace_table(const std::vector<FitTrace>& traces, const std::vector<std::string>& axes);

/// Each distinct error of the failed fits with the methods and how often it came up; empty if none
/// failed.
Table failure_table(const RunResults& results);

/// Each distinct warning with the methods that gave it, in how many fits and where first; those of
/// trainings come before those of fits; empty if there was none.
Table warning_table(const RunResults& results, const std::vector<ModelRecord>& models);
/// The same in no more than three lines, the last of which is `pointer`; empty if there was none.
std::string warnings_in_short(const RunResults& results, const std::vector<ModelRecord>& models,
                              const std::string& pointer, std::size_t width = kScreenWidth);

}  // namespace tempo
