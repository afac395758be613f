#include "study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "data/content_key.hpp"
#include "study/recipes.hpp"

namespace tempo {
namespace {

using nlohmann::json;

/// Is raised when tempo's own part of the numbers changes: streams, metrics, composed processes.
constexpr int kEngineRevision = 1;
/// The same for the cohorts that models learn from.
constexpr int kTrainingRevision = 1;

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const auto& item : from)
    if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
}

/// The trainings of a plan, each once, and what they depend on.
class Trainings {
 public:
  explicit Trainings(Plan& plan) : plan_(plan) {}

  /// @return its index; that of an earlier one if it is the same.
  std::size_t add(const Experiment& experiment, Training training, Described recipe) {
    const auto text = recipe.recipe.dump();
    training.key = content_key(text);
    const auto same = [&](const Training& other) { return other.key == training.key; };
    const auto known = std::find_if(plan_.trainings.begin(), plan_.trainings.end(), same);
    if (known != plan_.trainings.end())
      return static_cast<std::size_t>(known - plan_.trainings.begin());
    plan_.recipes.emplace(training.key, text);
    const auto& method = experiment.methods[training.method];
    const auto& trained_on = method.models[training.model].trained_on;
    training.slot = model_slot(experiment.axis_values, method.id, trained_on);
    constexpr std::size_t kShownOfKey = 8;
    training.name = fmt::format("{}.{}.{}", method.part.plugin, trained_on,
                                training.key.substr(0, kShownOfKey));
    training.plugins = recipe.plugins;
    plan_.trainings.push_back(std::move(training));
    recipes_.push_back(std::move(recipe));
    return plan_.trainings.size() - 1;
  }

  const Described& recipe(std::size_t training) const { return recipes_[training]; }

 private:
  Plan& plan_;
  std::vector<Described> recipes_;  // in the order of Plan::trainings
};

/// Why a method has no fits under a hypothesis.
struct WhyNot {
  std::string reason;
  bool on_purpose = false;  ///< its `hypotheses` do not name it
};
using WhyNotUnder = std::vector<std::optional<WhyNot>>;  // [hypotheses]; none: it has fits there

/// Plans one point of a study.
class PointPlanner {
 public:
  PointPlanner(const Study& study, std::size_t point, const Registry& registry,
               Describer& describer, Trainings& trainings, Plan& plan)
      : experiment_(study.points[point]),
        point_(point),
        registry_(registry),
        describer_(describer),
        trainings_(trainings),
        plan_(plan) {}

  void run() {
    make_processes();
    for (const auto& method : experiment_.methods) make_methods(method);
    make_trainable();
    for (std::size_t g = 0; g < experiment_.groups.size(); ++g)
      for (std::size_t c = 0; c < experiment_.groups[g].numbers.size(); ++c)
        for (std::size_t m = 0; m < experiment_.methods.size(); ++m) add_fits(g, c, m);
    plan_.objects.push_back(std::move(objects_));
  }

 private:
  const BiomarkerTable& biomarkers() const { return experiment_.simulation()->biomarkers; }

  /// Whether a method learns from the hypothesis or assumes it.
  bool is_used(std::size_t hypothesis) const {
    for (const auto& method : experiment_.methods) {
      if (method.assumes_matching() && method.is_for(hypothesis) &&
          !experiment_.hypotheses[hypothesis].part.plugin.empty())
        return true;
      for (const auto& model : method.models)
        if (std::find(model.hypotheses.begin(), model.hypotheses.end(), hypothesis) !=
            model.hypotheses.end())
          return true;
    }
    return false;
  }

  void make_processes() {
    for (std::size_t h = 0; h < experiment_.hypotheses.size(); ++h) {
      const bool is_simulated = experiment_.simulates_cohorts() || is_used(h);
      make_process(is_simulated, experiment_.hypotheses[h].part, objects_.processes, processes_);
    }
    for (const auto& method : experiment_.methods)
      make_process(!method.assumed.plugin.empty(), method.assumed, objects_.assumed, assumed_);
  }

  void make_process(bool is_needed, const PartSpec& part,
                    std::vector<std::unique_ptr<GenerativeProcess>>& objects,
                    std::vector<Described>& described) {
    objects.push_back(is_needed ? registry_.hypothesis(part, biomarkers()) : nullptr);
    described.push_back(is_needed ? describer_.process(part, *objects.back()) : Described());
  }

