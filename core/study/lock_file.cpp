#include "study/lock_file.hpp"

#include "data/seen_from.hpp"
#include "data/toml_table.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

constexpr const char* kIntroduction =
    "# What was run, defaults filled in but where a sweep decides: tempo run takes this file again.\n";

/// `experiment.folder`, where relative paths of the experiment start; null where it names no files.
std::string* start_folder(ParameterTable& table) {
  auto* experiment = table.find("experiment");
  auto* entries = experiment == nullptr ? nullptr : std::get_if<ParameterTable>(&experiment->value);
  auto* folder = entries == nullptr ? nullptr : entries->find("folder");
  return folder == nullptr ? nullptr : std::get_if<std::string>(&folder->value);
}

}  // namespace

std::string lock_file(const Study& study, const Plan& plan, const fs::path& where) {
  auto table = study.lock;
  if (auto* folder = start_folder(table)) *folder = seen_from(where, *folder).string();
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
  return kIntroduction + to_toml(table);
}

std::string moved_lock_file(const std::string& text, const fs::path& from, const fs::path& to) {
  Problems faults;
  auto table = read_toml_text(text, "", faults);
  auto* folder = faults.empty() ? start_folder(table) : nullptr;
  if (folder == nullptr || fs::path(*folder).is_absolute()) return text;
  // Before `..` in it leads out of a folder that a link stands for.
  std::error_code failure;
  const auto real = fs::weakly_canonical(from, failure);
  auto moved = seen_from(to, (failure ? from : real) / *folder).string();
  if (moved == *folder) return text;
  *folder = std::move(moved);
  return kIntroduction + to_toml(table);
}

}  // namespace tempo
