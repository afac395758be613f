#include "study/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "data/biomarker_file.hpp"
#include "data/content_key.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/toml_table.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kSchema = 1;
constexpr const char* kEstimate = "estimate";  // what `biomarkers` says of those of a real cohort
constexpr const char* kMatching = "matching";  // what `assume` calls the hypothesis of the cohorts

/// A nested table, or null; complains about anything else.
const ParameterTable* table_in(Parameters& keys, std::string_view key, std::string_view help) {
  const auto* value = keys.raw(key, "table", help);
  if (value == nullptr) return nullptr;
  const auto* table = std::get_if<ParameterTable>(&value->value);
  if (table == nullptr)
    keys.complain(key, fmt::format("'{}' must be a table, not {}", key, kind_of(*value)));
  return table;
}

/// The tables of [[key]]; complains about anything else.
/// @param if_none the complaint if there is no table; empty: there need be none.
std::vector<const ParameterTable*> tables_in(Parameters& keys, std::string_view key,
                                             std::string_view help, const std::string& if_none) {
  std::vector<const ParameterTable*> tables;
  const ParameterValue none{keys.place_of(key), ParameterValue::Array()};
  const auto* value = keys.raw(key, "list of tables", help);
  if (value == nullptr) value = &none;
  const auto* items = std::get_if<ParameterValue::Array>(&value->value);
  if (items == nullptr) {
    keys.complain(
        key, fmt::format("'{}' must be given as [[{}]], not as {}", key, key, kind_of(*value)));
    return tables;
  }
  if (items->empty() && !if_none.empty()) keys.complain(key, if_none);
  for (const auto& item : *items) {
    if (const auto* table = std::get_if<ParameterTable>(&item.value))
      tables.push_back(table);
    else
      keys.problems().add(item.place,
                          fmt::format("'{}' must hold tables, not {}", key, kind_of(item)));
  }
  return tables;
}

