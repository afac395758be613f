#include "cli/cluster_options.hpp"

#include <array>
#include <cstdint>

namespace tempo::cli {
namespace {

/// An option and the setting that it gives.
struct ClusterOption {
  const char* name;
  const char* value;
  const char* path;
  bool is_number;
  const char* help;
};

constexpr std::array<ClusterOption, 8> kClusterOptions{{
    {"tasks", "N", "cluster.tasks", true, "tasks that make the fits without a model"},
    {"throttle", "N", "cluster.throttle", true, "tasks of an array at a time"},
    {"partition", "NAME", "cluster.partition", false, "of the cluster"},
    {"account", "NAME", "cluster.account", false, "who pays"},
    {"time", "LIMIT", "cluster.time", false, "of a task, such as 04:00:00"},
    {"memory", "SIZE", "cluster.memory", false, "of a task, such as 4G"},
    {"cpus", "N", "cluster.cpus", true, "cores of a task: its fits at a time"},
    {"gpus", "N", "cluster.training.gpus", true, "of a task that trains a model"},
}};
constexpr const char* kLine = "line";

}  // namespace

void add_cluster_options(Options& options) {
  for (const auto& [name, value, path, is_number, help] : kClusterOptions)
    if (is_number)
      options.number<std::int64_t>(name, value, help);
    else
      options.text(name, value, help);
  options.texts(kLine, "LINE",
                "an option of the scheduler (--qos=low) or line of shell, in place of the "
                "experiment's `extra` (repeatable)");
}

std::vector<Override> cluster_overrides(const Options& options) {
  std::vector<Override> out;
  for (const auto& [name, value, path, is_number, help] : kClusterOptions) {
    if (!options.has(name)) continue;
    const Place place{std::string("--") + name};
    ParameterValue given{place, {}};
    if (is_number)
      given.value = options.get<std::int64_t>(name);
    else
      given.value = options.get_text(name);
    out.push_back({path, place, std::move(given)});
  }
  const Place place{std::string("--") + kLine};
  ParameterValue::Array lines;
  for (const auto& line : options.list(kLine)) lines.push_back({place, line});
  if (!lines.empty()) out.push_back({"cluster.extra", place, {place, std::move(lines)}});
  return out;
}

}  // namespace tempo::cli
