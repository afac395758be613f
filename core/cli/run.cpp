// tempo run: simulate or read cohorts, fit, score, show.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/isolation.hpp"
#include "cli/report.hpp"
#include "cli/run_tables.hpp"
#include "cli/run_watch.hpp"
#include "cli/screen.hpp"
#include "cli/stated_laws.hpp"
#include "cli/study_options.hpp"
#include "data/names.hpp"
#include "model/fault_text.hpp"
#include "model/printable.hpp"
#include "report/misfit_text.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "run/cohort_source.hpp"
#include "run/describe_run.hpp"
#include "run/fit_costs.hpp"
#include "run/processors.hpp"
#include "run/progress.hpp"
#include "run/rebuilt_plugins.hpp"
#include "run/run_folder.hpp"
#include "run/runner.hpp"
#include "study/lock_file.hpp"
#include "tempo/version.hpp"

namespace tempo::cli {
namespace {

using Clock = std::chrono::steady_clock;

void add_run_options(Options& options) {
  add_study_options(options);
  options.text("out", "FOLDER",
               "the run folder (default: runs/NAME); a run that was begun there is continued");
  options.text(
      "shard", "I/N",
      "run only this part of the fits; join the parts with tempo merge. With train: before "
      "it, models alone; with apply: the fits with these; with fits: those without a model");
  options.texts(
      "refit", "METHOD",
      "fit and train this method again where another file of a plugin made the results (repeatable)");
  options.flag("durable",
               "whatever is stored outlasts a power cut; each result waits for the disk");
  options.flag("fail-fast", "stop at the first fit that fails");
  options.flag("keep-going", "go on when a fit fails (default)");
  add_isolation_options(options);
  add_jobs_option(
      options, "fits at a time, threads of a training (default: one per core that tempo may use)");
  options.positional("EXPERIMENT");
}

/// From here on Ctrl-C sets the flag that the result points at. @throws InputError
RunOptions read_run_options(const Options& options) {
  Problems problems;
  RunOptions out;
  out.stop = &stop_on_interrupt();
  out.fail_fast = options.has("fail-fast");
  if (out.fail_fast && options.has("keep-going"))
    problems.add(command_line(options.command()), "give --fail-fast or --keep-going, not both");
  out.isolation.which = isolate_of(options, problems);
  problems.throw_if_any();
  out.jobs = jobs(options);
  if (options.has("shard")) out.shard = shard_of(options);
  return out;
}

/// The methods that --refit names. @throws InputError if the study has no such method
std::vector<std::string> methods_to_refit(const Options& options, const Study& study) {
  const auto wanted = options.list("refit");
  std::vector<std::string> known;
  for (const auto& method : study.points.front().methods) known.push_back(method.id);
  Problems problems;
  for (const auto& id : wanted)
    if (std::find(known.begin(), known.end(), id) == known.end())
      problems.add(command_line(options.command()),
                   fmt::format("--refit: no method '{}'; expected {}{}", id, one_of(known),
                               did_you_mean(id, known)));
  problems.throw_if_any();
  return wanted;
}

/// Reads the files of the cohorts whose fits are to be made, before anything is written.
void check_files(const Study& study, const Plan& plan, const RunOptions& options, Store* earlier) {
  const auto fate = fates_of_run(
      plan, options, earlier == nullptr ? std::map<std::string, FitStatus>() : earlier->statuses());
  read_cohort_files(study, plan,
                    [&](std::size_t position) { return fate[position] == Fate::to_do; });
}

/// A run: what it is of, and where its numbers go.
struct Run {
  const Study& study;
  const Plan& plan;
  const RunDescription& description;
  const RunOptions& options;
  const RunFolder& folder;
  Store& store;
  std::string jobs_in_words;
};

/// Keeps the plan and what the run is, and says what begins.
void begin(const Run& run) {
  const auto& [study, plan, description, options, folder, store, jobs] = run;
  const auto stored = stored_plan(study, plan, description);
  store.set_plan(stored);
  store.set_description(description);
  auto makers = store.makers();
  for (const auto& key : options.again) makers.erase(key);
  if (const auto text = in_words(rebuilt_plugins(plan, stored.libraries, makers)); !text.empty()) {
    warn(text);
    folder.log("warning: " + text);
  }
  folder.write_lock_file(lock_file(study, plan, folder.path()));
  std::cout << "experiment " << study.name << ": " << count_in_words(study, plan) << "; " << jobs
            << "\n";
  if (const auto text = intake_text(stored.cohorts); !text.empty()) {
    folder.write("intake.txt", text);
    std::cout << wrapped_lines(text, screen_width());
  }
  std::cout << std::flush;
  folder.log(fmt::format("start: tempo " TEMPO_VERSION ", {}, shard {}, {}",
                         count_in_words(study, plan), to_string(options.shard), jobs));
  const auto& isolated = options.isolation.fits;
  if (const auto count = std::count(isolated.begin(), isolated.end(), true); count > 0)
    folder.log(
        fmt::format("{} of {} in processes of their own", count, counted(isolated.size(), "fit")));
}

/// What became of the trainings of a run.
struct TrainingCounts {
  std::size_t cached = 0;  ///< trained by an earlier run
  std::size_t trained = 0;
  std::size_t failed = 0;
  std::string interrupted;  ///< the model whose training was stopped, or empty
};

/// Notes the models that are there. @return the trainings of this shard that are missing
std::vector<std::size_t> missing_models(const Run& run, Models& models, TrainingCounts& counts) {
  const auto& [study, plan, description, options, folder, store, jobs] = run;
  std::vector<std::size_t> missing;
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
      missing.push_back(i);
  }
  return missing;
}

/// The tables at the end of the run have its warnings.
void report_trained(const Run& run, const ModelRecord& model, const std::string& name,
                    const TrainingEpoch& last) {
  const auto in_short =
      fmt::format("{}: {} in {}: {}", name, counted(last.epoch, "epoch"),
                  in_words(std::chrono::duration<double>(model.seconds)), in_words(last));
  std::cout << "trained " << (model.warnings.empty() ? "" : "with warnings ") << in_short << "\n"
            << std::flush;
  run.folder.log("trained: " + in_short);
  for (const auto& warning : model.warnings)
    run.folder.log(fmt::format("warning: {}: {}", name, warning));
}

/// What became of one training.
enum class TrainingEnd { trained, failed, interrupted };

/// Trains a model, called `name`, and says what became of it.
TrainingEnd train(const Run& run, std::size_t training, const std::string& name, Models& models) {
  TrainingProgress progress(std::cerr, isatty(STDERR_FILENO) != 0, name, *run.options.stop);
  try {
    const auto model = models.train(training, run.options.jobs, run.store, progress);
    progress.finish();
    if (!model) return TrainingEnd::interrupted;
    report_trained(run, *model, name, progress.last_epoch());
    return TrainingEnd::trained;
  } catch (const std::exception& error) {
    progress.finish();
    std::cerr << printable(fmt::format("training {} failed: {}\n", name, fault_text(error)));
    run.folder.log(fmt::format("failed training: {}: {}", name, fault_text(error)));
    return TrainingEnd::failed;
  }
}

/// Trains what is missing, one model after the other.
TrainingCounts train_models(const Run& run, Models& models) {
  TrainingCounts counts;
  const auto missing = missing_models(run, models, counts);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const auto name = name_of(run.study, run.plan.trainings[missing[i]]);
    const auto why = why_to_train(run.plan, missing[i], models, &run.store);
    std::cout << fmt::format("training {} ({} of {}): {}\n", name, i + 1, missing.size(), why)
              << std::flush;
    run.folder.log(fmt::format("training: {}: {}", name, why));
    const auto end = train(run, missing[i], name, models);
    if (end == TrainingEnd::trained) ++counts.trained;
    if (end == TrainingEnd::failed) ++counts.failed;
    if (end == TrainingEnd::interrupted) counts.interrupted = name;
    if (end == TrainingEnd::interrupted || (end == TrainingEnd::failed && run.options.fail_fast))
      break;
  }
  return counts;
}

