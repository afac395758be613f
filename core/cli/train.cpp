// tempo train: one model, without an experiment file.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/trained_model.hpp"
#include "run/models.hpp"
#include "run/progress.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

/// A value given by an option, which complaints about it name.
template <class T>
ParameterValue given(const std::string& option, T value) {
  return {Place{option}, std::move(value)};
}

/// The experiment that the options spell: one method on one cohort of each hypothesis.
ParameterTable experiment(const Options& options, const Registry& registry) {
  ParameterTable cohorts{Place{"tempo train"}, {}};
  cohorts.set("biomarkers", given("--biomarkers", options.get<std::string>("biomarkers")));
  cohorts.set("participants", given("--participants", options.get<std::int64_t>("participants")));
  cohorts.set("healthy_ratio", given("--healthy-ratio", options.get<double>("healthy-ratio")));
  cohorts.set("test", given("tempo train", std::int64_t{1}));
  ParameterValue::Array hypotheses;
  for (const auto& id : options.list("hypothesis")) {
    ParameterTable hypothesis{Place{"--hypothesis"}, {}};
    hypothesis.set("plugin", given("--hypothesis", id));
    hypotheses.push_back(given("--hypothesis", std::move(hypothesis)));
  }
  const auto& plugin = options.get<std::string>("method");
  ParameterTable method{Place{"--method"}, {}};
  method.set("plugin", given("--method", plugin));
  if (hypotheses.size() > 1 && registry.find(InterfaceKind::trainable_method, plugin) != nullptr)
    method.set("train_on", given("--hypothesis", std::string(kTrainedOnAll)));
  ParameterTable table{Place{"tempo train"}, {}};
  table.set("schema", given("tempo train", std::int64_t{1}));
  table.set("seed", given("--seed", options.get<std::int64_t>("seed")));
  table.set("cohorts", given("tempo train", std::move(cohorts)));
  table.set("hypothesis", given("--hypothesis", std::move(hypotheses)));
  table.set("method",
            given("--method", ParameterValue::Array{given("--method", std::move(method))}));
  return table;
}

/// `--set KEY=VALUE` is a setting of the method unless it says `hypothesis.ID.KEY`.
std::vector<Override> settings(const Options& options, Problems& problems) {
  const auto of_method = "method." + options.get<std::string>("method") + ".";
  std::vector<Override> overrides;
  for (const auto& argument : options.list("set")) {
    overrides.push_back(parse_override(argument, problems));
    auto& path = overrides.back().path;
    if (!path.starts_with("hypothesis.")) path.insert(0, of_method);
  }
  return overrides;
}

int train(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()("hypothesis", po::value<std::vector<std::string>>()->value_name("H"),
                "the hypothesis to learn from (required; several: from all in turn)")(
      "out", po::value<std::string>()->value_name("MODEL"),
      "the file to write, safetensors (required)")(
      "method", po::value<std::string>()->value_name("ID")->default_value("tempo"),
      "the method to train")("biomarkers",
                             po::value<std::string>()->value_name("T")->default_value("adni-12"),
                             "a shipped table, or a file")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "a setting of the method, e.g. preset=compact, or hypothesis.H.KEY=VALUE (repeatable)")(
      "seed", po::value<std::int64_t>()->value_name("N")->default_value(1),
      "of all random streams")(
      "participants", po::value<std::int64_t>()->value_name("J")->default_value(726), "per cohort")(
      "healthy-ratio", po::value<double>()->value_name("R")->default_value(0.21, "0.21"),
      "share of healthy participants")(
      "device", po::value<std::string>()->value_name("D"),
      "where to compute, for methods that have a choice: auto, cpu, cuda, cuda:1");
  add_jobs_option(options, "threads (default: one per core)");
  add_registry_options(options);
  options.parse(arguments);

  Problems problems;
  if (!options.has("hypothesis"))
    problems.add(command_line(command), "--hypothesis H is missing (see tempo train --help)");
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  if (out.empty())
    problems.add(command_line(command), "--out MODEL is missing (see tempo train --help)");
  else if (fs::exists(out))
    problems.add({"--out"},
                 fmt::format("'{}' exists; remove it, or choose another name", out.string()));
  else if (const auto folder = out.parent_path(); !folder.empty() && !fs::is_directory(folder))
    problems.add({"--out"}, fmt::format("there is no folder '{}'", folder.string()));
  auto overrides = settings(options, problems);
  problems.throw_if_any();
  const auto threads = jobs(command, options);

  const auto registry = open_registry(options);
  if (options.has("device")) {
    const auto method = options.get<std::string>("method");
    overrides.push_back({fmt::format("method.{}.{}", method, device_key(registry, method)),
                         Place{"--device"}, given("--device", options.get<std::string>("device"))});
  }
  const auto study =
      study_from(experiment(options, registry), "tempo train", overrides, registry, problems);
  problems.throw_if_any();
  const auto plan = make_plan(study, registry);
  if (plan.trainings.empty())
    problems.add({"--method"},
                 fmt::format("'{}' is not trained: tempo run applies it as it is; trained is {}",
                             options.get<std::string>("method"),
                             one_of(registry.usable_ids(InterfaceKind::trainable_method))));
  problems.throw_if_any();

  const auto& training = plan.trainings.front();
  const auto all_checkpoints = fs::path(out.string() + ".checkpoints");
  // Checkpoints of other settings, or another seed, are none for this training.
  const TrainingFiles files{.model = out,
                            .history = out.string() + Models::kHistoryEnding,
                            .checkpoints = all_checkpoints / training.key};
  const auto name = name_of(study, training);
  std::cout << fmt::format("training {}{}\n", name,
                           has_checkpoint(files) ? ": goes on from its checkpoints" : "")
            << std::flush;
  TrainingProgress progress(std::cerr, isatty(STDERR_FILENO) != 0, name, stop_on_interrupt());
  Trained trained;
  try {
    trained = tempo::train(*plan.objects[0].trainable[0], training_cohorts(study, plan, training),
                           study.points[0].seed, files, threads, progress);
  } catch (...) {
    progress.finish();
    throw;
  }
  progress.finish();
  if (!trained.finished) {
    std::cerr << fmt::format("interrupted; the same command continues from '{}'\n",
                             all_checkpoints.string());
    return kInterrupted;
  }
  fs::remove_all(all_checkpoints);
  for (const auto& warning : trained.warnings) std::cerr << "warning: " << warning << "\n";
  std::cout << fmt::format("trained{} {}: {} in {}: {}\nmodel: {}\nhistory: {}\n",
                           trained.warnings.empty() ? "" : " with warnings", name,
                           counted(progress.last_epoch().epoch, "epoch"),
                           in_words(std::chrono::duration<double>(trained.seconds)),
                           in_words(progress.last_epoch()), files.model.string(),
                           files.history.string());
  return kOk;
}

}  // namespace

const Command train_command{"train", "--hypothesis H --out MODEL [options]",
                            "train a method on a hypothesis and write its model", train};

}  // namespace tempo::cli
