#include "cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "data/names.hpp"
#include "model/printable.hpp"
#include "run/processors.hpp"

namespace tempo::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      run_command,     validate_command,     plan_command,           submit_command,
      status_command,  train_command,        infer_command,          stage_command,
      compare_command, plausibility_command, calibrate_command,      score_command,
      power_command,   simulate_command,     results_command,        report_command,
      merge_command,   import_command,       fit_parameters_command, synthesize_adnimerge_command,
      plugins_command, help_command};
  return all;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& command : commands()) names.emplace_back(command.name);
  return names;
}

void warn(const std::string& text) {
  std::cerr << "warning: " << printable(joined_lines(text), "") << "\n";
}

void add_registry_options(Options& options) {
  options.texts("plugin-path", "FOLDER", "search this folder for plugins first (repeatable)");
}

Registry open_registry(const Options& options) {
  std::vector<std::filesystem::path> paths;
  for (const auto& path : options.list("plugin-path")) paths.emplace_back(path);
  Registry registry(default_search_folders(paths));
  for (const auto& warning : registry.warnings()) warn(warning);
  return registry;
}

void add_jobs_option(Options& options, const std::string& help) {
  options.number<int>("jobs,j", "N", help);
}

std::size_t jobs(const Options& options) {
  constexpr int kMost = 1024;
  const int count = options.has("jobs")
                        ? options.get<int>("jobs")
                        : static_cast<int>(std::min<std::size_t>(kMost, processors().count));
  Problems problems;
  if (count < 1 || count > kMost)
    problems.add(command_line(options.command()),
                 fmt::format("--jobs must be between 1 and {}, not {}", kMost, count));
  problems.throw_if_any();
  return static_cast<std::size_t>(count);
}

std::string jobs_in_words(const Options& options) {
  const auto text = counted(jobs(options), "job");
  return options.has("jobs") ? text : fmt::format("{} ({})", text, processors().because);
}

}  // namespace tempo::cli
