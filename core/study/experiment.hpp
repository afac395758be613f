#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "data/public_cohorts.hpp"
#include "data/real_cohort.hpp"
#include "registry.hpp"
#include "study/cluster_settings.hpp"
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

/// One [[hypothesis]], or one that a sub-folder of public cohorts is named after.
struct HypothesisEntry {
  std::string id;
  PartSpec part;  ///< empty plugin where cohorts are read, none is named and nothing trains on it
  std::string name = {};  ///< what people read in place of the id; empty: the id
};

/// A model that a method trains.
struct ModelEntry {
  std::string trained_on;               ///< id of its hypothesis, or kAllHypotheses
  std::vector<std::size_t> hypotheses;  ///< indices of those it learns from, in turn
};

/// What a fit may use that is made in a process of its own.
struct FitLimits {
  double seconds = 3600.0;                        ///< by the clock
  std::uint64_t memory = std::uint64_t{8} << 30;  ///< bytes held in memory
  bool are_given = false;  ///< the [[method]] says so: its fits get processes of their own
};

/// One [[method]].
struct MethodEntry {
  std::string id;
  PartSpec part;
  ColumnOrder column_order = ColumnOrder::random;
  std::vector<ModelEntry> models;   ///< as `train_on` asks for; none: a method that is not trained
  bool bootstrap = true;            ///< is fitted to replicates of a real cohort, too
  bool withhold_diagnosis = false;  ///< of a method that can do without
  FitLimits limits = {};
  /// As lock files and pages have them: files are named as seen from the experiment's folder.
  ParameterTable shown_settings = {};
  /// How it comes by the biomarkers' distributions; absent for methods without that choice.
  std::optional<Distributions> distributions = {};

  /// Infers under a hypothesis: that of the cohorts at hand, of a real one each in turn ...
  bool assumes_process = false;
  PartSpec assumed = {};        ///< ... or, with a plugin, this one whatever the cohorts'
  std::string assumed_id = {};  ///< what tables call it

  Place place = {};       ///< of its [[method]]
  std::string name = {};  ///< what people read in place of the id; empty: the id
  /// `hypotheses`: indices of those that it is applied to; absent: all.
  std::optional<std::vector<std::size_t>> hypotheses = {};

  bool is_for(std::size_t hypothesis) const;
  bool assumes_matching() const { return assumes_process && assumed.plugin.empty(); }
  bool trains() const { return !models.empty(); }
};

/// What cohorts are simulated from.
struct Simulation {
  std::string name;  ///< of the biomarker table, as the user named it
  BiomarkerTable biomarkers;
  CohortSize size;
};

/// Cohorts drawn from the hypotheses.
struct SimulatedCohorts {
  Simulation simulation;
};

/// Cohorts that others simulated, read from a folder in the public layout.
struct FolderCohorts {
  std::filesystem::path path;
  std::string named;  ///< the same as the experiment names it
  /// What methods learn from or infer under; absent if the user names no table.
  std::optional<Simulation> simulation;
};

/// One cohort of real participants.
struct TableCohort {
  std::filesystem::path path;
  std::string named;                       ///< the same as the experiment names it
  std::shared_ptr<const RealCohort> real;  ///< never null; points of a sweep share it
  std::string content;                     ///< cohort_key of what was read
  /// As StoredCohort has them; absent also where distributions are not estimated.
  std::optional<std::vector<std::string>> not_separating;
  /// For people: which participants were left out and which values changed. Lines end in a line
  /// feed.
  std::string intake;
  std::optional<Simulation> simulation;  ///< as FolderCohorts::simulation
};

/// [cohorts]
using CohortSettings = std::variant<SimulatedCohorts, FolderCohorts, TableCohort>;

/// Cohorts of one origin: those of a hypothesis, or a real one with its replicates.
struct CohortGroup {
  std::optional<std::size_t> hypothesis;  ///< index into Experiment::hypotheses; absent: real
  /// Of its cohorts; of a real one 0 is itself, 1, 2, ... are its replicates.
  std::vector<std::size_t> numbers;
  std::vector<PublicDataset> files;  ///< of FolderCohorts: where they are, in the same order

  bool is_real() const { return !hypothesis; }
};

/// [analysis]: what is asked of a real cohort.
struct AnalysisSettings {
  std::size_t bootstrap = 0;  ///< replicates
};

/// One point of a study: a fully resolved experiment.
struct Experiment {
  std::string description;  ///< free text
  std::uint64_t seed = 0;
  bool keep_stage_posteriors = false;  ///< whether results hold [J, B + 1] numbers per fit
  CohortSettings cohorts;
  /// Those that cohorts are of; beside a real cohort those that methods learn from or infer under.
  std::vector<HypothesisEntry> hypotheses;
  /// One per hypothesis, in the same order; of a real cohort a single one.
  std::vector<CohortGroup> groups;
  std::vector<MethodEntry> methods;
  AnalysisSettings analysis;
  std::vector<std::string> axis_values;  ///< of this point, in the order of Study::axes

  bool simulates_cohorts() const { return std::holds_alternative<SimulatedCohorts>(cohorts); }
  const FolderCohorts* folder() const { return std::get_if<FolderCohorts>(&cohorts); }
  /// Null if the truth of the cohorts is known.
  const TableCohort* real_cohort() const { return std::get_if<TableCohort>(&cohorts); }
  bool has_real_cohort() const { return real_cohort() != nullptr; }
  /// Null if nothing is simulated.
  const Simulation* simulation() const;
  /// What the cohorts of a group are called in tables and random streams: the id of their
  /// hypothesis, or kRealCohort.
  std::string name_of(const CohortGroup& group) const;
  /// How often a method is fitted to a cohort: once per model, or per hypothesis it infers under.
  std::size_t fits_per_cohort(const MethodEntry& method) const;
};

/// An experiment file with everything it names: one Experiment per point of its sweep.
struct Study {
  std::string name;
  std::vector<std::string> axes;  ///< swept paths
  std::vector<Experiment> points;
  ClusterSettings cluster = {};
  std::vector<std::string> warnings;  ///< a lock file was made by other versions
  /// What experiment.lock.toml says: the file, resolved but for the entries that the sweep changes,
  /// which stand as given.
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

/// The method that infers under the hypothesis of the cohorts at hand with distributions that are
/// known, so that the others' scores show how far they are from what can be had; empty if there is
/// none, or no other.
std::string limit_of(const Study& study);

}  // namespace tempo
