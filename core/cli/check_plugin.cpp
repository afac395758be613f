#include "cli/check_plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_text.hpp"
#include "cli/screen.hpp"
#include "conformance/check.hpp"
#include "conformance/expected.hpp"
#include "conformance/measured.hpp"
#include "conformance/runner.hpp"
#include "conformance/subject.hpp"
#include "data/names.hpp"
#include "process/program.hpp"
#include "process/scratch_folder.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

/// The plugin that is asked for: an id, or the file of a library.
struct Asked {
  std::string id;
  std::vector<std::string> folders;  ///< to search first
};

Asked asked_plugin(const Options& options) {
  const auto name = options.argument("ID");
  Asked out{name, options.list("plugin-path")};
  const fs::path file(name);
  if (file.extension() != ".so" && name.find('/') == std::string::npos) return out;
  Problems problems;
  if (!fs::is_regular_file(file))
    problems.add(command_line(options.command()),
                 fmt::format("there is no library '{}'; expected a file made by tempo_add_plugin, "
                             "or the id of a plugin",
                             name));
  problems.throw_if_any();
  out.id = file.stem().string();
  out.folders.insert(out.folders.begin(), fs::absolute(file).parent_path().string());
  return out;
}

Registry registry_of(const Asked& asked) {
  return Registry(
      default_search_folders(std::vector<fs::path>(asked.folders.begin(), asked.folders.end())));
}

/// Complains unless some folder has a library of that name; loads none.
void expect_library(const Options& options, const Asked& asked) {
  std::vector<std::string> known;
  const auto registry = registry_of(asked);
  for (const auto& folder : registry.folders()) {
    std::error_code not_there;
    for (const auto& entry : fs::directory_iterator(folder.path, not_there))
      if (entry.path().extension() == ".so") known.push_back(entry.path().stem().string());
  }
  if (std::find(known.begin(), known.end(), asked.id) != known.end()) return;
  Problems problems;
  problems.add(command_line(options.command()),
               fmt::format("no plugin '{}'{} (tempo plugins list shows all)", asked.id,
                           did_you_mean(asked.id, known)));
  throw InputError(problems);
}

conformance::Expectations expectations(const Options& options) {
  Problems problems;
  conformance::Expectations out;
  if (options.has("expected"))
    out = conformance::read_expectations(options.path("expected"), problems);
  problems.throw_if_any();
  return out;
}

/// The checks that are about a kind and asked for.
std::vector<const conformance::Check*> chosen(const Options& options, InterfaceKind kind) {
  const auto only = options.list("only");
  std::vector<const conformance::Check*> out;
  for (const auto& check : conformance::all_checks()) {
    const bool is_named = std::find(only.begin(), only.end(), check.id) != only.end();
    if (!check.is_about(kind) || (!only.empty() && !is_named)) continue;
    if (check.is_thorough && !options.has("thorough") && !is_named) continue;
    out.push_back(&check);
  }
  return out;
}

/// Complains of checks that are asked for and are not about the plugin's kind.
void expect_about(const Options& options, InterfaceKind kind) {
  Problems problems;
  for (const auto& id : options.list("only"))
    if (!conformance::find_check(id)->is_about(kind))
      problems.add(command_line(options.command()),
                   fmt::format("check '{}' is not about a {}", id, to_string(kind)));
  problems.throw_if_any();
}

/// The command that repeats one check.
std::string command_of(const Options& options, const conformance::Check& check) {
  auto out = fmt::format("tempo plugins check {} --only {}", as_argument(options.argument("ID")),
                         check.id);
  for (const auto& folder : options.list("plugin-path"))
    out += " --plugin-path " + as_argument(folder);
  if (options.has("expected")) out += " --expected " + as_argument(options.get_text("expected"));
  return out;
}

void print_result(const Options& options, const conformance::Result& result) {
  const auto& check = *result.check;
  std::cout << fmt::format("{}  {:<14}  {}\n", check.id, to_string(result.outcome), check.demand);
  const auto detail = [](const std::string& text) { std::cout << "     " << text << "\n"; };
  if (result.outcome == conformance::Outcome::not_applicable) {
    detail("it " + result.text);
  } else if (!result.text.empty()) {
    detail(result.text);
  }
  if (result.expected)
    detail(is_fault(result) ? fmt::format("listed as expected ({}), and it did not fail: take it "
                                          "off the list",
                                          *result.expected)
                            : "expected: " + *result.expected);
  if (!is_fault(result)) return;
  if (!result.cohort.empty()) detail("cohort: " + result.cohort.string());
  detail("alone:  " + command_of(options, check));
  detail(fmt::format("page:   docs/reference/conformance.md, {}", check.id));
}

std::size_t count_of(const std::vector<conformance::Result>& results,
                     conformance::Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [&](const conformance::Result& result) { return result.outcome == outcome; }));
}

