// tempo run: simulate or read cohorts, fit, score, show.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/report.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/toml_table.hpp"
#include "report/about_run.hpp"
#include "report/tables.hpp"
#include "run/cohort_source.hpp"
#include "run/progress.hpp"
#include "run/run_folder.hpp"
#include "run/runner.hpp"
#include "tempo/version.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

Shard parse_shard(const Command& command, const std::string& text) {
  Shard shard;
  const auto* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  const bool has_slash = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count = std::from_chars(has_slash ? index.ptr + 1 : end, end, shard.count);
  if (count.ec == std::errc() && count.ptr == end && shard.index >= 1 && shard.index <= shard.count)
    return shard;
  Problems problems;
  problems.add(command_line(command),
               fmt::format("--shard must be I/N with 1 <= I <= N, such as 2/8, not '{}'", text));
  throw InputError(problems);
}

/// experiment.lock.toml: the experiment as Study::lock has it and the versions that made the
/// numbers.
std::string lock_file(const Study& study, const Plan& plan) {
  auto table = study.lock;
  ParameterValue versions;
  auto& entries = versions.value.emplace<ParameterTable>();
  const auto add = [&](const std::string& key, const std::string& version) {
    ParameterValue value;
    value.value = version;
    entries.set(key, std::move(value));
  };
  add("tempo", TEMPO_VERSION);
  add("build", TEMPO_BUILD_TAG);
  for (const auto& [plugin, version] : plan.versions) add(plugin, version);
  table.set("versions", std::move(versions));
  return "# What was run, defaults filled in but where a sweep decides: tempo run takes this file "
         "again.\n" +
         to_toml(table);
}

/// The real cohorts of a study, a point each.
std::vector<StoredCohort> real_cohorts(const Study& study) {
  std::vector<StoredCohort> out;
  // Points of a sweep share a cohort, and what does not separate in it.
  std::map<const RealCohort*, std::optional<std::vector<std::string>>> estimated;
  for (const auto& point : study.points) {
    if (!point.has_real_cohort()) continue;
    const auto& cohort = point.cohorts.real->table.cohort;
    out.push_back({point.axis_values, kRealCohort, point.cohorts.path.string(), cohort.participants,
                   cohort.diseased, cohort.diagnoses, point.cohorts.real->groups, cohort.biomarkers,
                   point.cohorts.intake, point.cohorts.not_separating});
    if (out.back().not_separating) continue;
    const auto [at, is_new] = estimated.try_emplace(point.cohorts.real.get());
    if (is_new) at->second = not_separating(cohort);
    out.back().not_separating = at->second;
  }
  return out;
}

/// What new patients can be staged by later, the cohort's files gone or not; of a sweep nothing.
std::optional<CohortContent> cohort_content(const Study& study) {
  if (study.points.size() != 1 || !study.points.front().has_real_cohort()) return std::nullopt;
  const auto& cohorts = study.points.front().cohorts;
  return CohortContent{cohorts.real_key, cohorts.real->table.cohort, cohorts.real->table.adjustment,
                       cohorts.biomarkers};
}

/// @param limit   limit_of the study
void print_scores(const RunResults& results, const std::string& limit) {
  for (const auto* name : {"tau_distance", "stage_mae", "seconds"}) {
    const auto& metric = *find_metric(name);
    std::cout << "\n" << render(summarise(results, metric), metric, "table");
  }
  for (const auto* name : {"tau_distance", "stage_mae"})
    if (!limit.empty()) {
      const auto& metric = *find_metric(name);
      std::cout << "\n" << render(summarise_against(limit, results, metric), metric, "table");
    }
  for (const auto* name : {"tau_distance", "sequence_mae", "stage_mae"}) {
    const auto& metric = *find_metric(name);
    if (const auto cross = cross_tables(results, metric); !cross.empty())
      std::cout << "\n" << render(cross, results.axes, metric, "table");
  }
}

/// @param trained the models of the plan
/// @param limit   limit_of the study
void print_tables(const RunResults& results, const std::vector<ModelRecord>& trained,
                  const std::string& limit) {
  if (const auto fits = real_fit_table(results); !fits.empty())  // nothing to score against
    std::cout << "\nfits of the real cohort\n" << fits;
  else
    print_scores(results, limit);
  if (const auto models = model_table(trained); !models.empty())
    std::cout << "\nmodels\n" << models;
  if (const auto warnings = warning_table(results); !warnings.empty())
    std::cout << "\nwarnings\n" << warnings;
  if (const auto failures = failure_table(results); !failures.empty())
    std::cout << "\nfailed fits\n" << failures;
}

