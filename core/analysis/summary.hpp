#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/store.hpp"
#include "study/experiment.hpp"  // kTrainedOnAll

namespace tempo {

/// A number of results.csv that can be summarised over cohorts.
struct Metric {
  const char* name;   ///< as in results.csv
  const char* title;  ///< for a reader
  double ResultRow::*value;
  int decimals;
};

/// tau_distance, stage_mae, sequence_mae, seconds.
const std::vector<Metric>& metrics();
/// The metric of that name, or null.
const Metric* find_metric(const std::string& name);

/// Mean over the cohorts that were scored, and its 95 % interval mean +- half_width:
/// half_width = 1.96 sd / sqrt(n), n - 1 in the sd, as in the published tables of the TEMPO paper.
/// The normal approximation is too narrow for a handful of cohorts (for five, by 30 %). Absent for
/// fewer than two.
struct Estimate {
  std::size_t scored = 0;
  std::size_t planned = 0;  ///< failed and pending fits stay in the denominator
  double mean = 0.0;
  std::optional<double> half_width;
};
Estimate estimate(const std::vector<double>& values, std::size_t planned);

/// A table of one metric: a row per point of the sweep and hypothesis, a column per method. Of
/// trained methods it has what is in distribution: the model that learned from the hypothesis or
/// from all.
struct Summary {
  std::vector<std::string> axes;
  std::vector<std::string> methods;
  std::vector<std::string> labels;  ///< per method: how it uses the diagnosis
  std::string reference;  ///< the method that all numbers are differences from; empty: plain scores
  struct Row {
    std::vector<std::string> axis_values;
    std::string hypothesis;
    std::vector<Estimate> estimates;  ///< per method
  };
  std::vector<Row> rows;  ///< in plan order
};
/// Whether a fit counts in tables of methods: a trained method does so by the model of the
/// hypothesis at hand, or of all. That of a real cohort is not known: every model counts.
bool is_in_distribution(const ResultRow& row);

/// A score that is not known (NaN: a row made elsewhere may lack a metric) is as if not planned.
Summary summarise(const RunResults& results, const Metric& metric);

/// The same rows as differences from what `reference` scored on the same cohort: a difference over
/// cohorts has a far narrower interval than either mean. Failed and pending where either of the two
/// is; rows of cohorts that `reference` was not planned for, and its own, are left out.
RunResults differences_from(const std::string& reference, const RunResults& results);
/// The summary of these differences.
Summary summarise_against(const std::string& reference, const RunResults& results,
                          const Metric& metric);

/// A mean of cells' means, each of equal weight, and how many fits are behind it. Cells without a
/// score are left out of the mean, and seen in `scored`.
struct CellMean {
  std::size_t scored = 0;   ///< fits
  std::size_t planned = 0;  ///< fits
  std::optional<double> mean;
};

/// Every model of a method on the cohorts of every hypothesis, at one point of the sweep.
struct CrossTable {
  std::vector<std::string> axis_values;
  std::string method;
  std::string labels;
  std::vector<std::string> trained_on;       ///< rows
  std::vector<std::string> tested_on;        ///< columns
  std::vector<std::vector<Estimate>> cells;  ///< [row][column], over cohorts
  std::vector<CellMean> row_means;           ///< over the row's columns
  std::vector<CellMean> column_means;        ///< over the column's rows
  CellMean mean;                             ///< over all cells
};
/// In plan order; none if no method was trained, or the cohort is a real one.
std::vector<CrossTable> cross_tables(const RunResults& results, const Metric& metric);

}  // namespace tempo
