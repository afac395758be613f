#include "analysis/remarks.hpp"

namespace tempo {

void Remarks::add(const FitId& fit, const std::string& text, FitStatus status) {
  const auto [at, is_new] = place_of_.emplace(text, remarks_.size());
  if (is_new) remarks_.push_back({text, {}, 0, 0, fit, status});
  auto& remark = remarks_[at->second];
  remark.methods.insert(fit.method);
  ++(fit.is_replicate() ? remark.replicates : remark.fits);
}

Remarks failures_of(const RunResults& results) {
  Remarks out;
  for (const auto& [id, result] : results.rows)
    if (is_failure(result.status)) out.add(id, result.error, result.status);
  return out;
}

Remarks warnings_of(const RunResults& results, WarningScope scope) {
  Remarks out;
  for (const auto& [id, result] : results.rows)
    for (const auto& [kind, text] : result.warnings) {
      const bool is_gap = id.is_replicate() && kind == Warning::Kind::missing_values;
      if (scope == WarningScope::all || !is_gap) out.add(id, text, result.status);
    }
  return out;
}

}  // namespace tempo
