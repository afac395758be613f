#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/fit_result.hpp"
#include "tempo/fit_metric.hpp"

namespace tempo {

/// A number of results.csv that can be summarised over cohorts.
struct Metric {
  enum class Of {
    tau_distance,
    stage_mae,
    sequence_mae,
    seconds,
    // of cohorts with subtypes
    matched_tau_distance,
    assigned_tau_distance,
    subtype_score,
    subtype_number_error,
    further  ///< in FitScores::further
  };
  /// Which of two values is better. Neither: of times, which depend on the machine, and of signed
  /// errors.
  using Better = FitMetric::Better;
  Of of;
  std::string name;   ///< as in results.csv
  std::string title;  ///< for a reader
  int decimals;
  Better further_is_better = Better::neither;  ///< of a further one

  /// The least and the greatest value that there can be.
  double least() const;
  double most() const;
  Better better() const;
  /// NaN where it is not known.
  double in(const FitResult& result) const;
  void set(FitResult& result, double value) const;
};

/// tau_distance, stage_mae, sequence_mae, seconds.
const std::vector<Metric>& metrics();
/// Those of cohorts with subtypes alone: matched_tau_distance, assigned_tau_distance,
/// subtype_score, subtype_number_error.
const std::vector<Metric>& subtype_metrics();
/// Both.
std::vector<Metric> all_metrics();
/// Whether any fit is of a cohort with subtypes.
bool has_subtypes(const RunResults& results);
/// Those that tell something of a run: those of subtypes only where cohorts have some.
std::vector<Metric> metrics_of(const RunResults& results);
/// The metric of that name, or null.
const Metric* find_metric(const std::string& name);

/// Mean over the cohorts that were scored, and its 95 % interval mean +- half_width:
/// half_width is half_width_95. The published tables of the TEMPO paper have 1.96 in place of
/// Student's t, which is too narrow for a handful of cohorts (for five, by 30 %). Absent for fewer
/// than two.
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
  std::vector<bool> is_trained;     ///< per method
  std::set<std::string> outside;    ///< RunResults::outside
  std::string limit;                ///< the method that does not compete; may be empty
  std::string reference;  ///< the method that all numbers are differences from; empty: plain scores
  struct Row {
    std::vector<std::string> axis_values;
    std::string hypothesis;           ///< generated_by
    std::vector<Estimate> estimates;  ///< per method
    std::vector<bool> is_best;        ///< per method: best_of, without the limit; of no time
  };
  std::vector<Row> rows;  ///< in plan order
};
/// Whether a fit counts in tables of methods: a trained method does so by the model of the
/// hypothesis at hand, or of all. That of a real cohort is not known: every model counts.
bool is_in_distribution(const FitId& id);

/// The limit of a run, if it is one: not if it found one progression in a cohort that has several.
std::string limit_among(const RunResults& results, const std::string& limit);

/// A score that is not known (NaN: a row made elsewhere may lack a metric) is as if not planned.
/// @param limit  the method that does not compete, as it knows what the others do not; may be empty
Summary summarise(const RunResults& results, const Metric& metric, const std::string& limit = {});
/// One row per point of the sweep, over the cohorts of all hypotheses together.
Summary summarise_over_hypotheses(const RunResults& results, const Metric& metric,
                                  const std::string& limit = {});

/// A row with its scores minus those of another fit; failed or pending where either of the two is.
FitRow difference(FitRow row, const FitResult& other);

/// The same rows as differences from what `reference` scored on the same cohort: a difference over
/// cohorts has a far narrower interval than either mean. Failed and pending where either of the two
/// is; rows of cohorts that `reference` was not planned for, and its own, are left out.
RunResults differences_from(const std::string& reference, const RunResults& results);
/// The summary of these differences.
Summary summarise_against(const std::string& reference, const RunResults& results,
                          const Metric& metric, const std::string& limit = {});

}  // namespace tempo
