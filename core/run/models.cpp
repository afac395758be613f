#include "run/models.hpp"

#include <fmt/format.h>

#include <map>

#include "data/content_key.hpp"
#include "data/text_file.hpp"
#include "model/fault_text.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;

SimulatedTrainingCohorts training_cohorts(const Study& study, const Plan& plan,
                                          const Training& training) {
  const auto& experiment = study.points[training.point];
  std::vector<SimulatedTrainingCohorts::Source> sources;
  for (const auto h : experiment.methods[training.method].models[training.model].hypotheses)
    sources.push_back(
        {experiment.hypotheses[h].id, plan.objects[training.point].processes[h].get()});
  return {experiment.seed, experiment.simulation()->size, std::move(sources)};
}

Models::Models(const Study& study, const Plan& plan, fs::path run_folder, Store* store,
               const std::set<std::string>& again)
    : study_(study), plan_(plan), folder_(folder_in(run_folder)), loaded_(plan.trainings.size()) {
  std::map<std::string, std::string> contents;
  if (store != nullptr && !plan.trainings.empty())
    for (const auto& model : store->models()) contents[model.key] = model.content;
  for (const auto& training : plan.trainings) {
    contents_.push_back(contents[training.key]);
    const auto where = files(training);
    if (contents_.back().empty())
      states_.push_back(has_checkpoint(where.checkpoints) ? ModelState::begun : ModelState::absent);
    else if (!fs::exists(where.model))
      states_.push_back(ModelState::deleted);
    else
      states_.push_back(file_key(where.model) != contents_.back() ? ModelState::changed
                        : again.contains(training.key)            ? ModelState::rebuilt
                                                                  : ModelState::trained);
  }
}

fs::path Models::folder_in(const fs::path& run_folder) { return run_folder / "models"; }

TrainingFiles Models::files(const Training& training) const {
  return {.model = folder_ / (training.name + kModelEnding),
          .history = folder_ / (training.name + kHistoryEnding),
          .checkpoints = folder_ / kCheckpoints / training.name};
}

const TrainableMethod& Models::method_of(const Training& training) const {
  return *plan_.objects[training.point].trainable[training.method];
}

std::optional<ModelRecord> Models::train(std::size_t training, std::size_t threads, Store& store,
                                         TrainingMonitor& monitor) {
  const auto& planned = plan_.trainings[training];
  const auto& experiment = study_.points[planned.point];
  const auto& model = experiment.methods[planned.method].models[planned.model];
  const auto cohorts = training_cohorts(study_, plan_, planned);
  const auto where = files(planned);
  try {
    auto trained =
        tempo::train(method_of(planned), cohorts, experiment.seed, where, threads, monitor);
    if (!trained.finished) return std::nullopt;
    ModelRecord record{.key = planned.key,
                       .slot = planned.slot,
                       .name = planned.name,
                       .method = experiment.methods[planned.method].part.plugin,
                       .trained_on = model.trained_on,
                       .content = file_key(where.model),
                       .seconds = trained.seconds,
                       .warnings = std::move(trained.warnings),
                       .history = std::move(trained.history),
                       .plugins = planned.plugins};
    // Trained again on another device, or by a plugin that is not reproducible: its weights differ,
    // and results of the old ones must not stand beside those of the new.
    if (!contents_[training].empty() && contents_[training] != record.content)
      store.forget(fits_of(training));
    store.add(record);
    states_[training] = ModelState::trained;
    std::error_code left_behind;  // checkpoints that cannot be removed do no harm
    fs::remove_all(where.checkpoints, left_behind);
    return record;
  } catch (const std::exception& error) {
    loaded_[training].error =
        fmt::format("training on {} failed: {}", model.trained_on, fault_text(error));
    throw;
  }
}

bool Models::mend_history(std::size_t training, Store& store) const {
  const auto& planned = plan_.trainings[training];
  const auto file = files(planned).history;
  if (!has(training) || fs::exists(file)) return false;
  for (const auto& model : store.models())
    if (model.key == planned.key) write_text_file(file, to_csv(model.history));
  return true;
}

std::vector<std::string> Models::fits_of(std::size_t training) const {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < plan_.tasks.size(); ++i)
    if (plan_.tasks[i].training == training) keys.push_back(plan_.fits[i].key);
  return keys;
}

bool Models::has(std::size_t training) const { return states_[training] == ModelState::trained; }

const InferenceMethod& Models::get(std::size_t training) {
  auto& loaded = loaded_[training];
  std::call_once(loaded.once, [&] {
    if (!loaded.error.empty()) return;
    try {
      const auto& planned = plan_.trainings[training];
      if (states_[training] != ModelState::trained) throw Error("the model has not been trained");
      loaded.method = method_of(planned).load(files(planned).model, /*threads=*/1);
    } catch (const std::exception& error) {
      loaded.error = fault_text(error);
    }
  });
  if (loaded.method == nullptr) throw PluginError(loaded.error);
  return *loaded.method;
}

std::string name_of(const Study& study, const Training& training) {
  const auto& experiment = study.points[training.point];
  const auto& method = experiment.methods[training.method];
  std::string name;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    name += fmt::format("{}={} ", study.axes[axis], experiment.axis_values[axis]);
  return name + fmt::format("{} on {}", method.id, method.models[training.model].trained_on);
}

std::string why_to_train(const Plan& plan, std::size_t training, const Models& models,
                         Store* store) {
  switch (models.states()[training]) {
    case ModelState::deleted:
      return "its file was deleted";
    case ModelState::changed:
      return "its file was changed since it was trained";
    case ModelState::rebuilt:
      return "another file of its plugin made it";
    case ModelState::begun:
      return "begun before, goes on from its checkpoints";
    case ModelState::trained:
    case ModelState::absent:
      break;
  }
  const auto reason =
      store == nullptr ? std::string() : why_stale(plan, plan.trainings[training], *store);
  return reason.empty() ? "new" : "stale: " + reason;
}

}  // namespace tempo
