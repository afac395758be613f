#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tempo/generative_process.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/part_factory.hpp"
#include "tempo/plugin.hpp"

namespace tempo {

/// A folder that is searched for plugins, and why.
struct SearchFolder {
  std::filesystem::path path;
  std::string origin;      ///< `--plugin-path`, `TEMPO_PLUGIN_PATH`, `user folder`, ...
  bool must_exist = false;  ///< somebody named it: its absence is worth a word
};

/// The folders in the order searched: `explicit_paths` (--plugin-path), TEMPO_PLUGIN_PATH (separated
/// by colons), the user's folder ($XDG_DATA_HOME or ~/.local/share, then tempo/plugins), next to the
/// executable (../lib/tempo/plugins), the install prefix. A folder named twice is searched once.
std::vector<SearchFolder> default_search_folders(
    const std::vector<std::filesystem::path>& explicit_paths);

/// One library found on the way.
struct PluginRecord {
  enum class Status {
    usable,
    shadowed,   ///< an earlier folder has this id
    duplicate,  ///< the same folder has this id twice: neither is used
    failed,     ///< could not be loaded; `problem` says why
  };
  std::filesystem::path path;
  std::size_t folder = 0;  ///< index into Registry::folders
  Status status = Status::failed;
  std::string problem;     ///< one sentence or more: found, expected, likely cause
  const PluginDescriptor* descriptor = nullptr;  ///< null if failed
  std::vector<ParameterSpec> parameters;

  InterfaceKind kind() const { return static_cast<InterfaceKind>(descriptor->kind); }
};
std::string_view to_string(PluginRecord::Status status);

/// Finds, checks and loads plugin libraries; makes objects from them.
///
/// A library that fails is recorded and the rest go on. Libraries stay loaded until the process ends.
/// After construction, const calls are thread-safe.
class Registry final : public PartFactory {
 public:
  explicit Registry(std::vector<SearchFolder> folders);

  const std::vector<SearchFolder>& folders() const { return folders_; }
  /// In order of search: folder by folder, file names ascending.
  const std::vector<PluginRecord>& records() const { return records_; }
  /// Named folders that are not there.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The usable plugin of that id, or null.
  const PluginRecord* find(InterfaceKind kind, std::string_view id) const;
  std::vector<std::string> usable_ids(InterfaceKind kind) const;
  /// Why there is no usable plugin of that id: unknown (with the nearest name and the folders
  /// searched), or found but refused.
  std::string why_missing(InterfaceKind kind, const std::string& id) const;

  PartSpec resolve(InterfaceKind kind, const PartSpec& part, const std::string& where,
                   Problems& problems) const override;
  std::unique_ptr<StagePrior> stage_prior(const PartSpec& part) const override;
  std::unique_ptr<MeasurementModel> measurement_model(
      const PartSpec& part, const BiomarkerTable& biomarkers) const override;
  /// @throws PluginError, InputError
  std::unique_ptr<GenerativeProcess> hypothesis(const PartSpec& part,
                                                const BiomarkerTable& biomarkers) const;
  /// @throws PluginError, InputError
  std::unique_ptr<InferenceMethod> method(const PartSpec& part) const;

 private:
  void scan(std::size_t folder);
  template <class Interface>
  std::unique_ptr<Interface> create(const PartSpec& part, const BuildContext& context) const;

  std::vector<SearchFolder> folders_;
  std::vector<PluginRecord> records_;
  std::vector<std::string> warnings_;
};

}  // namespace tempo
