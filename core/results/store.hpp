#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/cohort_sizes.hpp"
#include "results/database.hpp"
#include "results/fit_result.hpp"
#include "results/model_record.hpp"
#include "results/run_description.hpp"
#include "results/shown_names.hpp"
#include "results/stored_cohort.hpp"
#include "results/stored_truth.hpp"

namespace tempo {

/// A planned fit as a store shows it to a visitor; valid during the visit.
class StoredFit {
 public:
  const FitId& id() const { return row_.id; }
  const FitResult& result() const { return row_.result; }
  const FitRow& row() const { return row_; }
  /// Key of the model that was applied; empty for methods that are not trained.
  const std::string& model() const { return model_; }
  /// What it found; empty unless it went well. Read when asked for.
  /// @throws Error if it cannot be of its cohort, or is otherwise damaged
  FitDetails details(DetailParts parts) const;

 private:
  friend class Store;
  StoredFit(FitRow row, std::string model, const Statement& query, int details_column,
            CohortSizes& sizes)
      : row_(std::move(row)),
        model_(std::move(model)),
        query_(query),
        details_column_(details_column),
        sizes_(sizes) {}

  FitRow row_;
  std::string model_;
  const Statement& query_;
  int details_column_;
  CohortSizes& sizes_;  // of its cohort
};

/// What became of a fit, in short.
struct FitOutcome {
  FitStatus status = FitStatus::pending;
  double seconds = 0.0;
};

/// Fits of one recipe.
struct RecipeSeconds {
  std::string recipe;          ///< JSON
  std::size_t biomarkers = 0;  ///< of the cohort of one of them
  std::size_t fits = 0;
  double mean = 0.0;
};

/// Says which fits are planned, and where each stands; empty for none.
std::string plan_key(const std::vector<PlannedFit>& fits);

/// What a run plans.
struct StoredPlan {
  std::string name;
  std::vector<std::string> axes;
  std::vector<PlannedFit> fits;
  std::map<std::string, std::string> recipes;  ///< id -> JSON
  std::vector<StoredCohort> cohorts = {};      ///< the real ones; none: all have a truth
  std::optional<CohortContent> content = {};   ///< of the cohort, if there is only one
  Libraries libraries = {};                    ///< of the plugins that the fits name
};

/// results.sqlite of a run folder. A fit's numbers are written in one transaction.
///
/// Results are kept under content keys and outlive changes of the plan; the table `plan` says which
/// of them belong to the latest one. Stores of earlier versions are read as they are, and brought
/// up to date when they are opened for writing.
class Store {
 public:
  /// Opens or makes the store of a run folder; a database without content becomes one.
  /// @throws Error (not a store, another layout, ...)
  Store(const std::filesystem::path& file, Database::Mode mode);

  /// From here on what was stored outlasts a power cut, too.
  void endure_power_cuts() { database_.endure_power_cuts(); }

  /// Replaces the plan.
  void set_plan(const StoredPlan& plan);
  /// Writes finished fits, all in one transaction. One that failed replaces no good result.
  void add(const std::vector<std::pair<const PlannedFit*, FitRecord>>& finished);
  /// Notes a model, replacing what was known of its key.
  void add(const ModelRecord& model);
  /// Notes which recipe is the latest in a slot.
  void fill_slot(const std::string& slot, const std::string& recipe);
  /// Drops the results under these keys: what they were made with is no more.
  void forget(const std::vector<std::string>& keys);
  /// Keeps what the latest run was.
  void set_description(const RunDescription& description);
  /// Takes over the results of another store with the same plan, or with any if this one has none.
  /// Models are left to whoever copies their files.
  void merge(const std::filesystem::path& other);
  /// Takes over the results of a store with another plan, and plans what both plan. Models are left
  /// as above. expect_joinable says which stores can be joined.
  /// @param name  what the joined run is called
  void join(const std::filesystem::path& other, const std::string& name);
  /// Keeps the truths of cohorts, each once.
  void add_truths(const std::vector<StoredTruth>& truths);
  /// From here on, everything read has the names that people are to read in place of the ids of
  /// hypotheses and methods.
  void show_names();
  /// What is shown in place of ids; nothing before show_names.
  const ShownNames& shown_names() const { return shown_; }

