#include "cluster/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "data/names.hpp"
#include "process/program.hpp"
#include "process/shell.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

using process::as_argument;

/// A text as the value of an option in a line #SBATCH: sbatch reads them much as a shell does.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// The path of a log; in it `%` stands for numbers of the job.
std::string log_path(const ClusterFolder& folder, const std::string& name) {
  std::string path;
  for (const char c : folder.logs().string())
    path += c == '%' ? std::string("%%") : std::string(1, c);
  return quoted(path + "/" + name);
}

/// A name that squeue shows: no blanks.
std::string job_name(const std::string& experiment, const std::string& what) {
  std::string out = experiment + "-" + what;
  std::replace_if(
      out.begin(), out.end(),
      [](unsigned char c) { return c <= ' ' || c == '"' || c == '\\' || c == '\''; }, '_');
  return out;
}

/// The lines that ask for what a task needs, then those of shell.
std::string needs_in_lines(const TaskNeeds& needs) {
  std::string out;
  const auto add = [&](const std::string& option) { out += "#SBATCH " + option + "\n"; };
  if (!needs.partition.empty()) add("--partition=" + needs.partition);
  if (!needs.account.empty()) add("--account=" + needs.account);
  if (!needs.time.empty()) add("--time=" + needs.time);
  if (!needs.memory.empty()) add("--mem=" + needs.memory);
  add("--ntasks=1");
  add(fmt::format("--cpus-per-task={}", needs.cpus));
  if (needs.gpus > 0) add(fmt::format("--gpus={}", needs.gpus));
  for (const auto& line : needs.extra)
    if (line.starts_with("--")) add(line);
  std::string shell;
  for (const auto& line : needs.extra)
    if (!line.starts_with("--")) shell += line + "\n";
  return out + (shell.empty() ? "" : "\n" + shell);
}

/// A call of tempo in which the run folder is the variable `run`.
std::string call_in_script(const Launch& launch, const std::string& arguments) {
  std::string out = as_argument(launch.program) + " " + arguments;
  for (const auto& option : launch.options) out += " " + as_argument(option);
  return out;
}

/// A sort of tasks, as scripts say it.
struct Sort {
  const char* name;    ///< of the script
  const char* what;    ///< in words
  const char* shard;   ///< what stands before the numbers of --shard
  const char* folder;  ///< of a part
};
constexpr Sort kTrain{"train", "trains the models", "train", "model"};
constexpr Sort kApply{"apply", "makes the fits with each model", "apply", "model"};
constexpr Sort kFits{"fits", "makes the fits without a model", "fits", "fits"};

/// The script of an array. @param indices  of its tasks; @param offset  what Slurm's numbers lack
std::string array_script(const Launch& launch, const Sort& sort, std::size_t count,
                         const std::vector<std::size_t>& numbers, std::size_t offset,
                         const std::string& file) {
  const auto& settings = launch.settings;
  const auto& needs = &sort == &kTrain ? settings.trainings : settings.fits;
  const auto throttle =
      settings.throttle == 0 ? std::string() : fmt::format("%{}", settings.throttle);
  const auto task = offset == 0 ? std::string("$SLURM_ARRAY_TASK_ID")
                                : fmt::format("$((SLURM_ARRAY_TASK_ID + {}))", offset);
  const auto& folder = launch.folder;
  return fmt::format(
             "#!/bin/bash\n"
             "# Of the experiment '{}': {}, {} in all. Written by tempo submit.\n"
             "# A task that runs twice changes nothing. By hand: sbatch {}\n"
             "#SBATCH --job-name={}\n"
             "#SBATCH --array={}{}\n"
             "#SBATCH --output={}\n"
             "#SBATCH --open-mode=append\n"
             "#SBATCH --requeue\n",
             launch.experiment, sort.what, counted(count, "task"),
             as_argument((folder.path() / file).string()), job_name(launch.experiment, sort.name),
             in_ranges(numbers), throttle,
             log_path(folder, fmt::format("{}-%A_%a.log", sort.name))) +
         needs_in_lines(needs) +
         fmt::format("\nrun={}\ntask={}\n", as_argument(folder.run().string()), task) +
         // In the place of the shell: signals of the scheduler reach tempo itself.
         "exec " +
         call_in_script(
             launch,
             fmt::format("run \"$run/cluster/experiment.lock.toml\" --shard \"{}:$task/{}\" "
                         "--out \"$run/cluster/parts/{}-$task\"{}",
                         sort.shard, count, sort.folder, launch.is_durable ? " --durable" : "")) +
         "\n";
}

