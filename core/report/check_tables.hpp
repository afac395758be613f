#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/checks.hpp"
#include "report/table.hpp"

namespace tempo {

/// `7 of 132 checks have p < 0.05 (by chance about 6.6), 1 of them far off: ...`, the farthest
/// three named.
std::string in_words(const std::vector<NamedCheck>& checks);

/// Columns of a check in CSV: biomarker, group, statistic, observed, mean, sd, p.
const std::vector<std::string>& check_columns();
std::vector<Cell> check_cells(const NamedCheck& check);
/// The same under these names.
nlohmann::ordered_json as_json(const NamedCheck& check);

/// The checks of a run: for programs every one; for people a row per hypothesis and method, with
/// the check that is farthest off over all its cohorts.
/// @param axes  as in RunResults
Table check_table(const std::vector<FitChecks>& fits, const std::vector<std::string>& axes);

}  // namespace tempo