/// Reads the files of the cohorts whose fits are to be made, before anything is written.
void check_files(const Study& study, const Plan& plan, const Shard& shard,
                 const std::filesystem::path& out) {
  std::map<std::string, ResultRow::Status> statuses;
  if (const auto earlier = RunFolder::earlier_store(out)) statuses = earlier->statuses();
  const auto fate = fates(plan, shard, statuses);
  check_cohort_files(study, plan,
                     [&](std::size_t position) { return fate[position] == Fate::to_do; });
}

/// What became of the trainings of a run.
struct TrainingCounts {
  std::size_t cached = 0;  ///< trained by an earlier run
  std::size_t trained = 0;
  std::size_t failed = 0;
  std::string interrupted;  ///< the model whose training was stopped, or empty
};

/// Trains what is missing, one model after the other.
TrainingCounts train_models(const Study& study, const Plan& plan, const RunOptions& options,
                            Models& models, Store& store, const RunFolder& folder) {
  TrainingCounts counts;
  std::vector<std::size_t> to_do;
  for (std::size_t i = 0; i < plan.trainings.size(); ++i) {
    if (models.has(i)) store.fill_slot(plan.trainings[i].slot, plan.trainings[i].key);
    if (models.mend_history(i, store)) {
      const auto note = fmt::format("the history of {} was deleted: written again",
                                    name_of(study, plan.trainings[i]));
      std::cout << note << "\n";
      folder.log(note);
    }
    if (!options.shard.has_training(i)) continue;
    if (models.has(i))
      ++counts.cached;
    else
      to_do.push_back(i);
  }
  for (std::size_t i = 0; i < to_do.size(); ++i) {
    const auto training = to_do[i];
    const auto name = name_of(study, plan.trainings[training]);
    const auto why = why_to_train(plan, training, models, &store);
    std::cout << fmt::format("training {} ({} of {}): {}\n", name, i + 1, to_do.size(), why)
              << std::flush;
    folder.log(fmt::format("training: {}: {}", name, why));
    TrainingProgress progress(std::cerr, isatty(STDERR_FILENO) != 0, name, *options.stop);
    try {
      const auto model = models.train(training, options.jobs, store, progress);
      progress.finish();
      if (!model) {
        counts.interrupted = name;
        return counts;
      }
      ++counts.trained;
      const auto in_short = fmt::format(
          "{}: {} in {}: {}", name, counted(progress.last_epoch().epoch, "epoch"),
          in_words(std::chrono::duration<double>(model->seconds)), in_words(progress.last_epoch()));
      std::cout << "trained " << (model->warnings.empty() ? "" : "with warnings ") << in_short
                << "\n"
                << std::flush;
      folder.log("trained: " + in_short);
      for (const auto& warning : model->warnings) {
        std::cerr << fmt::format("warning: {}: {}\n", name, warning);
        folder.log(fmt::format("warning: {}: {}", name, warning));
      }
    } catch (const std::exception& error) {
      progress.finish();
      ++counts.failed;
      std::cerr << fmt::format("training {} failed: {}\n", name, error.what());
      folder.log(fmt::format("failed training: {}: {}", name, error.what()));
      if (options.fail_fast) return counts;
    }
  }
  return counts;
}

/// The models of a plan that are there, in its order and called as it calls them.
std::vector<ModelRecord> models_of(const Study& study, const Plan& plan, Store& store) {
  const auto stored = store.models();
  std::vector<ModelRecord> models;
  for (const auto& training : plan.trainings) {
    const auto found = std::find_if(stored.begin(), stored.end(), [&](const ModelRecord& model) {
      return model.key == training.key;
    });
    if (found == stored.end()) continue;
    models.push_back(*found);
    models.back().name = name_of(study, training);
  }
  return models;
}

