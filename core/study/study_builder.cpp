#include "study/study_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "data/biomarker_file.hpp"
#include "data/seen_from.hpp"
#include "results/fit_id.hpp"
#include "study/plugin_examples.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

/// What entries of one kind are called, to refuse a name that people could take for another entry.
class ShownEntries {
 public:
  explicit ShownEntries(std::string_view what) : what_(what) {}

  void add(const EntryInput& entry, Problems& problems) {
    const auto& place = entry.asked.place;
    const auto& name = entry.name.empty() ? entry.id : entry.name;
    const auto [at, is_new] = entries_.emplace(name, std::pair(entry.id, place));
    const auto& [other, where] = at->second;
    if (!is_new && other != entry.id)  // one id given twice is a fault of its own
      problems.add(place,
                   fmt::format("{} '{}' is shown as '{}', as is '{}' at {}; give one of them "
                               "another name = \"...\"",
                               what_, entry.id, name, other, to_string(where)));
  }

 private:
  std::string_view what_;
  std::map<std::string, std::pair<std::string, Place>> entries_;  // by name: id and place
};

/// Ids in use, to refuse the second of a name.
class Ids {
 public:
  explicit Ids(std::string_view what) : what_(what) {}
  void add(const std::string& id, const Place& place, Problems& problems) {
    const auto [at, is_new] = places_.emplace(id, place);
    if (!is_new)
      problems.add(place, fmt::format("{} '{}' is already defined at {}; give one of them another "
                                      "id = \"...\"",
                                      what_, id, to_string(at->second)));
  }

 private:
  std::string_view what_;
  std::map<std::string, Place> places_;
};

/// What the lock file says of an entry.
ParameterTable lock_entry(const std::string& id, const PartSpec& part,
                          const ParameterTable& extra) {
  ParameterTable table{part.place, {}};
  table.set("id", {part.place, id});
  table.set("plugin", {part.place, part.plugin});
  for (const auto* source : {&extra, &part.settings})
    for (const auto& entry : source->entries) table.set(entry.key, entry.value);
  return table;
}

/// Where texts of a list name files, has them be seen from a folder: the reverse of
/// Registry::find_files_from.
void name_files_from(const fs::path& folder, ParameterValue& value) {
  auto* items = std::get_if<ParameterValue::Array>(&value.value);
  if (items == nullptr) return;
  for (auto& item : *items)
    if (auto* text = std::get_if<std::string>(&item.value);
        text != nullptr && fs::path(*text).is_absolute())
      if (std::error_code ignored; fs::is_regular_file(*text, ignored))
        *text = seen_from(folder, *text).string();
}

const char* source_name(const Experiment& experiment) {
  return experiment.has_real_cohort() ? "table" : "folder";
}

/// Builds one point of a study.
class PointBuilder {
 public:
  PointBuilder(const ExperimentInput& input, const Registry& registry, fs::path folder,
               BuiltCohorts cohorts, FaultsInOrder& faults)
      : input_(input),
        registry_(registry),
        folder_(std::move(folder)),
        faults_(faults),
        folder_groups_(std::move(cohorts.groups)),
        lock_(input.resolved) {
    out_.description = input.general.description;
    out_.seed = input.general.seed;
    out_.keep_stage_posteriors = input.general.keep_stage_posteriors;
    out_.cohorts = std::move(cohorts.settings);
    out_.analysis.bootstrap = input.bootstrap;
  }

  void build() {
    lock_cohorts();
    if (input_.hypotheses)
      add_hypotheses(*input_.hypotheses);
    else
      add_hypotheses_of_folder();
    for (const auto& method : input_.methods) add_method(method);
    if (input_.resolved.find("method") != nullptr)
      lock_.find("method")->value = std::move(lock_methods_);
    expect_simulation_is_used();
    if (out_.has_real_cohort()) add_real_cohort();
  }

  Experiment& experiment() { return out_; }
  ParameterTable& lock() { return lock_; }

 private:
  /// Fills in what could not be known without the files.
  void lock_cohorts() {
    auto* value = lock_.find("cohorts");
    if (value == nullptr) return;
    auto& table = std::get<ParameterTable>(value->value);
    const auto* real = out_.real_cohort();
    if (real != nullptr && real->simulation) {
      const auto& size = real->simulation->size;
      table.find("participants")->value = static_cast<std::int64_t>(size.participants);
      table.find("healthy_ratio")->value = size.healthy_ratio;
    }
    for (const auto* key : {"path", "biomarkers"})
      if (auto* entry = table.find(key); entry != nullptr && entry->place.line == 0)
        if (auto& path = std::get<std::string>(entry->value);
            !path.empty() && path != kEstimate && shipped_biomarkers_text(path).empty())
          path = seen_from(folder_, path).string();  // of the command line
  }