void print_sum(const std::vector<conformance::Result>& results) {
  std::string sum;
  for (const auto outcome :
       {conformance::Outcome::passed, conformance::Outcome::failed, conformance::Outcome::crashed,
        conformance::Outcome::timed_out, conformance::Outcome::not_applicable})
    if (const auto count = count_of(results, outcome); count > 0)
      sum += fmt::format("{}{} {}", sum.empty() ? "" : ", ", count, to_string(outcome));
  const auto expected =
      std::count_if(results.begin(), results.end(), [](const conformance::Result& result) {
        return result.expected.has_value() && !is_fault(result);
      });
  if (expected > 0) sum += fmt::format("; {} of them as expected", expected);
  std::cout << fmt::format("{}: {}\n", counted(results.size(), "check"), sum);
}

Json as_json(const Options& options, const conformance::Result& result) {
  Json out{{"id", result.check->id},
           {"demand", result.check->demand},
           {"outcome", to_string(result.outcome)},
           {"text", result.text},
           {"seconds", result.seconds},
           {"counts", is_fault(result)},
           {"alone", command_of(options, *result.check)}};
  if (result.expected) out["expected"] = *result.expected;
  if (!result.cohort.empty()) out["cohort"] = result.cohort.string();
  return out;
}

/// What is on file of expected failures.
void mark_expected(conformance::Result& result, const conformance::Expectations& expected) {
  if (const auto* reason = expected.reason(result.check->id)) result.expected = *reason;
}

int verdict(const std::vector<conformance::Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const conformance::Result& r) { return is_fault(r); })
             ? kFailed
             : kOk;
}

/// Tells of a plugin that cannot be loaded: no check can be run.
int unusable(const Options& options, const conformance::Loaded& loaded) {
  if (options.has("json"))
    std::cout << json_text({{"plugin", options.argument("ID")}, {"problem", loaded.problem}})
              << "\n";
  else
    std::cout << fmt::format("{}: {}\n", options.argument("ID"), loaded.problem);
  return kFailed;
}

/// Settings that have to be given: parts are chosen for the author.
std::vector<std::string> needed_settings(const PluginRecord& record) {
  std::vector<std::string> out;
  for (const auto& spec : record.parameters)
    if (spec.fallback.empty() && !spec.part) out.push_back(spec.key);
  return out;
}

/// ` (found 'comand')`: what somebody may have taken for a setting; or nothing.
std::string found_instead(const std::string& key, const std::vector<std::string>& given) {
  const auto near = nearest(key, given);
  return near.empty() ? "" : fmt::format(" (found '{}')", near);
}

/// Complains of settings that a plugin cannot do without and nobody gave.
/// @throws InputError
void expect_settings(const Options& options, const conformance::Loaded& loaded,
                     const conformance::Expectations& expected) {
  Problems problems;
  std::vector<std::string> given;
  for (const auto& entry : expected.settings.entries) given.push_back(entry.key);
  for (const auto& key : loaded.needed)
    if (expected.settings.find(key) == nullptr)
      problems.add(
          options.has("expected") ? Place{options.get_text("expected")}
                                  : command_line(options.command()),
          fmt::format("'{}' needs the setting '{}': give it under [settings] in a file for "
                      "--expected{}",
                      asked_plugin(options).id, key, found_instead(key, given)));
  problems.throw_if_any();
}

/// Checks in processes of their own.
int check_apart(const Options& options) {
  const auto asked = asked_plugin(options);
  expect_library(options, asked);
  const auto expected = expectations(options);
  const process::ScratchFolder scratch("check");
  conformance::ChildRuns runs{.command = {process::kThisProgram, "plugins", "check", asked.id,
                                          "--in-process", "--scratch", scratch.path().string()},
                              .scratch = scratch.path(),
                              .seconds = static_cast<double>(options.get<int>("timeout")),
                              .memory = static_cast<std::uint64_t>(options.get<int>("memory"))
                                        << 20U,
                              .jobs = jobs(options),
                              .stop = &stop_on_interrupt()};
  for (const auto& folder : asked.folders)
    runs.command.insert(runs.command.end(), {"--plugin-path", folder});
  if (options.has("expected"))
    runs.command.insert(runs.command.end(), {"--expected", options.get_text("expected")});
  const auto loaded = conformance::load_in_child(runs);
  if (!loaded.is_usable) return unusable(options, loaded);
  expect_about(options, loaded.kind);
  expect_settings(options, loaded, expected);

  const bool is_json = options.has("json");
  if (!is_json)
    std::cout << fmt::format("{} '{}', version {}\n", to_string(loaded.kind), asked.id,
                             loaded.version);
  auto results = conformance::run_in_children(chosen(options, loaded.kind), runs,
                                              [&](conformance::Result result) {
                                                mark_expected(result, expected);
                                                if (!is_json) print_result(options, result);
                                                std::cout.flush();
                                              });
  for (auto& result : results) mark_expected(result, expected);
  if (is_json) {
    Json out{{"plugin", asked.id},
             {"kind", to_string(loaded.kind)},
             {"version", loaded.version},
             {"checks", Json::array()},
             {"ok", verdict(results) == kOk}};
    for (const auto& result : results) out["checks"].push_back(as_json(options, result));
    std::cout << json_text(out) << "\n";
  } else {
    print_sum(results);
  }
  return verdict(results);
}