std::string merge_script(const Launch& launch) {
  auto needs = launch.settings.fits;
  needs.cpus = 1;
  const auto& folder = launch.folder;
  return fmt::format(
             "#!/bin/bash\n"
             "# Of the experiment '{}': joins what the tasks have made, and writes the report.\n"
             "# May run at any time, as often as you like. Written by tempo submit.\n"
             "#SBATCH --job-name={}\n"
             "#SBATCH --output={}\n"
             "#SBATCH --open-mode=append\n"
             "#SBATCH --requeue\n",
             launch.experiment, job_name(launch.experiment, "merge"),
             log_path(folder, "merge-%j.log")) +
         needs_in_lines(needs) + fmt::format("\nrun={}\n", as_argument(folder.run().string())) +
         as_argument(launch.program) +
         " merge \"$run\"/cluster/parts/*/ --out \"$run\" &&\n  exec " +
         call_in_script(launch, "status \"$run\"") + "\n";
}

/// What a program of Slurm printed; absent if it is not there or fails.
std::optional<std::string> answer_of(const std::vector<std::string>& call) {
  process::Limits limits;
  limits.seconds = 60.0;
  limits.kept = std::size_t{1} << 24;
  const auto end = process::run({.command = call}, limits);
  if (!process::is_success(end)) return std::nullopt;
  return end.output;
}

}  // namespace

std::string in_ranges(const std::vector<std::size_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    auto last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!out.empty()) out += ",";
    out +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return out;
}

std::vector<SlurmJob> slurm_jobs(const Launch& launch, std::size_t most) {
  std::vector<SlurmJob> out;
  const auto limit = std::max<std::size_t>(1, most - 1);  // numbers begin at 1
  // One script for each range of numbers that Slurm takes. @param tell  gets numbers, offset, name
  const auto cut = [&](const std::vector<std::size_t>& indices, const auto& tell) {
    for (std::size_t i = 0; i < indices.size();) {
      const auto array = (indices[i] - 1) / limit;
      std::vector<std::size_t> numbers;
      for (; i < indices.size() && (indices[i] - 1) / limit == array; ++i)
        numbers.push_back(indices[i] - array * limit);
      tell(numbers, array * limit, array == 0 ? std::string() : fmt::format("-{}", array + 1));
    }
  };
  const auto add = [&](const Sort& sort, std::size_t count, const std::vector<std::size_t>& numbers,
                       std::size_t offset, const std::string& suffix, SlurmJob::After after) {
    const auto file = fmt::format("{}{}.sbatch", sort.name, suffix);
    out.push_back({{file, array_script(launch, sort, count, numbers, offset, file)}, after});
  };
  const auto& [launcher, models, tasks, jobs] = launch.submission;
  cut(launch.models,
      [&, models = models](const auto& numbers, std::size_t offset, const auto& suffix) {
        add(kTrain, models, numbers, offset, suffix, SlurmJob::After::nothing);
        add(kApply, models, numbers, offset, suffix, SlurmJob::After::same_task);
      });
  cut(launch.fits, [&, tasks = tasks](const auto& numbers, std::size_t offset, const auto& suffix) {
    add(kFits, tasks, numbers, offset, suffix, SlurmJob::After::nothing);
  });
  out.push_back({{"merge.sbatch", merge_script(launch)}, SlurmJob::After::all});
  return out;
}

std::vector<std::string> sbatch_call(const ClusterFolder& folder, const SlurmJob& job,
                                     const std::vector<std::string>& jobs) {
  std::vector<std::string> call{"sbatch", "--parsable"};
  if (!jobs.empty() && job.after == SlurmJob::After::same_task) {
    call.push_back("--dependency=aftercorr:" + jobs.back());
    call.emplace_back("--kill-on-invalid-dep=yes");  // its model failed
  }
  if (!jobs.empty() && job.after == SlurmJob::After::all)
    call.push_back(fmt::format("--dependency=afterany:{}", fmt::join(jobs, ":")));
  call.push_back((folder.path() / job.script.name).string());
  return call;
}

std::optional<std::size_t> max_array_size() {
  const auto answer = answer_of({"scontrol", "show", "config"});
  if (!answer) return std::nullopt;
  std::istringstream lines(*answer);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("MaxArraySize")) continue;
    const auto digits = line.find_first_of("0123456789");
    std::size_t size = 0;
    if (digits != line.npos) std::from_chars(line.data() + digits, line.data() + line.size(), size);
    if (size > 1) return size;
  }
  return std::nullopt;
}

bool is_in_queue(const std::vector<std::string>& jobs) {
  // One by one: of a list in which a job is long gone squeue says nothing but that.
  return std::any_of(jobs.begin(), jobs.end(), [](const std::string& job) {
    process::Limits limits;
    limits.seconds = 60.0;
    const auto end = process::run({.command = {"squeue", "--noheader", "--jobs=" + job}}, limits);
    if (process::is_success(end)) return end.output.find_first_not_of(" \n") != end.output.npos;
    if (end.errors.find("Invalid job id") != end.errors.npos) return false;  // long gone
    throw Error(fmt::format("squeue does not say whether job {} waits: {}{}{}; try again later",
                            job, process::in_words(end, limits), end.errors.empty() ? "" : ": ",
                            process::last_words(end.errors)));
  });
}

}  // namespace tempo