  // ---- hypotheses

  void add_hypotheses_of_folder() {
    const auto& asked = input_.hypotheses_asked;
    for (const auto& group : folder_groups_) {
      out_.hypotheses.push_back({group.id, {}});
      add_folder_group(group.id, asked.place, faults_.at(asked));
    }
  }

  void add_hypotheses(const std::vector<EntryInput>& entries) {
    Ids ids("hypothesis");
    ShownEntries shown("hypothesis");
    ParameterValue::Array lock;
    for (const auto& entry : entries) {
      auto& problems = faults_.at(entry.asked);
      const auto& place = entry.asked.place;
      const auto part = registry_.resolve_in(folder_, InterfaceKind::generative_process, entry.part,
                                             entry.where, problems);
      ids.add(entry.id, place, problems);
      shown.add(entry, problems);
      if (out_.has_real_cohort() && entry.id == kRealCohort)
        problems.add(place,
                     "a hypothesis with the id 'real' could not be told from the real "
                     "cohort: give it another id");
      for (const auto* taken : {kRealCohort, kAllHypotheses})
        if (entry.name == taken)
          problems.add(
              place, fmt::format("a hypothesis cannot be shown as '{}', which tables say "
                                 "of {}: give it another name = \"...\"",
                                 taken, taken == kRealCohort ? "real cohorts" : "all hypotheses"));
      out_.hypotheses.push_back({entry.id, part, entry.name});
      if (out_.folder() != nullptr)
        add_folder_group(entry.id, place, problems);
      else if (out_.simulates_cohorts())
        add_simulated_group();
      lock.push_back({place, lock_entry(entry.id, part, entry.extra)});
    }
    lock_.find("hypothesis")->value = std::move(lock);
  }

  /// A group of the latest hypothesis.
  CohortGroup& add_group() {
    out_.groups.push_back({out_.hypotheses.size() - 1, {}, {}});
    return out_.groups.back();
  }

  void add_simulated_group() {
    auto& numbers = add_group().numbers;
    numbers.resize(std::get<SimulatedCohortsInput>(input_.cohorts).test);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  }

  /// The cohorts of the latest hypothesis in the folder, complaining if there are none.
  void add_folder_group(const std::string& id, const Place& place, Problems& problems) {
    auto& added = add_group();
    std::vector<std::string> known;
    for (const auto& group : folder_groups_) {
      known.push_back(group.id);
      if (group.id != id) continue;
      added.files = group.files;
      for (const auto& file : group.files) added.numbers.push_back(file.number);
      if (group.files.empty())
        problems.add(place, fmt::format("'datasets' leaves no cohort of '{}'", id));
      return;
    }
    if (!folder_groups_.empty())
      problems.add(place, fmt::format("'{}' has no cohorts of hypothesis '{}'; it has {}{}",
                                      out_.folder()->path.string(), id, one_of(known),
                                      did_you_mean(id, known)));
  }

  void add_real_cohort() {
    CohortGroup real;
    real.numbers.resize(out_.analysis.bootstrap + 1);
    std::iota(real.numbers.begin(), real.numbers.end(), std::size_t{0});
    out_.groups.push_back(std::move(real));
  }

  // ---- methods

  void add_method(const MethodInput& input) {
    const auto& entry = input.entry;
    const auto& place = entry.asked.place;
    MethodEntry method;
    method.id = entry.id;
    method.name = entry.name;
    method.column_order = input.column_order;
    method.bootstrap = input.bootstrap;
    method.withhold_diagnosis = input.withhold_diagnosis;
    method.limits = input.limits;
    method.place = place;
    if (input.hypotheses) method.hypotheses = listed_hypotheses("hypotheses", *input.hypotheses);
    if (input.train_on) method.models = models_of(*input.train_on, entry.part.place);
    method.assumes_process = input.assume.has_value();
    if (input.assume && input.assume->hypothesis) find_assumed(*input.assume, method);
    auto& problems = faults_.at(entry.asked);
    method.part = registry_.resolve_in(folder_, input.kind, entry.part, entry.where, problems);
    method.distributions = registry_.distributions_of(input.kind, method.part);
    method_ids_.add(entry.id, place, problems);
    shown_methods_.add(entry, problems);
    method.shown_settings = method.part.settings;
    registry_.visit_files(input.kind, method.part.plugin, method.shown_settings,
                          [&](ParameterValue& value) { name_files_from(folder_, value); });
    auto line = lock_entry(entry.id, {method.part.plugin, method.shown_settings, method.part.place},
                           entry.extra);
    if (method.trains() && entry.extra.find("train_on") == nullptr)
      line.set("train_on", {place, std::string("each")});
    lock_methods_.push_back({place, std::move(line)});
    expect_hypotheses(method, input.kind, entry.asked);
    out_.methods.push_back(std::move(method));
  }

