#include "study/cluster_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace tempo {
namespace {

constexpr double kMostTasks = 1'000'000;

/// A text that goes into a script, and has to be of a form.
std::string shaped(Parameters& keys, const char* key, const std::string& fallback, const char* help,
                   const char* shape, const char* expected) {
  auto text = keys.text(key, fallback, help);
  if (text.empty() || std::regex_match(text, std::regex(shape))) return text;
  keys.complain(key, fmt::format("'{}' must be {}, not '{}'", key, expected, text));
  return fallback;
}

std::vector<std::string> lines(Parameters& keys, const std::vector<std::string>& fallback) {
  constexpr const char* kKey = "extra";
  auto out = keys.texts(kKey, fallback,
                        "options of the scheduler, which begin with --, and lines of shell that "
                        "come before tempo");
  for (const auto& line : out) {
    const bool is_short = line.starts_with("-") && !line.starts_with("--");
    if (is_short || line.starts_with("#SBATCH"))
      keys.complain(kKey,
                    fmt::format("'{}': options of the scheduler begin with --, and #SBATCH is "
                                "put before them",
                                line));
    for (const auto* own : {"--array", "--output", "--dependency", "--parsable"})
      if (line == own || line.starts_with(std::string(own) + "="))
        keys.complain(kKey, fmt::format("'{}' is set by tempo itself", own));
    if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }))
      keys.complain(kKey,
                    fmt::format("'{}' must hold single lines, without control characters", kKey));
  }
  return out;
}

/// What both sorts of tasks have.
TaskNeeds read_needs(Parameters& keys, const TaskNeeds& fallback) {
  constexpr const char* kName = "[A-Za-z0-9_.,@+-]+";
  constexpr const char* kNamed = "a name of letters, digits and _ . , @ + -";
  TaskNeeds out;
  out.partition = shaped(keys, "partition", fallback.partition, "of the cluster", kName, kNamed);
  out.account = shaped(keys, "account", fallback.account, "who pays", kName, kNamed);
  out.time = shaped(keys, "time", fallback.time, "limit of a task",
                    R"(\d+|\d+:\d\d|\d+:\d\d:\d\d|\d+-\d\d?(:\d\d){0,2})",
                    "a time as Slurm takes it, such as \"30\" (minutes), \"04:00:00\" or "
                    "\"2-12\" (days and hours)");
  out.memory = shaped(keys, "memory", fallback.memory, "of a task", R"(\d+[KMGT]?)",
                      "a size as Slurm takes it, such as \"500M\" or \"4G\"");
  out.cpus = static_cast<std::size_t>(keys.integer("cpus", static_cast<std::int64_t>(fallback.cpus),
                                                   {.low = 1, .high = 1024},
                                                   "cores of a task: its fits at a time"));
  out.extra = lines(keys, fallback.extra);
  return out;
}

std::size_t count(Parameters& keys, const char* key, const char* help) {
  return static_cast<std::size_t>(keys.integer(key, 0, {.low = 0, .high = kMostTasks}, help));
}

}  // namespace

ClusterSettings read_cluster(Parameters& keys) {
  ClusterSettings out;
  out.fits = read_needs(keys, {});
  out.tasks = count(keys, "tasks", "that make the fits without a model; 0: one per ten minutes");
  out.throttle =
      count(keys, "throttle", "tasks of an array at a time; 0: as many as the scheduler allows");
  constexpr const char* kTraining = "training";
  const ParameterTable none;
  const auto* table = &none;
  if (const auto* value = keys.raw(kTraining, "table", "what trainings ask for instead", "{}")) {
    if (const auto* given = std::get_if<ParameterTable>(&value->value))
      table = given;
    else
      keys.complain(kTraining,
                    fmt::format("'{}' must be a table, not {}", kTraining, kind_of(*value)));
  }
  Parameters nested(*table, "[cluster.training]", keys.problems());
  out.trainings = read_needs(nested, out.fits);
  out.trainings.gpus = static_cast<std::size_t>(
      nested.integer("gpus", 0, {.low = 0, .high = 64}, "of a task that trains"));
  nested.report_unread();
  return out;
}

}  // namespace tempo
