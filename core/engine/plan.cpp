#include "engine/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/biomarker_file.hpp"
#include "engine/hash.hpp"
#include "tempo/composed_process.hpp"

namespace tempo {
namespace {

using nlohmann::json;

/// Raised when core's own part of the numbers changes: streams, metrics, the composed process.
constexpr int kEngineRevision = 1;

class Planner {
 public:
  Planner(const Study& study, const Registry& registry) : study_(study), registry_(registry) {}

  Plan make() {
    for (std::size_t point = 0; point < study_.points.size(); ++point) add_point(point);
    return std::move(plan_);
  }

 private:
  std::string version(InterfaceKind kind, const std::string& id) {
    const auto* record = registry_.find(kind, id);
    const std::string found = record == nullptr ? "unknown" : record->descriptor->version;
    plan_.versions[fmt::format("{} {}", to_string(kind), id)] = found;
    return found;
  }

  json describe(InterfaceKind kind, const PartSpec& part) {
    return {{"plugin", part.plugin},
            {"version", version(kind, part.plugin)},
            {"settings", json::parse(canonical_json(part.settings))}};
  }

  /// A hypothesis with the versions of the parts it is composed of.
  json describe_process(const PartSpec& part, const GenerativeProcess& process) {
    auto out = describe(InterfaceKind::generative_process, part);
    if (const auto* composed = dynamic_cast<const ComposedProcess*>(&process)) {
      const auto& prior = composed->stage_prior().plugin_id();
      const auto& model = composed->measurement_model().plugin_id();
      out["parts"] = {{prior, version(InterfaceKind::stage_prior, prior)},
                      {model, version(InterfaceKind::measurement_model, model)}};
    }
    return out;
  }

  void add_point(std::size_t point) {
    const auto& experiment = study_.points[point];
    PointObjects objects;
    std::vector<json> methods;
    for (const auto& method : experiment.methods) {
      objects.methods.push_back(registry_.method(method.part));
      methods.push_back(describe(InterfaceKind::inference_method, method.part));
      methods.back()["column_order"] = to_string(method.column_order);
    }
    for (std::size_t h = 0; h < experiment.hypotheses.size(); ++h) {
      const auto& hypothesis = experiment.hypotheses[h];
      json cohorts{{"hypothesis", hypothesis.id}};
      if (experiment.cohorts.source == CohortSettings::Source::simulate) {
        objects.processes.push_back(
            registry_.hypothesis(hypothesis.part, experiment.cohorts.biomarkers));
        cohorts["process"] = describe_process(hypothesis.part, *objects.processes.back());
        cohorts["biomarkers"] = content_key(biomarkers_to_toml(experiment.cohorts.biomarkers, ""));
        cohorts["participants"] = experiment.cohorts.size.participants;
        cohorts["healthy_ratio"] = experiment.cohorts.size.healthy_ratio;
      } else {
        objects.processes.push_back(nullptr);
        cohorts["source"] = "folder";
      }
      for (std::size_t c = 0; c < hypothesis.cohorts.size(); ++c)
        for (std::size_t m = 0; m < experiment.methods.size(); ++m)
          add_fit({point, h, c, m},
                  {{"engine", kEngineRevision},
                   {"seed", experiment.seed},
                   {"stage_posteriors", experiment.keep_stage_posteriors},
                   {"cohorts", cohorts},
                   {"method", methods[m]}},
                  to_string(objects.methods[m]->label_use()));
    }
    plan_.objects.push_back(std::move(objects));
  }

  void add_fit(const FitTask& task, const json& recipe, std::string_view labels) {
    const auto& experiment = study_.points[task.point];
    const auto& hypothesis = experiment.hypotheses[task.hypothesis];
    PlannedFit fit;
    fit.row.axis_values = experiment.axis_values;
    fit.row.hypothesis = hypothesis.id;
    fit.row.cohort = hypothesis.cohorts[task.cohort];
    fit.row.method = experiment.methods[task.method].id;
    fit.row.labels = labels;
    const auto text = recipe.dump();
    fit.recipe = content_key(text);
    plan_.recipes.emplace(fit.recipe, text);
    auto content = fit.recipe + "#" + std::to_string(fit.row.cohort);
    if (!hypothesis.files.empty()) content += "#" + files_key(hypothesis.files[task.cohort]);
    fit.key = content_key(content);
    fit.slot =
        json({fit.row.axis_values, fit.row.hypothesis, fit.row.cohort, fit.row.method}).dump();
    plan_.tasks.push_back(task);
    plan_.fits.push_back(std::move(fit));
  }

  /// The bytes of a public cohort and its truth.
  std::string files_key(const PublicDataset& files) {
    const auto truth = files.csv.parent_path() / "true_order_and_stages.json";
    std::string key;
    for (const auto& path : {files.csv, truth}) {
      auto& known = file_keys_[path.string()];
      if (known.empty()) known = file_key(path);
      key += known;
    }
    return key;
  }

  const Study& study_;
  const Registry& registry_;
  Plan plan_;
  std::map<std::string, std::string> file_keys_;
};

}  // namespace

Plan make_plan(const Study& study, const Registry& registry) {
  return Planner(study, registry).make();
}

std::string why_stale(const Plan& plan, const PlannedFit& fit, Store& store) {
  const auto before = store.last_recipe(fit.slot);
  if (!before) return {};
  const auto was = json::parse(*before).flatten();
  const auto is = json::parse(plan.recipes.at(fit.recipe)).flatten();
  std::string text;
  const auto say = [&](const std::string& path, const std::string& from, const std::string& to) {
    auto name = path.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    if (!text.empty()) text += "; ";
    text += name == "cohorts.biomarkers" ? "the biomarker table changed"  // a hash says nothing
                                         : fmt::format("{}: {} -> {}", name, from, to);
  };
  for (const auto& [path, value] : is.items())
    if (!was.contains(path))
      say(path, "absent", value.dump());
    else if (was[path] != value)
      say(path, was[path].dump(), value.dump());
  for (const auto& [path, value] : was.items())
    if (!is.contains(path)) say(path, value.dump(), "absent");
  return text.empty() ? "the files of the cohort changed" : text;
}

}  // namespace tempo