/// Checks in this process: for debuggers, and as the child of another tempo.
int check_here(const Options& options) {
  const auto asked = asked_plugin(options);
  expect_library(options, asked);
  const auto registry = registry_of(asked);
  const double start = conformance::processor_seconds();
  const auto* record = registry.deciding(asked.id);
  const double load_seconds = conformance::processor_seconds() - start;
  const bool is_usable = record->status == PluginRecord::Status::usable;
  const conformance::Loaded loaded{
      is_usable, record->problem, is_usable ? record->kind() : InterfaceKind{},
      is_usable ? record->descriptor->version : "",
      is_usable ? needed_settings(*record) : std::vector<std::string>()};
  const bool is_child = options.has("scratch");
  if (is_child) conformance::leave(loaded, options.path("scratch"));
  if (!is_usable) return is_child ? kOk : unusable(options, loaded);
  if (is_child && !options.has("only")) return kOk;

  auto expected = expectations(options);
  expect_settings(options, loaded, expected);
  registry.find_files_from(options.path("expected").parent_path(), record->kind(), record->id,
                           expected.settings);
  std::optional<process::ScratchFolder> own;
  const auto scratch = is_child ? options.path("scratch") : own.emplace("check").path();
  conformance::Subject subject(registry, *record, expected.settings, scratch);
  subject.load_seconds = load_seconds;
  subject.draws_on_file = expected.draws;
  std::vector<conformance::Result> results;
  for (const auto* check : chosen(options, loaded.kind)) {
    results.push_back(conformance::run_here(*check, subject));
    mark_expected(results.back(), expected);
    if (is_child)
      conformance::leave(results.back(), scratch);
    else
      print_result(options, results.back());
  }
  if (!is_child) print_sum(results);
  return is_child ? kOk : verdict(results);
}

std::string kinds_in_words(const conformance::Check& check) {
  std::vector<std::string> kinds;
  for (const auto kind : check.kinds) {
    kinds.emplace_back(to_string(kind));
    std::replace(kinds.back().begin(), kinds.back().end(), '_', ' ');
  }
  return fmt::format("{}", fmt::join(kinds, ", "));
}

int list_checks(const Options& options) {
  const auto format = options.has("json") ? "json" : options.get_text("format");
  Json all = Json::array();
  for (const auto& check : conformance::all_checks()) {
    if (format == "json")
      all.push_back({{"id", check.id},
                     {"demand", check.demand},
                     {"way", check.way},
                     {"thorough", check.is_thorough}});
    else if (format == "markdown")
      std::cout << fmt::format("### `{}`\n\n**{}** {}\n\nAbout: {}.{}\n\n", check.id, check.demand,
                               check.way, kinds_in_words(check),
                               check.is_thorough ? " With `--thorough` only." : "");
    else
      std::cout << fmt::format("{}  {}{}\n", check.id, check.demand,
                               check.is_thorough ? " (--thorough)" : "");
  }
  if (format == "json") std::cout << json_text(all) << "\n";
  return kOk;
}

}  // namespace

void add_check_options(Options& options) {
  options.texts("only", "CHECK", "check: this check and no other (repeatable)");
  options.text("expected", "FILE", "check: failures that are in order, with reasons (TOML)");
  options.flag("thorough", "check: also whether posteriors are as sure as they should be: minutes");
  options.flag("in-process", "check: in this process, for a debugger; nothing limits it");
  options.number<int>("timeout", "SECONDS", "check: a check may take, ten times that if thorough",
                      60);
  options.number<int>("memory", "MIB", "check: a check may hold", 4096);
  options.text("scratch", "FOLDER", "check: with --in-process, leave what is found here as JSON");
  add_jobs_option(options, "check: checks at a time (default: one per core that tempo may use)");
}

void expect_check_options(const Options& options, Problems& problems) {
  const auto place = command_line(options.command());
  std::vector<std::string> ids;
  for (const auto& check : conformance::all_checks()) ids.emplace_back(check.id);
  for (const auto& id : options.list("only"))
    if (conformance::find_check(id) == nullptr)
      problems.add(place, fmt::format("unknown check '{}'{} (tempo plugins check lists all)", id,
                                      did_you_mean(id, ids)));
  if (options.has("scratch") && !options.has("in-process"))
    problems.add(place, "--scratch goes with --in-process");
  expect_between(options, "timeout", 1, 86'400, problems);
  expect_between(options, "memory", 64, 1 << 20, problems);
}

int check_plugin(const Options& options) {
  if (!options.has("ID")) return list_checks(options);
  try {
    return options.has("in-process") ? check_here(options) : check_apart(options);
  } catch (const Stopped&) {
    std::cerr << "stopped; the checks that were under way are gone\n";
    return kInterrupted;
  }
}

}  // namespace tempo::cli
