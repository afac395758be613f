#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/evidence.hpp"
#include "report/table.hpp"

namespace tempo {

/// `The data prefer h1.`, or which cannot be told apart. Nothing is preferred for certain where
/// chains had not agreed.
std::string verdict(const CohortRanking& ranking);

/// Names of the formats that rankings are written in.
const std::vector<std::string>& ranking_formats();  // table, csv, json
/// Rankings of cohorts; for people those of several are followed by how often each is preferred.
Table ranking_table(const std::vector<CohortRanking>& rankings);
/// The predictive checks of all hypotheses, for programs: cohort, hypothesis, then check_columns().
Table ranking_check_table(const std::vector<CohortRanking>& rankings);

/// What the evidence on real cohorts rests on beyond fits in doubt, a sentence each: distributions
/// that a method took for known.
/// @param description  Store::description
std::vector<std::string> evidence_caveats(const std::vector<FitEvidence>& fits,
                                          const std::optional<RunDescription>& description);

/// Which hypothesis predicts participants best, and what that depends on.
Table preference_table(const std::vector<PreferenceTable>& tables,
                       const std::vector<std::string>& caveats,
                       const std::vector<std::string>& axes);

}  // namespace tempo
