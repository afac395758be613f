// tempo submit: a run as tasks of a cluster, or of this machine.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "cli/cluster_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/program_call.hpp"
#include "cli/run_watch.hpp"
#include "cli/screen.hpp"
#include "cli/stated_laws.hpp"
#include "cli/study_options.hpp"
#include "cluster/local.hpp"
#include "cluster/slurm.hpp"
#include "cluster/tasks.hpp"
#include "data/names.hpp"
#include "data/text_file.hpp"
#include "process/program.hpp"
#include "run/describe_run.hpp"
#include "run/fit_costs.hpp"
#include "run/processors.hpp"
#include "run/run_folder.hpp"
#include "study/lock_file.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSlurm = "slurm";
constexpr const char* kLocal = "local";
constexpr const char* kScript = "script";

void add_submit_options(Options& options) {
  options.choice("launcher", "L", {kSlurm, kLocal, kScript},
                 "who starts the tasks: Slurm's job arrays; processes of this machine; or nobody: "
                 "write task lists for GNU parallel and a Snakefile",
                 kSlurm);
  add_study_options(options);
  options.text("out", "FOLDER", "the run folder (default: runs/NAME)");
  options.flag("dry-run", "show what would be written and started, and do nothing");
  options.flag("durable", "tasks run with --durable, as tempo run has it");
  options.flag("failed", "submit again, and only the tasks that lack results");
  add_cluster_options(options);
  options.positional("EXPERIMENT");
}

/// What is to be submitted.
struct Submitting {
  const Options& options;
  const Study& study;
  const Plan& plan;
  const Registry& registry;
  ClusterFolder folder;
  std::string launcher;
  std::optional<Submission> earlier;  ///< of the same run folder

  bool is_dry() const { return options.has("dry-run"); }
};

/// As many tasks as ten minutes of work each make of what is known to cost so much; of fits that
/// nobody knows the cost of a hundred.
std::size_t default_tasks(const Submitting& request) {
  constexpr double kSecondsOfTask = 600.0;
  constexpr double kUsual = 100.0;
  const auto& plan = request.plan;
  FitCosts costs;
  if (const auto store = RunFolder::earlier_store(request.folder.run())) costs.learn(*store);
  double seconds = 0.0;
  for (std::size_t i = 0; i < plan.fits.size(); ++i) {
    if (plan.tasks[i].training) continue;
    const auto each = costs.seconds(plan, i);
    if (!each) return static_cast<std::size_t>(kUsual);
    seconds += *each;
  }
  const auto cpus = static_cast<double>(request.study.cluster.fits.cpus);
  return static_cast<std::size_t>(std::clamp(seconds / cpus / kSecondsOfTask, 1.0, 1000.0));
}

/// Complains of an experiment that lacks fits which the folder was submitted with: a forgotten
/// --set would hide them. More fits than then are welcome.
void expect_same_or_more(const Submitting& request, Problems& problems) {
  std::set<std::string> now;
  for (const auto& fit : request.plan.fits) now.insert(fit.key);
  const auto store = RunFolder::earlier_store(request.folder.run());
  if (!store) return;
  const auto then = store->planned();
  const auto lost = std::count_if(then.begin(), then.end(),
                                  [&](const PlannedFit& fit) { return !now.contains(fit.key); });
  if (lost > 0)
    problems.add(
        {request.folder.run().string()},
        fmt::format("was submitted with an experiment of {}, of which this one lacks {}: give the "
                    "same file and --set again, or submit '{}'; another experiment goes into "
                    "another folder",
                    counted(then.size(), "fit"), lost, request.folder.lock_file().string()));
}

/// How the run is cut. @throws InputError if it was cut otherwise, or is submitted already
Submission cut(const Submitting& request) {
  const auto& options = request.options;
  Submission out{.launcher = request.launcher, .models = request.plan.trainings.size()};
  const auto wanted = request.study.cluster.tasks;
  const auto most = fits_without_model(request.plan);
  const auto& earlier = request.earlier;
  out.tasks = std::min(most, wanted > 0 ? wanted
                             : earlier  ? earlier->tasks
                                        : default_tasks(request));
  if (!earlier) return out;
  Problems problems;
  const Place place{request.folder.path().string()};
  if (!options.has("failed"))
    problems.add(place,
                 "the run is submitted already: tempo status says how far it is, tempo submit "
                 "--failed submits what is missing");
  else
    expect_same_or_more(request, problems);
  if (problems.empty() && (earlier->tasks != out.tasks || earlier->models != out.models))
    problems.add(place, fmt::format("the run was cut into {} and {} of models, which --failed does "
                                    "not change into {} and {}: merge what there is, remove this "
                                    "folder, and submit without --failed",
                                    counted(earlier->tasks, "task"), earlier->models, out.tasks,
                                    out.models));
  problems.throw_if_any();
  out.jobs = earlier->jobs;
  return out;
}

