#include "cli/new_plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>

#include "cli/command.hpp"
#include "cli/metric_option.hpp"
#include "cli/screen.hpp"
#include "data/installed_files.hpp"
#include "data/text_file.hpp"
#include "process/program.hpp"
#include "registry.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

/// `measurement_model` for `measurement-model`.
std::string kind_folder(std::string kind) {
  std::replace(kind.begin(), kind.end(), '-', '_');
  return kind;
}

/// `ReferenceRange` for `reference_range`.
std::string as_class(const std::string& id) {
  std::string out;
  bool starts_word = true;
  for (const char c : id) {
    if (c != '_')
      out += starts_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    starts_word = c == '_';
  }
  return out;
}

bool is_plugin_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// Whether a class can be called after it: a class begins with a letter.
bool names_a_class(const std::string& name) { return name.front() >= 'a' && name.front() <= 'z'; }

/// Targets that CMake and its generators have in every project.
constexpr std::array kTargetsOfCMake{"all",     "clean", "depend",  "edit_cache",    "help",
                                     "install", "ninja", "package", "rebuild_cache", "test"};

/// Complains of a name that something else has already.
void expect_free(const std::string& name, const Place& place, Problems& problems) {
  if (std::find(kTargetsOfCMake.begin(), kTargetsOfCMake.end(), name) != kTargetsOfCMake.end())
    problems.add(place, fmt::format("'{}' is a target of CMake; choose another name", name));
  for (const auto& folder : default_search_folders({}))
    if (const auto file = folder.path / (name + ".so"); fs::exists(file))
      problems.add(place, fmt::format("there is a plugin '{}' ({}), and one of the two would hide "
                                      "the other; choose another name",
                                      name, file.string()));
}

fs::path project_folder(const Options& options) {
  return options.has("folder") ? options.path("folder") : fs::path(options.argument("NAME"));
}

/// Who has the copyright: the name that git knows.
std::string authors() {
  const auto end = process::run({{"git", "config", "user.name"}}, {.seconds = 5.0});
  auto name = process::is_success(end) ? end.output : "";
  name.erase(std::find(name.begin(), name.end(), '\n'), name.end());
  return name.empty() ? "the authors" : name;
}

/// @throws Error
fs::path templates_folder() {
  const auto folder = installed_files() / "templates";
  if (!fs::is_directory(folder))
    throw Error(fmt::format("there are no templates in '{}'; install tempo anew", folder.string()));
  return folder;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string read_template(const fs::path& file) {
  Problems problems;
  const auto text = read_text_file(file, problems);
  problems.throw_if_any();
  return *text;
}

/// The files of a project by their paths in it, with the names filled in.
std::map<std::string, std::string> project_files(const std::string& kind, const std::string& name) {
  auto kind_in_words = kind;
  std::replace(kind_in_words.begin(), kind_in_words.end(), '-', ' ');
  const std::vector<std::pair<std::string, std::string>> values{{"@name@", name},
                                                                {"@Name@", as_class(name)},
                                                                {"@kind@", kind_in_words},
                                                                {"@authors@", authors()}};
  const auto templates = templates_folder();
  std::map<std::string, std::string> files;
  for (const auto& folder : {templates / "common", templates / kind_folder(kind)})  // the last wins
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.path().extension() != ".in") continue;
      auto text = read_template(entry.path());
      for (const auto& [what, by] : values) text = replaced(text, what, by);
      const auto path = fs::relative(entry.path(), folder).replace_extension().string();
      files[replaced(path, "NAME", name)] = text;
    }
  return files;
}

}  // namespace

std::vector<std::string> new_plugin_kinds() {
  return {"hypothesis", "measurement-model", "stage-prior", "method", "trainable-method", "metric"};
}

void add_new_plugin_options(Options& options) {
  options.text("folder", "FOLDER", "new: where the project goes (default: NAME)");
}

void expect_new_plugin(const Options& options, Problems& problems) {
  const auto place = command_line(options.command());
  const auto kinds = new_plugin_kinds();
  if (!options.has("ID") || !options.has("NAME")) {
    problems.add(place,
                 fmt::format("new needs a kind and a name: tempo plugins new KIND NAME, with "
                             "KIND {}",
                             one_of(kinds)));
    return;
  }
  if (const auto kind = options.argument("ID");
      std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    problems.add(place, fmt::format("unknown kind '{}'; expected {}{}", kind, one_of(kinds),
                                    did_you_mean(kind, kinds)));
  const auto name = options.argument("NAME");
  if (const auto known = known_metrics();
      options.argument("ID") == "metric" &&
      std::find(known.begin(), known.end(), name) != known.end())
    problems.add(place, fmt::format("'{}' is a metric of tempo; choose another name", name));
  if (is_plugin_name(name) && names_a_class(name))
    expect_free(name, place, problems);
  else
    problems.add(place, fmt::format("'{}' names no plugin; expected a letter from a to z, then "
                                    "letters from a to z, digits and _",
                                    name));
  if (const auto folder = project_folder(options); fs::exists(folder))
    problems.add(place, fmt::format("'{}' exists; remove it, or choose another with --folder",
                                    folder.string()));
}

int new_plugin(const Options& options) {
  const auto name = options.argument("NAME");
  const auto folder = project_folder(options);
  for (const auto& [path, text] : project_files(options.argument("ID"), name)) {
    const auto file = folder / path;
    fs::create_directories(file.parent_path());
    write_text_file(file, text);
  }
  const bool is_metric = options.argument("ID") == "metric";
  std::cout << fmt::format(
      "{0} holds the {1} '{2}'. To build, check and run it:\n"
      "  cd {3}\n"
      "  cmake -B build && cmake --build build\n"
      "  ctest --test-dir build\n"
      "  tempo run {2}.toml{4} --plugin-path build/lib/tempo/plugins\n"
      "Look for 'Your science goes here' in {2}.cpp: that is where to begin. Settings, tests and\n"
      "experiment are those of an example, and change with it.\n",
      folder.string(), options.argument("ID"), name, as_argument(folder.string()),
      is_metric ? fmt::format("\n  tempo results runs/{0} --metric {0}", name) : "");
  return kOk;
}

}  // namespace tempo::cli
