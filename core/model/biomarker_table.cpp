#include "tempo/biomarker_table.hpp"

#include <cmath>
#include <set>

#include "tempo/error.hpp"

namespace tempo {

BiomarkerTable::BiomarkerTable(std::vector<Biomarker> biomarkers)
    : biomarkers_(std::move(biomarkers)) {
  std::set<std::string> names;
  for (const auto& [name, phi, theta] : biomarkers_) {
    if (name.empty()) throw NumericError("biomarker table: a biomarker has no name");
    if (!names.insert(name).second)
      throw NumericError("biomarker table: '" + name + "' occurs twice");
    for (const auto& state : {phi, theta})
      if (!std::isfinite(state.mean) || !std::isfinite(state.sd) || state.sd <= 0.0)
        throw NumericError("biomarker table: '" + name + "' needs finite means and finite sds > 0");
  }
}

std::vector<std::string> BiomarkerTable::names() const {
  std::vector<std::string> names;
  names.reserve(size());
  for (const auto& biomarker : biomarkers_) names.push_back(biomarker.name);
  return names;
}

}  // namespace tempo