/// The tasks that lack results and are neither at work nor in a queue.
/// @param under_way  gets how many lack results and are
Launch launch_of(const Submitting& request, const Submission& submission, std::size_t& under_way) {
  Launch out{.experiment = request.study.name,
             .folder = request.folder,
             .program = fs::read_symlink("/proc/self/exe").string(),
             .options = {},
             .is_durable = request.options.has("durable"),
             .settings = request.study.cluster,
             .submission = submission,
             .models = {},
             .fits = {}};
  for (const auto& path : request.options.list("plugin-path")) {
    out.options.emplace_back("--plugin-path");
    out.options.push_back(fs::absolute(path).lexically_normal().string());
  }
  const bool is_queued = request.launcher == kSlurm && is_in_queue(submission.jobs);
  for (const auto& task : look_at_tasks(request.plan, request.folder, submission).tasks) {
    const bool waits = is_queued && task.activity == Activity::waiting;
    if (!task.is_needed()) continue;
    if (task.activity == Activity::running || waits) {
      ++under_way;
      continue;
    }
    auto& list = task.shard.what == Shard::What::fits ? out.fits : out.models;
    list.push_back(task.shard.index);
  }
  return out;
}

/// Makes the run folder, with the plan and no results beyond those it has.
void prepare(const Submitting& request, const Submission& submission) {
  const auto& [options, study, plan, registry, cluster, launcher, earlier] = request;
  const RunFolder folder(cluster.run(), waiting_aloud());
  Store store(folder.store(), Database::Mode::create);
  const auto description = describe_run(study, plan, registry);
  store.set_plan(stored_plan(study, plan, description));
  store.set_description(description);
  folder.write_lock_file(lock_file(study, plan, folder.path()));
  for (const auto& path : {cluster.logs(), cluster.parts()}) fs::create_directories(path);
  write_text_file(cluster.lock_file(), lock_file(study, plan, cluster.path()));
  cluster.write(submission);
  folder.log(fmt::format("submitted by tempo submit --launcher {}: {}, {} of models", launcher,
                         counted(submission.tasks, "task"), submission.models));
}

void write(const ClusterFolder& folder, const ClusterFile& file) {
  const auto path = folder.path() / file.name;
  write_text_file(path, file.text);
  if (file.is_executable)
    fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
}

void show(const ClusterFolder& folder, const ClusterFile& file) {
  std::cout << "== " << (folder.path() / file.name).string() << "\n" << file.text << "\n";
}

// ---- the launchers

/// Calls sbatch. @return the number of the job @throws Error with what sbatch said
std::string submit_job(const std::vector<std::string>& call) {
  process::Limits limits;
  limits.seconds = 120.0;
  const auto end = process::run({.command = call}, limits);
  if (!process::is_success(end))
    throw Error(fmt::format("sbatch {}: {}", process::in_words(end, limits),
                            process::last_words(end.errors)));
  return end.output.substr(0, end.output.find_first_of(";\n"));
}

int with_slurm(const Submitting& request, Submission submission, const Launch& launch) {
  const auto most = max_array_size();
  Problems problems;
  if (!most && !request.is_dry())
    problems.add(command_line(request.options.command()),
                 "no Slurm answers here ('scontrol show config'): submit from a machine of the "
                 "cluster, show with --dry-run what would be, or choose another --launcher");
  problems.throw_if_any();
  if (!most)
    std::cout << fmt::format("# no Slurm answers here: arrays are cut at its default, {}\n",
                             kDefaultMaxArraySize);
  const auto jobs = slurm_jobs(launch, most.value_or(kDefaultMaxArraySize));
  std::vector<std::string> submitted;
  if (request.is_dry()) {
    for (const auto& job : jobs) show(launch.folder, job.script);
    for (const auto& job : jobs) {
      std::cout << as_line(sbatch_call(launch.folder, job, submitted)) << "\n";
      submitted.push_back(fmt::format("JOB{}", submitted.size() + 1));
    }
    return kOk;
  }
  prepare(request, submission);
  for (const auto& job : jobs) write(launch.folder, job.script);
  std::erase_if(submission.jobs, [](const std::string& job) { return !is_in_queue({job}); });
  for (const auto& job : jobs) {
    try {
      submitted.push_back(submit_job(sbatch_call(launch.folder, job, submitted)));
    } catch (const Error& error) {
      if (submitted.empty()) throw;
      throw Error(
          fmt::format("{}\njobs {} stay submitted, and no merge: scancel them, or let them "
                      "end and submit the rest with --failed",
                      error.what(), fmt::join(submitted, ", ")));
    }
    std::cout << fmt::format("{}: job {}\n", job.script.name, submitted.back());
    submission.jobs.push_back(submitted.back());
    launch.folder.write(submission);  // whatever comes next, these are known
  }
  return kOk;
}

