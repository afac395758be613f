// The method of tempo compare.

#include <fmt/format.h>

#include <algorithm>

#include "cli/compared.hpp"
#include "study/overrides.hpp"
#include "study/parameter_roles.hpp"

namespace tempo::cli {
namespace {

constexpr auto kMethod = InterfaceKind::inference_method;

/// The key of the setting that says how a method comes by biomarkers' distributions; empty if it
/// has none.
std::string distributions_key(const std::string& method, const Registry& registry) {
  const auto& declared = registry.find(kMethod, method)->parameters;
  const bool has_key = std::any_of(declared.begin(), declared.end(), [](const auto& spec) {
    return spec.key == "parameters";  // by role after the merge
  });
  return has_key ? "parameters" : "";  // by role after the merge
}

/// As settings spell it.
std::string to_text(Distributions distributions) {  // by role after the merge: to_string
  switch (distributions) {
    case Distributions::known:
      return "known";
    case Distributions::estimated:
      return "estimate";
    case Distributions::sampled:
      return "sample";
  }
  return {};
}

bool infers_under_hypothesis(const std::string& method, const Registry& registry) {
  const auto* record = registry.find(kMethod, method);
  return record != nullptr && record->descriptor->assumes_process != 0;
}

/// The id of the method; empty, and a complaint, if there is none.
std::string method_id(const Options& options, const Registry& registry, const Place& place,
                      Problems& problems) {
  if (!options.has("method")) {
    for (const auto& id : registry.usable_ids(kMethod))
      if (infers_under_hypothesis(id, registry)) return id;
    problems.add(place,
                 "no method is installed that infers under a hypothesis (tempo plugins list shows "
                 "what there is)");
    return {};
  }
  const auto& id = options.get_text("method");
  if (infers_under_hypothesis(id, registry)) return id;
  problems.add(place,
               registry.find(kMethod, id) == nullptr
                   ? registry.why_missing(kMethod, id)
                   : fmt::format("'{}' infers under no hypothesis: it cannot compare them", id));
  return {};
}

/// Has the method infer biomarkers' distributions unless it is set to estimate them; complains if
/// it cannot, or is set to know them.
void infer_distributions(PartSpec& part, const Registry& registry, Problems& problems) {
  const auto key = distributions_key(part.plugin, registry);
  if (key.empty()) {
    problems.add(part.place, fmt::format("method '{}' needs to know the distributions of the "
                                         "biomarkers: give --biomarkers",
                                         part.plugin));
    return;
  }
  if (const auto* set = part.settings.find(key); set == nullptr)
    part.settings.set(key, {Place{"tempo compare"}, to_text(Distributions::sampled)});
  else if (distributions_of(part) == Distributions::known)
    problems.add(set->place, "parameters that are known come from --biomarkers, which is missing");
}

}  // namespace

ComparingMethod comparing_method(const Options& options, const Registry& registry,
                                 Problems& problems) {
  PartSpec part{"", {}, Place{options.has("method") ? "--method" : "tempo compare"}};
  part.plugin = method_id(options, registry, part.place, problems);
  if (part.plugin.empty()) return {part, {}};
  for (const auto& argument : options.list("set")) {
    const auto setting = parse_override(argument, problems);
    if (!setting.path.empty()) part.settings.set(setting.path, setting.value);
  }
  if (!options.has("biomarkers")) infer_distributions(part, registry, problems);
  const auto name = fmt::format("method '{}'", part.plugin);
  part = registry.resolve(kMethod, part, name, problems);
  return {part, distributions_of(part)};
}

}  // namespace tempo::cli
