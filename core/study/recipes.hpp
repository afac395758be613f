#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "registry.hpp"
#include "study/experiment.hpp"

namespace tempo {

/// Something that numbers depend on. Content keys are hashes of such texts: what changes one makes
/// results stale.
struct Described {
  nlohmann::json recipe;
  std::vector<std::string> plugins;  ///< whose code it stands for, as Libraries name them
};

/// Describes the parts of an experiment by the settings that change what they compute, and notes
/// the version of each plugin.
class Describer {
 public:
  explicit Describer(const Registry& registry) : registry_(registry) {}

  /// A hypothesis with the versions of the parts it is composed of.
  Described process(const PartSpec& part, const GenerativeProcess& process);
  /// A method.
  Described method(InterfaceKind kind, const PartSpec& part);

  const std::map<std::string, std::string>& versions() const { return versions_; }

 private:
  Described plugin(InterfaceKind kind, const std::string& id, const ParameterTable& settings);
  std::string version(InterfaceKind kind, const std::string& id);
  /// Leaves out what no result depends on, and has the content of files in place of their names; of
  /// the plugin's parts, too.
  void keep_what_counts(InterfaceKind kind, const std::string& id, nlohmann::json& settings) const;

  const Registry& registry_;
  std::map<std::string, std::string> versions_;  // by `kind id`
};

/// Where two recipes differ.
struct RecipeDifference {
  std::string name;           ///< `method.settings.shift`
  std::string first, second;  ///< as JSON; `absent` where a recipe has no such value
};
std::vector<RecipeDifference> differences(const nlohmann::json& first,
                                          const nlohmann::json& second);

/// What cohorts are simulated from, and their size.
nlohmann::json describe(const Simulation& simulation);
/// What a method that infers under a hypothesis is told of the cohorts. It is not told the size of
/// a real one: a cohort has its own.
nlohmann::json describe_assumed(const Experiment& experiment);

}  // namespace tempo
