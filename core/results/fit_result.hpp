#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/fit_details.hpp"
#include "results/fit_id.hpp"
#include "results/stored_truth.hpp"

namespace tempo {

/// What became of a fit. Those after `failed` are failures with a name (tempo::FailureKind).
enum class FitStatus { pending, ok, failed, timed_out, out_of_memory, not_applicable, bad_answer };
/// As files have it: `pending`, `ok`, `failed`, `timed_out`, ...
std::string_view to_string(FitStatus status);
/// @return nothing for another word
std::optional<FitStatus> fit_status_from(std::string_view word);
constexpr bool is_failure(FitStatus status) {
  return status != FitStatus::pending && status != FitStatus::ok;
}

/// How near a fit comes to the truth. NaN: not known (a real cohort, or no number was given).
struct FitScores {
  double tau_distance = std::numeric_limits<double>::quiet_NaN();  ///< share of discordant pairs
  double stage_mae = std::numeric_limits<double>::quiet_NaN();     ///< in stages
  double sequence_mae = std::numeric_limits<double>::quiet_NaN();  ///< in units of event times

  // Of cohorts with subtypes alone (model/subtype_metrics.hpp). What methods with one order for all
  // have no answer to is NaN.
  double matched_tau_distance = std::numeric_limits<double>::quiet_NaN();
  double assigned_tau_distance = std::numeric_limits<double>::quiet_NaN();
  double subtype_score = std::numeric_limits<double>::quiet_NaN();         ///< adjusted Rand index
  double subtype_number_error = std::numeric_limits<double>::quiet_NaN();  ///< found minus true

  /// By the name of the metric: those that are not kept, but worked out when somebody asks for
  /// them.
  std::map<std::string, double> further = {};

  bool has_subtypes() const { return !std::isnan(matched_tau_distance); }
};

/// Something that a reader of a fit has to know.
struct Warning {
  enum class Kind {
    method,          ///< the method says it of what it found
    missing_values,  ///< which measurements are missing: true of the cohort, no doubt about the fit
  };
  Kind kind = Kind::method;
  std::string text;  ///< one line
  bool operator==(const Warning&) const = default;
};

/// What came of a fit, but for what it found.
struct FitResult {
  FitStatus status = FitStatus::pending;
  FitScores scores;
  double seconds = 0.0;           ///< wall time of the fit alone
  std::string error;              ///< of a failed one: one line
  std::vector<Warning> warnings;  ///< of a good one
};

/// A planned fit and what came of it.
struct FitRow {
  FitId id;
  FitResult result;
};

/// Everything that a run planned, in plan order.
struct RunResults {
  std::string name;
  std::vector<std::string> axes;
  std::vector<FitRow> rows;
  std::set<std::string> outside =
      {};  ///< methods that the run did not fit: their scores were added
};

/// A finished fit, as whoever made it hands it over.
struct FitRecord {
  FitResult result;
  FitDetails details;  ///< empty for one that failed
  /// Of its cohort, where whoever made the fit was asked for it; of a failed fit, too.
  std::optional<StoredTruth> truth = {};
};

/// Content keys of the libraries of plugins, by `KIND ID`.
using Libraries = std::map<std::string, std::string>;

/// A planned fit and the names under which its result is kept.
struct PlannedFit {
  FitId id;
  std::string key;     ///< content key: hash of everything that the result depends on
  std::string recipe;  ///< id of the recipe (all of the key but the cohort's number or content)
  std::string slot;    ///< its place in the tables of results, whatever the content
  std::string model;   ///< key of the model that is applied; empty for methods that are not trained
  std::vector<std::string> plugins;  ///< whose code makes the result, as Libraries name them
  /// Hash of all that its cohort depends on: fits with one such key are of the same cohort,
  /// whatever the run. Empty if it is not known.
  std::string cohort_key = {};
};

}  // namespace tempo
