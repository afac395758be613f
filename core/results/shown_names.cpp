#include "results/shown_names.hpp"

namespace tempo {

ShownNames::ShownNames(const RunDescription& run) {
  for (const auto& method : run.methods)
    if (!method.name.empty()) methods_[method.id] = method.name;
  for (const auto& hypothesis : run.hypotheses)
    if (!hypothesis.name.empty()) hypotheses_[hypothesis.id] = hypothesis.name;
}

RunDescription ShownNames::shown(RunDescription run) const {
  run.limit = of_method(run.limit);
  for (auto& method : run.methods) method.id = of_method(method.id);
  for (auto& hypothesis : run.hypotheses) hypothesis.id = of_hypothesis(hypothesis.id);
  for (auto& misfit : run.misfits) {
    misfit.method = of_method(misfit.method);
    misfit.hypothesis = of_hypothesis(misfit.hypothesis);
  }
  return run;
}

FitId ShownNames::shown(FitId id) const {
  id.hypothesis = of_hypothesis(id.hypothesis);
  id.method = of_method(id.method);
  id.trained_on = of_hypothesis(id.trained_on);
  id.assumed = of_hypothesis(id.assumed);
  return id;
}

RunResults ShownNames::shown(RunResults results) const {
  for (auto& row : results.rows) row.id = shown(std::move(row.id));
  return results;
}

ShownNames::Names ShownNames::reversed(const Names& names) {
  Names out;
  for (const auto& [id, name] : names) out[name] = id;
  return out;
}

}  // namespace tempo
