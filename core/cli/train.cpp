// tempo train: one model, without an experiment file.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/trained_model.hpp"
#include "data/model_file.hpp"
#include "data/names.hpp"
#include "run/models.hpp"
#include "run/progress.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

constexpr auto kTrainable = InterfaceKind::trainable_method;

void add_train_options(Options& options) {
  options.texts("hypothesis", "H",
                "the hypothesis to learn from (required; several: from all in turn)");
  options.text("out", "MODEL", "the file to write, safetensors (required)");
  options.text("method", "METHOD", "the method to train (default: the first installed one)");
  options.text("biomarkers", "T", "a shipped table, or a file", "adni-12");
  options.texts("set", "KEY=VALUE",
                "a setting of the method, e.g. preset=compact, or hypothesis.H.KEY=VALUE "
                "(repeatable)");
  options.number<std::int64_t>("seed", "N", "of all random streams", 1);
  options.number<std::int64_t>("participants", "J", "per cohort", 726);
  options.number<double>("healthy-ratio", "R", "share of healthy participants", 0.21);
  add_device_option(options,
                    "where to compute, for methods that have a choice: auto, cpu, cuda, cuda:1");
  add_jobs_option(options, "threads (default: one per core that tempo may use)");
  add_registry_options(options);
}

/// The method of --method, or else the first installed one. @throws InputError if there is none
std::string method_of(const Options& options, const Registry& registry) {
  if (options.has("method")) return options.get_text("method");
  const auto ids = registry.usable_ids(kTrainable);
  Problems problems;
  if (ids.empty())
    problems.add(command_line(options.command()),
                 "no method is installed that is trained (tempo plugins list shows what there is)");
  problems.throw_if_any();
  return ids.front();
}

/// A value given by an option, which complaints about it name.
template <class T>
ParameterValue given(const std::string& option, T value) {
  return {Place{option}, std::move(value)};
}

ParameterTable cohorts_of(const Options& options) {
  ParameterTable cohorts{Place{"tempo train"}, {}};
  cohorts.set("biomarkers", given("--biomarkers", options.get_text("biomarkers")));
  cohorts.set("participants", given("--participants", options.get<std::int64_t>("participants")));
  cohorts.set("healthy_ratio", given("--healthy-ratio", options.get<double>("healthy-ratio")));
  cohorts.set("test", given("tempo train", std::int64_t{1}));
  return cohorts;
}

/// The experiment that the options spell: one method on one cohort of each hypothesis.
ParameterTable experiment(const Options& options, const std::string& plugin,
                          const Registry& registry) {
  ParameterValue::Array hypotheses;
  for (const auto& id : options.list("hypothesis")) {
    ParameterTable hypothesis{Place{"--hypothesis"}, {}};
    hypothesis.set("plugin", given("--hypothesis", id));
    hypotheses.push_back(given("--hypothesis", std::move(hypothesis)));
  }
  ParameterTable method{Place{"--method"}, {}};
  method.set("plugin", given("--method", plugin));
  if (hypotheses.size() > 1 && registry.find(kTrainable, plugin) != nullptr)
    method.set("train_on", given("--hypothesis", std::string(kAllHypotheses)));
  ParameterTable table{Place{"tempo train"}, {}};
  table.set("schema", given("tempo train", std::int64_t{1}));
  table.set("seed", given("--seed", options.get<std::int64_t>("seed")));
  table.set("cohorts", given("tempo train", cohorts_of(options)));
  table.set("hypothesis", given("--hypothesis", std::move(hypotheses)));
  table.set("method",
            given("--method", ParameterValue::Array{given("--method", std::move(method))}));
  return table;
}

std::vector<Override> settings(const Options& options, Problems& problems) {
  std::vector<Override> settings;
  for (const auto& argument : options.list("set"))
    settings.push_back(parse_override(argument, problems));
  return settings;
}

/// What settings are in the experiment: `KEY=VALUE` is one of the method unless it says
/// `hypothesis.ID.KEY`.
std::vector<Override> in_experiment(std::vector<Override> overrides, const Options& options,
                                    const std::string& plugin, const Registry& registry) {
  const auto of_method = "method." + plugin + ".";
  for (auto& [path, place, value] : overrides)
    if (!path.starts_with("hypothesis.")) path.insert(0, of_method);
  if (options.has("device"))
    overrides.push_back({of_method + device_key(registry, plugin), Place{"--device"},
                         given("--device", options.get_text("device"))});
  return overrides;
}

fs::path checkpoints_of(const fs::path& model) { return model.string() + ".checkpoints"; }

/// Complains of what is missing and of a model that cannot be written.
void check_files(const Options& options, Problems& problems) {
  expect_given(options, "hypothesis", "H", problems);
  expect_given(options, "out", "MODEL", problems);
  std::set<std::string> hypotheses;
  for (const auto& id : options.list("hypothesis"))
    if (!hypotheses.insert(id).second)
      problems.add({"--hypothesis"}, fmt::format("'{}' is given twice", id));
  const auto out = options.path("out");
  if (out.empty()) return;
  // Where there are checkpoints a training may have been killed after its model was written.
  if (!fs::exists(checkpoints_of(out))) expect_new_file(out, "out", problems);
  if (const auto folder = out.parent_path(); !folder.empty() && !fs::is_directory(folder))
    problems.add({"--out"}, fmt::format("there is no folder '{}'", folder.string()));
}

/// @throws InputError unless the method is one that is trained.
void expect_training(const Plan& plan, const std::string& plugin, const Registry& registry) {
  Problems problems;
  if (plan.trainings.empty())
    problems.add({"--method"},
                 fmt::format("'{}' is not trained: tempo run applies it as it is; trained is {}",
                             plugin, one_of(registry.usable_ids(kTrainable))));
  problems.throw_if_any();
}