/// `h1 cohort 3 debm`
std::string name_of(const FitId& fit) {
  return fmt::format("{} cohort {} {}", generated_by(fit), fit.cohort, fit.method);
}

/// Says in run.log which fits failed, and which take long: should this process be killed, that
/// tells what it was at.
class FitLog {
 public:
  explicit FitLog(const RunFolder& folder) : folder_(folder) {}

  void tell(const RunState& state) {
    for (const auto& [fit, record] : state.finished)
      if (is_failure(record.result.status))
        folder_.log(fmt::format("{}: {}: {}", to_string(record.result.status), name_of(fit->id),
                                record.result.error));
    for (const auto& [fit, seconds] : state.in_flight)
      if (seconds > kLong && told_.insert(fit).second)
        folder_.log(fmt::format("at work for {} s: {}", kLong, name_of(fit->id)));
  }

 private:
  static constexpr double kLong = 5.0;  // seconds
  const RunFolder& folder_;
  std::set<const PlannedFit*> told_;  ///< of those that take long
};

/// How long the fits of a run still take: of each as long as others like it took, for some methods
/// are a thousand times slower than others.
class TimeLeft {
 public:
  explicit TimeLeft(const Run& run) : run_(run) {
    costs_.learn(run.store);
    const auto fate = fates_of_run(run.plan, run.options, run.store.statuses());
    for (std::size_t i = 0; i < fate.size(); ++i)
      if (fate[i] == Fate::to_do)
        ++left_.try_emplace(run.plan.fits[i].recipe, Left{i}).first->second.count;
  }

