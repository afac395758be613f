#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/summary.hpp"

namespace tempo {

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