  /// Complains if there is nothing that the method could learn from or infer under.
  void expect_hypotheses(const MethodEntry& method, InterfaceKind kind, const Asked& asked) {
    auto& problems = faults_.at(asked);
    if (out_.has_real_cohort() && method.hypotheses && !method.assumes_matching())
      problems.add(asked.place,
                   fmt::format("[[method]] '{}' infers under no hypotheses of the experiment, so "
                               "that of a real cohort 'hypotheses' has none to choose from",
                               method.id));
    if (method.assumes_process) need_table(method.id + "' infers under", asked);
    if (out_.has_real_cohort() && out_.hypotheses.empty() &&
        (kind == InterfaceKind::trainable_method || method.assumes_matching()))
      problems.add(asked.place,
                   fmt::format("[[method]] '{}' {}, and there is no [[hypothesis]]: add those "
                               "that are to be considered{}",
                               method.id,
                               method.assumes_matching() ? "infers under hypotheses"
                                                         : "is trained on hypotheses",
                               such_as_hypothesis(registry_)));
    for (std::size_t h = 0; method.assumes_matching() && h < out_.hypotheses.size(); ++h)
      if (method.is_for(h))
        prepare_process(h, method.id + "' infers under", "name another with assume", asked);
    for (const auto& model : method.models)
      for (const auto h : model.hypotheses)
        prepare_process(h, method.id + "' is trained on", "leave it out of train_on", asked);
  }

  std::vector<std::string> hypothesis_ids() const {
    std::vector<std::string> ids;
    for (const auto& hypothesis : out_.hypotheses) ids.push_back(hypothesis.id);
    return ids;
  }

  /// The models that `train_on` asks for.
  /// @param plugin  where the plugin is named
  std::vector<ModelEntry> models_of(const TrainOnInput& input, const Place& plugin) {
    const auto ids = hypothesis_ids();
    auto& problems = faults_.at(input.asked);
    if (std::find(ids.begin(), ids.end(), kAllHypotheses) != ids.end())
      problems.add(plugin,
                   "a hypothesis with the id 'all' could not be told from a model that "
                   "learned from all of them: give it another id");
    std::vector<ModelEntry> models;
    switch (input.kind) {
      case TrainOnInput::Kind::each:
        for (std::size_t h = 0; h < ids.size(); ++h) models.push_back({ids[h], {h}});
        break;
      case TrainOnInput::Kind::all:
        models.push_back({kAllHypotheses, std::vector<std::size_t>(ids.size())});
        std::iota(models[0].hypotheses.begin(), models[0].hypotheses.end(), std::size_t{0});
        break;
      case TrainOnInput::Kind::listed:
        return listed_models(input.listed);
      case TrainOnInput::Kind::other:
        if (input.word) complain_of_word(*input.word, ids, input.asked.place, problems);
        break;
    }
    return models;
  }

  std::vector<ModelEntry> listed_models(const std::vector<AskedText>& listed) {
    std::vector<ModelEntry> models;
    for (const auto h : listed_hypotheses("train_on", listed))
      models.push_back({out_.hypotheses[h].id, {h}});
    return models;
  }

  /// The hypotheses that `key` lists; complains of what is none, or is named twice.
  std::vector<std::size_t> listed_hypotheses(const char* key,
                                             const std::vector<AskedText>& listed) {
    const auto ids = hypothesis_ids();
    std::vector<std::size_t> found;
    for (const auto& [id, asked] : listed) {
      const auto at = std::find(ids.begin(), ids.end(), id);
      const auto index = static_cast<std::size_t>(at - ids.begin());
      if (at == ids.end())
        faults_.at(asked).add(asked.place,
                              fmt::format("'{}' names '{}', which is no hypothesis of this "
                                          "experiment; expected {}{}",
                                          key, id, one_of(ids), did_you_mean(id, ids)));
      else if (std::find(found.begin(), found.end(), index) != found.end())
        faults_.at(asked).add(asked.place, fmt::format("'{}' names '{}' twice", key, id));
      else
        found.push_back(index);
    }
    return found;
  }

  static void complain_of_word(const std::string& word, const std::vector<std::string>& ids,
                               const Place& place, Problems& problems) {
    const bool is_id = std::find(ids.begin(), ids.end(), word) != ids.end();
    problems.add(place, fmt::format("'train_on' must be {}, not '{}'{}", kTrainOnForms, word,
                                    is_id ? fmt::format("; for one hypothesis write [\"{}\"]", word)
                                          : did_you_mean(word, {"each", kAllHypotheses})));
  }

