#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/public_cohorts.hpp"
#include "engine/overrides.hpp"
#include "registry.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/parameters.hpp"

namespace tempo {

/// The order in which a method sees the columns of a cohort.
enum class ColumnOrder {
  random,        ///< drawn per cohort: nothing leaks through ties
  alphabetical,  ///< by biomarker name
  truth,         ///< by true event order: leaks the answer; for reproducing published rows only
};
std::string_view to_string(ColumnOrder order);

/// One [[hypothesis]], or one sub-folder of public cohorts.
struct HypothesisEntry {
  std::string id;
  PartSpec part;  ///< empty plugin where cohorts are read, none is named and nothing trains on it
  std::vector<std::size_t> cohorts;  ///< numbers of its cohorts
  std::vector<PublicDataset> files;  ///< source = "folder": where they are, in the same order
};

/// A model that a method trains.
struct ModelEntry {
  std::string trained_on;               ///< id of its hypothesis, or `all`
  std::vector<std::size_t> hypotheses;  ///< indices of those it learns from, in turn
};

/// What `trained_on` says of a model that learned from every hypothesis.
inline constexpr const char* kTrainedOnAll = "all";

/// One [[method]].
struct MethodEntry {
  std::string id;
  PartSpec part;
  ColumnOrder column_order = ColumnOrder::random;
  std::vector<ModelEntry> models;  ///< as `train_on` asks for; none: a method that is not trained


  bool assumes_process = false;  ///< infers under a hypothesis: that of the cohorts at hand ...
  PartSpec assumed = {};         ///< ... or, with a plugin, this one whatever the cohorts'

  bool assumes_matching() const { return assumes_process && assumed.plugin.empty(); }
  bool trains() const { return !models.empty(); }
};

/// [cohorts]
struct CohortSettings {
  enum class Source { simulate, folder };
  Source source = Source::simulate;
  // Of the cohorts that are simulated: all of them, or beside a folder those that methods train on.
  std::string biomarkers_name;  ///< as the user named the table
  BiomarkerTable biomarkers;
  CohortSize size;
  std::filesystem::path path;  ///< folder
};

/// One point of a study: a fully resolved experiment.
struct Experiment {
  std::uint64_t seed = 0;
  bool keep_stage_posteriors = false;  ///< whether results hold [J, B + 1] numbers per fit
  CohortSettings cohorts;
  std::vector<HypothesisEntry> hypotheses;
  std::vector<MethodEntry> methods;
  std::vector<std::string> axis_values;  ///< of this point, in the order of Study::axes
};

/// An experiment file with everything it names: one Experiment per point of its sweep.
struct Study {
  std::string name;
  std::vector<std::string> axes;  ///< swept paths
  std::vector<Experiment> points;
  /// What experiment.lock.toml says: the file, resolved but for the entries that the sweep changes,
  /// which stand as given.
  std::vector<std::string> warnings;  ///< a lock file was made by other versions
  ParameterTable lock;
};

/// Reads and checks an experiment file; every fault goes to `problems`, those of the file itself in
/// the order of its lines, and nothing is run.
/// @param overrides applied in order before the sweep.
Study read_study(const std::filesystem::path& file, const std::vector<Override>& overrides,
                 const Registry& registry, Problems& problems);
/// The same from a table that is no file's; `file` is what it is called.
Study study_from(ParameterTable table, const std::filesystem::path& file,
                 const std::vector<Override>& overrides, const Registry& registry,
                 Problems& problems);

}  // namespace tempo
