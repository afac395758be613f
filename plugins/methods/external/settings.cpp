#include "settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>
#include <variant>

#include "process/scratch_folder.hpp"
#include "task_files.hpp"
#include "tempo/error.hpp"
#include "tempo/stop.hpp"

namespace tempo::external {
namespace {

namespace fs = std::filesystem;

constexpr double kMiB = 1024.0 * 1024.0;

/// The word of a choice that means one of the values.
template <class Value, std::size_t N>
Value choose(Parameters& keys, const char* key, const std::array<Value, N>& values,
             const char* help) {
  std::vector<std::string> words;
  for (const auto value : values) words.emplace_back(to_string(value));
  const auto word = keys.choice(key, words.front(), words, help);
  for (const auto value : values)
    if (to_string(value) == word) return value;
  return values.front();
}

bool is_executable(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

bool is_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_executable(fs::path(folder.empty() ? "." : folder) / name)) return true;
  return false;
}

/// Variables that users do not set. Fits run side by side: numerical libraries get one thread each.
/// What Python hashes is the same in each process. TMPDIR is the folder of the fit.
constexpr std::array<std::pair<const char*, const char*>, 4> kFixed{{{"OMP_NUM_THREADS", "1"},
                                                                     {"OPENBLAS_NUM_THREADS", "1"},
                                                                     {"MKL_NUM_THREADS", "1"},
                                                                     {"PYTHONHASHSEED", "0"}}};

/// Complains of variables that are fixed.
void refuse_fixed(Parameters& keys, const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (name == "TMPDIR" || std::any_of(kFixed.begin(), kFixed.end(),
                                        [&](const auto& fixed) { return name == fixed.first; }))
      keys.complain("environment", fmt::format("'{}' is set by tempo; leave it out", name));
}

/// Complains of entries that are no files: their content could not count.
void expect_files(Parameters& keys, const std::vector<std::string>& files) {
  std::error_code ignored;
  for (const auto& file : files)
    if (!fs::is_regular_file(file, ignored))
      keys.complain("files", fmt::format("'{}' is no file", file));
}

/// What a command prints, without line breaks at its end. Settings are read many times in a run:
/// each command is asked once.
/// @throws Error if it fails
std::string printed_by(const process::Call& call, process::Limits limits) {
  constexpr double kMostSeconds = 30.0;  // to say a version
  limits.seconds = std::min(limits.seconds, kMostSeconds);
  static std::mutex mutex;
  static std::map<std::vector<std::string>, std::string> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(call.command); found != known.end()) return found->second;
  const auto end = process::run(call, limits, &stop_asked());
  if (end.outcome == process::Outcome::interrupted) throw Stopped("tempo was asked to stop");
  if (!process::is_success(end)) {
    const auto words = process::last_words(end.errors);
    throw Error(process::in_words(end, limits) + (words.empty() ? "" : ": " + words));
  }
  auto out = end.output;
  while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) out.pop_back();
  return known.emplace(call.command, std::move(out)).first->second;
}

}  // namespace

Settings::Settings(Parameters& keys) {
  command = keys.files("command", std::nullopt, "the program and its arguments");
  find_program(keys, "command", command);
  read_settings(keys);
  labels = choose(keys, "labels",
                  std::array{LabelUse::none, LabelUse::fit, LabelUse::infer, LabelUse::optional},
                  "what the program does with the diagnosis; none: it is not told");
  missing = choose(keys, "missing",
                   std::array{MissingData::refused, MissingData::marginal, MissingData::imputed},
                   "what the program does with missing values");
  is_persistent =
      keys.flag("persistent", false, "one process answers many cohorts, a line of JSON each");
  limits.seconds =
      keys.number("time_limit", 600.0, positive, "of a fit; then the program is ended", "s");
  const double memory =
      keys.number("memory_limit", 4096.0, positive, "of the program and all it starts", "MiB");
  limits.memory = static_cast<std::uint64_t>(std::min(memory * kMiB, 0x1p62));
  limits.processes = static_cast<std::size_t>(
      keys.integer("process_limit", 256, {.low = 1.0, .high = 4096.0}, "processes at a time"));
  environment_ =
      keys.texts("environment",
                 {{"PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "R_LIBS"}},
                 "variables that the program gets, where they are set");
  refuse_fixed(keys, environment_);
  expect_files(keys, keys.files("files", std::vector<std::string>{},
                                "further files on whose content results depend"));
  const auto command_of_version = keys.files("version_command", std::vector<std::string>{},
                                             "prints the version of what the program uses");
  find_version(keys, command_of_version);
  keep_failed = keys.flag("keep_failed", false, "leave the folder of a fit that failed");
  for (const auto* key : {"memory_limit", "process_limit", "keep_failed"}) keys.set_aside(key);
}

process::Call Settings::call(const std::string& folder) const {
  std::vector<std::string> environment;
  for (const auto& name : environment_)
    if (const char* value = std::getenv(name.c_str()))
      environment.push_back(fmt::format("{}={}", name, value));
  for (const auto& [name, value] : kFixed) environment.push_back(fmt::format("{}={}", name, value));
  environment.push_back("TMPDIR=" + folder);
  return {command, std::move(environment), folder};
}

void Settings::read_settings(Parameters& keys) {
  const auto* given = keys.raw("settings", "table", "what the program is told in task.json", "{}");
  if (given == nullptr) return;
  if (std::holds_alternative<ParameterTable>(given->value))
    settings = canonical_json(*given);
  else
    keys.complain("settings", fmt::format("'settings' must be a table, not {}", kind_of(*given)));
}

void Settings::find_program(Parameters& keys, const char* key,
                            const std::vector<std::string>& words) const {
  if (words.empty()) return keys.complain(key, fmt::format("'{}' names no program", key));
  const auto& name = words.front();
  const bool is_path = name.find('/') != std::string::npos;
  std::error_code ignored;
  if (is_path && fs::is_regular_file(name, ignored) && !is_executable(name))
    keys.complain(key, fmt::format("'{}': '{}' is not executable (chmod +x)", key, name));
  else if (is_path ? !is_executable(name) : !is_in_path(name))
    keys.complain(key, fmt::format("'{}': there is no program '{}' in PATH, nor beside the "
                                   "experiment",
                                   key, name));
}

void Settings::find_version(Parameters& keys, const std::vector<std::string>& command_of_version) {
  std::string found;
  if (!command_of_version.empty()) {
    const auto begin = keys.problems().size();
    find_program(keys, "version_command", command_of_version);
    if (keys.problems().size() == begin) {
      const process::ScratchFolder folder(kFolderOf);
      auto call_of_version = call(folder.path().string());
      call_of_version.command = command_of_version;
      try {
        found = printed_by(call_of_version, limits);
      } catch (const Stopped&) {
        throw;
      } catch (const Error& error) {
        keys.complain("version_command",
                      fmt::format("'version_command' fails: it {}", error.what()));
      }
    }
  }
  version = keys.text("version", found, "of the program; by default what 'version_command' prints");
  if (!found.empty() && version != found)
    keys.complain("version",
                  fmt::format("'version_command' prints '{}', 'version' is '{}'", found, version));
}

}  // namespace tempo::external
