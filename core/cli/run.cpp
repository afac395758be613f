// tempo run: simulate or read cohorts, fit, score, show.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <thread>

#include "cli/command.hpp"
#include "data/toml_table.hpp"
#include "engine/cohort_source.hpp"
#include "engine/progress.hpp"
#include "engine/run_folder.hpp"
#include "engine/runner.hpp"
#include "report/tables.hpp"
#include "tempo/version.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

constexpr int kMostJobs = 1024;

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void ask_to_stop(int) {
  if (stop_asked.exchange(true)) _exit(kInterrupted);  // the second Ctrl-C: at once
}

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

void print_tables(const RunResults& results) {
  for (const auto* name : {"tau_distance", "stage_mae", "seconds"}) {
    const auto& metric = *find_metric(name);
    std::cout << "\n" << render(summarise(results, metric), metric, "table");
  }
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

int run(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  add_study_options(options);
  options.add()("out", po::value<std::string>()->value_name("FOLDER"),
                "the run folder (default: runs/NAME); a run that was begun there is continued")(
      "jobs,j", po::value<int>()->value_name("N"), "fits at a time (default: one per core)")(
      "shard", po::value<std::string>()->value_name("I/N"),
      "run only this part of the fits; join the parts with tempo merge")(
      "fail-fast", "stop at the first fit that fails")("keep-going",
                                                       "go on when a fit fails (default)");
  options.positional("EXPERIMENT");
  options.parse(arguments);

  Problems problems;
  RunOptions run_options;
  run_options.stop = &stop_asked;
  run_options.fail_fast = options.has("fail-fast");
  if (run_options.fail_fast && options.has("keep-going"))
    problems.add(command_line(command), "give --fail-fast or --keep-going, not both");
  const int jobs = options.has("jobs")
                       ? options.get<int>("jobs")
                       : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (jobs < 1 || jobs > kMostJobs)
    problems.add(command_line(command),
                 fmt::format("--jobs must be between 1 and {}, not {}", kMostJobs, jobs));
  problems.throw_if_any();
  run_options.jobs = static_cast<std::size_t>(jobs);
  if (options.has("shard"))
    run_options.shard = parse_shard(command, options.get<std::string>("shard"));

  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  const auto plan = make_plan(study, registry);
  const auto out = run_folder(options, study);
  check_files(study, plan, run_options.shard, out);

  const RunFolder folder(out);
  Store store(folder.store(), Database::Mode::create);
  store.set_plan(study.name, study.axes, plan.fits, plan.recipes);
  folder.write("experiment.lock.toml", lock_file(study, plan));
  std::cout << "experiment " << study.name << ": " << count_in_words(study) << "; "
            << counted(run_options.jobs, "job") << "\n"
            << std::flush;
  folder.log(fmt::format("start: tempo " TEMPO_VERSION ", {}, shard {}/{}, {}",
                         count_in_words(study), run_options.shard.index, run_options.shard.count,
                         counted(run_options.jobs, "job")));

  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  const auto start = std::chrono::steady_clock::now();
  Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, "fits");
  bool said_stopping = false;
  const auto counts =
      run_plan(study, plan, store, run_options, [&](const RunCounts& so_far, const auto& finished) {
        for (const auto& [fit, record] : finished)
          if (record.status == ResultRow::Status::failed)
            folder.log(fmt::format("failed: {} cohort {} {}: {}", fit->row.hypothesis,
                                   fit->row.cohort, fit->row.method, record.error));
        if (stop_asked && !said_stopping) {
          progress.finish();
          std::cerr << "stopping after the fits in flight; Ctrl-C again to leave at once\n";
          said_stopping = true;
        }
        progress.show(
            {.done = so_far.ok + so_far.failed, .failed = so_far.failed, .total = so_far.to_do});
      });
  progress.finish();
  const auto elapsed = in_words(std::chrono::steady_clock::now() - start);

  const auto results = store.results();
  folder.write("results.csv", results_csv(results));
  const auto in_short =
      fmt::format("{} fitted, {} failed, {} taken from an earlier run{}", counts.ok, counts.failed,
                  counts.cached,
                  counts.shared == 0 ? "" : fmt::format(", {} the same as others", counts.shared));
  folder.log(
      fmt::format("end: {}; {}{}", in_short, elapsed, counts.interrupted ? "; interrupted" : ""));
  print_tables(results);
  std::cout << "\n"
            << in_short << "; " << elapsed << "\n"
            << "results: " << (folder.path() / "results.csv").string() << "\n";
  const auto left = counts.to_do - counts.ok - counts.failed;
  if (counts.interrupted) {
    std::cerr << fmt::format("interrupted: {} to go; the same command continues\n",
                             counted(left, "fit"));
    return kInterrupted;
  }
  if (counts.failed > 0) {
    std::cerr << fmt::format("{} failed{}; the same command tries again\n",
                             counted(counts.failed, "fit"),
                             left == 0 ? "" : fmt::format(", {} to go", left));
    return kFailed;
  }
  return kOk;
}

}  // namespace

const Command run_command{"run", "EXPERIMENT.toml [options]",
                          "simulate or read cohorts, fit every method, score, show", run};

}  // namespace tempo::cli
