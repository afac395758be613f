#include "cli/stated_laws.hpp"

#include <fmt/format.h>

#include <set>
#include <string>

#include "conformance/law_faults.hpp"
#include "tempo/error.hpp"
#include "tempo/process_law.hpp"

namespace tempo::cli {
namespace {

/// A hypothesis that a method infers under.
struct Assumed {
  std::string id;
  const PartSpec* part = nullptr;
  const GenerativeProcess* process = nullptr;
};

/// Those of a point; one may be there twice.
std::vector<Assumed> assumed_of(const Experiment& experiment, const PointObjects& objects) {
  std::vector<Assumed> out;
  for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
    const auto& method = experiment.methods[m];
    if (objects.assumed[m] != nullptr)
      out.push_back({method.assumed_id, &method.assumed, objects.assumed[m].get()});
    if (!method.assumes_matching()) continue;
    for (std::size_t h = 0; h < experiment.hypotheses.size(); ++h)
      if (method.is_for(h))
        out.push_back({experiment.hypotheses[h].id, &experiment.hypotheses[h].part,
                       objects.processes[h].get()});
  }
  return out;
}

/// Whether a guest's plugin states a part of the law.
bool is_of_guest(const GenerativeProcess& process, const Registry& registry) {
  const auto is_guest = [&](const std::string& id) {
    const auto* record = registry.deciding(id);
    return record != nullptr && !registry.comes_with_tempo(*record);
  };
  const auto* law = process.law();
  return law != nullptr &&
         (is_guest(process.plugin_id()) || is_guest(law->stage_prior().plugin_id()) ||
          is_guest(law->measurement_model().plugin_id()));
}

/// With what a law throws.
std::vector<std::string> faults_of(const GenerativeProcess& process) {
  try {
    return conformance::law_faults(process);
  } catch (const Error& error) {
    return {error.what()};
  }
}

}  // namespace

void expect_right_laws(const Study& study, const Plan& plan, const Registry& registry) {
  Problems problems;
  std::set<std::string> seen;  // points of a sweep share most hypotheses
  for (std::size_t p = 0; p < study.points.size(); ++p)
    for (const auto& [id, part, process] : assumed_of(study.points[p], plan.objects[p])) {
      if (process == nullptr || !is_of_guest(*process, registry)) continue;
      if (!seen.insert(fmt::format("{} {} {}", part->plugin, canonical_json(part->settings),
                                   process->biomarkers().size()))
               .second)
        continue;
      for (const auto& fault : faults_of(*process))
        problems.add(part->place,
                     fmt::format("hypothesis '{}': {}; what methods infer under it would be wrong",
                                 id, fault));
    }
  problems.throw_if_any();
}

}  // namespace tempo::cli
