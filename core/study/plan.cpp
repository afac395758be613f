#include "study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/biomarker_file.hpp"
#include "data/content_key.hpp"
#include "tempo/generative_process.hpp"

namespace tempo {
namespace {

using nlohmann::json;

/// Raised when core's own part of the numbers changes: streams, metrics, the composed process.
constexpr int kEngineRevision = 1;
/// The same for what models learn from.
constexpr int kTrainingRevision = 1;

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

  /// A hypothesis with the versions of the plugins that it made parts of.
  json describe_process(const PartSpec& part, const GenerativeProcess& process) {
    auto out = describe(InterfaceKind::generative_process, part);
    for (const auto& [kind, id] : process.parts()) out["parts"][id] = version(kind, id);
    return out;
  }

  /// A method's settings without those that do not change what it computes.
  json describe_method(InterfaceKind kind, const PartSpec& part) {
    auto out = describe(kind, part);
    if (const auto* device = registry_.parameter_with(kind, part.plugin, ParameterRole::device))
      out["settings"].erase(device->key);
    return out;
  }

  void add_point(std::size_t point) {
    const auto& experiment = study_.points[point];
    PointObjects objects;
    std::vector<json> processes;
    for (std::size_t h = 0; h < experiment.hypotheses.size(); ++h) {
      const auto& part = experiment.hypotheses[h].part;
      const bool is_simulated =
          experiment.cohorts.source == CohortSettings::Source::simulate || is_used(experiment, h);
      objects.processes.push_back(
          is_simulated ? registry_.hypothesis(part, experiment.cohorts.biomarkers) : nullptr);
      processes.push_back(is_simulated ? describe_process(part, *objects.processes.back())
                                       : json());
    }
    std::vector<json> assumed;  // per method
    for (const auto& method : experiment.methods) {
      const bool names_one = !method.assumed.plugin.empty();
      objects.assumed.push_back(
          names_one ? registry_.hypothesis(method.assumed, experiment.cohorts.biomarkers)
                    : nullptr);
      assumed.push_back(names_one ? describe_process(method.assumed, *objects.assumed.back())
                                  : json());
    }
    for (const auto& process : objects.processes) {
      objects.methods.emplace_back();
      for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
        const auto& method = experiment.methods[m];
        const auto* under = method.assumes_matching() ? process.get() : objects.assumed[m].get();
        auto& made = objects.methods.back().emplace_back();
        if (method.assumes_process)
          made = under == nullptr ? nullptr : registry_.method_under(method.part, *under);
        else if (!method.trains())
          made = registry_.method(method.part);
      }
    }
    std::vector<json> methods;
    std::vector<std::vector<std::size_t>> trainings;  // per method and model
    for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
      const auto& method = experiment.methods[m];
      const auto kind =
          method.trains() ? InterfaceKind::trainable_method : InterfaceKind::inference_method;
      objects.trainable.push_back(method.trains() ? registry_.trainable_method(method.part)
                                                  : nullptr);
      const auto description = describe_method(kind, method.part);
      methods.push_back(method.trains() ? json::object() : description);
      methods.back()["column_order"] = to_string(method.column_order);
      trainings.emplace_back();
      for (std::size_t model = 0; model < method.models.size(); ++model)
        trainings.back().push_back(
            add_training({point, m, model, {}, {}, {}}, description, processes));
    }
    std::vector<json> model_recipes;
    for (const auto& training : plan_.trainings)
      model_recipes.push_back(json::parse(plan_.recipes.at(training.key)));
    for (std::size_t h = 0; h < experiment.hypotheses.size(); ++h) {
      const auto& hypothesis = experiment.hypotheses[h];
      json cohorts{{"hypothesis", hypothesis.id}};
      if (experiment.cohorts.source == CohortSettings::Source::simulate) {
        cohorts["process"] = processes[h];
        cohorts.update(describe_simulation(experiment.cohorts));
      } else {
        cohorts["source"] = experiment.has_real_cohort() ? "table" : "folder";
      }
      for (std::size_t c = 0; c < hypothesis.cohorts.size(); ++c)
        for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
          const auto& method = experiment.methods[m];
          if (experiment.has_real_cohort() && c > 0 && !method.bootstrap) continue;
          json recipe{{"engine", kEngineRevision},
                      {"seed", experiment.seed},
                      {"stage_posteriors", experiment.keep_stage_posteriors},
                      {"cohorts", cohorts},
                      {"method", methods[m]}};
          const bool is_real = experiment.has_real_cohort();
          if (method.assumes_process) {
            recipe["assumed"] = describe_assumed(experiment);
            recipe["assumed"]["process"] = method.assumes_matching() ? processes[h] : assumed[m];
          }
          if (is_real && method.assumes_matching())
            for (std::size_t a = 0; a < h; ++a) {  // the real cohort is the last
              recipe["assumed"]["process"] = processes[a];
              add_fit({point, h, c, m, {}, a}, recipe, experiment.hypotheses[a].id,
                      to_string(objects.methods[a][m]->label_use()));
            }
          else if (!method.trains())
            add_fit({point, h, c, m, {}, {}}, recipe, is_real ? method.assumed_id : "",
                    to_string(objects.methods[h][m]->label_use()));
          for (std::size_t model = 0; model < trainings[m].size(); ++model) {
            const auto training = trainings[m][model];
            recipe["model"] = model_recipes[training];
            add_fit({point, h, c, m, training, {}}, recipe, method.models[model].trained_on,
                    to_string(objects.trainable[m]->label_use()));
          }
        }
    }
    plan_.objects.push_back(std::move(objects));
  }

  /// Whether a method learns from it or assumes it.
  static bool is_used(const Experiment& experiment, std::size_t hypothesis) {
    for (const auto& method : experiment.methods) {
      if (method.assumes_matching() && !experiment.hypotheses[hypothesis].part.plugin.empty())
        return true;
      for (const auto& model : method.models)
        if (std::find(model.hypotheses.begin(), model.hypotheses.end(), hypothesis) !=
            model.hypotheses.end())
          return true;
    }
    return false;
  }

  static json describe_simulation(const CohortSettings& cohorts) {
    return {{"biomarkers", content_key(biomarkers_to_toml(cohorts.biomarkers, ""))},
            {"participants", cohorts.size.participants},
            {"healthy_ratio", cohorts.size.healthy_ratio}};
  }

  /// What a method that infers under a hypothesis is told of the cohorts. Their size is nothing
  /// that it takes from there, and a real one has its own.
  static json describe_assumed(const Experiment& experiment) {
    auto out = describe_simulation(experiment.cohorts);
    if (experiment.has_real_cohort()) {
      out.erase("participants");
      out.erase("healthy_ratio");
    }
    return out;
  }

  /// @return its index; that of an earlier one if it is the same.
  std::size_t add_training(Training training, const json& method,
                           const std::vector<json>& processes) {
    const auto& experiment = study_.points[training.point];
    const auto& entry = experiment.methods[training.method];
    const auto& model = entry.models[training.model];
    auto recipe = describe_simulation(experiment.cohorts);
    recipe["training"] = kTrainingRevision;
    recipe["seed"] = experiment.seed;
    recipe["method"] = method;
    recipe["hypotheses"] = json::array();
    for (const auto h : model.hypotheses)
      recipe["hypotheses"].push_back(
          {{"hypothesis", experiment.hypotheses[h].id}, {"process", processes[h]}});
    const auto text = recipe.dump();
    training.key = content_key(text);
    const auto same = [&](const Training& other) { return other.key == training.key; };
    const auto known = std::find_if(plan_.trainings.begin(), plan_.trainings.end(), same);
    if (known != plan_.trainings.end())
      return static_cast<std::size_t>(known - plan_.trainings.begin());
    plan_.recipes.emplace(training.key, text);
    training.slot = model_slot(experiment.axis_values, entry.id, model.trained_on);
    constexpr std::size_t kShownOfKey = 8;
    training.name = fmt::format("{}.{}.{}", entry.part.plugin, model.trained_on,
                                training.key.substr(0, kShownOfKey));
    plan_.trainings.push_back(std::move(training));
    return plan_.trainings.size() - 1;
  }

  void add_fit(const FitTask& task, const json& recipe, const std::string& trained_on,
               std::string_view labels) {
    const auto& experiment = study_.points[task.point];
    const auto& hypothesis = experiment.hypotheses[task.hypothesis];
    const auto& method = experiment.methods[task.method];
    PlannedFit fit;
    fit.row.axis_values = experiment.axis_values;
    fit.row.hypothesis = hypothesis.id;
    fit.row.cohort = hypothesis.cohorts[task.cohort];
    fit.row.method = method.id;
    fit.row.labels = labels;
    json slot{fit.row.axis_values, fit.row.hypothesis, fit.row.cohort, fit.row.method};
    fit.row.trained_on = trained_on;
    if (task.training || task.assumed) slot.push_back(trained_on);
    const auto text = recipe.dump();
    fit.recipe = content_key(text);
    plan_.recipes.emplace(fit.recipe, text);
    auto content = fit.recipe + "#" + std::to_string(fit.row.cohort);
    if (!hypothesis.files.empty()) content += "#" + files_key(hypothesis.files[task.cohort]);
    if (experiment.has_real_cohort()) content += "#" + experiment.cohorts.real_key;
    fit.key = content_key(content);
    fit.slot = slot.dump();
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

namespace {

/// What differs between the recipe that last filled a slot and the one that is to fill it.
std::string what_changed(const Plan& plan, const std::string& slot, const std::string& recipe,
                         Store& store, const std::string& if_nothing) {
  const auto before = store.last_recipe(slot);
  if (!before) return {};
  const auto was = json::parse(*before).flatten();
  const auto is = json::parse(plan.recipes.at(recipe)).flatten();
  std::string text;
  const auto say = [&](const std::string& path, const std::string& from, const std::string& to) {
    auto name = path.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    if (!text.empty()) text += "; ";
    if (name == "cohorts.biomarkers" || name == "biomarkers")  // a hash says nothing
      text += "the biomarker table changed";
    else if (name == "model.biomarkers")
      text += "the biomarker table of the model changed";
    else
      text += fmt::format("{}: {} -> {}", name, from, to);
  };
  for (const auto& [path, value] : is.items())
    if (!was.contains(path))
      say(path, "absent", value.dump());
    else if (was[path] != value)
      say(path, was[path].dump(), value.dump());
  for (const auto& [path, value] : was.items())
    if (!is.contains(path)) say(path, value.dump(), "absent");
  return text.empty() ? if_nothing : text;
}

}  // namespace

std::string why_stale(const Plan& plan, const PlannedFit& fit, Store& store) {
  return what_changed(
      plan, fit.slot, fit.recipe, store,
      fit.row.hypothesis == kRealCohort ? "the cohort changed" : "the files of the cohort changed");
}

std::string why_stale(const Plan& plan, const Training& training, Store& store) {
  return what_changed(plan, training.slot, training.key, store, "");
}

}  // namespace tempo
