#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "results/store.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// Checks by the names of a cohort's biomarkers.
std::vector<NamedCheck> named_checks(const std::vector<PredictiveCheck>& checks,
                                     const std::vector<std::string>& biomarkers);

/// How far the observed number lies from the replicated ones, in their sds; 0 if it is one of no
/// spread, infinite if they have none but it differs.
double distance(const NamedCheck& check);

/// What a fit's checks say all together.
struct CheckSummary {
  std::size_t checks = 0;
  std::size_t low = 0;                 ///< p < 0.05
  std::vector<const NamedCheck*> far;  ///< p < 0.05 and 3.5 sds off or more, the farthest first
  double by_chance() const {
    return 0.05 * static_cast<double>(checks);
  }  ///< expected `low`, at most
};
CheckSummary summarise(const std::vector<NamedCheck>& checks);

/// `7 of 132 checks have p < 0.05 (by chance up to 6.6), 1 of them far off: ...`, the farthest
/// three named.
std::string in_words(const std::vector<NamedCheck>& checks);

/// Columns of a check in CSV: biomarker, group, statistic, observed, mean, sd, p.
std::vector<std::string> check_columns();
std::vector<std::string> check_cells(const NamedCheck& check);
/// The same under these names.
nlohmann::ordered_json as_json(const NamedCheck& check);

/// Of a run in one of summary_formats(): as CSV and JSON every check; in the others a row per
/// hypothesis and method, with the check that is farthest off over all its cohorts.
/// @param axes as in RunResults
std::string render(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes,
                   const std::string& format);

}  // namespace tempo