  void make_methods(const MethodEntry& method) {
    auto& objects = objects_.methods.emplace_back();
    auto& why_not = why_not_.emplace_back(experiment_.hypotheses.size());
    for (std::size_t h = 0; h < why_not.size(); ++h)
      if (!method.is_for(h)) why_not[h] = {"its 'hypotheses' leave it out", true};
    if (method.trains()) return;
    if (method.assumes_matching())
      make_under_each(method, objects, why_not);
    else if (method.assumes_process)
      objects.push_back(make_under(method, *objects_.assumed[objects_.methods.size() - 1]));
    else
      objects.push_back(registry_.method(method.part));
  }

  /// Makes a method under the one hypothesis that its entry names.
  /// @throws InputError if it cannot infer under that
  std::unique_ptr<InferenceMethod> make_under(const MethodEntry& method,
                                              const GenerativeProcess& assumed) const {
    try {
      return registry_.method_under(method.part, assumed);
    } catch (const NotApplicable& refusal) {
      Problems problems;
      problems.add(method.place, fmt::format("[[method]] '{}' cannot infer under '{}': {}",
                                             method.id, method.assumed_id, refusal.why()));
      throw InputError(problems);
    }
  }

  /// Makes a method under each hypothesis that it is meant for and that it can infer under.
  /// @param why_not  gets what it says of those that it cannot
  void make_under_each(const MethodEntry& method,
                       std::vector<std::unique_ptr<InferenceMethod>>& objects,
                       WhyNotUnder& why_not) {
    for (std::size_t h = 0; h < why_not.size(); ++h) {
      auto& made = objects.emplace_back();
      if (why_not[h]) continue;
      try {
        made = registry_.method_under(method.part, *objects_.processes[h]);
      } catch (const NotApplicable& refusal) {
        why_not[h] = {refusal.why()};
      }
    }
  }

  void make_trainable() {
    for (std::size_t m = 0; m < experiment_.methods.size(); ++m) {
      const auto& method = experiment_.methods[m];
      const auto kind =
          method.trains() ? InterfaceKind::trainable_method : InterfaceKind::inference_method;
      objects_.trainable.push_back(method.trains() ? registry_.trainable_method(method.part)
                                                   : nullptr);
      auto described = describer_.method(kind, method.part);
      auto& of_method = models_.emplace_back();
      for (std::size_t model = 0; model < method.models.size(); ++model)
        of_method.push_back(trainings_.add(experiment_, {point_, m, model, {}, {}, {}},
                                           training_recipe(method.models[model], described)));
      if (method.trains()) described.recipe = json::object();
      described.recipe["column_order"] = to_string(method.column_order);
      if (method.withhold_diagnosis) described.recipe["diagnosis"] = "withheld";
      methods_.push_back(std::move(described));
    }
  }

  Described training_recipe(const ModelEntry& model, const Described& method) const {
    Described out{describe(*experiment_.simulation()), method.plugins};
    out.recipe["training"] = kTrainingRevision;
    out.recipe["seed"] = experiment_.seed;
    out.recipe["method"] = method.recipe;
    out.recipe["hypotheses"] = json::array();
    for (const auto h : model.hypotheses) {
      out.recipe["hypotheses"].push_back(
          {{"hypothesis", experiment_.hypotheses[h].id}, {"process", processes_[h].recipe}});
      append(out.plugins, processes_[h].plugins);
    }
    return out;
  }

  /// What the cohorts of a group depend on, but for their numbers and files.
  Described cohort_recipe(const CohortGroup& group) const {
    Described out{{{"hypothesis", experiment_.name_of(group)}}, {}};
    if (experiment_.simulates_cohorts()) {
      const auto& process = processes_[*group.hypothesis];
      out.recipe["process"] = process.recipe;
      out.recipe.update(describe(*experiment_.simulation()));
      out.plugins = process.plugins;
    } else {
      out.recipe["source"] = group.is_real() ? "table" : "folder";
    }
    return out;
  }

  /// What a fit depends on, less the hypothesis that is assumed or the model that is applied.
  Described fit_recipe(const CohortGroup& group, std::size_t m) const {
    auto cohorts = cohort_recipe(group);
    Described out{{{"engine", kEngineRevision},
                   {"seed", experiment_.seed},
                   {"stage_posteriors", experiment_.keep_stage_posteriors},
                   {"cohorts", std::move(cohorts.recipe)},
                   {"method", methods_[m].recipe}},
                  std::move(cohorts.plugins)};
    append(out.plugins, methods_[m].plugins);
    return out;
  }

