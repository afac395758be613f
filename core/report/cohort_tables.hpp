#pragma once

// Parts of the tables of a real cohort (analysis_tables.hpp), which each make both: blocks for
// people and rows for programs.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/fitted_cohorts.hpp"
#include "analysis/spread.hpp"
#include "report/append.hpp"
#include "report/table.hpp"

namespace tempo::of_cohort {

// ---- the tables

Table orders(const FittedCohort& cohort);
Table ranks(const FittedCohort& cohort);
Table consensus(const FittedCohort& cohort);
Table positions(const FittedCohort& cohort);
Table times(const FittedCohort& cohort);
Table groups(const FittedCohort& cohort);
Table stages(const FittedCohort& cohort);
Table participants(const FittedCohort& cohort);
Table subtypes(const FittedCohort& cohort);
Table members(const FittedCohort& cohort);
Table agreements(const FittedCohort& cohort);
Table recoveries(const FittedCohort& cohort);

// ---- numbers

/// `-` where there is none.
std::string number(const std::optional<double>& value, int decimals);

/// The least and the greatest value that a quantity can have.
struct Range {
  double low, high;
};
Range of_ranks(const FittedCohort& cohort);
Range of_stages(const FittedCohort& cohort);
inline constexpr Range kOfTimes{0.0, 1.0};

/// `[low, high]`; empty where there is no interval.
std::string interval(const std::optional<Within>& found, int decimals);
/// The 95 % interval of a mean, cut to what the quantity can be; `-` where there is none.
std::string interval(const Spread& spread, const Range& range, int decimals);

/// mean, sd and 95 % interval over fits, as texts.
std::vector<std::string> texts(const Spread& spread, const Range& range, int decimals);
/// The same for a program: mean, sd, low, high.
std::vector<Cell> values(const Spread& spread, const Range& range);
std::vector<Cell> values(const Within& found);

/// Whether a fit looked for several progressions.
bool has_fits_with_subtypes(const FittedCohort& cohort);

// ---- names and marks

/// What tables call a fit, and a * if it is in doubt.
std::string marked_name(const FittedCohort& cohort, const CohortFit& fit);
/// A biomarker, and a * if it does not tell healthy from diseased.
std::string marked_biomarker(const FittedCohort& cohort, std::size_t b);

/// `method` and `trained_on` as in results.csv; both empty for what is across fits.
/// @param fit  null: across fits
std::vector<Cell> ids(const CohortFit* fit);

/// Names of the columns that `marks` fills: for how many reasons the fit is in doubt, and whether
/// the biomarker separates.
const std::vector<std::string>& mark_columns();
/// @param fit  null: the row is of none
/// @param b    absent: likewise
std::vector<Cell> marks(const FittedCohort& cohort, const CohortFit* fit,
                        std::optional<std::size_t> b);

/// What the marks of these fits mean, a line each, and the lines of counting_in_words; empty if
/// there are none.
std::string doubts_in_words(const FittedCohort& cohort, const std::vector<std::size_t>& fits);
/// The same, and what the marks of biomarkers mean.
std::string marks_in_words(const FittedCohort& cohort, const std::vector<std::size_t>& fits);
/// A note and the lines of disagreements_in_words.
std::string with_disagreements(std::string note, const FittedCohort& cohort);
/// Adds lines to a note that may have some.
void add_lines(std::string& note, const std::string& lines);

std::vector<std::size_t> all_fits(const FittedCohort& cohort);
/// First `first`, then a column per fit.
std::vector<std::string> head_of_fits(const FittedCohort& cohort, const std::string& first);

// ---- what posteriors and replicates say

/// A block of it, and the rows for programs.
struct WithinFits {
  std::string heading;
  std::string kind;  ///< as the column of that name has it
  int decimals = 0;
  /// Further cells of a row.
  std::function<std::vector<Cell>(const CohortFit&, std::size_t)> further;
};
/// Adds nothing if no fit has any.
/// @param found  [of fits][B]
void add_within(const FittedCohort& cohort, const std::vector<std::size_t>& fits,
                const std::vector<std::size_t>& biomarkers,
                const std::vector<std::vector<std::optional<Within>>>& found,
                const WithinFits& what, Table& out);
/// The heading of what replicates say. @param what  `rank` or `time`
std::string over_replicates(const std::string& what);

}  // namespace tempo::of_cohort