  /// Seconds by the clock; absent while nobody knows what some of them cost.
  std::optional<double> after(const RunState& state) {
    for (const auto& [fit, record] : state.finished) {
      if (record.result.status == FitStatus::ok)
        costs_.learn(run_.plan, position(fit), record.result.seconds);
      --left_.at(fit->recipe).count;
    }
    if (const auto now = Clock::now(); now - known_since_ > std::chrono::milliseconds(100)) {
      known_since_ = now;
      known_ = of_fits_left(state);
    }
    return known_;
  }

 private:
  std::optional<double> of_fits_left(const RunState& state) const {
    double work = 0.0, longest = 0.0;
    for (const auto& [recipe, fits] : left_) {
      if (fits.count == 0) continue;
      const auto each = costs_.seconds(run_.plan, fits.one);
      if (!each) return std::nullopt;
      work += static_cast<double>(fits.count) * *each;
      longest = std::max(longest, *each);
    }
    for (const auto& [fit, seconds] : state.in_flight) work -= seconds;
    return std::max({work / static_cast<double>(run_.options.jobs), 0.0, std::min(longest, work)});
  }

  std::size_t position(const PlannedFit* fit) const {
    return static_cast<std::size_t>(fit - run_.plan.fits.data());
  }

  /// Fits of one recipe.
  struct Left {
    std::size_t one = 0;  ///< position of one of them
    std::size_t count = 0;
  };

  const Run& run_;
  FitCosts costs_;
  std::map<std::string, Left> left_;  ///< by the id of their recipe
  Clock::time_point known_since_;
  std::optional<double> known_;
};

/// Makes the fits that are missing, and shows how far it is.
RunCounts fit(const Run& run, const TrainingCounts& trainings, Models& models) {
  Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, "fits");
  FitLog log(run.folder);
  TimeLeft time_left(run);
  bool said_stopping = !trainings.interrupted.empty();
  const auto report = [&](const RunState& state) {
    log.tell(state);
    if (*run.options.stop && !said_stopping) {
      progress.finish();
      std::cerr << (run.options.isolation.has_any() ? kStoppingIsolated : kStopping);
      said_stopping = true;
    }
    const auto& counts = state.counts;
    progress.show({.done = counts.ok + counts.failed,
                   .failed = counts.failed,
                   .total = counts.to_do,
                   .seconds_left = time_left.after(state)});
  };
  const auto counts = run_plan(run.study, run.plan, models, run.store, run.options, report);
  progress.finish();
  return counts;
}

/// `1 model trained, 0 failed, 2 taken from an earlier run; 6 fitted, ...`
std::string counts_in_short(const Plan& plan, const TrainingCounts& trainings,
                            const RunCounts& counts) {
  std::string out;
  if (!plan.trainings.empty())
    out = fmt::format("{} trained, {} failed, {} taken from an earlier run; ",
                      counted(trainings.trained, "model"), trainings.failed, trainings.cached);
  out += fmt::format("{} fitted, {} failed, {} taken from an earlier run", counts.ok, counts.failed,
                     counts.cached);
  if (counts.shared > 0) out += fmt::format(", {} the same as others", counts.shared);
  return out;
}

