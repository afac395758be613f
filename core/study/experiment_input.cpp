#include "study/experiment_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

#include "results/fit_id.hpp"
#include "study/number_list.hpp"
#include "study/plugin_examples.hpp"

namespace tempo {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr const char* kTimeout = "timeout";
constexpr const char* kMemory = "memory";
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
/// @param if_none  gives the complaint if there is no table; empty: there need be none
std::vector<const ParameterTable*> tables_in(Parameters& keys, std::string_view key,
                                             std::string_view help,
                                             const std::function<std::string()>& if_none) {
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
  if (items->empty() && if_none) keys.complain(key, if_none());
  for (const auto& item : *items) {
    if (const auto* table = std::get_if<ParameterTable>(&item.value))
      tables.push_back(table);
    else
      keys.problems().add(item.place,
                          fmt::format("'{}' must hold tables, not {}", key, kind_of(item)));
  }
  return tables;
}

/// [cohorts] with a single number of `datasets` as the list that it is: 3 is "3".
ParameterTable with_listed_datasets(ParameterTable cohorts) {
  if (auto* datasets = cohorts.find("datasets"))
    if (const auto* number = std::get_if<std::int64_t>(&datasets->value))
      datasets->value = std::to_string(*number);
  return cohorts;
}

bool has_control_characters(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

/// Reads one point of a study from its table.
class Reader {
 public:
  Reader(const ParameterTable& table, const Registry& registry, Problems& problems)
      : table_(table),
        registry_(registry),
        problems_(problems),
        keys_(table, "the experiment", problems) {}

  ExperimentInput read(const std::string& name) {
    read_schema_and_seed();
    read_general(name);
    read_cohorts();
    read_hypotheses();
    read_methods();
    read_analysis();
    read_cluster_settings();
    keys_.raw("sweep", "table", "paths and the lists of values they take");
    keys_.raw("versions", "table", "written into experiment.lock.toml; not read");
    keys_.report_unread();
    for (const auto* key : {"schema", "seed"}) out_.resolved.set(key, *keys_.resolved().find(key));
    return std::move(out_);
  }

 private:
  Asked now(const Place& place) const { return {place, problems_.size()}; }

  void read_schema_and_seed() {
    const auto before = problems_.size();
    const auto schema = keys_.integer("schema", std::nullopt, any_number, "layout of this file: 1");
    if (problems_.size() == before && schema != kSchema)
      keys_.complain("schema", fmt::format("'schema' must be {}, not {}: this tempo reads only "
                                           "that layout",
                                           kSchema, schema));
    out_.general.seed = read_seed();
  }

  /// TOML has no integers of 64 bits without a sign: larger ones are given as text.
  std::uint64_t read_seed() {
    const auto* value = table_.find("seed");
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->value);
    constexpr const char* kHelp = "every random stream derives from it";
    if (text == nullptr || text->empty() || text->find_first_not_of("0123456789") != text->npos)
      return static_cast<std::uint64_t>(keys_.integer("seed", std::nullopt, non_negative, kHelp));
    keys_.raw("seed", "integer", kHelp);
    std::uint64_t seed = 0;
    const auto* const end = text->data() + text->size();
    if (std::from_chars(text->data(), end, seed).ec != std::errc())
      keys_.complain("seed", fmt::format("'seed' must be at most {}, not {}",
                                         std::numeric_limits<std::uint64_t>::max(), *text));
    return seed;
  }

  void read_general(const std::string& default_name) {
    const ParameterTable none;
    const auto* table = table_in(keys_, "experiment", "what this experiment is called");
    if (table == nullptr) table = &none;
    Parameters nested(*table, "[experiment]", problems_);
    auto& [seed, name, description, folder, keep_stage_posteriors] = out_.general;
    name = nested.text("name", default_name, "name of the run folder");
    if (name.find_first_of("/\\") != std::string::npos || name == "." || name == "..")
      nested.complain("name",
                      fmt::format("'name' must be usable as the name of a folder, not '{}'", name));
    description = nested.text("description", "", "free text");
    const auto start =
        nested.text("folder", ".", "where relative paths start, seen from this file");
    if (table->find("folder") != nullptr) folder = {start, now(nested.place_of("folder"))};
    keep_stage_posteriors = nested.flag("stage_posteriors", false,
                                        "store each participant's probability of each stage");
    nested.report_unread();
    auto resolved = nested.resolved();
    std::erase_if(resolved.entries, [](const auto& entry) { return entry.key == "folder"; });
    out_.resolved.set("experiment", {resolved.place, std::move(resolved)});
  }

  void read_cohorts() {
    const auto* table = table_in(keys_, "cohorts", "where the cohorts come from");
    if (table == nullptr) {
      if (keys_.resolved().find("cohorts") == nullptr)
        problems_.add(keys_.place_of("cohorts"), "missing table [cohorts]");
      return;
    }
    const auto cohorts = with_listed_datasets(*table);
    Parameters nested(cohorts, "[cohorts]", problems_);
    const auto source = nested.choice("source", "simulate", {"simulate", "folder", "table"},
                                      "draw cohorts from the hypotheses, read public ones, or read "
                                      "a real one");
    if (source == "simulate")
      out_.cohorts = read_simulated(*table, nested);
    else if (source == "folder")
      out_.cohorts = read_folder(*table, nested);
    else
      out_.cohorts = read_table(*table, nested);
    nested.report_unread();
    out_.resolved.set("cohorts", {table->place, nested.resolved()});
  }

  SimulatedCohortsInput read_simulated(const ParameterTable& table, Parameters& keys) {
    SimulatedCohortsInput out;
    out.simulation = read_simulation(table, keys);
    out.test = static_cast<std::size_t>(
        keys.integer("test", 50, {.low = 1, .high = 1'000'000}, "cohorts per hypothesis"));
    return out;
  }

  FolderCohortsInput read_folder(const ParameterTable& table, Parameters& keys) {
    FolderCohortsInput out;
    out.path.text = keys.text("path", std::nullopt, "folder with exp1, exp2, ...");
    out.path.asked = now(keys.place_of("path"));
    const auto datasets =
        keys.text("datasets", "all", "numbers of the cohorts to read, such as 0-19 or 0,2,5-7");
    if (datasets != "all") {
      out.numbers = parse_number_list(datasets);
      if (!out.numbers)
        keys.complain("datasets", fmt::format("'datasets' must be a list of numbers such as "
                                              "\"0-19\" or \"0,2,5-7\", not '{}'",
                                              datasets));
    }
    out.numbers_asked = now(keys.place_of("datasets"));
    if (table.find("biomarkers") != nullptr)
      out.simulation = read_simulation(table, keys);
    else
      keys.raw("biomarkers", "text", "what methods that are trained simulate");
    return out;
  }

  TableCohortInput read_table(const ParameterTable& table, Parameters& keys) {
    TableCohortInput out;
    out.path.text = keys.text("path", std::nullopt,
                              "a description as tempo import takes it (.toml), or a long CSV");
    out.path.asked = now(keys.place_of("path"));
    if (table.find("biomarkers") == nullptr) {
      keys.raw("biomarkers", "text", "what methods simulate or infer from");
      return out;
    }
    out.simulation = read_simulation(table, keys);
    if (out.simulation->biomarkers.text == kEstimate) {
      const auto healthy = keys.choice("healthy", "free", {"free", "fixed"},
                                       "whether the diseased have a say in what is before an "
                                       "event");
      out.healthy = healthy == "free" ? HealthyAre::free : HealthyAre::fixed;
    }
    out.biomarkers_needed = now(keys.place_of("biomarkers"));
    return out;
  }

  /// What cohorts are simulated from, and their size.
  SimulationInput read_simulation(const ParameterTable& table, Parameters& keys) {
    SimulationInput out;
    out.biomarkers.text =
        keys.text("biomarkers", std::nullopt, "a shipped table, or a path relative to this file");
    out.biomarkers.asked = now(keys.place_of("biomarkers"));
    const CohortSize fallback;
    const auto participants =
        keys.integer("participants", static_cast<std::int64_t>(fallback.participants),
                     {.low = 1, .high = 10'000'000}, "participants per cohort", "J");
    const auto healthy_ratio =
        keys.number("healthy_ratio", fallback.healthy_ratio,
                    {.low = 0.0, .high = 1.0, .high_open = true}, "share of healthy participants");
    if (table.find("participants") != nullptr)
      out.participants = static_cast<std::size_t>(participants);
    if (table.find("healthy_ratio") != nullptr) out.healthy_ratio = healthy_ratio;
    return out;
  }

  void read_hypotheses() {
    const bool may_lack = !std::holds_alternative<SimulatedCohortsInput>(out_.cohorts);
    const auto if_none = [&] {
      return "no [[hypothesis]]: expected at least one" + such_as_hypothesis(registry_);
    };
    const auto tables = tables_in(keys_, "hypothesis", "a hypothesis each",
                                  may_lack ? std::function<std::string()>() : if_none);
    out_.hypotheses_asked = now(keys_.place_of("cohorts"));
    if (tables.empty()) return;
    out_.hypotheses.emplace();
    for (const auto* table : tables)
      if (auto entry = read_entry(*table, "[[hypothesis]]", {}))
        out_.hypotheses->push_back(std::move(*entry));
    out_.resolved.set("hypothesis", {keys_.place_of("hypothesis"), ParameterValue::Array()});
  }

  void read_methods() {
    const auto tables = tables_in(keys_, "method", "an inference method each", [&] {
      return "no [[method]]: expected at least one" + such_as_method(registry_);
    });
    for (const auto* table : tables) {
      MethodInput method;
      method.kind = kind_of_method(*table);
      auto entry = read_entry(*table, "[[method]]", [&](Parameters& keys) {
        read_column_order(keys, method);
        read_diagnosis(*table, keys, method);
        read_limits(*table, keys, method.limits);
        method.train_on = read_train_on(*table, method.kind, keys);
        method.assume = read_assume(*table, method.kind, keys);
        method.hypotheses = read_restriction(keys);
      });
      if (!entry) continue;
      method.entry = std::move(*entry);
      out_.methods.push_back(std::move(method));
    }
    out_.methods_asked = now(keys_.place_of("method"));
    out_.resolved.set("method", {keys_.place_of("method"), ParameterValue::Array()});
  }

  void read_column_order(Parameters& keys, MethodInput& method) const {
    const auto name = keys.choice("column_order", "random", {"random", "alphabetical", "truth"},
                                  "order in which the method sees the biomarkers");
    method.column_order = name == "alphabetical" ? ColumnOrder::alphabetical
                          : name == "truth"      ? ColumnOrder::truth
                                                 : ColumnOrder::random;
    if (!out_.has_real_cohort()) return;
    if (method.column_order == ColumnOrder::truth)
      keys.complain("column_order",
                    "'column_order' cannot be 'truth': nobody knows that of a real cohort");
    method.bootstrap = keys.flag("bootstrap", true, "fit the replicates of [analysis], too");
  }

  void read_diagnosis(const ParameterTable& table, Parameters& keys, MethodInput& method) const {
    const auto* plugin = find(table, method.kind);
    if (plugin == nullptr ||
        static_cast<LabelUse>(plugin->descriptor->labels) != LabelUse::optional)
      return;
    method.withhold_diagnosis =
        keys.choice("diagnosis", "used", {"used", "withheld"},
                    "withheld: the method sees the cohort without it") == "withheld";
  }

  static void read_limits(const ParameterTable& table, Parameters& keys, FitLimits& limits) {
    constexpr double kMiB = 1024.0 * 1024.0;
    limits.seconds = keys.number(kTimeout, limits.seconds, positive,
                                 "of a fit in a process of its own; then it is ended", "s");
    const double memory =
        keys.number(kMemory, static_cast<double>(limits.memory) / kMiB, positive,
                    "that a fit in a process of its own may hold; then it is ended", "MiB");
    limits.memory = static_cast<std::uint64_t>(std::min(memory * kMiB, 0x1p62));
    limits.are_given = table.find(kTimeout) != nullptr || table.find(kMemory) != nullptr;
    // Results do not depend on them, and where none is given the plugin decides whether there is
    // one.
    for (const auto* key : {kTimeout, kMemory}) keys.set_aside(key);
  }

  /// The plugin of that kind which a [[method]] names, or null.
  const PluginRecord* find(const ParameterTable& table, InterfaceKind kind) const {
    const auto* value = table.find("plugin");
    const auto* plugin = value == nullptr ? nullptr : std::get_if<std::string>(&value->value);
    return plugin == nullptr ? nullptr : registry_.find(kind, *plugin);
  }

  /// A [[method]] names a plugin of either kind.
  InterfaceKind kind_of_method(const ParameterTable& table) const {
    const bool trains = find(table, InterfaceKind::trainable_method) != nullptr;
    return trains ? InterfaceKind::trainable_method : InterfaceKind::inference_method;
  }

  /// Absent for a method that is not trained.
  std::optional<TrainOnInput> read_train_on(const ParameterTable& table, InterfaceKind kind,
                                            Parameters& keys) const {
    const bool trains = kind == InterfaceKind::trainable_method;
    if (!trains && table.find("train_on") == nullptr) return std::nullopt;
    const auto* given =
        keys.raw("train_on", "text or list of texts", "what models learn from", "\"each\"");
    if (!trains) {
      // Of a plugin that is not found nobody knows: its name is fault enough.
      if (find(table, kind) != nullptr)
        keys.complain("train_on",
                      "'train_on' is for methods that are trained, and this one is not");
      return std::nullopt;
    }
    TrainOnInput out;
    out.asked = now(keys.place_of("train_on"));
    if (given == nullptr) return out;
    if (const auto* items = std::get_if<ParameterValue::Array>(&given->value)) {
      read_listed(*items, keys, out);
      return out;
    }
    const auto* word = std::get_if<std::string>(&given->value);
    if (word == nullptr) {
      out.kind = TrainOnInput::Kind::other;
      keys.complain("train_on",
                    fmt::format("'train_on' must be {}, not {}", kTrainOnForms, kind_of(*given)));
      return out;
    }
    out.kind = *word == "each"           ? TrainOnInput::Kind::each
               : *word == kAllHypotheses ? TrainOnInput::Kind::all
                                         : TrainOnInput::Kind::other;
    out.word = *word;
    return out;
  }

  void read_listed(const ParameterValue::Array& items, Parameters& keys, TrainOnInput& out) const {
    out.kind = TrainOnInput::Kind::listed;
    if (items.empty())
      keys.complain("train_on",
                    fmt::format("'train_on' names no hypothesis; expected {}", kTrainOnForms));
    out.listed = ids_in("train_on", items);
  }

  /// The texts of a list; complains of anything else.
  std::vector<AskedText> ids_in(const char* key, const ParameterValue::Array& items) const {
    std::vector<AskedText> ids;
    for (const auto& item : items) {
      if (const auto* id = std::get_if<std::string>(&item.value))
        ids.push_back({*id, now(item.place)});
      else
        problems_.add(item.place,
                      fmt::format("'{}' must hold ids of hypotheses, not {}", key, kind_of(item)));
    }
    return ids;
  }

  /// Absent for a method that is applied to all hypotheses.
  std::optional<std::vector<AskedText>> read_restriction(Parameters& keys) const {
    constexpr const char* kKey = "hypotheses";
    const auto* given =
        keys.raw(kKey, "list of texts", "hypotheses that it is applied to", "all of them");
    if (given == nullptr) return std::nullopt;
    const auto* items = std::get_if<ParameterValue::Array>(&given->value);
    if (items == nullptr)
      keys.complain(kKey, fmt::format("'hypotheses' must be a list of ids of hypotheses, not {}",
                                      kind_of(*given)));
    else if (items->empty())
      keys.complain(kKey,
                    "'hypotheses' names no hypothesis; to leave the method out, remove its "
                    "[[method]]");
    return items == nullptr ? std::vector<AskedText>() : ids_in(kKey, *items);
  }

  /// Absent for a method that assumes no hypothesis.
  std::optional<AssumeInput> read_assume(const ParameterTable& table, InterfaceKind kind,
                                         Parameters& keys) const {
    const auto* record = find(table, kind);
    const bool assumes = record != nullptr && record->descriptor->assumes_process != 0;
    if (!assumes && table.find("assume") == nullptr) return std::nullopt;
    const auto* given = keys.raw("assume", "text or table", "the hypothesis that is taken for true",
                                 std::string("\"") + kMatching + "\"");
    if (!assumes) {
      // Of a plugin that is not found nobody knows: its name is fault enough.
      if (record != nullptr)
        keys.complain("assume",
                      "'assume' is for methods that infer under a hypothesis, and this one "
                      "does not");
      return std::nullopt;
    }
    AssumeInput out{std::nullopt, keys.where(), now(keys.place_of("assume"))};
    const auto* name = given == nullptr ? nullptr : std::get_if<std::string>(&given->value);
    if (given != nullptr && (name == nullptr || *name != kMatching)) out.hypothesis = *given;
    return out;
  }

  void read_analysis() {
    const auto* table = table_in(keys_, "analysis", "what is asked of a real cohort");
    if (table == nullptr) return;
    if (!out_.has_real_cohort()) {
      keys_.complain("analysis",
                     "[analysis] is for a real cohort: expected source = \"table\" in [cohorts]");
      return;
    }
    Parameters nested(*table, "[analysis]", problems_);
    out_.bootstrap = static_cast<std::size_t>(
        nested.integer("bootstrap", 0, {.low = 0, .high = 100'000},
                       "replicates: participants drawn anew within healthy and diseased"));
    nested.report_unread();
    out_.resolved.set("analysis", {table->place, nested.resolved()});
  }

  /// Empty if none is given: people read the id.
  static std::string read_name(const ParameterTable& table, Parameters& keys) {
    constexpr const char* kHelp = "what tables, figures and the report call it";
    if (table.find("name") == nullptr) {
      keys.raw("name", "text", kHelp, "the id");
      return {};
    }
    auto name = keys.text("name", std::nullopt, kHelp);
    if (has_control_characters(name))
      keys.complain("name", "'name' must be one line of text without control characters");
    return name;
  }

  void read_cluster_settings() {
    const auto* table = table_in(keys_, "cluster", "what tempo submit asks a scheduler for");
    if (table == nullptr) return;
    Parameters nested(*table, "[cluster]", problems_);
    out_.cluster = read_cluster(nested);
    nested.report_unread();
    out_.resolved.set("cluster", {table->place, *table});
  }

  /// `plugin`, `id` and what `read_more` reads are tempo's; the rest are the plugin's settings.
  /// Absent if no plugin is named.
  std::optional<EntryInput> read_entry(const ParameterTable& table, const std::string& where,
                                       const std::function<void(Parameters&)>& read_more) const {
    Parameters keys(table, where, problems_);
    const auto plugin = keys.text("plugin", std::nullopt, "id of the plugin");
    const auto id = keys.text("id", plugin.empty() ? "unnamed" : plugin, "name in results");
    if (id.find_first_of("./\\") != std::string::npos)
      keys.complain("id",
                    fmt::format("'id' must be usable in paths of settings and folders, without "
                                "dots and slashes, not '{}'",
                                id));
    else if (has_control_characters(id))
      keys.complain("id", "'id' must be one line of text without control characters");
    const auto name = read_name(table, keys);
    if (read_more) read_more(keys);
    if (plugin.empty()) return std::nullopt;
    EntryInput out;
    out.id = id;
    out.name = name;
    out.part = {plugin, {table.place, {}}, keys.place_of("plugin")};
    out.where = fmt::format("{} '{}'", where, id);
    out.extra.place = table.place;
    const auto& own = keys.declared();
    for (const auto& spec : own) out.part.keys_of_tempo.push_back(spec.key);
    for (const auto& entry : table.entries)
      if (std::none_of(own.begin(), own.end(),
                       [&](const ParameterSpec& spec) { return spec.key == entry.key; }))
        out.part.settings.entries.push_back(entry);
    const auto stays_unsaid = [&](const std::string& key) {
      return table.find(key) == nullptr &&
             std::any_of(own.begin(), own.end(), [&](const ParameterSpec& spec) {
               return spec.key == key && spec.role == ParameterRole::aside;
             });
    };
    for (const auto& entry : keys.resolved().entries)
      if (entry.key != "plugin" && entry.key != "id" && !stays_unsaid(entry.key))
        out.extra.entries.push_back(entry);
    out.asked = now(table.place);
    return out;
  }

  const ParameterTable& table_;
  const Registry& registry_;
  Problems& problems_;
  Parameters keys_;
  ExperimentInput out_;
};

}  // namespace

ExperimentInput read_experiment(const ParameterTable& table, const std::string& name,
                                const Registry& registry, Problems& problems) {
  return Reader(table, registry, problems).read(name);
}

}  // namespace tempo
