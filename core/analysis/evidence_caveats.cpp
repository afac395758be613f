#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "analysis/evidence.hpp"
#include "study/experiment.hpp"

namespace tempo {
namespace {

/// Methods of a run that take the distributions they are given for known.
std::set<std::string> methods_that_know(const std::string& about) {
  std::set<std::string> out;
  if (about.empty()) return out;
  for (const auto& method : nlohmann::json::parse(about).value("methods", nlohmann::json::array()))
    if (method.value("settings", nlohmann::json::object()).value("parameters", "") == "known")
      out.insert(method.at("id").get<std::string>());
  return out;
}

}  // namespace

std::vector<std::string> evidence_caveats(const std::vector<FitEvidence>& fits,
                                          const std::string& about) {
  std::set<std::string> methods;
  for (const auto& fit : fits)
    if (fit.row.hypothesis == kRealCohort && !fit.log_scores.empty())
      methods.insert(fit.row.method);
  std::vector<std::string> out;
  for (const auto& method : methods_that_know(about))
    if (methods.contains(method))
      out.push_back(
          fmt::format("{} took the distributions of [cohorts] for known, two normals under every "
                      "hypothesis: if they were estimated from the cohort, hypotheses with other "
                      "measurements (h2, h4, h5, h7, h8) lose by that alone, and differences are "
                      "too sure; parameters = \"sample\" finds them under each",
                      method));
  return out;
}

}  // namespace tempo