/// Trains the first model of a plan and shows how far it is.
Trained train_first(const Study& study, const Plan& plan, const TrainingFiles& files,
                    std::size_t threads, TrainingProgress& progress) {
  try {
    auto trained = tempo::train(*plan.objects[0].trainable[0],
                                training_cohorts(study, plan, plan.trainings.front()),
                                study.points[0].seed, files, threads, progress);
    progress.finish();
    return trained;
  } catch (...) {
    progress.finish();
    throw;
  }
}

void print_trained(const Trained& trained, const std::string& name, const TrainingFiles& files,
                   const TrainingEpoch& last) {
  for (const auto& warning : trained.warnings) warn(warning);
  std::cout << fmt::format("trained{} {}: {} in {}: {}\nmodel: {}\nhistory: {}\n",
                           trained.warnings.empty() ? "" : " with warnings", name,
                           counted(last.epoch, "epoch"),
                           in_words(std::chrono::duration<double>(trained.seconds)), in_words(last),
                           files.model.string(), files.history.string());
}

/// @throws InputError if there are checkpoints of a training with other settings or another seed:
/// they are worth hours, and are none for this one.
void expect_no_other_training(const fs::path& checkpoints, const std::string& key) {
  Problems problems;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(checkpoints, absent))
    if (entry.path().filename() != key && has_checkpoint(entry.path()))
      problems.add(
          {"--out"},
          fmt::format("'{}' holds checkpoints of a training with other settings or another "
                      "seed, which its own command continues; give another file, or remove "
                      "that folder",
                      entry.path().string()));
  problems.throw_if_any();
}

/// Two trainings of one model would write the same checkpoints.
class TrainingLock {
 public:
  /// @throws Error if another tempo has it, or there is no such folder to be made
  TrainingLock(const fs::path& checkpoints, const fs::path& model) {
    fs::create_directories(checkpoints);
    folder_ = ::open(checkpoints.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int fault = errno;
    if (folder_ >= 0 && lock_alone(folder_)) return;
    if (folder_ < 0)
      throw Error(
          fmt::format("'{}' cannot be opened: {}", checkpoints.string(), std::strerror(fault)));
    ::close(folder_);
    throw Error(fmt::format(
        "another tempo is training '{}'; wait for it, or choose another file with --out",
        model.string()));
  }
  ~TrainingLock() { ::close(folder_); }
  TrainingLock(const TrainingLock&) = delete;
  TrainingLock& operator=(const TrainingLock&) = delete;

 private:
  int folder_ = -1;
};

/// @return an exit code
int train_and_write(const Study& study, const Plan& plan, const fs::path& out,
                    std::size_t threads) {
  const auto& training = plan.trainings.front();
  const auto all_checkpoints = checkpoints_of(out);
  const TrainingFiles files{.model = out,
                            .history = out.string() + Models::kHistoryEnding,
                            .checkpoints = all_checkpoints / training.key};
  const auto name = name_of(study, training);
  if (fs::exists(out)) {
    // The model is renamed when it is whole, and the checkpoints are removed after that: first
    // those of this training, then the folder that they were in.
    Problems problems;
    const bool is_left = fs::exists(files.checkpoints) ||
                         (fs::is_directory(all_checkpoints) && fs::is_empty(all_checkpoints));
    if (!is_left || !read_model_metadata(out, problems)) expect_new_file(out, "out", problems);
    problems.throw_if_any();
    fs::remove_all(all_checkpoints);
    std::cout << fmt::format(
        "trained {} before; what was left of its checkpoints was removed\n"
        "model: {}\nhistory: {}\n",
        name, out.string(), files.history.string());
    return kOk;
  }
  expect_no_other_training(all_checkpoints, training.key);
  const TrainingLock lock(all_checkpoints, out);
  std::cout << fmt::format(
                   "training {}{}\n", name,
                   has_checkpoint(files.checkpoints) ? ": goes on from its checkpoints" : "")
            << std::flush;
  TrainingProgress progress(std::cerr, isatty(STDERR_FILENO) != 0, name, stop_on_interrupt());
  const auto trained = train_first(study, plan, files, threads, progress);
  if (!trained.finished) {
    std::cerr << fmt::format("interrupted; the same command continues from '{}'\n",
                             all_checkpoints.string());
    return kInterrupted;
  }
  fs::remove_all(all_checkpoints);
  print_trained(trained, name, files, progress.last_epoch());
  return kOk;
}

int train(const Options& options) {
  Problems problems;
  check_files(options, problems);
  const auto given_settings = settings(options, problems);
  problems.throw_if_any();
  const auto threads = jobs(options);
  const auto registry = open_registry(options);
  const auto plugin = method_of(options, registry);
  const auto overrides = in_experiment(given_settings, options, plugin, registry);
  const auto study = study_from(experiment(options, plugin, registry), "tempo train", overrides,
                                registry, problems);
  problems.throw_if_any();
  const auto plan = make_plan(study, registry);
  expect_training(plan, plugin, registry);
  return train_and_write(study, plan, options.path("out"), threads);
}

}  // namespace

const Command train_command{
    "train",
    "--hypothesis H --out MODEL [options]",
    "train a method on a hypothesis and write its model",
    {{"tempo train --hypothesis h6 --out h6.safetensors",
      "the first installed method that is trained"},
     {"tempo train --hypothesis h6 --out small.safetensors --set preset=compact --participants 300",
      "a smaller network, for cohorts of 300"}},
    add_train_options,
    train};

}  // namespace tempo::cli
