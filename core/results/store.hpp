#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/covariates.hpp"
#include "results/database.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// One fit, as planned and, once done, as scored.
struct ResultRow {
  enum class Status { pending, ok, failed };

  // What it is.
  std::vector<std::string> axis_values;  ///< in the order of RunResults::axes
  std::string hypothesis;
  std::size_t cohort = 0;
  std::string method;
  std::string trained_on;  ///< empty for methods that are not trained
  std::string labels;      ///< none | fit | infer

  // What came of it.
  Status status = Status::pending;
  double tau_distance = 0.0;
  double stage_mae = 0.0;             ///< in stages
  double sequence_mae = 0.0;          ///< in units of the event times
  double seconds = 0.0;               ///< wall time of the fit alone
  std::string error;                  ///< failed: one line
  std::vector<std::string> warnings;  ///< ok: what the method had to say, one line each
};
std::string_view to_string(ResultRow::Status status);

/// Everything a run planned, in plan order.
struct RunResults {
  std::string name;
  std::vector<std::string> axes;
  std::vector<ResultRow> rows;
};

/// The log-likelihoods along the Markov chains of a fit.
struct FitTrace {
  ResultRow row;
  std::vector<std::vector<double>> chains;  ///< [chains] [points], in the order of draws
};

/// How well a fit predicts each participant from the others.
struct FitEvidence {
  ResultRow row;
  std::vector<double> log_scores;  ///< [J] nats; empty where the fit gave none
  double elpd_mcse = 0.0;  ///< of their sum, by how far chains are apart, where the fit gave one
};

/// A posterior predictive check as results name it: tempo::PredictiveCheck.
struct NamedCheck {
  std::string biomarker;
  bool diseased = false;
  std::string statistic;
  double observed = 0.0;
  double mean = 0.0;
  double sd = 0.0;
  double p = 1.0;
};

/// What a fit's replications of its cohort say of the hypothesis.
struct FitChecks {
  ResultRow row;
  std::vector<NamedCheck> checks;
};

/// A real cohort, kept once for all its fits.
struct StoredCohort {
  std::vector<std::string> axis_values;   ///< of its point of the sweep
  std::string hypothesis;                 ///< as in its fits: `real`
  std::string name;                       ///< the path it was read from
  std::vector<std::string> participants;  ///< ids [J]
  std::vector<std::uint8_t> diseased;     ///< [J]
  std::vector<std::string> diagnoses;     ///< [J], or empty where not known
  std::vector<std::string> groups;      ///< distinct diagnoses in an order of the user's, or empty
  std::vector<std::string> biomarkers;  ///< names [B], the columns of its fits
  std::string intake;                   ///< what became of whom, for people
  /// Those that do not tell healthy from diseased, by estimated_biomarkers; absent where nobody can
  /// say.
  std::optional<std::vector<std::string>> not_separating = {};
};

/// What new patients are compared with: the one real cohort of a run as it was read.
struct CohortContent {
  std::string key;  ///< cohort_key
  Cohort cohort;
  Adjustment adjustment;
  BiomarkerTable
      distributions;  ///< before and after events as the run had them; empty if it had none
};

/// What a fit found: the row, not what came of it, and its details.
struct FitDetails {
  ResultRow row;
  std::string details;  ///< JSON, see docs/formats.md
};

/// A planned fit and the names under which its result is kept.
struct PlannedFit {
  ResultRow row;       ///< status pending
  std::string key;     ///< content key: hash of everything the result depends on
  std::string recipe;  ///< id of the recipe (all of the key but the cohort's number or content)
  std::string slot;    ///< its place in the tables of results, whatever the content
};

/// A finished fit.
struct FitRecord {
  ResultRow::Status status = ResultRow::Status::failed;
  double tau_distance = std::numeric_limits<double>::quiet_NaN();
  double stage_mae = std::numeric_limits<double>::quiet_NaN();
  double sequence_mae = std::numeric_limits<double>::quiet_NaN();
  double seconds = 0.0;
  std::string error;
  std::vector<std::string> warnings;
  std::string details;  ///< JSON: scores, stages, posteriors, diagnostics
};

