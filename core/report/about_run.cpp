#include "report/about_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/content_key.hpp"
#include "tempo/process_law.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

std::string in_words(const EventTimes& times) {
  const auto law = times.kind() == EventTimes::Kind::permutation ? "ranks"
                   : times.kind() == EventTimes::Kind::beta
                       ? fmt::format("continuous, Beta({}, {})", times.alpha(), times.beta())
                       : std::string("its own law");
  return times.noise_sd() > 0.0 ? law + ", noisy" : law;
}

Json describe(const HypothesisEntry& entry, const GenerativeProcess* process) {
  Json out{{"id", entry.id}, {"plugin", entry.part.plugin}};
  if (const auto* law = process == nullptr ? nullptr : process->law()) {
    out["event_times"] = in_words(law->event_times());
    out["events_have_times"] = law->event_times().kind() != EventTimes::Kind::permutation;
    out["stages"] = law->stage_prior().plugin_id();
    out["measurements"] = law->measurement_model().plugin_id();
  }
  return out;
}

Json describe(const CohortSettings& cohorts) {
  if (cohorts.source == CohortSettings::Source::folder)
    return {{"source", "folder"}, {"path", cohorts.path.string()}};
  if (cohorts.source == CohortSettings::Source::table)
    return {{"source", "table"}, {"path", cohorts.path.string()}, {"content", cohorts.real_key}};
  return {{"source", "simulate"},
          {"biomarkers", cohorts.biomarkers_name},
          {"participants", cohorts.size.participants},
          {"healthy_ratio", cohorts.size.healthy_ratio}};
}

/// The libraries of the plugins that made the numbers.
Json describe_plugins(const Plan& plan, const Registry& registry) {
  Json out = Json::array();
  for (const auto& [plugin, version] : plan.versions) {
    const auto space = plugin.find(' ');  // `kind id`
    const auto id = plugin.substr(space + 1);
    Json item{{"kind", plugin.substr(0, space)}, {"id", id}, {"version", version}};
    if (const auto* record = registry.deciding(id)) {
      item["file"] = record->path.string();
      item["content"] = file_key(record->path);
    }
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace

std::string limit_of(const Study& study, const Registry& registry) {
  const auto& methods = study.points.front().methods;
  const auto limit = std::find_if(methods.begin(), methods.end(), [&](const MethodEntry& entry) {
    const auto found = registry.distributions_of(InterfaceKind::inference_method, entry.part);
    return entry.assumes_matching() && found.value_or(Distributions::known) == Distributions::known;
  });
  const bool has_truth = !study.points.front().has_real_cohort();
  return !has_truth || limit == methods.end() || methods.size() < 2 ? "" : limit->id;
}

std::string about_run(const Study& study, const Plan& plan, const Registry& registry) {
  const auto& experiment = study.points.front();
  Json out{{"tempo", TEMPO_VERSION},
           {"build", TEMPO_BUILD_TAG},
           {"description", experiment.description},
           {"seed", experiment.seed},
           {"cohorts", describe(experiment.cohorts)},
           {"limit", limit_of(study, registry)}};
  out["hypotheses"] = Json::array();
  for (std::size_t h = 0; h < experiment.hypotheses.size(); ++h)
    out["hypotheses"].push_back(
        describe(experiment.hypotheses[h], plan.objects.front().processes[h].get()));
  out["methods"] = Json::array();
  for (const auto& method : experiment.methods)
    out["methods"].push_back({{"id", method.id},
                              {"plugin", method.part.plugin},
                              {"settings", Json::parse(canonical_json(method.part.settings))}});
  out["plugins"] = describe_plugins(plan, registry);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tempo
