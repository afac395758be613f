#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tempo/error.hpp"
#include "tempo/fit_metric.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/measurement_model.hpp"
#include "tempo/part_factory.hpp"
#include "tempo/plugin.hpp"
#include "tempo/stage_prior.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo {

/// A method cannot infer under a hypothesis.
class NotApplicable final : public PluginError {
 public:
  NotApplicable(const std::string& method, const std::string& hypothesis, std::string why);
  /// What the method said (CannotInfer), without who says it.
  const std::string& why() const { return why_; }

 private:
  std::string why_;
};

/// A folder that is searched for plugins, and why.
struct SearchFolder {
  std::filesystem::path path;
  std::string origin;             ///< `--plugin-path`, `TEMPO_PLUGIN_PATH`, `user folder`, ...
  bool must_exist = false;        ///< the user named it: a warning if it is absent
  bool comes_with_tempo = false;  ///< its plugins are those of this program
};

/// The folders in the order searched: `explicit_paths` (--plugin-path), TEMPO_PLUGIN_PATH
/// (separated by colons), the user's folder ($XDG_DATA_HOME or ~/.local/share, then tempo/plugins),
/// and the one that belongs to the program (../lib/tempo/plugins seen from it, in a build tree and
/// an installation alike). A folder named twice is searched once.
std::vector<SearchFolder> default_search_folders(
    const std::vector<std::filesystem::path>& explicit_paths);

/// One library found on the way.
struct PluginRecord {
  enum class Status {
    usable,
    shadowed,  ///< an earlier folder has this id: the library is not even loaded
    failed,    ///< refused; `problem` says why
  };
  std::filesystem::path path;
  std::string id;          ///< the name of the file without `.so`
  std::size_t folder = 0;  ///< index into Registry::folders
  Status status = Status::failed;
  std::string problem;  ///< the end of a sentence that begins with the path; empty if usable
  const PluginDescriptor* descriptor = nullptr;  ///< null unless usable
  std::vector<ParameterSpec> parameters;

  /// Of a usable plugin.
  InterfaceKind kind() const { return static_cast<InterfaceKind>(descriptor->kind); }
};
std::string_view to_string(PluginRecord::Status status);

/// Finds, checks and loads plugin libraries; makes objects from them.
///
/// A library is called as its plugin, so it is loaded when its id is first asked for, and a run
/// that needs three plugins loads three. The first folder with a file of that name decides: if that
/// file fails, no later one takes its place silently. A library that fails is recorded and the rest
/// go on. Libraries stay loaded until the process ends. Const calls are thread-safe.
class Registry final : public PartFactory {
 public:
  explicit Registry(std::vector<SearchFolder> folders);

  const std::vector<SearchFolder>& folders() const { return folders_; }
  /// In order of search: folder by folder, file names ascending. Loads every library not shadowed.
  const std::vector<PluginRecord>& records() const;
  /// Folders that cannot be searched.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The usable plugin of that id, or null. Loads no other library.
  const PluginRecord* find(InterfaceKind kind, std::string_view id) const;
  /// The record that its place in the search makes responsible for an id, of whatever kind and
  /// status; or null. Loads no other library.
  const PluginRecord* deciding(std::string_view id) const;
  /// Whether a record is of a plugin that comes with the program, and none of a guest's.
  bool comes_with_tempo(const PluginRecord& record) const {
    return folders_[record.folder].comes_with_tempo;
  }
  /// Ascending. Loads every library not shadowed.
  std::vector<std::string> usable_ids(InterfaceKind kind) const;
  /// Why there is no usable plugin of that id: found but refused, of another kind, or unknown (with
  /// the nearest name and the folders searched). Where a method is missing, trainable ones are
  /// named, too.
  std::string why_missing(InterfaceKind kind, const std::string& id) const;

  /// What a plugin declares in that role; null if nothing, or if there is no usable plugin of that
  /// id. Loads no other library.
  const ParameterSpec* parameter_with(InterfaceKind kind, std::string_view id,
                                      ParameterRole role) const;
  /// Where a method with these settings takes distributions from; nothing if it has no parameter in
  /// that role, or its value is not set.
  std::optional<Distributions> distributions_of(InterfaceKind kind, const PartSpec& part) const;

  /// As below; names of files (ParameterRole::files) are seen from the working folder.
  PartSpec resolve(InterfaceKind kind, const PartSpec& part, const std::string& where,
                   Problems& problems) const override;
  /// @param folder  from where an experiment names files; `--set` names them from the working
  /// folder
  PartSpec resolve_in(const std::filesystem::path& folder, InterfaceKind kind, PartSpec part,
                      const std::string& where, Problems& problems) const;
  /// Has the files that settings of a plugin name, and those of its parts, be found from anywhere.
  /// @param folder  as above
  void find_files_from(const std::filesystem::path& folder, InterfaceKind kind,
                       const std::string& plugin, ParameterTable& settings) const;
  /// Shows all settings that may name files (ParameterRole::files), those of parts, too.
  void visit_files(InterfaceKind kind, const std::string& plugin, ParameterTable& settings,
                   const std::function<void(ParameterValue&)>& visit) const;
  std::unique_ptr<StagePrior> stage_prior(const PartSpec& part) const override;
  std::unique_ptr<MeasurementModel> measurement_model(
      const PartSpec& part, const BiomarkerTable& biomarkers) const override;
  /// The process knows the plugins it is made of: GenerativeProcess::parts.
  /// @throws PluginError, InputError
  std::unique_ptr<GenerativeProcess> hypothesis(const PartSpec& part,
                                                const BiomarkerTable& biomarkers) const override;
  /// A method that assumes no hypothesis.
  /// @throws PluginError (also for a method that does), InputError
  std::unique_ptr<InferenceMethod> method(const PartSpec& part) const;
  /// A method that infers under a hypothesis.
  /// @param process  outlives the method
  /// @throws NotApplicable, PluginError (for a method that assumes none), InputError
  std::unique_ptr<InferenceMethod> method_under(const PartSpec& part,
                                                const GenerativeProcess& process) const;
  /// Whether there is a usable method of that id which infers under a hypothesis.
  bool assumes_process(std::string_view method) const;
  /// @throws PluginError, InputError
  std::unique_ptr<TrainableMethod> trainable_method(const PartSpec& part) const;
  /// @throws PluginError, InputError
  std::unique_ptr<FitMetric> metric(const PartSpec& part) const;

 private:
  /// Notes the libraries of a folder by the names of their files.
  void list(std::size_t folder);
  /// The record, completed by loading its library unless that has been done or it is shadowed.
  const PluginRecord& completed(std::size_t index) const;
  template <class Interface>
  std::unique_ptr<Interface> create(const PartSpec& part,
                                    const typename Interface::Context* context) const;

  std::vector<SearchFolder> folders_;
  mutable std::vector<PluginRecord> records_;      // as many from construction on
  mutable std::vector<std::once_flag> completed_;  // guards the record of the same index
  std::vector<std::string> warnings_;
};

}  // namespace tempo