/// A trained model whose file lies in the run folder.
struct ModelRecord {
  std::string key;     ///< content key: hash of everything the weights depend on
  std::string slot;    ///< its place among the models, whatever the content
  std::string name;    ///< of its files
  std::string method;  ///< id of its plugin
  std::string trained_on;
  std::string content;   ///< content key of the model file's bytes
  double seconds = 0.0;  ///< wall time of the training, of its last part if interrupted
  std::vector<std::string> warnings;  ///< one line each
  std::string history;                ///< CSV: a line per epoch
};

/// The place of a model among those of a run: Training::slot.
std::string model_slot(const std::vector<std::string>& axis_values, const std::string& method,
                       const std::string& trained_on);

/// results.sqlite of a run folder. A fit's numbers are written in one transaction.
///
/// Results are kept under content keys and outlive changes of the plan; the table `plan` says which
/// of them belong to the latest one.
class Store {
 public:
  /// Opens or makes the store of a run folder; a database without content becomes one. @throws
  /// Error (not a store, another layout, ...)
  Store(const std::filesystem::path& file, Database::Mode mode);

  /// Replaces the plan.
  /// @param cohorts the real ones; none: all are simulated or public
  /// @param content of the cohort, if there is only one; null: it is not kept
  void set_plan(const std::string& name, const std::vector<std::string>& axes,
                const std::vector<PlannedFit>& fits,
                const std::map<std::string, std::string>& recipes,
                const std::vector<StoredCohort>& cohorts = {},
                const CohortContent* content = nullptr);
  /// Writes finished fits, all in one transaction.
  void add(const std::vector<std::pair<const PlannedFit*, FitRecord>>& finished);

  /// Notes a model, replacing what was known of its key.
  void add(const ModelRecord& model);
  /// Notes which recipe is the latest in a slot.
  void fill_slot(const std::string& slot, const std::string& recipe);
  /// All models, by name.
  std::vector<ModelRecord> models();
  /// The key of the model by which a planned fit of that cohort, method and model came about, as
  /// its recipe has it; absent if none did, or if there is no such fit.
  std::optional<std::string> model_key(const ResultRow& row);
  /// Those that are the latest in the places of the plan, by name.
  std::vector<ModelRecord> planned_models();
  /// Drops the results under these keys: what they were made with is no more.
  void forget(const std::vector<std::string>& keys);

  /// Status of every key that has a result.
  std::map<std::string, ResultRow::Status> statuses();
  /// The recipe's JSON of the latest result in that slot, if there is one; for saying what changed.
  std::optional<std::string> last_recipe(const std::string& slot);
  /// Equal for stores that hold parts of one run; empty if nothing was planned.
  std::string plan_key();
  RunResults results();
  /// Of the planned fits that have one, in plan order; of `row` what it is, not what came of it.
  std::vector<FitTrace> traces();
  /// Of all planned fits, in plan order; of `row` what it is, not what came of it.
  std::vector<FitEvidence> evidence();
  /// Of the planned fits that have any, in plan order; of `row` what it is, not what came of it.
  std::vector<FitChecks> checks();
  /// Of the planned fits that went well, in plan order.
  std::vector<FitDetails> details();
  enum class Cohorts { all, first };  ///< first: number 0, of a real cohort itself and no replicate
  /// Shows these one after the other.
  void visit_details(
      const std::function<void(const ResultRow& row, const std::string& details)>& visit,
      Cohorts cohorts = Cohorts::all);
  /// The real cohorts of the latest plan, in the order of the sweep.
  std::vector<StoredCohort> cohorts();
  /// Of the one real cohort of the latest plan; absent if there is none, if there are several, or
  /// if the run was made by a tempo that kept none.
  std::optional<CohortContent> cohort_content();
  /// Of each planned hypothesis, method and model the first fit that went well, in plan order, with
  /// its details (JSON).
  std::vector<std::pair<ResultRow, std::string>> first_details();
  /// Keeps what a reader wants to know of the latest run, a JSON text; see report/about_run.hpp.
  void set_about(const std::string& text);
  /// That text; empty if the run was made by a tempo that kept none.
  std::string about();
  /// Takes over the results of another store with the same plan, or with any if this one has none.
  /// Models are left to whoever copies their files.
  void merge(const std::filesystem::path& other);

 private:
  void add_contents(const std::vector<StoredCohort>& cohorts, const CohortContent* content);
  /// Notes for each slot of the plan which result fills it.
  void fill_slots();
  std::vector<ModelRecord> models(const std::string& condition);

  Database database_;
};

}  // namespace tempo