  /// The hypothesis that `assume` names: one of the experiment, or a plugin.
  void find_assumed(const AssumeInput& input, MethodEntry& method) {
    const auto* name = std::get_if<std::string>(&input.hypothesis->value);
    for (const auto& hypothesis : out_.hypotheses)
      if (name != nullptr && hypothesis.id == *name && !hypothesis.part.plugin.empty()) {
        method.assumed = hypothesis.part;
        method.assumed_id = *name;
        return;
      }
    ParameterTable asked{input.asked.place, {}};
    asked.set("assume", *input.hypothesis);
    if (auto* table = std::get_if<ParameterTable>(&asked.find("assume")->value))
      if (const auto* id = table->find("plugin"); id && std::get_if<std::string>(&id->value))
        registry_.find_files_from(folder_, InterfaceKind::generative_process,
                                  std::get<std::string>(id->value), *table);
    Parameters keys(asked, input.where, faults_.at(input.asked), &registry_);
    method.assumed = keys.part("assume", InterfaceKind::generative_process, std::nullopt,
                               "the hypothesis that is taken for true");
    method.assumed_id = method.assumed.plugin;
  }

  /// Beside cohorts from files it is not yet known what the parameters of hypotheses are.
  /// @param who  METHOD' does-what-with, for messages
  bool need_table(const std::string& who, const Asked& asked) {
    const auto* simulation = out_.simulation();
    if (out_.simulates_cohorts() || (simulation != nullptr && !simulation->name.empty()))
      return true;
    if (complained_of_.insert(who).second)
      faults_.at(asked).add(
          asked.place,
          fmt::format("[[method]] '{} hypotheses: say what their parameters are beside "
                      "source = \"{}\", with biomarkers = \"{}\" (or a table of "
                      "your own) in [cohorts]",
                      who, source_name(out_), out_.has_real_cohort() ? "estimate" : "adni-12"));
    return false;
  }

  /// Beside a folder of cohorts it is not yet known how those of a hypothesis come about.
  /// @param who      METHOD' does-what-with, for messages
  /// @param way_out  what else to do, for messages
  void prepare_process(std::size_t h, const std::string& who, const std::string& way_out,
                       const Asked& asked) {
    if (out_.simulates_cohorts() || !need_table(who, asked)) return;
    auto& hypothesis = out_.hypotheses[h];
    if (!hypothesis.part.plugin.empty()) return;
    auto& problems = faults_.at(asked);
    const auto& place = asked.place;
    if (registry_.find(InterfaceKind::generative_process, hypothesis.id) == nullptr) {
      problems.add(place,
                   fmt::format("[[method]] '{} '{}', and no plugin of that name is found: add a "
                               "[[hypothesis]] with this id and the plugin to simulate, or {}",
                               who, hypothesis.id, way_out));
      return;
    }
    hypothesis.part =
        registry_.resolve(InterfaceKind::generative_process, {hypothesis.id, {place, {}}, place},
                          "[[hypothesis]]", problems);
  }

  void expect_simulation_is_used() {
    const auto* simulation = out_.simulation();
    if (out_.simulates_cohorts() || simulation == nullptr || simulation->name.empty()) return;
    const auto simulates = [](const MethodEntry& method) {
      return method.trains() || method.assumes_process;
    };
    if (std::any_of(out_.methods.begin(), out_.methods.end(), simulates)) return;
    const auto* folder = std::get_if<FolderCohortsInput>(&input_.cohorts);
    const auto& asked = folder != nullptr ? folder->simulation
                                          : std::get<TableCohortInput>(input_.cohorts).simulation;
    faults_.at(input_.methods_asked)
        .add(asked->biomarkers.asked.place,
             fmt::format("'biomarkers' beside source = \"{}\" is what methods are "
                         "trained on or infer from, but no [[method]] here does",
                         source_name(out_)));
  }

  const ExperimentInput& input_;
  const Registry& registry_;
  const fs::path folder_;  ///< where relative paths start
  FaultsInOrder& faults_;
  std::vector<FolderGroup> folder_groups_;
  Experiment out_;
  ParameterTable lock_;
  Ids method_ids_{"method"};
  ShownEntries shown_methods_{"method"};
  ParameterValue::Array lock_methods_;
  std::set<std::string> complained_of_;  // methods that lack a table of biomarkers
};

}  // namespace

StudyBuilder::Point StudyBuilder::build(const ExperimentInput& input, FaultsInOrder& faults) {
  auto folder = folder_;
  if (const auto& given = input.general.folder)
    folder =
        ((given->asked.place.line == 0 ? fs::path() : folder_) / given->text).lexically_normal();
  auto cohorts = CohortBuilder(folder, real_cohorts_, faults).build(input.cohorts);
  PointBuilder builder(input, registry_, folder, std::move(cohorts), faults);
  builder.build();
  return {std::move(builder.experiment()), std::move(builder.lock()), std::move(folder)};
}

}  // namespace tempo
