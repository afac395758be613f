#include "registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <cstdlib>

#include "library.hpp"
#include "model/fault_text.hpp"
#include "model/printable.hpp"
#include "part_recorder.hpp"

namespace tempo {
namespace fs = std::filesystem;

NotApplicable::NotApplicable(const std::string& method, const std::string& hypothesis,
                             std::string why)
    : PluginError(
          fmt::format("plugin {} cannot infer under hypothesis '{}': {}", method, hypothesis, why)),
      why_(std::move(why)) {}

namespace {

std::vector<fs::path> split_paths(const char* list) {
  std::vector<fs::path> paths;
  std::string text = list == nullptr ? "" : list;
  std::size_t start = 0;
  while (start <= text.size()) {
    const auto end = std::min(text.find(':', start), text.size());
    if (end > start) paths.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return paths;
}

fs::path user_data_folder() {
  if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg != '\0') return xdg;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".local" / "share";
  return {};
}

/// Where texts of a list name files, seen from a folder, has them do so from anywhere.
void make_absolute(ParameterValue& value, const fs::path& folder) {
  auto* items = std::get_if<ParameterValue::Array>(&value.value);
  if (items == nullptr) return;
  for (auto& item : *items)
    if (auto* text = std::get_if<std::string>(&item.value))
      if (std::error_code ignored; fs::is_regular_file(folder / *text, ignored))
        *text = fs::absolute(folder / *text).lexically_normal().string();
}

/// Reads the declaration of a plugin's settings, from no settings at all.
std::vector<ParameterSpec> declared_parameters(const PluginDescriptor& descriptor) {
  const ParameterTable none;
  Problems ignored;  // required keys are missing, of course
  Parameters keys(none, descriptor.id, ignored);
  PluginMessage message{};
  if (descriptor.declare(&keys, &message) != 0)
    throw PluginError(fmt::format("fails to declare its settings: {}", message.text));
  for (const auto& spec : keys.declared()) {
    const auto setting = "its setting '" + printable(spec.key, "") + "'";
    for (const auto* text :
         {&spec.key, &spec.type, &spec.fallback, &spec.allowed, &spec.unit, &spec.help})
      expect_text(setting, *text);
    for (const auto& text : spec.choices) expect_text(setting, text);
  }
  return keys.declared();
}

std::string heading(InterfaceKind kind, const std::string& id) {
  return fmt::format("{} '{}'", to_string(kind), id);
}

}  // namespace

std::string_view to_string(PluginRecord::Status status) {
  switch (status) {
    case PluginRecord::Status::usable:
      return "usable";
    case PluginRecord::Status::shadowed:
      return "shadowed";
    case PluginRecord::Status::failed:
      return "failed";
  }
  return "unknown";
}

std::vector<SearchFolder> default_search_folders(const std::vector<fs::path>& explicit_paths) {
  std::vector<SearchFolder> folders;
  const auto add = [&](const fs::path& path, const char* origin, bool must_exist) {
    const auto same = [&](const SearchFolder& folder) {
      std::error_code failure;
      return folder.path == path || fs::equivalent(folder.path, path, failure);
    };
    if (std::none_of(folders.begin(), folders.end(), same))
      folders.push_back({path, origin, must_exist});
  };
  for (const auto& path : explicit_paths) add(path, "--plugin-path", true);
  for (const auto& path : split_paths(std::getenv("TEMPO_PLUGIN_PATH")))
    add(path, "TEMPO_PLUGIN_PATH", true);
  if (const auto data = user_data_folder(); !data.empty())
    add(data / "tempo" / "plugins", "user folder", false);
  const auto program_folder = fs::path(boost::dll::program_location().string()).parent_path();
  const auto own =
      (program_folder / ".." / TEMPO_LIBRARY_FOLDER / "tempo" / "plugins").lexically_normal();
  add(own, "program", false);
  for (auto& folder : folders) {
    std::error_code absent;
    folder.comes_with_tempo = folder.path == own || fs::equivalent(folder.path, own, absent);
  }
  return folders;
}

Registry::Registry(std::vector<SearchFolder> folders) : folders_(std::move(folders)) {
  for (std::size_t folder = 0; folder < folders_.size(); ++folder) list(folder);
  completed_ = std::vector<std::once_flag>(records_.size());
}

void Registry::list(std::size_t folder) {
  const auto& [path, origin, must_exist, comes_with_tempo] = folders_[folder];
  std::error_code failure;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (entry->path().extension() == ".so") files.push_back(entry->path());
  if (failure == std::errc::not_a_directory)
    warnings_.push_back(fmt::format(
        "{}: '{}' is not a folder; name the folder that holds the plugin", origin, path.string()));
  else if (failure && (must_exist || failure != std::errc::no_such_file_or_directory))
    warnings_.push_back(
        fmt::format("{}: cannot search '{}': {}", origin, path.string(), failure.message()));
  std::sort(files.begin(), files.end());

  for (const auto& file : files) {
    PluginRecord record;
    record.path = file;
    record.id = file.stem().string();
    record.folder = folder;
    const auto first =
        std::find_if(records_.begin(), records_.end(),
                     [&](const PluginRecord& other) { return other.id == record.id; });
    if (first != records_.end()) {
      record.status = PluginRecord::Status::shadowed;
      record.problem = printable(
          fmt::format("gives way to '{}', which comes earlier in the search", first->path.string()),
          "");
    }
    records_.push_back(std::move(record));
  }
}

const PluginRecord& Registry::completed(std::size_t index) const {
  auto& record = records_[index];
  std::call_once(completed_[index], [&] {
    if (record.status == PluginRecord::Status::shadowed) return;
    try {
      const auto& descriptor = load_descriptor(record.path, !comes_with_tempo(record));
      record.parameters = declared_parameters(descriptor);
      record.descriptor = &descriptor;
      record.status = PluginRecord::Status::usable;
    } catch (const std::exception& error) {
      record.problem = printable(fault_text(error), "");
    }
  });
  return record;
}

const std::vector<PluginRecord>& Registry::records() const {
  for (std::size_t i = 0; i < records_.size(); ++i) completed(i);
  return records_;
}

const PluginRecord* Registry::deciding(std::string_view id) const {
  for (std::size_t i = 0; i < records_.size(); ++i)
    if (records_[i].id == id) return &completed(i);
  return nullptr;
}

const PluginRecord* Registry::find(InterfaceKind kind, std::string_view id) const {
  const auto* record = deciding(id);
  return record != nullptr && record->descriptor != nullptr && record->kind() == kind ? record
                                                                                      : nullptr;
}

std::vector<std::string> Registry::usable_ids(InterfaceKind kind) const {
  std::vector<std::string> ids;
  for (const auto& record : records())
    if (record.descriptor != nullptr && record.kind() == kind) ids.push_back(record.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string Registry::why_missing(InterfaceKind kind, const std::string& id) const {
  const auto* record = deciding(id);
  if (record != nullptr && record->descriptor == nullptr)
    return fmt::format("{} cannot be used: '{}' {}", heading(kind, id), record->path.string(),
                       record->problem);
  auto known = usable_ids(kind);
  if (kind == InterfaceKind::inference_method) {  // an experiment takes those that train as well
    const auto trained = usable_ids(InterfaceKind::trainable_method);
    known.insert(known.end(), trained.begin(), trained.end());
    std::sort(known.begin(), known.end());
  }
  const auto expected = known.empty() ? "none, as none was found" : one_of(known);
  if (record != nullptr)
    return fmt::format("'{}' is a {}, expected a {}: {}", id, to_string(record->kind()),
                       to_string(kind), expected);
  const auto refused = std::count_if(records_.begin(), records_.end(), [](const auto& other) {
    return other.status == PluginRecord::Status::failed;
  });
  std::string searched;
  for (const auto& folder : folders_)
    searched += (searched.empty() ? "" : ", ") + folder.path.string();
  return fmt::format(
      "unknown {}; expected {}{} (searched {}{})", heading(kind, id), expected,
      did_you_mean(id, known), searched,
      refused == 0 ? "" : fmt::format("; {} refused, see tempo plugins list --all", refused));
}

PartSpec Registry::resolve(InterfaceKind kind, const PartSpec& part, const std::string& where,
                           Problems& problems) const {
  return resolve_in({}, kind, part, where, problems);
}

PartSpec Registry::resolve_in(const fs::path& folder, InterfaceKind kind, PartSpec part,
                              const std::string& where, Problems& problems) const {
  const auto* record = find(kind, part.plugin);
  if (record == nullptr) {
    problems.add(part.place, why_missing(kind, part.plugin));
    return part;
  }
  find_files_from(folder, kind, part.plugin, part.settings);
  Parameters keys(part.settings, where, problems, this);
  PluginMessage message{};
  if (record->descriptor->declare(&keys, &message) == 0)
    keys.report_unread(part.keys_of_tempo);
  else
    problems.add(part.place, fmt::format("plugin {}, while reading its settings: {}", part.plugin,
                                         message.text));
  return {part.plugin, keys.resolved(), part.place};
}

void Registry::find_files_from(const fs::path& folder, InterfaceKind kind,
                               const std::string& plugin, ParameterTable& settings) const {
  visit_files(kind, plugin, settings, [&](ParameterValue& value) {
    make_absolute(value, value.place.line == 0 ? fs::path() : folder);
  });
}

void Registry::visit_files(InterfaceKind kind, const std::string& plugin, ParameterTable& settings,
                           const std::function<void(ParameterValue&)>& visit) const {
  const auto* record = find(kind, plugin);
  if (record == nullptr) return;
  for (const auto& spec : record->parameters) {
    auto* value = settings.find(spec.key);
    if (value == nullptr) continue;
    if (spec.role == ParameterRole::files) visit(*value);
    auto* nested = spec.part ? std::get_if<ParameterTable>(&value->value) : nullptr;
    const auto* named = nested == nullptr ? nullptr : nested->find("plugin");
    const auto* id = named == nullptr ? nullptr : std::get_if<std::string>(&named->value);
    if (id != nullptr) visit_files(*spec.part, *id, *nested, visit);
  }
}

const ParameterSpec* Registry::parameter_with(InterfaceKind kind, std::string_view id,
                                              ParameterRole role) const {
  const auto* record = find(kind, id);
  if (record == nullptr) return nullptr;
  const auto found = std::find_if(record->parameters.begin(), record->parameters.end(),
                                  [&](const ParameterSpec& spec) { return spec.role == role; });
  return found == record->parameters.end() ? nullptr : &*found;
}

std::optional<Distributions> Registry::distributions_of(InterfaceKind kind,
                                                        const PartSpec& part) const {
  const auto* spec = parameter_with(kind, part.plugin, ParameterRole::distributions);
  const auto* value = spec == nullptr ? nullptr : part.settings.find(spec->key);
  const auto* word = value == nullptr ? nullptr : std::get_if<std::string>(&value->value);
  return word == nullptr ? std::nullopt : distributions_from(*word);
}

template <class Interface>
std::unique_ptr<Interface> Registry::create(const PartSpec& part,
                                            const typename Interface::Context* context) const {
  const auto* record = find(Interface::kKind, part.plugin);
  if (record == nullptr) throw PluginError(why_missing(Interface::kKind, part.plugin));
  Problems problems;
  Parameters keys(part.settings, fmt::format("settings of '{}'", part.plugin), problems, this);
  PluginMessage message{};
  std::unique_ptr<Interface> made;
  {
    PluginCall call(part.plugin, "being created");
    made.reset(static_cast<Interface*>(record->descriptor->create(&keys, context, &message)));
    call.expect_unchanged();
  }
  if (made != nullptr) keys.report_unread();
  problems.throw_if_any();
  if (made == nullptr && message.cannot_infer != 0) throw CannotInfer(message.text);
  if (made == nullptr)
    throw PluginError(fmt::format("plugin {}, while being created: {}", part.plugin, message.text));
  made->set_plugin_id(part.plugin);
  if constexpr (std::is_base_of_v<Method, Interface>)
    made->set_abilities(static_cast<LabelUse>(record->descriptor->labels),
                        static_cast<MissingData>(record->descriptor->missing));
  return made;
}

std::unique_ptr<StagePrior> Registry::stage_prior(const PartSpec& part) const {
  return create<StagePrior>(part, nullptr);
}

std::unique_ptr<MeasurementModel> Registry::measurement_model(
    const PartSpec& part, const BiomarkerTable& biomarkers) const {
  const MeasurementModelContext context{biomarkers};
  return create<MeasurementModel>(part, &context);
}

std::unique_ptr<GenerativeProcess> Registry::hypothesis(const PartSpec& part,
                                                        const BiomarkerTable& biomarkers) const {
  auto recorder = std::make_shared<PartRecorder>(*this, part.plugin);
  const ProcessContext context{biomarkers, *recorder};
  auto made = create<GenerativeProcess>(part, &context);
  made->set_parts(recorder->close(), recorder);
  return made;
}

std::unique_ptr<InferenceMethod> Registry::method(const PartSpec& part) const {
  if (assumes_process(part.plugin))
    throw PluginError(fmt::format(
        "method '{}' infers under a hypothesis: it cannot be made without one", part.plugin));
  return create<InferenceMethod>(part, nullptr);
}

std::unique_ptr<InferenceMethod> Registry::method_under(const PartSpec& part,
                                                        const GenerativeProcess& process) const {
  if (find(InferenceMethod::kKind, part.plugin) != nullptr && !assumes_process(part.plugin))
    throw PluginError(fmt::format(
        "method '{}' infers under no hypothesis: it cannot be made with one", part.plugin));
  const AssumptionContext context{process};
  try {
    return create<InferenceMethod>(part, &context);
  } catch (const CannotInfer& refusal) {
    throw NotApplicable(part.plugin, process.plugin_id(), refusal.what());
  }
}

bool Registry::assumes_process(std::string_view method) const {
  const auto* record = find(InferenceMethod::kKind, method);
  return record != nullptr && record->descriptor->assumes_process != 0;
}

std::unique_ptr<TrainableMethod> Registry::trainable_method(const PartSpec& part) const {
  return create<TrainableMethod>(part, nullptr);
}

std::unique_ptr<FitMetric> Registry::metric(const PartSpec& part) const {
  return create<FitMetric>(part, nullptr);
}

}  // namespace tempo
