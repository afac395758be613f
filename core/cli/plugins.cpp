// tempo plugins: what was found, what was refused and why, what a plugin takes; projects for new
// ones, and checks (new_plugin.cpp, check_plugin.cpp).

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/check_plugin.hpp"
#include "cli/help.hpp"
#include "cli/json_text.hpp"
#include "cli/new_plugin.hpp"
#include "data/names.hpp"
#include "model/printable.hpp"

namespace tempo::cli {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kPluginFormats{"text", "json", "markdown"};

constexpr InterfaceKind kKinds[] = {
    InterfaceKind::generative_process, InterfaceKind::inference_method,
    InterfaceKind::trainable_method,   InterfaceKind::stage_prior,
    InterfaceKind::measurement_model,  InterfaceKind::metric};

Json as_json(const ParameterSpec& spec) {
  return {{"key", spec.key},         {"type", spec.type}, {"default", spec.fallback},
          {"allowed", spec.allowed}, {"unit", spec.unit}, {"help", spec.help}};
}

/// Whether it says what it does with labels and missing values.
bool is_method(const PluginRecord& record) {
  return record.kind() == InterfaceKind::inference_method ||
         record.kind() == InterfaceKind::trainable_method;
}

bool is_usable(const PluginRecord& record) { return record.status == PluginRecord::Status::usable; }

Json as_json(const PluginRecord& record, const Registry& registry) {
  Json out;
  if (record.descriptor != nullptr) {
    const auto& plugin = *record.descriptor;
    out["id"] = plugin.id;
    out["kind"] = to_string(record.kind());
    out["version"] = plugin.version;
    out["licence"] = plugin.licence;
    out["summary"] = plugin.summary;
    out["source"] = plugin.source;
    if (is_method(record)) {
      out["labels"] = to_string(static_cast<LabelUse>(plugin.labels));
      out["missing_data"] = to_string(static_cast<MissingData>(plugin.missing));
    }
    out["parameters"] = Json::array();
    for (const auto& spec : record.parameters) out["parameters"].push_back(as_json(spec));
  }
  out["path"] = record.path.string();
  out["folder"] = registry.folders()[record.folder].origin;
  out["status"] = to_string(record.status);
  if (!record.problem.empty()) out["problem"] = record.problem;
  return out;
}

/// Which libraries a list shows.
enum class Listed { usable, all };

void print_json(const Registry& registry, Listed listed) {
  Json out;
  out["folders"] = Json::array();
  for (const auto& folder : registry.folders())
    out["folders"].push_back({{"path", folder.path.string()}, {"origin", folder.origin}});
  out["plugins"] = Json::array();
  for (const auto& record : registry.records())
    if (listed == Listed::all || is_usable(record))
      out["plugins"].push_back(as_json(record, registry));
  std::cout << json_text(out) << "\n";
}

void print_usable(const Registry& registry) {
  std::size_t id_width = 0, version_width = 0;
  for (const auto& record : registry.records()) {
    if (!is_usable(record)) continue;
    id_width = std::max(id_width, record.id.size());
    version_width = std::max(version_width, std::string_view(record.descriptor->version).size());
  }
  for (const auto kind : kKinds) {
    const auto ids = registry.usable_ids(kind);
    if (!ids.empty()) std::cout << to_string(kind) << "\n";
    for (const auto& id : ids) {
      const auto& plugin = *registry.find(kind, id)->descriptor;
      std::cout << fmt::format("  {:<{}}  {:<{}}  {}\n", id, id_width, plugin.version,
                               version_width, plugin.summary);
    }
  }
}

/// `stage prior`
std::string kind_in_words(InterfaceKind kind) {
  std::string words(to_string(kind));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

/// A table of usable plugins for a page.
void print_markdown_list(const Registry& registry) {
  std::cout << markdown_head({"Plugin", "Kind", "What it is"});
  for (const auto kind : kKinds)
    for (const auto& id : registry.usable_ids(kind))
      std::cout << markdown_row({fmt::format("`{}`", id), kind_in_words(kind),
                                 registry.find(kind, id)->descriptor->summary});
}

/// A table of a plugin's settings for its page.
void print_markdown_info(const PluginRecord& record) {
  if (record.parameters.empty()) {
    std::cout << "This plugin takes no settings.\n";
    return;
  }
  std::cout << markdown_head({"Key", "Type", "Default", "Range or choices", "Meaning"});
  for (const auto& spec : record.parameters)
    std::cout << markdown_row(
        {fmt::format("`{}`", spec.key), spec.type,
         spec.fallback.empty() ? "required" : fmt::format("`{}`", spec.fallback), spec.allowed,
         spec.help + (spec.unit.empty() ? "" : fmt::format(" [{}]", spec.unit))});
}

void print_list(const Registry& registry, Listed listed) {
  print_usable(registry);
  std::size_t refused = 0;
  for (const auto& record : registry.records()) {
    if (is_usable(record)) continue;
    ++refused;
    if (listed == Listed::usable) continue;
    if (refused == 1) std::cout << "not used\n";
    std::cout << fmt::format("  {}: {}: {}\n", printable(record.path.string(), ""),
                             to_string(record.status), record.problem);
  }
  std::cout << "searched, in this order\n";
  for (const auto& folder : registry.folders())
    std::cout << fmt::format("  {} ({})\n", printable(folder.path.string(), ""), folder.origin);
  if (refused > 0 && listed == Listed::usable)
    std::cout << fmt::format("{} not used; tempo plugins list --all says why\n",
                             counted(refused, "library"));
}

void print_info(const PluginRecord& record) {
  const auto& plugin = *record.descriptor;
  std::cout << fmt::format("{} '{}', version {}, licence {}\n  {}\n  source: {}\n  library: {}\n",
                           to_string(record.kind()), plugin.id, plugin.version, plugin.licence,
                           plugin.summary, plugin.source, record.path.string());
  if (is_method(record))
    std::cout << fmt::format("  labels: {}; missing values: {}\n",
                             to_string(static_cast<LabelUse>(plugin.labels)),
                             to_string(static_cast<MissingData>(plugin.missing)));
  if (record.parameters.empty()) std::cout << "  takes no settings\n";
  for (const auto& spec : record.parameters)
    std::cout << fmt::format("  {:<16} {}{}{}, {}: {}\n", spec.key, spec.type,
                             spec.allowed.empty() ? "" : " " + spec.allowed,
                             spec.unit.empty() ? "" : " [" + spec.unit + "]",
                             spec.fallback.empty() ? "required" : "default " + spec.fallback,
                             spec.help);
}

/// The usable plugin of that id. @throws InputError
const PluginRecord& find_plugin(const Options& options, const Registry& registry) {
  const auto id = options.argument("ID");
  const auto* record = registry.deciding(id);
  if (record != nullptr && is_usable(*record)) return *record;
  Problems problems;
  const auto place = command_line(options.command());
  if (record != nullptr) {
    problems.add(place, fmt::format("'{}' cannot be used: {} {}", id, record->path.string(),
                                    record->problem));
  } else {
    std::vector<std::string> known;
    for (const auto& other : registry.records()) known.push_back(other.id);
    problems.add(place, fmt::format("no plugin '{}'{} (tempo plugins list shows all)", id,
                                    did_you_mean(id, known)));
  }
  throw InputError(problems);
}

const std::vector<std::string> kActions{"list", "info", "new", "check"};

/// @throws InputError
void check_action(const Options& options) {
  const auto action = options.argument("ACTION");
  const auto place = command_line(options.command());
  Problems problems;
  if (std::find(kActions.begin(), kActions.end(), action) == kActions.end())
    problems.add(place, fmt::format("unknown action '{}'; expected {}{}", action, one_of(kActions),
                                    did_you_mean(action, kActions)));
  if (action == "list" && options.has("ID"))
    problems.add(place, "list takes no ID; tempo plugins info ID shows one plugin");
  if (action == "info" && !options.has("ID")) problems.add(place, "info needs the ID of a plugin");
  if (action != "new" && options.has("NAME"))
    problems.add(place, fmt::format("{} takes no '{}'", action, options.argument("NAME")));
  if (action == "new") expect_new_plugin(options, problems);
  if (action == "check") expect_check_options(options, problems);
  expect_format(options, problems);
  if (options.has("json") && !options.is_default("format"))
    problems.add(place, "give --format or --json, not both");
  problems.throw_if_any();
}

void add_plugins_options(Options& options) {
  add_registry_options(options);
  options.flag("all", "list: also show libraries that are not used, and why");
  options.choice("format", "F", kPluginFormats,
                 one_of(kPluginFormats) + "; 'markdown' is for a page: of info, the settings",
                 kPluginFormats.front());
  options.flag("json", "the same as --format json");
  add_new_plugin_options(options);
  add_check_options(options);
  options.positional("ACTION", kActions);
  options.optional_positional("ID");
  options.optional_positional("NAME");
}

void show_list(const Registry& registry, Listed listed, const std::string& format) {
  if (format == "json")
    print_json(registry, listed);
  else if (format == "markdown")
    print_markdown_list(registry);
  else
    print_list(registry, listed);
}

void show_info(const PluginRecord& record, const Registry& registry, const std::string& format) {
  if (format == "json")
    std::cout << json_text(as_json(record, registry)) << "\n";
  else if (format == "markdown")
    print_markdown_info(record);
  else
    print_info(record);
}

int plugins(const Options& options) {
  check_action(options);
  const auto action = options.argument("ACTION");
  if (action == "new") return new_plugin(options);
  if (action == "check") return check_plugin(options);
  const auto registry = open_registry(options);
  const auto format = options.has("json") ? "json" : options.get_text("format");
  if (action == "list")
    show_list(registry, options.has("all") ? Listed::all : Listed::usable, format);
  else
    show_info(find_plugin(options, registry), registry, format);
  return kOk;
}

}  // namespace

const Command plugins_command{"plugins",
                              "list [--all] | info ID | new KIND NAME [--folder FOLDER] | check "
                              "FILE|ID [--only CHECK] [--expected FILE] [--thorough]",
                              "show plugins and what each takes, begin a new one, check one",
                              {{"tempo plugins info sa_ebm", "the settings of one plugin"},
                               {"tempo plugins new method my_method", "a project to start from"}},
                              add_plugins_options,
                              plugins};

}  // namespace tempo::cli
