#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "registry.hpp"
#include "study/cluster_settings.hpp"
#include "study/experiment.hpp"
#include "study/faults_in_order.hpp"
#include "tempo/event_mixture.hpp"
#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// What an experiment's table says, nothing looked up: no plugin's settings, no other file.

/// A path or a name, and where it stands.
struct AskedText {
  std::string text;  ///< empty if it is missing, which the reader has complained of
  Asked asked;
};

/// What `biomarkers` says of those of a real cohort.
inline constexpr const char* kEstimate = "estimate";

/// What is to be simulated.
struct SimulationInput {
  AskedText biomarkers;
  std::optional<std::size_t> participants;  ///< absent: not given
  std::optional<double> healthy_ratio;      ///< absent: not given
};

/// source = "simulate"
struct SimulatedCohortsInput {
  SimulationInput simulation;
  std::size_t test = 0;  ///< cohorts per hypothesis
};

/// source = "folder"
struct FolderCohortsInput {
  AskedText path;
  std::optional<std::set<std::size_t>> numbers;  ///< absent: all cohorts
  Asked numbers_asked;
  std::optional<SimulationInput> simulation;
};

/// source = "table"
struct TableCohortInput {
  AskedText path;
  std::optional<SimulationInput> simulation;
  HealthyAre healthy = HealthyAre::free;  ///< how biomarkers are estimated
  Asked biomarkers_needed;                ///< when all that is to be known of biomarkers is known
};

using CohortsInput = std::variant<SimulatedCohortsInput, FolderCohortsInput, TableCohortInput>;

/// A [[hypothesis]] or [[method]]: keys of its plugin apart from keys of tempo.
struct EntryInput {
  std::string id;
  std::string name;      ///< what people read in its place; empty: the id
  PartSpec part;         ///< not settled
  std::string where;     ///< how messages call it
  ParameterTable extra;  ///< what tempo reads beyond id and plugin, defaults filled in
  Asked asked;           ///< of the whole table
};

/// `train_on`
struct TrainOnInput {
  enum class Kind {
    each,    ///< a model per hypothesis
    all,     ///< one that learns from all
    listed,  ///< a model for each of these
    other,   ///< a word that is none of these, or nothing of use
  };
  Kind kind = Kind::each;
  std::vector<AskedText> listed;
  std::optional<std::string> word;  ///< of `other`; absent if it has been complained of
  Asked asked;
};
/// What messages say that `train_on` may be.
inline constexpr const char* kTrainOnForms = "\"each\", \"all\" or a list of ids of hypotheses";

/// `assume`
struct AssumeInput {
  std::optional<ParameterValue> hypothesis;  ///< its id, or a part; absent: that of the cohorts
  std::string where;                         ///< how messages call the method
  Asked asked;
};

/// A [[method]].
struct MethodInput {
  EntryInput entry;
  InterfaceKind kind = InterfaceKind::inference_method;
  ColumnOrder column_order = ColumnOrder::random;
  bool bootstrap = true;
  bool withhold_diagnosis = false;
  FitLimits limits;
  std::optional<TrainOnInput> train_on;  ///< of a method that is trained
  std::optional<AssumeInput> assume;     ///< of a method that infers under a hypothesis
  /// `hypotheses`: ids of those that the method is applied to; absent: all.
  std::optional<std::vector<AskedText>> hypotheses;
};

/// What is not in a table of its own.
struct GeneralInput {
  std::uint64_t seed = 0;
  std::string name;
  std::string description;
  std::optional<AskedText> folder;  ///< where relative paths start
  bool keep_stage_posteriors = false;
};

/// One point of a study.
struct ExperimentInput {
  GeneralInput general;
  CohortsInput cohorts;
  std::optional<std::vector<EntryInput>> hypotheses;  ///< absent: there is no [[hypothesis]]
  Asked hypotheses_asked;                             ///< if there is none
  std::vector<MethodInput> methods;
  Asked methods_asked;  ///< after all of them
  std::size_t bootstrap = 0;
  ClusterSettings cluster = {};
  /// What the lock file says of [experiment], [cohorts], [[hypothesis]], [[method]] and [analysis],
  /// as far as it is known without the plugins: of a list its place alone.
  ParameterTable resolved;

  bool has_real_cohort() const { return std::holds_alternative<TableCohortInput>(cohorts); }
};

/// Reads one point of a study; every fault goes to `problems`.
/// @param table     of the experiment, overrides applied
/// @param name      what the experiment is called unless the table says otherwise
/// @param registry  tells which keys of a [[method]] are tempo's
ExperimentInput read_experiment(const ParameterTable& table, const std::string& name,
                                const Registry& registry, Problems& problems);

}  // namespace tempo
