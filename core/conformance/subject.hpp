#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "registry.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo::conformance {

/// What an author keeps beside a plugin for its checks.
struct Draws {
  std::string version;  ///< of the plugin
  std::string digest;   ///< of what it draws in that version
};

/// The plugin that is checked, and how its objects are made. Const calls are thread-safe.
class Subject {
 public:
  /// @param registry, record  outlive the subject
  /// @param settings  of all objects, but where a check tries others
  /// @param scratch   a folder for what checks may share, such as a trained model
  Subject(const Registry& registry, const PluginRecord& record, ParameterTable settings,
          std::filesystem::path scratch);

  const PluginRecord& record() const { return record_; }
  InterfaceKind kind() const { return record_.kind(); }
  /// What a method with its settings does; the descriptor says what its plugin is able to.
  LabelUse labels() const;
  MissingData missing() const;
  bool is_trained() const { return kind() == InterfaceKind::trainable_method; }
  /// A method that infers under a hypothesis.
  bool assumes_process() const { return record_.descriptor->assumes_process != 0; }
  const std::filesystem::path& scratch() const { return scratch_; }

  /// Of the process, in seconds, that loading the library took; nothing if it was loaded before.
  std::optional<double> load_seconds;
  /// What is on file of earlier draws.
  std::vector<Draws> draws_on_file;

  /// The plugin with its settings. Keys that have to be given and are not name a part of their kind
  /// that needs no settings.
  PartSpec part() const;
  /// The same with another value for a key.
  PartSpec part_with(const std::string& key, ParameterValue value) const;

  /// @throws PluginError, InputError, as the registry
  std::unique_ptr<GenerativeProcess> hypothesis(const BiomarkerTable& biomarkers) const;
  std::unique_ptr<StagePrior> stage_prior() const;
  std::unique_ptr<MeasurementModel> measurement_model(const BiomarkerTable& biomarkers) const;
  std::unique_ptr<TrainableMethod> trainable_method() const;
  /// Makes an object of whatever kind, and drops it.
  void make(const PartSpec& part, const BiomarkerTable& biomarkers) const;

  const Registry& registry() const { return registry_; }

 private:
  const Registry& registry_;
  const PluginRecord& record_;
  ParameterTable settings_;
  std::filesystem::path scratch_;
};

/// Draws of a hypothesis, stage prior or measurement model as plain numbers, whatever its kind.
/// Const calls are thread-safe.
class Drawer {
 public:
  Drawer(const Subject& subject, const PartSpec& part, const BiomarkerTable& biomarkers);
  Drawer(const Subject& subject, const BiomarkerTable& biomarkers);

  /// All numbers of one cohort: event times, stages and measurements, or what there is of them.
  std::vector<double> draw(std::size_t participants, RandomStream stream) const {
    return draw_(participants, stream);
  }

 private:
  std::function<std::vector<double>(std::size_t, RandomStream&)> draw_;
};

/// A method ready to fit cohorts of a biomarker table: trained if it needs that, under the process
/// that made them if it assumes one.
class Fitter {
 public:
  Fitter(const Subject& subject, const BiomarkerTable& biomarkers);

  /// @param seed  of the method's own draws
  Inference fit(const Cohort& cohort, std::uint64_t seed = 1) const;
  const InferenceMethod& method() const { return *method_; }
  /// The cohort as tempo shows it to this method: a method that never sees labels gets none.
  Cohort shown(Cohort cohort) const;

 private:
  std::unique_ptr<GenerativeProcess> process_;
  std::unique_ptr<InferenceMethod> method_;
};

/// The stream of a method's own draws.
RandomStream fit_stream(std::uint64_t seed);

}  // namespace tempo::conformance
