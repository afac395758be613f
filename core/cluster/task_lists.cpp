#include <fmt/format.h>

#include <algorithm>

#include "cluster/launch.hpp"
#include "process/shell.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

using process::as_argument;

/// Where the index of a task goes; no path has it.
constexpr const char* kTask = "\1";

/// A text as a string of Python.
std::string in_python(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// A line of shell as Snakemake's `shell` takes it, where braces hold names of its own.
std::string in_snakemake(std::string line, const std::string& placeholder) {
  std::string out;
  for (const char c : line) {
    if (c == '{' || c == '}') out += c;
    out += c;
  }
  // The index of the task, which stands for itself up to here.
  const std::string mark = kTask;
  for (auto at = out.find(mark); at != out.npos; at = out.find(mark, at + placeholder.size()))
    out.replace(at, mark.size(), placeholder);
  return in_python(out);
}

/// A task that has failed fits ends with code 1, and the others are done: no reason to stop. One
/// that could not begin ends so, too, and leaves no mark of its end.
std::string bearing_failed_fits(const std::string& line, const std::string& part) {
  const auto mark = as_argument((fs::path(part) / "run.state").string());
  return fmt::format("rm -f {0}; {1} || grep -q '\"state\": \"ended\"' {0}", mark, line);
}

std::string logged(const Launch& launch, const std::string& line, const std::string& name) {
  return line + " >>" + as_argument((launch.folder.logs() / (name + ".log")).string()) + " 2>&1";
}

std::string task_line(const Launch& launch, const Shard& shard, const std::string& name) {
  return bearing_failed_fits(logged(launch, as_line(command_of(launch, shard)), name),
                             launch.folder.part(shard).string());
}

/// The lines of all tasks of a sort.
std::string list(const Launch& launch, Shard::What what, const char* name,
                 const std::vector<std::size_t>& indices, std::size_t count) {
  std::string out;
  for (const auto index : indices)
    out += task_line(launch, {index, count, what}, fmt::format("{}-{}", name, index)) + "\n";
  return out;
}

/// The line that joins what there is; the shell finds the folders.
std::string merge_line(const Launch& launch) {
  return fmt::format("{} merge {}/*/ --out {}", as_argument(launch.program),
                     as_argument(launch.folder.parts().string()),
                     as_argument(launch.folder.run().string()));
}

std::string parallel_script(const Launch& launch) {
  // As many as there are cores for.
  const auto jobs = [&](std::size_t cpus) {
    return launch.settings.throttle == 0
               ? fmt::format("\"${{1:-$(( $(nproc) > {0} ? $(nproc) / {0} : 1 ))}}\"", cpus)
               : fmt::format("\"${{1:-{}}}\"", launch.settings.throttle);
  };
  std::string out = fmt::format(
      "#!/bin/bash\n"
      "# Of the experiment '{}': all tasks by GNU parallel, then the merge. Written by tempo "
      "submit.\n"
      "#   bash with-parallel.sh [TASKS AT A TIME]\n"
      "# A task that runs twice changes nothing: start it again after whatever happened.\n"
      "cd {} || exit\n",
      launch.experiment, as_argument(launch.folder.path().string()));
  const auto& settings = launch.settings;
  if (!launch.models.empty())
    out += fmt::format("parallel --jobs {} <train.txt\n", jobs(settings.trainings.cpus));
  out += fmt::format("parallel --jobs {} <fits.txt\n", jobs(settings.fits.cpus));
  return out + merge_line(launch) + "\n";
}

std::string rule(const char* name, const std::string& input, const std::string& line,
                 const TaskNeeds& needs) {
  return fmt::format(
      "\n\nrule {0}:\n{1}"
      "    output: touch(\"done/{0}-{{task}}\")\n"
      "    threads: {2}\n"
      "    shell: {3}\n",
      name, input, needs.cpus, line);
}

std::string python_list(const std::vector<std::size_t>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string snakefile(const Launch& launch) {
  const auto& [launcher, models, tasks, jobs] = launch.submission;
  const auto line = [&](Shard::What what, const char* name, std::size_t count) {
    // Index 1 stands for all: what differs is put in by Snakemake.
    const Shard shard{1, count, what};
    const auto first = launch.folder.part(shard).string();
    const auto part = first.substr(0, first.size() - 1) + kTask;
    auto command = command_of(launch, shard);
    for (auto& word : command) {
      if (word == to_string(shard)) word = fmt::format("{}:{}/{}", name, kTask, count);
      if (word == first) word = part;
    }
    return in_snakemake(
        bearing_failed_fits(logged(launch, as_line(command), std::string(name) + "-" + kTask),
                            part),
        "{wildcards.task}");
  };
  std::string out = fmt::format(
      "# Of the experiment '{}': all tasks, then the merge. Written by tempo submit.\n"
      "#   snakemake --snakefile THIS --cores 8\n"
      "workdir: {}\n"
      "MODELS = {}\n"
      "FITS = {}\n"
      "\n\nrule all:\n    input: \"done/merge\"\n",
      launch.experiment, in_python(launch.folder.path().string()), python_list(launch.models),
      python_list(launch.fits));
  if (!launch.models.empty()) {
    out +=
        rule("train", "", line(Shard::What::trainings, "train", models), launch.settings.trainings);
    out += rule("apply", "    input: \"done/train-{task}\"\n",
                line(Shard::What::applied, "apply", models), launch.settings.fits);
  }
  if (!launch.fits.empty())
    out += rule("fits", "", line(Shard::What::fits, "fits", tasks), launch.settings.fits);
  return out + fmt::format(
                   "\n\nrule merge:\n"
                   "    input:\n"
                   "        [f\"done/apply-{{i}}\" for i in MODELS],\n"
                   "        [f\"done/fits-{{i}}\" for i in FITS]\n"
                   "    output: touch(\"done/merge\")\n"
                   "    shell: {}\n",
                   in_snakemake(merge_line(launch), ""));
}

}  // namespace

std::string as_line(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + as_argument(word);
  return out;
}

std::vector<std::string> command_of(const Launch& launch, const Shard& shard) {
  std::vector<std::string> out{
      launch.program,
      "run",
      launch.folder.lock_file().string(),
      "--shard",
      to_string(shard),
      "--out",
      launch.folder.part(shard).string(),
      "--jobs",
      std::to_string(shard.what == Shard::What::trainings ? launch.settings.trainings.cpus
                                                          : launch.settings.fits.cpus)};
  if (launch.is_durable) out.emplace_back("--durable");
  out.insert(out.end(), launch.options.begin(), launch.options.end());
  return out;
}

std::vector<std::string> merge_command_of(const Launch& launch,
                                          const std::vector<std::string>& parts) {
  std::vector<std::string> out{launch.program, "merge"};
  out.insert(out.end(), parts.begin(), parts.end());
  out.insert(out.end(), {"--out", launch.folder.run().string()});
  return out;
}

std::vector<ClusterFile> task_lists(const Launch& launch) {
  const auto& [launcher, models, tasks, jobs] = launch.submission;
  std::vector<ClusterFile> out;
  if (!launch.models.empty())
    out.push_back(
        {"train.txt", list(launch, Shard::What::trainings, "train", launch.models, models)});
  out.push_back({"fits.txt", list(launch, Shard::What::applied, "apply", launch.models, models) +
                                 list(launch, Shard::What::fits, "fits", launch.fits, tasks)});
  out.push_back({"with-parallel.sh", parallel_script(launch), true});
  out.push_back({"Snakefile", snakefile(launch)});
  return out;
}

}  // namespace tempo