  Described assuming(Described recipe, const Described& process) const {
    recipe.recipe["assumed"] = describe_assumed(experiment_);
    recipe.recipe["assumed"]["process"] = process.recipe;
    append(recipe.plugins, process.plugins);
    return recipe;
  }

  static Described applying(Described recipe, const Described& model) {
    recipe.recipe["model"] = model.recipe;
    append(recipe.plugins, model.plugins);
    return recipe;
  }

  /// Whether the method goes with the hypothesis; notes the fits that it does not have if not.
  bool fits_under(std::size_t m, std::size_t h, std::size_t fits) {
    if (!why_not_[m][h]) return true;
    const auto& [reason, on_purpose] = *why_not_[m][h];
    const auto& method = experiment_.methods[m];
    const auto& hypothesis = experiment_.hypotheses[h].id;
    const auto known =
        std::find_if(plan_.misfits.begin(), plan_.misfits.end(), [&](const PlannedMisfit& misfit) {
          return misfit.what.method == method.id && misfit.what.hypothesis == hypothesis &&
                 misfit.on_purpose == on_purpose;
        });
    if (known != plan_.misfits.end())
      known->what.fits += fits;
    else
      plan_.misfits.push_back({{method.id, hypothesis, reason, fits}, method.place, on_purpose});
    return false;
  }

  /// The fits of one method to one cohort.
  void add_fits(std::size_t g, std::size_t c, std::size_t m) {
    const auto& group = experiment_.groups[g];
    const auto& method = experiment_.methods[m];
    if (group.is_real() && group.numbers[c] > 0 && !method.bootstrap) return;
    if (!group.is_real() && !fits_under(m, *group.hypothesis, experiment_.fits_per_cohort(method)))
      return;
    const auto recipe = fit_recipe(group, m);
    FitTask task{point_, g, c, m, {}, group.hypothesis};
    if (method.trains()) {
      for (std::size_t model = 0; model < method.models.size(); ++model) {
        task.training = models_[m][model];
        add_fit(task, applying(recipe, trainings_.recipe(*task.training)),
                method.models[model].trained_on);
      }
    } else if (!method.assumes_process) {
      add_fit(task, recipe, "");
    } else if (!method.assumes_matching()) {
      add_fit(task, assuming(recipe, assumed_[m]), group.is_real() ? method.assumed_id : "");
    } else if (!group.is_real()) {
      add_fit(task, assuming(recipe, processes_[*group.hypothesis]), "");
    } else {
      for (std::size_t h = 0; h < experiment_.hypotheses.size(); ++h) {
        if (!fits_under(m, h, 1)) continue;
        task.hypothesis = h;
        add_fit(task, assuming(recipe, processes_[h]), experiment_.hypotheses[h].id);
      }
    }
  }

  /// @param basis  the hypothesis that was learned from or is assumed of a real cohort, or empty
  void add_fit(const FitTask& task, const Described& recipe, const std::string& basis) {
    const auto& group = experiment_.groups[task.group];
    const auto& method = experiment_.methods[task.method];
    const auto use = task.training ? objects_.trainable[task.method]->label_use()
                                   : objects_.method_for(task).label_use();
    const auto labels = use_of_cohort(use, /*has_labels=*/!method.withhold_diagnosis);
    PlannedFit fit;
    fit.id = {.axis_values = experiment_.axis_values,
              .origin = group.is_real() ? CohortOrigin::real : CohortOrigin::hypothesis,
              .hypothesis = group.is_real() ? "" : experiment_.name_of(group),
              .cohort = group.numbers[task.cohort],
              .method = method.id,
              .trained_on = task.training ? basis : "",
              .assumed = task.training ? "" : basis,
              .labels = std::string(to_string(labels))};
    const auto text = recipe.recipe.dump();
    fit.recipe = content_key(text);
    plan_.recipes.emplace(fit.recipe, text);
    fit.key = content_key(fit.recipe + "#" + std::to_string(fit.id.cohort) +
                          content_of(group, task.cohort));
    fit.cohort_key = cohort_key_of(group, task.cohort, recipe);
    json slot{fit.id.axis_values, generated_by(fit.id), fit.id.cohort, fit.id.method};
    const bool has_several_bases = group.is_real() && method.assumes_matching();
    if (task.training || has_several_bases) slot.push_back(basis);
    fit.slot = slot.dump();
    if (task.training) fit.model = plan_.trainings[*task.training].key;
    fit.plugins = recipe.plugins;
    plan_.tasks.push_back(task);
    plan_.fits.push_back(std::move(fit));
  }