int with_scripts(const Submitting& request, const Submission& submission, const Launch& launch) {
  const auto files = task_lists(launch);
  if (request.is_dry()) {
    for (const auto& file : files) show(launch.folder, file);
    return kOk;
  }
  prepare(request, submission);
  // What Snakemake noted as done is that of an earlier submission, which did not do it all.
  fs::remove_all(launch.folder.path() / "done");
  for (const auto& file : files) write(launch.folder, file);
  const auto path = [&](const char* name) {
    return as_argument((launch.folder.path() / name).string());
  };
  std::cout << fmt::format(
      "bash {}                      all tasks by GNU parallel\n"
      "snakemake --snakefile {} --cores 8   or by Snakemake\n",
      path("with-parallel.sh"), path("Snakefile"));
  return kOk;
}

int with_processes(const Submitting& request, const Submission& submission, const Launch& launch) {
  const auto cores = processors();
  const auto& [fits, trainings] =
      std::pair(launch.settings.fits.cpus, launch.settings.trainings.cpus);
  const auto cores_of_task = launch.models.empty() ? fits : std::max(fits, trainings);
  auto at_a_time = std::max<std::size_t>(1, cores.count / cores_of_task);
  if (launch.settings.throttle > 0) at_a_time = std::min(at_a_time, launch.settings.throttle);
  if (request.is_dry()) {
    for (const auto index : launch.models)
      for (const auto what : {Shard::What::trainings, Shard::What::applied})
        std::cout << as_line(command_of(launch, {index, submission.models, what})) << "\n";
    for (const auto index : launch.fits)
      std::cout << as_line(command_of(launch, {index, submission.tasks, Shard::What::fits}))
                << "\n";
    return kOk;
  }
  prepare(request, submission);
  const auto& stop = stop_on_interrupt();
  std::cout << fmt::format("{} at a time ({})\n", counted(at_a_time, "task"), cores.because)
            << std::flush;
  const auto counts = run_locally(launch, at_a_time, stop, [](const std::string& line) {
    std::cout << line << "\n" << std::flush;
  });
  if (counts.interrupted) {
    std::cerr << "interrupted; tempo submit --failed continues\n";
    return kInterrupted;
  }
  std::vector<std::string> parts;
  for (const auto& part : launch.folder.stored_parts()) parts.push_back(part.string());
  if (!parts.empty())
    if (const auto code = run_program(merge_command_of(launch, parts)).value_or(kFailed);
        code != kOk)
      return code;
  if (counts.failed + counts.killed == 0) return kOk;
  std::cerr << fmt::format("{} failed, {} killed; tempo submit --failed submits what is missing\n",
                           counted(counts.failed, "task"), counts.killed)
            << "why fits failed: tempo results " << as_argument(request.folder.run().string())
            << " --table failures\n";
  return kFailed;
}

/// Complains of a run folder that scripts cannot name.
void check_path(const ClusterFolder& folder, Problems& problems) {
  const auto text = folder.run().string();
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    problems.add({"--out"},
                 "a run folder whose path has control characters cannot stand in a "
                 "script");
}

int submit(const Options& options) {
  Problems problems;
  expect_choice(options, "launcher", problems);
  problems.throw_if_any();
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry, cluster_overrides(options));
  const auto plan = make_plan(study, registry);
  expect_right_laws(study, plan, registry);
  Submitting request{options,
                     study,
                     plan,
                     registry,
                     ClusterFolder(run_folder(options, study)),
                     options.get_text("launcher"),
                     {}};
  request.earlier = request.folder.submission();
  check_path(request.folder, problems);
  problems.throw_if_any();
  const auto submission = cut(request);
  read_cohort_files(study, plan, [](std::size_t) { return true; });
  std::size_t under_way = 0;
  const auto launch = launch_of(request, submission, under_way);
  std::cout << fmt::format(
      "experiment {}: {}; {} of {} to start{}\n", study.name, count_in_words(study, plan),
      launch.fits.size(), counted(submission.tasks, "task"),
      submission.models == 0
          ? ""
          : fmt::format(", {} of {} of models", launch.models.size(), submission.models));
  if (launch.fits.empty() && launch.models.empty() && options.has("failed")) {
    std::cout << (under_way == 0 ? "nothing is missing\n"
                                 : fmt::format("nothing to start: {} at work or in a queue\n",
                                               counted(under_way, "task")));
    return kOk;
  }
  const int code = request.launcher == kSlurm   ? with_slurm(request, submission, launch)
                   : request.launcher == kLocal ? with_processes(request, submission, launch)
                                                : with_scripts(request, submission, launch);
  if (!request.is_dry())
    std::cout << "how far it is: tempo status " << as_argument(request.folder.run().string())
              << "\n";
  return code;
}

}  // namespace

const Command submit_command{
    "submit",
    "EXPERIMENT.toml [--launcher L] [options]",
    "run an experiment as tasks of a cluster, or of this machine",
    {{"tempo submit experiments/quickstart.toml --tasks 8 --throttle 2 --dry-run",
      "show the scripts for Slurm, and start nothing"},
     {"tempo submit experiments/quickstart.toml --launcher local --tasks 8",
      "the same tasks as processes of this machine"}},
    add_submit_options,
    submit};

}  // namespace tempo::cli
