#include "run/describe_run.hpp"

#include <fmt/format.h>

#include "data/content_key.hpp"
#include "run/real_cohorts.hpp"
#include "tempo/process_law.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace {

std::string in_words(const EventTimes& times) {
  const auto law = times.kind() == EventTimes::Kind::permutation ? "ranks"
                   : times.kind() == EventTimes::Kind::beta
                       ? fmt::format("continuous, Beta({}, {})", times.alpha(), times.beta())
                       : std::string("its own law");
  return times.noise_sd() > 0.0 ? law + ", noisy" : law;
}

RunDescription::Hypothesis describe(const HypothesisEntry& entry,
                                    const GenerativeProcess* process) {
  RunDescription::Hypothesis out;
  out.id = entry.id;
  out.plugin = entry.part.plugin;
  out.name = entry.name;
  const auto* law = process == nullptr ? nullptr : process->law();
  if (law == nullptr) return out;
  out.measures_normals = measures_normals(*law);
  const auto& times = law->event_times();
  out.event_times = in_words(times);
  out.events = times.are_ranks() ? EventScale::ranks : EventScale::times;
  out.stages = law->stage_prior().plugin_id();
  out.measurements = law->measurement_model().plugin_id();
  return out;
}

using Cohorts = RunDescription::Cohorts;

Cohorts describe(const SimulatedCohorts& cohorts) {
  const auto& [name, biomarkers, size] = cohorts.simulation;
  Cohorts out;
  out.source = Cohorts::Source::simulate;
  out.biomarkers = name;
  out.participants = size.participants;
  out.healthy_ratio = size.healthy_ratio;
  return out;
}

Cohorts describe(const FolderCohorts& cohorts) {
  Cohorts out;
  out.source = Cohorts::Source::folder;
  out.path = cohorts.named;
  return out;
}

Cohorts describe(const TableCohort& cohort) {
  Cohorts out;
  out.source = Cohorts::Source::table;
  out.path = cohort.named;
  out.content = cohort.content;
  return out;
}

RunDescription::Method describe(const MethodEntry& method) {
  return {.id = method.id,
          .plugin = method.part.plugin,
          .settings = canonical_json(method.shown_settings),
          .distributions = method.distributions,
          .name = method.name};
}

/// The libraries of the plugins that make the numbers.
std::vector<RunDescription::Plugin> describe_plugins(const Plan& plan, const Registry& registry) {
  std::vector<RunDescription::Plugin> out;
  for (const auto& [plugin, version] : plan.versions) {
    const auto space = plugin.find(' ');  // `kind id`
    RunDescription::Plugin item;
    item.kind = plugin.substr(0, space);
    item.id = plugin.substr(space + 1);
    item.version = version;
    if (const auto* record = registry.deciding(item.id)) {
      item.file = record->path.filename().string();
      item.content = file_key(record->path);
    }
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace

RunDescription describe_run(const Study& study, const Plan& plan, const Registry& registry) {
  const auto& experiment = study.points.front();
  RunDescription out;
  out.tempo = TEMPO_VERSION;
  out.build = TEMPO_BUILD_TAG;
  out.description = experiment.description;
  out.seed = experiment.seed;
  out.cohorts =
      std::visit([](const auto& cohorts) { return describe(cohorts); }, experiment.cohorts);
  out.limit = limit_of(study);
  for (std::size_t h = 0; h < experiment.hypotheses.size(); ++h)
    out.hypotheses.push_back(
        describe(experiment.hypotheses[h], plan.objects.front().processes[h].get()));
  for (const auto& method : experiment.methods) out.methods.push_back(describe(method));
  out.plugins = describe_plugins(plan, registry);
  out.misfits = what_of(plan.misfits);
  return out;
}

StoredPlan stored_plan(const Study& study, const Plan& plan, const RunDescription& description) {
  StoredPlan out{.name = study.name,
                 .axes = study.axes,
                 .fits = plan.fits,
                 .recipes = plan.recipes,
                 .cohorts = stored_cohorts(study),
                 .content = cohort_content(study),
                 .libraries = libraries_of(description)};
  return out;
}

}  // namespace tempo