  /// What the run is called.
  std::string name();
  /// Shows every planned fit, in plan order.
  void visit(const std::function<void(const StoredFit&)>& visit);
  /// Every planned fit without what it found.
  RunResults results();
  /// Status of every key that has a result.
  std::map<std::string, FitStatus> statuses();
  /// What became of every key that has a result, and the seconds it took.
  std::map<std::string, FitOutcome> outcomes();
  /// The good results of each recipe (JSON): how many, and their mean seconds.
  std::vector<RecipeSeconds> seconds_by_recipe();
  /// Which libraries made each good result, by its key; absent where nobody knows (version 1).
  std::map<std::string, Libraries> makers();
  /// Which libraries trained each model, by its key; absent likewise.
  std::map<std::string, Libraries> model_makers();
  /// Equal for stores that hold parts of one run; empty if nothing was planned.
  std::string plan_key();
  /// The JSON of the recipe of the latest result in that slot, if there is one: for saying what
  /// changed.
  std::optional<std::string> last_recipe(const std::string& slot);
  /// All models, by name.
  std::vector<ModelRecord> models();
  /// Those that are the latest in the places of the plan, by name.
  std::vector<ModelRecord> planned_models();
  /// The recipe of each result that was made, by its key: ids that `recipe` takes.
  std::map<std::string, std::string> recipe_ids();
  /// @return JSON; empty for an unknown id
  std::string recipe(const std::string& id);
  /// The fits of the latest plan, without recipes and plugins.
  std::vector<PlannedFit> planned();
  /// The cohorts of the latest plan whose keys are known.
  std::vector<PlannedCohort> planned_cohorts();
  /// The keys of the truths that are kept.
  std::set<std::string> known_truths();
  /// The cohort of that key with its truth, as far as StoredTruth says; absent if it is not kept.
  /// @throws Error if it is damaged
  std::optional<SimulatedCohort> truth(const std::string& key);
  /// The real cohorts of the latest plan, in the order of the sweep.
  std::vector<StoredCohort> cohorts();
  /// Of the one real cohort of the latest plan; absent if there is none, if there are several, or
  /// if the run was made by a tempo that kept none.
  std::optional<CohortContent> cohort_content();
  /// What the latest run was; absent if it was made by a tempo that kept none.
  std::optional<RunDescription> description();

 private:
  void add_cohorts(const StoredPlan& plan);
  /// Replaces the list of planned fits.
  void plan_fits(const std::vector<PlannedFit>& fits);
  /// Does something with another store at hand, all of it or nothing.
  void beside(const Store& other, const std::function<void()>& work);
  /// Takes over the results of the store at hand, and what they are made of.
  void take_results();
  /// Takes over those real cohorts of the store at hand that this one has not.
  void take_real_cohorts();
  bool other_has(const char* table);
  /// What the run is; if it stands alone, as one that was joined of itself.
  RunDescription description_when_joined();
  /// Notes for each slot of the plan which result fills it.
  void fill_slots();
  std::vector<ModelRecord> models(const std::string& condition);
  /// @param sql  that gives keys and libraries
  std::map<std::string, Libraries> libraries_by_key(const char* sql);
  /// Of the latest plan, those of these plugins.
  Libraries libraries_named(const std::vector<std::string>& plugins) const;
  /// Keeps a set of libraries that made results. @return its id
  std::string keep(const Libraries& libraries);
  /// Keeps which libraries make a fit's result. @return their id
  std::string maker_of(const PlannedFit& fit);

  Database database_;
  Libraries libraries_;  // of the latest plan
  ShownNames shown_;     // none: ids are shown as they are
};

}  // namespace tempo