  /// What a cohort depends on: neither method nor, unless it is drawn, the seed.
  std::string cohort_key_of(const CohortGroup& group, std::size_t cohort,
                            const Described& fit) const {
    const auto number = group.numbers[cohort];
    json out{{"cohorts", fit.recipe.at("cohorts")}, {"number", number}};
    if (experiment_.simulates_cohorts() || (group.is_real() && number > 0))
      out["seed"] = experiment_.seed;
    return content_key(out.dump() + content_of(group, cohort));
  }

  /// What a content key says of a cohort that is not simulated.
  std::string content_of(const CohortGroup& group, std::size_t cohort) const {
    if (const auto* real = experiment_.real_cohort()) return "#" + real->content;
    if (group.files.empty()) return {};
    const auto [csv, truth] = plan_.files->keys(group.files[cohort]);
    return "#" + csv + truth;
  }

  const Experiment& experiment_;
  const std::size_t point_;
  const Registry& registry_;
  Describer& describer_;
  Trainings& trainings_;
  Plan& plan_;
  PointObjects objects_;
  std::vector<Described> processes_;              // per hypothesis
  std::vector<Described> assumed_;                // per method
  std::vector<Described> methods_;                // per method
  std::vector<WhyNotUnder> why_not_;              // per method
  std::vector<std::vector<std::size_t>> models_;  // per method and model: its training
};

/// Complains of methods that have no fit at all. @throws InputError
void expect_fits(const Plan& plan) {
  std::set<std::string> done;  // methods that have fits, or were complained of
  for (const auto& fit : plan.fits) done.insert(fit.id.method);
  Problems problems;
  for (const auto& [misfit, place, on_purpose] : plan.misfits)
    if (!on_purpose && done.insert(misfit.method).second)
      problems.add(
          place, fmt::format("[[method]] '{}' can infer under none of the hypotheses; of '{}': {}; "
                             "'assume' names another hypothesis to infer under",
                             misfit.method, misfit.hypothesis, misfit.reason));
  problems.throw_if_any();
}

}  // namespace

std::vector<RunDescription::Misfit> what_of(const std::vector<PlannedMisfit>& misfits) {
  std::vector<RunDescription::Misfit> out;
  for (const auto& misfit : misfits) out.push_back(misfit.what);
  return out;
}

Plan make_plan(const Study& study, const Registry& registry) {
  Plan plan;
  plan.files = std::make_shared<PublicCohortReader>();
  Describer describer(registry);
  Trainings trainings(plan);
  for (std::size_t point = 0; point < study.points.size(); ++point)
    PointPlanner(study, point, registry, describer, trainings, plan).run();
  expect_fits(plan);
  plan.versions = describer.versions();
  return plan;
}

namespace {

/// What differs between the recipe that last filled a slot and the one that is to fill it.
std::string what_changed(const Plan& plan, const std::string& slot, const std::string& recipe,
                         Store& store, const std::string& if_nothing) {
  const auto before = store.last_recipe(slot);
  if (!before) return {};
  std::string text;
  for (const auto& [name, from, to] :
       differences(json::parse(*before), json::parse(plan.recipes.at(recipe)))) {
    if (!text.empty()) text += "; ";
    if (name == "cohorts.biomarkers" || name == "biomarkers")  // a hash says nothing
      text += "the biomarker table changed";
    else if (name == "model.biomarkers")
      text += "the biomarker table of the model changed";
    else
      text += fmt::format("{}: {} -> {}", name, from, to);
  }
  return text.empty() ? if_nothing : text;
}

}  // namespace

std::string why_stale(const Plan& plan, const PlannedFit& fit, Store& store) {
  return what_changed(plan, fit.slot, fit.recipe, store,
                      fit.id.is_real() ? "the cohort changed" : "the files of the cohort changed");
}

std::string why_stale(const Plan& plan, const Training& training, Store& store) {
  return what_changed(plan, training.slot, training.key, store, "");
}

}  // namespace tempo