/// `0-4,7` -> 0, 1, 2, 3, 4, 7; nothing if it is no such list.
std::optional<std::set<std::size_t>> parse_numbers(const std::string& text) {
  std::set<std::size_t> numbers;
  std::size_t at = 0;
  const auto number = [&]() -> std::optional<std::size_t> {
    const auto start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    if (at == start || at - start > 6) return std::nullopt;
    return std::stoul(text.substr(start, at - start));
  };
  while (at < text.size()) {
    const auto first = number();
    if (!first) return std::nullopt;
    auto last = first;
    if (at < text.size() && text[at] == '-') {
      ++at;
      last = number();
      if (!last || *last < *first) return std::nullopt;
    }
    for (auto value = *first; value <= *last; ++value) numbers.insert(value);
    if (at == text.size()) break;
    if (text[at] != ',') return std::nullopt;
    ++at;
    while (at < text.size() && text[at] == ' ') ++at;
    if (at == text.size()) return std::nullopt;
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

/// Ids in use, to refuse the second of a name.
class Ids {
 public:
  explicit Ids(Problems& problems) : problems_(problems) {}
  void add(const std::string& id, const Place& place, std::string_view what) {
    const auto [at, is_new] = places_.emplace(id, place);
    if (!is_new)
      problems_.add(place, fmt::format("{} '{}' is already defined at {}; give one of them another "
                                       "id = \"...\"",
                                       what, id, to_string(at->second)));
  }

 private:
  Problems& problems_;
  std::map<std::string, Place> places_;
};

/// `h1` for the public `exp1`; any other folder names its hypothesis itself.
std::string hypothesis_of_folder(const std::string& folder) {
  for (int number = 1; number <= 9; ++number)
    if (const auto id = fmt::format("h{}", number); public_folder_name(id) == folder) return id;
  return folder;
}

/// A file that holds a real cohort, as it was read when a point of the study first named it.
struct ReadCohort {
  std::shared_ptr<const RealCohort> cohort;
  std::string key;
  Problems problems;
};
using ReadCohorts = std::map<fs::path, ReadCohort>;

/// Reads one point of a study from its table.
class PointReader {
 public:
  /// @param read what earlier points have read
  PointReader(const fs::path& file, const Registry& registry, ReadCohorts& read, Problems& problems)
      : folder_(file.has_parent_path() ? file.parent_path() : "."),
        registry_(registry),
        read_(read),
        problems_(problems) {}

  /// @param name what the experiment is called unless the table says otherwise.
  Experiment read(const ParameterTable& table, std::string& name) {
    Experiment out;
    Parameters keys(table, "the experiment", problems_, &registry_);
    const auto before = problems_.size();
    const auto schema = keys.integer("schema", std::nullopt, any_number, "layout of this file: 1");
    if (problems_.size() == before && schema != kSchema)
      keys.complain("schema", fmt::format("'schema' must be {}, not {}: this tempo reads only that "
                                          "layout",
                                          kSchema, schema));
    out.seed = static_cast<std::uint64_t>(
        keys.integer("seed", std::nullopt, non_negative, "every random stream derives from it"));
    read_general(keys, out, name);
    read_cohorts(keys, out);
    read_hypotheses(keys, out);
    read_methods(keys, out);
    read_analysis(keys, out);
    if (out.has_real_cohort()) add_real_cohort(out);
    keys.raw("sweep", "table", "paths and the lists of values they take");
    keys.raw("versions", "table", "written into experiment.lock.toml; not read");
    keys.report_unread();
    for (const auto* key : {"schema", "seed"}) resolved_.set(key, *keys.resolved().find(key));
    return out;
  }

  /// What was read, defaults filled in.
  const ParameterTable& resolved() const { return resolved_; }
  /// Where its relative paths start.
  const fs::path& folder() const { return folder_; }

 private:
  void read_general(Parameters& keys, Experiment& out, std::string& name) {
    const ParameterTable none;
    const auto* table = table_in(keys, "experiment", "what this experiment is called");
    if (table == nullptr) table = &none;
    Parameters nested(*table, "[experiment]", problems_);
    name = nested.text("name", name, "name of the run folder");
    if (name.find_first_of("/\\") != std::string::npos || name == "." || name == "..")
      nested.complain("name",
                      fmt::format("'name' must be usable as the name of a folder, not '{}'", name));
    out.description = nested.text("description", "", "free text");
    const auto start =
        nested.text("folder", ".", "where relative paths start, seen from this file");
    if (table->find("folder") != nullptr) folder_ = resolve(start, nested.place_of("folder"));
    out.keep_stage_posteriors = nested.flag("stage_posteriors", false,
                                            "store each participant's probability of each stage");
    nested.report_unread();
    auto resolved = nested.resolved();
    std::erase_if(resolved.entries, [](const auto& entry) { return entry.key == "folder"; });
    resolved_.set("experiment", {resolved.place, std::move(resolved)});
  }

  /// Paths in the file are relative to it, those on the command line to the current folder.
  fs::path base_folder(const Place& asked) const { return asked.line == 0 ? fs::path() : folder_; }

  fs::path resolve(const std::string& path, const Place& asked) const {
    return (base_folder(asked) / path).lexically_normal();
  }

  void read_cohorts(Parameters& keys, Experiment& out) {
    const auto* table = table_in(keys, "cohorts", "where the cohorts come from");
    if (table == nullptr) {
      if (keys.resolved().find("cohorts") == nullptr)
        problems_.add(keys.place_of("cohorts"), "missing table [cohorts]");
      return;
    }
    auto& cohorts = out.cohorts;
    Parameters nested(*table, "[cohorts]", problems_);
    const auto source = nested.choice("source", "simulate", {"simulate", "folder", "table"},
                                      "draw cohorts from the hypotheses, read public ones, or read "
                                      "a real one");
    if (source == "simulate") {
      cohorts.source = CohortSettings::Source::simulate;
      read_simulation(nested, cohorts);
      test_ = static_cast<std::size_t>(
          nested.integer("test", 50, {.low = 1, .high = 1'000'000}, "cohorts per hypothesis"));
    } else if (source == "table") {
      cohorts.source = CohortSettings::Source::table;
      read_real(*table, nested, cohorts);
    } else {
      cohorts.source = CohortSettings::Source::folder;
      const auto path = nested.text("path", std::nullopt, "folder with exp1, exp2, ...");
      if (!path.empty()) {
        cohorts.path = resolve(path, nested.place_of("path"));
        list_groups(cohorts.path, nested);
      }
      const auto datasets =
          nested.text("datasets", "all", "numbers of the cohorts to read, such as 0-19 or 0,2,5-7");
      if (datasets != "all") {
        const auto numbers = parse_numbers(datasets);
        if (numbers)
          restrict_groups(*numbers, nested);
        else
          nested.complain("datasets", fmt::format("'datasets' must be a list of numbers such as "
                                                  "\"0-19\" or \"0,2,5-7\", not '{}'",
                                                  datasets));
      }
      if (table->find("biomarkers") != nullptr)
        read_simulation(nested, cohorts);
      else
        nested.raw("biomarkers", "text", "what methods that are trained simulate");
    }
    nested.report_unread();
    auto resolved = nested.resolved();
    for (const auto* key : {"path", "biomarkers"})
      if (auto* value = resolved.find(key); value != nullptr && value->place.line == 0)
        if (auto& path = std::get<std::string>(value->value);
            !path.empty() && path != kEstimate && shipped_biomarkers_text(path).empty())
          path = fs::absolute(path).lexically_normal().string();  // of the command line
    resolved_.set("cohorts", {table->place, std::move(resolved)});
  }

  /// A real cohort, and what is simulated to learn from or inferred under beside it.
  void read_real(const ParameterTable& table, Parameters& keys, CohortSettings& cohorts) {
    const auto path = keys.text("path", std::nullopt,
                                "a description as tempo import takes it (.toml), or a long CSV");
    if (!path.empty()) {
      cohorts.path = resolve(path, keys.place_of("path"));
      find_real(keys, cohorts);
    }
    if (cohorts.real == nullptr) cohorts.real = std::make_shared<RealCohort>();
    cohorts.intake = cohorts.real->table.report();
    if (table.find("biomarkers") == nullptr) {
      keys.raw("biomarkers", "text", "what methods simulate or infer from");
      return;
    }
    const auto& cohort = cohorts.real->table.cohort;
    if (std::find(cohort.diseased.begin(), cohort.diseased.end(), 1) != cohort.diseased.end())
      cohorts.size = size_like(cohort);
    read_simulation(keys, cohorts);
    const bool is_readable = cohorts.real->table.cohort.biomarker_count() > 0;
    if (cohorts.biomarkers_name == kEstimate)
      estimate(keys, cohorts);
    else if (is_readable)
      restrict_biomarkers(cohorts);
  }

  void estimate(Parameters& keys, CohortSettings& cohorts) {
    const auto healthy = keys.choice("healthy", "free", {"free", "fixed"},
                                     "whether the diseased have a say in what is before an event");
    std::vector<std::string> faults;
    const auto found =
        estimate_biomarkers(cohorts.real->table.cohort,
                            healthy == "free" ? HealthyAre::free : HealthyAre::fixed, faults);
    for (const auto& fault : faults) keys.complain("biomarkers", fault);
    cohorts.biomarkers = table_of(found);
    if (faults.empty()) cohorts.not_separating = not_separating(found);
    cohorts.intake +=
        fmt::format("distributions before and after the event, estimated (healthy {})\n", healthy) +
        report(found);
  }

  void find_real(Parameters& keys, CohortSettings& cohorts) {
    if (std::error_code ignored; !fs::exists(cohorts.path, ignored)) {
      keys.complain(
          "path", fmt::format("no such file '{}' (a path is relative to {})", cohorts.path.string(),
                              keys.place_of("path").line == 0 ? "the current folder"
                                                              : "the file that names it"));
      return;
    }
    const auto [at, is_new] = read_.try_emplace(cohorts.path);
    auto& [cohort, key, faults] = at->second;
    if (is_new) {
      cohort = std::make_shared<RealCohort>(read_real_cohort(cohorts.path, faults));
      key = cohort_key(cohort->table.cohort);
    }
    problems_.append(faults);
    cohorts.real = cohort;
    cohorts.real_key = key;
  }

  /// Only what the cohort has can be inferred; it may have nothing that the table has not.
  void restrict_biomarkers(CohortSettings& cohorts) {
    const auto& names = cohorts.real->table.cohort.biomarkers;
    std::vector<Biomarker> kept;
    std::vector<std::string> left_out;
    auto missing = names;
    for (const auto& biomarker : cohorts.biomarkers) {
      if (std::erase(missing, biomarker.name) > 0)
        kept.push_back(biomarker);
      else
        left_out.push_back(biomarker.name);
    }
    if (cohorts.biomarkers.size() > 0 && !missing.empty())
      problems_.add(biomarkers_asked_,
                    fmt::format("the table '{}' lacks biomarkers of the cohort: {}; leave them out "
                                "of the cohort, or choose biomarkers = \"estimate\"",
                                cohorts.biomarkers_name, fmt::join(missing, ", ")));
    if (!left_out.empty() && missing.empty())
      cohorts.intake += fmt::format(
          "note: the cohort lacks biomarkers of the table '{}', which are left out: {}\n",
          cohorts.biomarkers_name, fmt::join(left_out, ", "));
    cohorts.biomarkers = BiomarkerTable(std::move(kept));
  }

  void read_analysis(Parameters& keys, Experiment& out) {
    const auto* table = table_in(keys, "analysis", "what is asked of a real cohort");
    if (table == nullptr) return;
    if (!out.has_real_cohort()) {
      keys.complain("analysis",
                    "[analysis] is for a real cohort: expected source = \"table\" in [cohorts]");
      return;
    }
    Parameters nested(*table, "[analysis]", problems_);
    out.analysis.bootstrap = static_cast<std::size_t>(
        nested.integer("bootstrap", 0, {.low = 0, .high = 100'000},
                       "replicates: participants drawn anew within healthy and diseased"));
    nested.report_unread();
    resolved_.set("analysis", {table->place, nested.resolved()});
  }

  void add_real_cohort(Experiment& out) {
    HypothesisEntry entry{kRealCohort, {}, {}, {}};
    for (std::size_t c = 0; c <= out.analysis.bootstrap; ++c) entry.cohorts.push_back(c);
    out.hypotheses.push_back(std::move(entry));
  }

  /// What cohorts are simulated from, and their size.
  void read_simulation(Parameters& keys, CohortSettings& cohorts) {
    cohorts.biomarkers_name =
        keys.text("biomarkers", std::nullopt, "a shipped table, or a path relative to this file");
    if (!cohorts.biomarkers_name.empty()) {
      biomarkers_asked_ = keys.place_of("biomarkers");
      const bool may_estimate = cohorts.source == CohortSettings::Source::table;
      const auto hint = did_you_mean(cohorts.biomarkers_name, {kEstimate});
      if (may_estimate && !hint.empty() && cohorts.biomarkers_name != kEstimate)
        keys.complain("biomarkers",
                      fmt::format("unknown biomarker table '{}'{}", cohorts.biomarkers_name, hint));
      else if (!may_estimate || cohorts.biomarkers_name != kEstimate)
        cohorts.biomarkers = find_biomarkers(
            cohorts.biomarkers_name, base_folder(biomarkers_asked_), biomarkers_asked_, problems_);
    }
    auto& [participants, healthy_ratio] = cohorts.size;
    participants = static_cast<std::size_t>(
        keys.integer("participants", static_cast<std::int64_t>(participants),
                     {.low = 1, .high = 10'000'000}, "participants per cohort", "J"));
    healthy_ratio =
        keys.number("healthy_ratio", healthy_ratio, {.low = 0.0, .high = 1.0, .high_open = true},
                    "share of healthy participants");
  }

  /// Finds the cohorts of each hypothesis in a folder.
  void list_groups(const fs::path& path, Parameters& keys) {
    if (std::error_code ignored; !fs::exists(path, ignored)) {
      keys.complain("path",
                    fmt::format("no such folder '{}' (a path is relative to {})", path.string(),
                                keys.place_of("path").line == 0 ? "the current folder"
                                                                : "the file that names it"));
      return;
    }
    for (const auto& file : list_public_cohorts(path, problems_)) {
      const auto id = hypothesis_of_folder(file.hypothesis);
      if (groups_.empty() || groups_.back().files.back().hypothesis != file.hypothesis) {
        for (const auto& group : groups_)
          if (group.id == id)
            keys.complain("path", fmt::format("'{}' and '{}' both hold cohorts of '{}'",
                                              group.files.front().hypothesis, file.hypothesis, id));
        groups_.push_back({id, {}, {}, {}});
      }
      groups_.back().cohorts.push_back(file.number);
      groups_.back().files.push_back(file);
    }
  }

  /// Keeps the cohorts of these numbers only; complains of numbers that no hypothesis has.
  void restrict_groups(const std::set<std::size_t>& numbers, Parameters& keys) {
    if (groups_.empty()) return;  // the folder has been complained of
    auto absent = numbers;
    for (const auto& group : groups_)
      for (const auto number : group.cohorts) absent.erase(number);
    if (!absent.empty()) {
      constexpr std::ptrdiff_t kShown = 5;
      const auto count = static_cast<std::ptrdiff_t>(absent.size());
      keys.complain("datasets",
                    fmt::format("'datasets' names {}{}, which no hypothesis in the folder has",
                                fmt::join(absent.begin(),
                                          std::next(absent.begin(), std::min(count, kShown)), ", "),
                                count > kShown ? fmt::format(" and {} more", count - kShown) : ""));
      return;
    }
    for (auto& group : groups_) {
      std::erase_if(group.files,
                    [&](const PublicDataset& file) { return !numbers.contains(file.number); });
      group.cohorts.clear();
      for (const auto& file : group.files) group.cohorts.push_back(file.number);
    }
  }

  /// The cohorts of a hypothesis in the folder, complaining if there are none.
  void read_group(const std::string& id, const fs::path& path, HypothesisEntry& entry,
                  const Place& asked) {
    std::vector<std::string> known;
    for (const auto& group : groups_) {
      known.push_back(group.id);
      if (group.id != id) continue;
      entry.cohorts = group.cohorts;
      entry.files = group.files;
      if (group.files.empty())
        problems_.add(asked, fmt::format("'datasets' leaves no cohort of '{}'", id));
      return;
    }
    if (!groups_.empty())
      problems_.add(asked, fmt::format("'{}' has no cohorts of hypothesis '{}'; it has {}{}",
                                       path.string(), id, one_of(known), did_you_mean(id, known)));
  }

  void read_hypotheses(Parameters& keys, Experiment& out) {
    const bool reads_folder = out.cohorts.source == CohortSettings::Source::folder;
    const auto tables =
        tables_in(keys, "hypothesis", "a hypothesis each",
                  reads_folder || out.has_real_cohort()
                      ? ""
                      : "no [[hypothesis]]: expected at least one, such as plugin = \"h1\"");
    if (tables.empty()) {
      out.hypotheses = groups_;
      for (auto& group : out.hypotheses)
        read_group(group.id, out.cohorts.path, group, keys.place_of("cohorts"));
      return;
    }
    Ids ids(problems_);
    ParameterValue::Array resolved;
    for (const auto* table : tables) {
      const auto [id, part, extra] = read_entry(*table, InterfaceKind::generative_process, {});
      if (id.empty()) continue;
      ids.add(id, table->place, "hypothesis");
      if (out.has_real_cohort() && id == kRealCohort)
        problems_.add(table->place,
                      "a hypothesis with the id 'real' could not be told from the real "
                      "cohort: give it another id");
      HypothesisEntry entry{id, part, {}, {}};
      if (reads_folder) {
        read_group(id, out.cohorts.path, entry, table->place);
      } else if (!out.has_real_cohort()) {
        for (std::size_t cohort = 0; cohort < test_; ++cohort) entry.cohorts.push_back(cohort);
      }
      out.hypotheses.push_back(std::move(entry));
      resolved.push_back({table->place, resolved_entry(id, part, extra)});
    }
    resolved_.set("hypothesis", {keys.place_of("hypothesis"), std::move(resolved)});
  }

  void read_methods(Parameters& keys, Experiment& out) {
    const auto tables =
        tables_in(keys, "method", "an inference method each",
                  "no [[method]]: expected at least one, such as plugin = \"debm\"");
    Ids ids(problems_);
    ParameterValue::Array resolved;
    bool any_simulates = false;
    for (const auto* table : tables) {
      MethodEntry method;
      const auto kind = kind_of_method(*table);
      const auto [id, part, extra] = read_entry(*table, kind, [&](Parameters& entry) {
        const auto name =
            entry.choice("column_order", "random", {"random", "alphabetical", "truth"},
                         "order in which the method sees the biomarkers");
        method.column_order = name == "alphabetical" ? ColumnOrder::alphabetical
                              : name == "truth"      ? ColumnOrder::truth
                                                     : ColumnOrder::random;
        if (out.has_real_cohort()) {
          if (method.column_order == ColumnOrder::truth)
            entry.complain("column_order",
                           "'column_order' cannot be 'truth': nobody knows that of a real cohort");
          method.bootstrap = entry.flag("bootstrap", true, "fit the replicates of [analysis], too");
        }
        method.models = read_train_on(*table, kind, out, entry);
        read_assume(*table, kind, out, entry, method);
      });
      if (id.empty()) continue;
      ids.add(id, table->place, "method");
      method.id = id;
      method.part = part;
      auto line = resolved_entry(id, part, extra);
      any_simulates = any_simulates || method.trains() || method.assumes_process;
      if (method.assumes_process) need_table(method.id + "' infers under", table->place, out);
      if (out.has_real_cohort() && out.hypotheses.empty() &&
          (kind == InterfaceKind::trainable_method || method.assumes_matching()))
        problems_.add(table->place,
                      fmt::format("[[method]] '{}' {}, and there is no [[hypothesis]]: add those "
                                  "that are to be considered, such as plugin = \"h1\"",
                                  id,
                                  method.assumes_matching() ? "infers under hypotheses"
                                                            : "is trained on hypotheses"));
      for (std::size_t h = 0; method.assumes_matching() && h < out.hypotheses.size(); ++h)
        prepare_process(h, method.id + "' infers under", "name another with assume", table->place,
                        out);
      for (const auto& model : method.models)
        for (const auto h : model.hypotheses)
          prepare_process(h, method.id + "' is trained on", "leave it out of train_on",
                          table->place, out);
      if (method.trains()) {
        if (extra.find("train_on") == nullptr)
          line.set("train_on", {table->place, std::string("each")});
      }
      out.methods.push_back(std::move(method));
      resolved.push_back({table->place, std::move(line)});
    }
    resolved_.set("method", {keys.place_of("method"), std::move(resolved)});
    const bool simulates = out.cohorts.source == CohortSettings::Source::simulate;
    if (!simulates && !out.cohorts.biomarkers_name.empty() && !any_simulates)
      problems_.add(biomarkers_asked_,
                    fmt::format("'biomarkers' beside source = \"{}\" is what methods are "
                                "trained on or infer from, but no [[method]] here does",
                                source_name(out.cohorts)));
  }

  /// A [[method]] names a plugin of either kind.
  InterfaceKind kind_of_method(const ParameterTable& table) const {
    const auto* value = table.find("plugin");
    const auto* plugin = value == nullptr ? nullptr : std::get_if<std::string>(&value->value);
    const bool trains =
        plugin != nullptr && registry_.find(InterfaceKind::trainable_method, *plugin) != nullptr;
    return trains ? InterfaceKind::trainable_method : InterfaceKind::inference_method;
  }

  /// The hypothesis that `assume` names, for a method that infers under one.
  void read_assume(const ParameterTable& table, InterfaceKind kind, const Experiment& experiment,
                   Parameters& keys, MethodEntry& method) {
    const auto* plugin = table.find("plugin");
    const auto* id = plugin == nullptr ? nullptr : std::get_if<std::string>(&plugin->value);
    const auto* record = id == nullptr ? nullptr : registry_.find(kind, *id);
    method.assumes_process =
        id != nullptr && kind == InterfaceKind::inference_method && registry_.assumes_process(*id);
    if (!method.assumes_process && table.find("assume") == nullptr) return;
    const auto* given = keys.raw("assume", "text or table", "the hypothesis that is taken for true",
                                 std::string("\"") + kMatching + "\"");
    if (!method.assumes_process) {
      // Of a plugin that is not found nobody knows: its name is fault enough.
      if (record != nullptr)
        keys.complain("assume",
                      "'assume' is for methods that infer under a hypothesis, and this one "
                      "does not");
      return;
    }
    const auto* name = given == nullptr ? nullptr : std::get_if<std::string>(&given->value);
    if (given == nullptr || (name != nullptr && *name == kMatching)) return;
    for (const auto& hypothesis : experiment.hypotheses)
      if (name != nullptr && hypothesis.id == *name && !hypothesis.part.plugin.empty()) {
        method.assumed = hypothesis.part;
        method.assumed_id = *name;
        return;
      }
    ParameterTable asked{table.place, {}};
    asked.set("assume", *given);
    Parameters nested(asked, keys.where(), problems_, &registry_);
    method.assumed = nested.part("assume", InterfaceKind::generative_process, std::nullopt,
                                 "the hypothesis that is taken for true");
    method.assumed_id = method.assumed.plugin;
  }

  /// The models that `train_on` asks for; none for a method that is not trained.
  std::vector<ModelEntry> read_train_on(const ParameterTable& table, InterfaceKind kind,
                                        const Experiment& experiment, Parameters& keys) {
    constexpr const char* kExpected = "\"each\", \"all\" or a list of ids of hypotheses";
    const auto read = [&] {
      return keys.raw("train_on", "text or list of texts", "what models learn from", "\"each\"");
    };
    std::vector<ModelEntry> models;
    if (kind != InterfaceKind::trainable_method) {
      if (table.find("train_on") == nullptr) return models;
      read();
      // Of a plugin that is not found nobody knows: its name is fault enough.
      const auto* plugin = keys.resolved().find("plugin");
      const auto* id = plugin == nullptr ? nullptr : std::get_if<std::string>(&plugin->value);
      if (id != nullptr && registry_.find(kind, *id) != nullptr)
        keys.complain("train_on",
                      "'train_on' is for methods that are trained, and this one is not");
      return models;
    }
    const auto* given = read();
    std::vector<std::string> ids;
    for (const auto& hypothesis : experiment.hypotheses) ids.push_back(hypothesis.id);
    const auto add = [&](std::size_t hypothesis) {
      models.push_back({ids[hypothesis], {hypothesis}});
    };
    if (std::find(ids.begin(), ids.end(), kTrainedOnAll) != ids.end())
      keys.complain("plugin",
                    "a hypothesis with the id 'all' could not be told from a model that "
                    "learned from all of them: give it another id");
    const auto* items =
        given == nullptr ? nullptr : std::get_if<ParameterValue::Array>(&given->value);
    if (items != nullptr) {
      if (items->empty())
        keys.complain("train_on",
                      fmt::format("'train_on' names no hypothesis; expected {}", kExpected));
      for (const auto& item : *items) {
        const auto* id = std::get_if<std::string>(&item.value);
        const auto at = id == nullptr ? ids.end() : std::find(ids.begin(), ids.end(), *id);
        if (id == nullptr)
          problems_.add(item.place, fmt::format("'train_on' must hold ids of hypotheses, not {}",
                                                kind_of(item)));
        else if (at == ids.end())
          problems_.add(
              item.place,
              fmt::format("'train_on' names '{}', which is no hypothesis of this experiment; "
                          "expected {}{}",
                          *id, one_of(ids), did_you_mean(*id, ids)));
        else if (std::any_of(models.begin(), models.end(),
                             [&](const ModelEntry& model) { return model.trained_on == *id; }))
          problems_.add(item.place, fmt::format("'train_on' names '{}' twice", *id));
        else
          add(static_cast<std::size_t>(at - ids.begin()));
      }
      return models;
    }
    const auto* word = given == nullptr ? nullptr : std::get_if<std::string>(&given->value);
    if (given == nullptr || (word != nullptr && *word == "each")) {
      for (std::size_t h = 0; h < ids.size(); ++h) add(h);
    } else if (word != nullptr && *word == kTrainedOnAll) {
      models.push_back({kTrainedOnAll, std::vector<std::size_t>(ids.size())});
      std::iota(models[0].hypotheses.begin(), models[0].hypotheses.end(), std::size_t{0});
    } else {
      const bool is_id = word != nullptr && std::find(ids.begin(), ids.end(), *word) != ids.end();
      keys.complain(
          "train_on",
          fmt::format("'train_on' must be {}, not {}{}", kExpected,
                      word == nullptr ? std::string(kind_of(*given)) : "'" + *word + "'",
                      is_id ? fmt::format("; for one hypothesis write [\"{}\"]", *word)
                            : did_you_mean(word == nullptr ? "" : *word, {"each", "all"})));
    }
    return models;
  }

  static const char* source_name(const CohortSettings& cohorts) {
    return cohorts.source == CohortSettings::Source::table ? "table" : "folder";
  }

  /// Beside cohorts from files it is not yet known what the parameters of hypotheses are.
  /// @param who  METHOD' does-what-with, for messages
  bool need_table(const std::string& who, const Place& asked, const Experiment& experiment) {
    if (experiment.cohorts.source == CohortSettings::Source::simulate ||
        !experiment.cohorts.biomarkers_name.empty())
      return true;
    if (complained_of_.insert(who).second)
      problems_.add(asked,
                    fmt::format("[[method]] '{} hypotheses: say what their parameters are beside "
                                "source = \"{}\", with biomarkers = \"{}\" (or a table of "
                                "your own) in [cohorts]",
                                who, source_name(experiment.cohorts),
                                experiment.has_real_cohort() ? "estimate" : "adni-12"));
    return false;
  }

  /// Beside a folder of cohorts it is not yet known how those of a hypothesis come about.
  /// @param who  METHOD' does-what-with, for messages
  /// @param way_out  what else to do, for messages
  void prepare_process(std::size_t h, const std::string& who, const std::string& way_out,
                       const Place& asked, Experiment& experiment) {
    if (experiment.cohorts.source == CohortSettings::Source::simulate) return;
    if (!need_table(who, asked, experiment)) return;
    auto& hypothesis = experiment.hypotheses[h];
    if (!hypothesis.part.plugin.empty()) return;
    if (registry_.find(InterfaceKind::generative_process, hypothesis.id) == nullptr) {
      problems_.add(asked,
                    fmt::format("[[method]] '{} '{}', and no plugin of that name is found: add a "
                                "[[hypothesis]] with this id and the plugin to simulate, or {}",
                                who, hypothesis.id, way_out));
      return;
    }
    hypothesis.part =
        registry_.resolve(InterfaceKind::generative_process, {hypothesis.id, {asked, {}}, asked},
                          "[[hypothesis]]", problems_);
  }

  struct Entry {
    std::string id;
    PartSpec part;
    ParameterTable extra;  ///< what the engine reads beyond id and plugin
  };

  /// `plugin`, `id` and what `read_more` reads are the engine's; the rest are the plugin's
  /// settings.
  Entry read_entry(const ParameterTable& table, InterfaceKind kind,
                   const std::function<void(Parameters&)>& read_more) {
    const auto where = kind == InterfaceKind::generative_process ? "[[hypothesis]]" : "[[method]]";
    Parameters keys(table, where, problems_);
    const auto plugin = keys.text("plugin", std::nullopt, "id of the plugin");
    const auto id = keys.text("id", plugin.empty() ? "unnamed" : plugin, "name in results");
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    if (id.find_first_of("./\\") != std::string::npos)
      keys.complain("id",
                    fmt::format("'id' must be usable in paths of settings and folders, without "
                                "dots and slashes, not '{}'",
                                id));
    else if (std::any_of(id.begin(), id.end(), is_control))
      keys.complain("id", "'id' must be one line of text without control characters");
    auto extra = ParameterTable{table.place, {}};
    if (read_more) read_more(keys);
    PartSpec part{plugin, {table.place, {}}, keys.place_of("plugin")};
    const auto& own = keys.declared();
    for (const auto& entry : table.entries)
      if (std::none_of(own.begin(), own.end(),
                       [&](const ParameterSpec& spec) { return spec.key == entry.key; }))
        part.settings.entries.push_back(entry);
    for (const auto& entry : keys.resolved().entries)
      if (entry.key != "plugin" && entry.key != "id") extra.entries.push_back(entry);
    if (plugin.empty()) return {};
    part = registry_.resolve(kind, part, fmt::format("{} '{}'", where, id), problems_);
    return {id, std::move(part), std::move(extra)};
  }

  static ParameterTable resolved_entry(const std::string& id, const PartSpec& part,
                                       const ParameterTable& extra) {
    ParameterTable table{part.place, {}};
    table.set("id", {part.place, id});
    table.set("plugin", {part.place, part.plugin});
    for (const auto* source : {&extra, &part.settings})
      for (const auto& entry : source->entries) table.set(entry.key, entry.value);
    return table;
  }

  fs::path folder_;
  const Registry& registry_;
  ReadCohorts& read_;
  Problems& problems_;
  ParameterTable resolved_;
  Place biomarkers_asked_;
  std::set<std::string> complained_of_;  // methods that lack a table of biomarkers
  std::size_t test_ = 0;
  std::vector<HypothesisEntry> groups_;  // what a folder holds
};

/// Whether a point names files that are not shipped.
bool names_files(const CohortSettings& cohorts) {
  return cohorts.source != CohortSettings::Source::simulate ||
         shipped_biomarkers_text(cohorts.biomarkers_name).empty();
}

/// Faults of `file` in the order of its lines, then all others: of --set, of files it names.
void append_in_order(const Problems& found, const std::string& file, Problems& problems) {
  auto all = found.all();
  const auto rank = [&](const Problem& problem) {
    const bool own = problem.place.file == file;
    return own ? std::tuple(0, problem.place.line, problem.place.column)
               : std::tuple(1, std::size_t{0}, std::size_t{0});
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
  for (auto& problem : all) problems.add(problem.place, std::move(problem.message));
}

/// The points of a sweep repeat most of the file, and so its faults: say each once.
void append_new(const Problems& found, Problems& problems) {
  for (const auto& [place, message] : found.all()) {
    const auto same = [&, &place = place, &message = message](const Problem& known) {
      return known.message == message && to_string(known.place) == to_string(place);
    };
    if (std::none_of(problems.all().begin(), problems.all().end(), same))
      problems.add(place, message);
  }
}

/// What a lock file's [versions] says about tempo and the plugins that does not hold here.
std::vector<std::string> changed_versions(const ParameterTable& experiment,
                                          const Registry& registry) {
  std::vector<std::string> warnings;
  const auto* value = experiment.find("versions");
  const auto* versions = value == nullptr ? nullptr : std::get_if<ParameterTable>(&value->value);
  if (versions == nullptr) return warnings;
  for (const auto& [name, place, entry] : versions->entries) {
    const auto* then = std::get_if<std::string>(&entry.value);
    std::string now;
    if (name == "tempo") now = TEMPO_VERSION;
    const auto space = name.find(' ');
    for (const auto kind : {InterfaceKind::stage_prior, InterfaceKind::measurement_model,
                            InterfaceKind::generative_process, InterfaceKind::inference_method,
                            InterfaceKind::trainable_method})
      if (space != std::string::npos && name.substr(0, space) == to_string(kind))
        if (const auto* record = registry.find(kind, name.substr(space + 1)))
          now = record->descriptor->version;
    if (then != nullptr && !now.empty() && *then != now)
      warnings.push_back(fmt::format("{}: made with {} {}, here is {}: numbers may differ",
                                     to_string(place), name, *then, now));
  }
  return warnings;
}

std::string as_text(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  return canonical_json(value);
}

}  // namespace

std::size_t Experiment::fits_per_cohort(const MethodEntry& method) const {
  if (method.trains()) return method.models.size();
  return has_real_cohort() && method.assumes_matching() ? hypotheses.size() - 1 : 1;
}

std::string_view to_string(ColumnOrder order) {
  switch (order) {
    case ColumnOrder::random:
      return "random";
    case ColumnOrder::alphabetical:
      return "alphabetical";
    case ColumnOrder::truth:
      return "truth";
  }
  return "unknown";
}

Study read_study(const fs::path& file, const std::vector<Override>& overrides,
                 const Registry& registry, Problems& problems) {
  const auto table = read_toml(file, problems);
  return problems.empty() ? study_from(table, file, overrides, registry, problems) : Study();
}

Study study_from(ParameterTable table, const fs::path& file, const std::vector<Override>& overrides,
                 const Registry& registry, Problems& problems) {
  Study study;
  study.name = file.stem().string();
  study.warnings = changed_versions(table, registry);
  Problems faults;
  for (const auto& override : overrides) apply(override, table, faults);
  const auto points = sweep_points(table, faults);
  ReadCohorts read;
  for (const auto& override : points.front()) study.axes.push_back(override.path);
  for (const auto& point : points) {
    auto point_table = table;
    Problems found;
    for (const auto& override : point) apply(override, point_table, found);
    PointReader reader(file, registry, read, found);
    auto experiment = reader.read(point_table, study.name);
    for (const auto& override : point) experiment.axis_values.push_back(as_text(override.value));
    if (study.points.empty()) study.lock = reader.resolved();
    if (names_files(experiment.cohorts)) {
      ParameterValue start;
      start.value = fs::absolute(reader.folder()).lexically_normal().string();
      std::get<ParameterTable>(study.lock.find("experiment")->value)
          .set("folder", std::move(start));
    }
    study.points.push_back(std::move(experiment));
    append_new(found, faults);
  }
  // What a sweep changes may change the defaults of all that stands beside it: leave them open.
  for (const auto& path : study.axes)
    if (auto* entry = find_entry(study.lock, path))
      if (const auto* given = find_entry(table, path)) *entry = *given;
  if (const auto* sweep = table.find("sweep")) study.lock.set("sweep", *sweep);
  append_in_order(faults, file.string(), problems);
  return study;
}

}  // namespace tempo
