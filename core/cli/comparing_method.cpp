// The method of tempo compare.

#include <fmt/format.h>

#include <algorithm>

#include "cli/compared.hpp"
#include "cli/study_options.hpp"

namespace tempo::cli {
namespace {

constexpr auto kMethod = InterfaceKind::inference_method;

/// The id of the method; empty, and a complaint, if there is none.
std::string method_id(const Options& options, const Registry& registry, const Place& place,
                      Problems& problems) {
  if (!options.has("method")) {
    for (const auto& id : registry.usable_ids(kMethod))
      if (registry.assumes_process(id)) return id;
    problems.add(place,
                 "no method is installed that infers under a hypothesis (tempo plugins list shows "
                 "what there is)");
    return {};
  }
  const auto& id = options.get_text("method");
  if (registry.assumes_process(id)) return id;
  problems.add(place,
               registry.find(kMethod, id) == nullptr
                   ? registry.why_missing(kMethod, id)
                   : fmt::format("'{}' infers under no hypothesis: it cannot compare them", id));
  return {};
}

/// Has the method infer biomarkers' distributions unless it is set to estimate them; complains if
/// it cannot, or is set to know them.
void infer_distributions(PartSpec& part, const Registry& registry, Problems& problems) {
  const auto* declared =
      registry.parameter_with(kMethod, part.plugin, ParameterRole::distributions);
  if (declared == nullptr) {
    problems.add(part.place, fmt::format("method '{}' needs to know the distributions of the "
                                         "biomarkers: give --biomarkers",
                                         part.plugin));
    return;
  }
  if (const auto* set = part.settings.find(declared->key); set == nullptr)
    part.settings.set(declared->key,
                      {Place{"tempo compare"}, std::string(to_string(Distributions::sampled))});
  else if (registry.distributions_of(kMethod, part) == Distributions::known)
    problems.add(set->place, "parameters that are known come from --biomarkers, which is missing");
}

}  // namespace

ComparingMethod comparing_method(const Options& options, const Registry& registry,
                                 BiomarkersAre biomarkers_are, Problems& problems) {
  PartSpec part{"", {}, Place{options.has("method") ? "--method" : "tempo compare"}};
  part.plugin = method_id(options, registry, part.place, problems);
  if (part.plugin.empty()) return {part, {}};
  take_settings(options, part, problems);
  if (biomarkers_are == BiomarkersAre::inferred) infer_distributions(part, registry, problems);
  const auto name = fmt::format("method '{}'", part.plugin);
  part = registry.resolve(kMethod, part, name, problems);
  return {part, registry.distributions_of(kMethod, part)};
}

}  // namespace tempo::cli