int run(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  add_study_options(options);
  options.add()("out", po::value<std::string>()->value_name("FOLDER"),
                "the run folder (default: runs/NAME); a run that was begun there is continued")(
      "shard", po::value<std::string>()->value_name("I/N"),
      "run only this part of the fits; join the parts with tempo merge")(
      "fail-fast", "stop at the first fit that fails")("keep-going",
                                                       "go on when a fit fails (default)");
  add_jobs_option(options, "fits at a time, threads of a training (default: one per core)");
  options.positional("EXPERIMENT");
  options.parse(arguments);

  Problems problems;
  RunOptions run_options;
  const auto& stop_asked = stop_on_interrupt();
  run_options.stop = &stop_asked;
  run_options.fail_fast = options.has("fail-fast");
  if (run_options.fail_fast && options.has("keep-going"))
    problems.add(command_line(command), "give --fail-fast or --keep-going, not both");
  problems.throw_if_any();
  run_options.jobs = jobs(command, options);
  if (options.has("shard"))
    run_options.shard = parse_shard(command, options.get<std::string>("shard"));

  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  const auto plan = make_plan(study, registry);
  const auto out = run_folder(options, study);
  check_files(study, plan, run_options.shard, out);

  const RunFolder folder(out);
  Store store(folder.store(), Database::Mode::create);
  const auto cohorts = real_cohorts(study);
  const auto content = cohort_content(study);
  store.set_plan(study.name, study.axes, plan.fits, plan.recipes, cohorts,
                 content ? &*content : nullptr);
  store.set_about(about_run(study, plan, registry));
  folder.write("experiment.lock.toml", lock_file(study, plan));
  std::cout << "experiment " << study.name << ": " << count_in_words(study) << "; "
            << counted(run_options.jobs, "job") << "\n";
  if (const auto text = intake_text(cohorts); !text.empty()) {
    folder.write("intake.txt", text);
    std::cout << text;
  }
  std::cout << std::flush;
  folder.log(fmt::format("start: tempo " TEMPO_VERSION ", {}, shard {}/{}, {}",
                         count_in_words(study), run_options.shard.index, run_options.shard.count,
                         counted(run_options.jobs, "job")));

  const auto start = std::chrono::steady_clock::now();
  Models models(study, plan, folder.path(), &store);
  const auto trainings = train_models(study, plan, run_options, models, store, folder);
  Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, "fits");
  bool said_stopping = false;
  const auto counts = run_plan(
      study, plan, models, store, run_options, [&](const RunCounts& so_far, const auto& finished) {
        for (const auto& [fit, record] : finished)
          if (record.status == ResultRow::Status::failed)
            folder.log(fmt::format("failed: {} cohort {} {}: {}", fit->row.hypothesis,
                                   fit->row.cohort, fit->row.method, record.error));
        if (stop_asked && !said_stopping && trainings.interrupted.empty()) {
          progress.finish();
          std::cerr << "stopping after the fits in flight; Ctrl-C again to leave at once\n";
          said_stopping = true;
        }
        progress.show(
            {.done = so_far.ok + so_far.failed, .failed = so_far.failed, .total = so_far.to_do});
      });
  progress.finish();
  const bool is_interrupted = counts.interrupted || !trainings.interrupted.empty();
  const auto elapsed = in_words(std::chrono::steady_clock::now() - start);

  const auto results = store.results();
  folder.write("results.csv", results_csv(results));
  std::string of_models;
  if (!plan.trainings.empty())
    of_models =
        fmt::format("{} trained, {} failed, {} taken from an earlier run; ",
                    counted(trainings.trained, "model"), trainings.failed, trainings.cached);
  const auto in_short =
      of_models +
      fmt::format("{} fitted, {} failed, {} taken from an earlier run{}", counts.ok, counts.failed,
                  counts.cached,
                  counts.shared == 0 ? "" : fmt::format(", {} the same as others", counts.shared));
  folder.log(
      fmt::format("end: {}; {}{}", in_short, elapsed, is_interrupted ? "; interrupted" : ""));
  print_tables(results, models_of(study, plan, store), limit_of(study, registry));
  std::cout << "\n"
            << in_short << "; " << elapsed << "\n"
            << "results: " << (folder.path() / "results.csv").string() << "\n";
  show_report(store, folder.path());
  const auto left = counts.to_do - counts.ok - counts.failed;
  if (!trainings.interrupted.empty()) {
    std::cerr << fmt::format(
        "interrupted in the training of {}, {} to go; the same command continues\n",
        trainings.interrupted, counted(left, "fit"));
    return kInterrupted;
  }
  if (counts.interrupted) {
    std::cerr << fmt::format("interrupted: {} to go; the same command continues\n",
                             counted(left, "fit"));
    return kInterrupted;
  }
  if (counts.failed + trainings.failed > 0) {
    std::cerr << fmt::format(
        "{}{} failed{}; the same command tries again\n",
        trainings.failed == 0 ? std::string() : counted(trainings.failed, "training") + " and ",
        counted(counts.failed, "fit"), left == 0 ? "" : fmt::format(", {} to go", left));
    return kFailed;
  }
  return kOk;
}

}  // namespace

const Command run_command{"run", "EXPERIMENT.toml [options]",
                          "simulate or read cohorts, fit every method, score, show", run};

}  // namespace tempo::cli
