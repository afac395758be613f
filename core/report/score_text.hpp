#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/summary.hpp"

namespace tempo {

/// Absent where no cohort was scored.
std::optional<double> mean_of(const Estimate& estimate);

/// Digits after the point that a reader needs: fewer than a program.
int decimals_of(const Metric& metric);

/// `0.125`, or as a difference `+0.125`; never `-0.000`.
std::string number_text(double value, int decimals, bool is_difference);

/// Three digits: `0.0940`, `19.0`, `1234`.
std::string seconds_text(double seconds);

/// Of how many cohorts each cell of a table is: said once where all are alike.
class Counts {
 public:
  void add(std::size_t scored, std::size_t planned);
  /// The number of cohorts of most cells; of equally many the larger.
  std::size_t usual() const;
  bool are_alike() const { return are_complete_ && how_often_.size() <= 1; }
  /// ` (3/4)` where a cell is of other cohorts than most, or was not scored on all.
  std::string beside(std::size_t scored, std::size_t planned) const;
  /// `over 5 cohorts; (n/N): n scored of N planned`
  std::string in_words(const char* cohorts = "cohorts") const;

 private:
  std::map<std::size_t, std::size_t> how_often_;  // by planned
  bool are_complete_ = true;
};
Counts counts_of(const Summary& summary);

/// Whether any cell has an interval.
bool has_intervals(const Summary& summary);
/// `mean ± 95 % interval over 5 cohorts`
std::string what_cells_are(const Summary& summary);

/// How scores are written.
struct Style {
  int decimals = 3;
  const char* plus_minus = " ± ";
  std::size_t width = 0;  ///< of means, so that their points stand below each other
  bool is_difference = false;
};
/// With room for the longest mean of a summary.
Style style_of(const Summary& summary, int decimals, const char* plus_minus = " ± ");

/// `0.125 ± 0.030✓`
std::string score_text(const Estimate& cell, bool is_best, const Style& style);
/// The same of a cell that may be empty, with its counts where they are others than most.
std::string text_of(const Summary::Row& row, std::size_t method, const Counts& counts,
                    const Style& style);

/// A method's id, with what sets it apart from the others.
std::string name_of(const Summary& summary, std::size_t method);
/// A row's hypothesis, or `all`.
std::string name_of(const Summary::Row& row);
/// Methods that a table shows: those that it has a number of, or that failed; all if it has none.
std::vector<std::size_t> shown_methods(const Summary& summary);
/// A swept path without what goes without saying.
std::string short_axis(const std::string& axis);

bool row_has_best(const Summary::Row& row);
bool has_best(const Summary& summary);
/// What kBestMark means.
std::string best_note(const Summary& summary);

/// Two texts with a colon between them, on one line where it has room.
std::string in_one_or_two_lines(const std::string& one, const std::string& two);

}  // namespace tempo