/// The models of a plan that are there, in its order and called as it calls them.
std::vector<ModelRecord> models_of(const Run& run) {
  const auto stored = run.store.models();
  std::vector<ModelRecord> models;
  for (const auto& training : run.plan.trainings) {
    const auto found = std::find_if(stored.begin(), stored.end(), [&](const ModelRecord& model) {
      return model.key == training.key;
    });
    if (found == stored.end()) continue;
    models.push_back(*found);
    models.back().name = name_of(run.study, training);
  }
  return models;
}

/// Writes and prints the results of all fits that there are.
void show_results(const Run& run, const TrainingCounts& trainings, const RunCounts& counts,
                  Clock::duration elapsed) {
  const auto results = run.store.results();
  run.folder.write("results.csv", results_csv(results));
  const auto text = counts_in_short(run.plan, trainings, counts);
  const bool is_interrupted = counts.interrupted || !trainings.interrupted.empty();
  run.folder.log(
      fmt::format("end: {}; {}{}", text, in_words(elapsed), is_interrupted ? "; interrupted" : ""));
  run.store.show_names();
  const auto& names = run.store.shown_names();
  const auto shown = names.shown(run.description);
  print_tables(names.shown(results), models_of(run), shown, run.folder.path().string());
  print_cautions(run.store);
  std::cout << "\n";
  for (const auto& line : misfit_lines(shown.misfits)) std::cout << line << "\n";
  std::cout << text << "; " << in_words(elapsed) << "\n"
            << "results: " << (run.folder.path() / "results.csv").string() << "\n";
  show_report(run.store, run.folder.path(), results);
  std::cout << next_commands(results, limit_among(results, run.description.limit),
                             run.folder.path().string());
}

/// Says on standard error what is still to be done. @return an exit code
int end(const TrainingCounts& trainings, const RunCounts& counts) {
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
  if (left > 0) {
    std::cerr << fmt::format("{} were not made; the same command tries again\n",
                             counted(left, "fit"));
    return kFailed;
  }
  return kOk;
}

int run(const Options& options) {
  auto run_options = read_run_options(options);
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  const auto plan = make_plan(study, registry);
  const auto out = run_folder(options, study);
  if (options.has("serve-fits")) return serve_fits_of(study, plan, out);
  expect_right_laws(study, plan, registry);
  run_options.isolation =
      isolation_of(options, run_options.isolation.which, study, plan, registry, out);
  const auto refit = methods_to_refit(options, study);
  const auto description = describe_run(study, plan, registry);
  if (const auto earlier = RunFolder::earlier_store(out)) {
    Problems problems;
    RunFolder::expect_one_experiment(out, *earlier, problems);
    problems.throw_if_any();
    run_options.again = to_make_again(study, plan, refit, libraries_of(description),
                                      earlier->makers(), earlier->model_makers());
    check_files(study, plan, run_options, earlier.get());
  } else {
    check_files(study, plan, run_options, nullptr);
  }

  const RunFolder folder(out, waiting_aloud(run_options.stop));
  Store store(folder.store(), Database::Mode::create);
  if (options.has("durable")) store.endure_power_cuts();
  RunWatch watch(folder, new_mark(run_options.shard, run_options.jobs));
  const Run this_run{study, plan, description, run_options, folder, store, jobs_in_words(options)};
  begin(this_run);
  const auto start = Clock::now();
  Models models(study, plan, folder.path(), &store, run_options.again);
  const auto trainings = train_models(this_run, models);
  const auto counts = fit(this_run, trainings, models);
  if (!counts.interrupted) keep_missing_truths(study, plan, run_options, store);
  show_results(this_run, trainings, counts, Clock::now() - start);
  const int code = end(trainings, counts);
  watch.finish(code);
  return code;
}

}  // namespace

const Command run_command{
    "run",
    "EXPERIMENT.toml [options]",
    "simulate or read cohorts, fit every method, score, show",
    {{"tempo run experiments/quickstart.toml",
      "the first experiment; its results go to runs/quickstart"},
     {"tempo run experiments/quickstart.toml --set cohorts.participants=300 --out runs/small",
      "the same with smaller cohorts, in a folder of its own"}},
    add_run_options,
    run};

}  // namespace tempo::cli
