#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/public_cohorts.hpp"
#include "data/real_cohort.hpp"
#include "registry.hpp"
#include "study/overrides.hpp"
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

/// What tables call the hypothesis of a real cohort.
inline constexpr const char* kRealCohort = "real";

/// One [[method]].
struct MethodEntry {
  std::string id;
  PartSpec part;
  ColumnOrder column_order = ColumnOrder::random;
  std::vector<ModelEntry> models;  ///< as `train_on` asks for; none: a method that is not trained
  bool bootstrap = true;           ///< is fitted to replicates of a real cohort, too

  /// Infers under a hypothesis: that of the cohorts at hand, of a real one each in turn ...
  bool assumes_process = false;
  PartSpec assumed = {};        ///< ... or, with a plugin, this one whatever the cohorts'
  std::string assumed_id = {};  ///< what tables call it

  bool assumes_matching() const { return assumes_process && assumed.plugin.empty(); }
  bool trains() const { return !models.empty(); }
};

/// [cohorts]
struct CohortSettings {
  enum class Source { simulate, folder, table };
  Source source = Source::simulate;
  // Of the cohorts that are simulated: all of them, or beside files those that methods train on.
  std::string biomarkers_name;  ///< as the user named the table
  BiomarkerTable biomarkers;
  CohortSize size;
  std::filesystem::path path;              ///< folder, or table
  std::shared_ptr<const RealCohort> real;  ///< table; null for the others
  std::string real_key;                    ///< cohort_key of what was read
  /// Of a real one, as StoredCohort has them; absent also where distributions are not estimated.
  std::optional<std::vector<std::string>> not_separating = {};
  std::string
      intake;  ///< what became of whom and what was changed, for people; lines end in a line feed
};

/// [analysis]: what is asked of a real cohort.
struct AnalysisSettings {
  std::size_t bootstrap = 0;  ///< replicates
};

/// One point of a study: a fully resolved experiment.
///
/// A real cohort is the last of the hypotheses, `kRealCohort`, without a plugin: its cohort 0 is
/// the cohort itself, 1..N are replicates. Those before it have no cohorts then and say under which
/// hypotheses methods infer or on which they are trained.
struct Experiment {
  std::string description;  ///< free text
  std::uint64_t seed = 0;
  bool keep_stage_posteriors = false;  ///< whether results hold [J, B + 1] numbers per fit
  CohortSettings cohorts;
  std::vector<HypothesisEntry> hypotheses;
  std::vector<MethodEntry> methods;
  AnalysisSettings analysis;
  std::vector<std::string> axis_values;  ///< of this point, in the order of Study::axes

  bool has_real_cohort() const { return cohorts.source == CohortSettings::Source::table; }
  /// How often a method is fitted to a cohort: once per model, or per hypothesis it infers under.
  std::size_t fits_per_cohort(const MethodEntry& method) const;
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
