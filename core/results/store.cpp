#include "results/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "data/content_key.hpp"
#include "data/names.hpp"
#include "results/codec.hpp"
#include "results/joined_runs.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

/// Version 1 had one column for the hypothesis that a model learned from and for the one that was
/// assumed, told real cohorts by the name `real`, and knew models by recipes alone.
constexpr std::int64_t kLayout = 2;

/// Given `TEMP ` or nothing, as are those below.
constexpr const char* kTables = R"(
CREATE {0}TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE {0}TABLE recipes (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE {0}TABLE plan (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL, slot TEXT NOT NULL, axis_values TEXT NOT NULL,
  hypothesis TEXT NOT NULL, cohort INTEGER NOT NULL, method TEXT NOT NULL, trained_on TEXT NOT NULL,
  labels TEXT NOT NULL, is_real INTEGER NOT NULL, assumed TEXT NOT NULL, model TEXT NOT NULL);
CREATE {0}TABLE fits (
  key TEXT PRIMARY KEY, recipe TEXT NOT NULL, status TEXT NOT NULL, tau_distance REAL, stage_mae REAL,
  sequence_mae REAL, seconds REAL, error TEXT NOT NULL, warnings TEXT NOT NULL, details TEXT NOT NULL,
  maker TEXT NOT NULL);
CREATE {0}TABLE slots (slot TEXT PRIMARY KEY, recipe TEXT NOT NULL) WITHOUT ROWID;
)";

/// Apart, since stores from before there were models lack it.
constexpr const char* kModels = R"(
CREATE {0}TABLE IF NOT EXISTS models (
  key TEXT PRIMARY KEY, slot TEXT NOT NULL, name TEXT NOT NULL, method TEXT NOT NULL,
  trained_on TEXT NOT NULL, content TEXT NOT NULL, seconds REAL, warnings TEXT NOT NULL,
  history TEXT NOT NULL);
)";

/// Likewise before there were real cohorts.
constexpr const char* kCohorts = R"(
CREATE {0}TABLE IF NOT EXISTS cohorts (
  position INTEGER PRIMARY KEY, axis_values TEXT NOT NULL, hypothesis TEXT NOT NULL,
  name TEXT NOT NULL, participants TEXT NOT NULL, diseased TEXT NOT NULL, diagnoses TEXT NOT NULL,
  groups TEXT NOT NULL, biomarkers TEXT NOT NULL, intake TEXT NOT NULL);
)";

/// Likewise before runs kept what their real cohort is; a row per cohort, its content only where
/// there is one cohort.
constexpr const char* kContents = R"(
CREATE {0}TABLE IF NOT EXISTS cohort_contents (
  position INTEGER PRIMARY KEY, not_separating TEXT, key TEXT, adjustment TEXT, distributions TEXT,
  measurements BLOB);
)";

/// Likewise before runs kept covariates; a row per cohort that has some.
constexpr const char* kCovariates = R"(
CREATE {0}TABLE IF NOT EXISTS cohort_covariates (
  position INTEGER PRIMARY KEY, names TEXT NOT NULL, measurements BLOB NOT NULL);
)";

/// Which libraries made results; version 1 kept only those of the latest run.
constexpr const char* kMakers = R"(
CREATE {0}TABLE IF NOT EXISTS makers (id TEXT PRIMARY KEY, libraries TEXT NOT NULL) WITHOUT ROWID;
)";
constexpr const char* kModelMakers = R"(
CREATE {0}TABLE IF NOT EXISTS model_makers (
  key TEXT PRIMARY KEY, maker TEXT NOT NULL) WITHOUT ROWID;
)";

/// Likewise before runs kept truths. Those of a cohort are kept once, whatever plans name it.
constexpr const char* kPlannedCohorts = R"(
CREATE {0}TABLE IF NOT EXISTS planned_cohorts (
  axis_values TEXT NOT NULL, hypothesis TEXT NOT NULL, cohort INTEGER NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (axis_values, hypothesis, cohort)) WITHOUT ROWID;
)";
constexpr const char* kTruths = R"(
CREATE {0}TABLE IF NOT EXISTS truths (
  key TEXT PRIMARY KEY, participants TEXT NOT NULL, biomarkers TEXT NOT NULL,
  diseased TEXT NOT NULL, ranks TEXT NOT NULL, event_times BLOB NOT NULL, stages TEXT NOT NULL)
  WITHOUT ROWID;
)";

/// Likewise; a row for each of these truths that has subtypes.
constexpr const char* kTrueSubtypes = R"(
CREATE {0}TABLE IF NOT EXISTS true_subtypes (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
)";

/// Likewise before cohorts had subtypes; a row for each good fit of such a cohort.
constexpr const char* kSubtypeScores = R"(
CREATE {0}TABLE IF NOT EXISTS subtype_scores (
  key TEXT PRIMARY KEY, matched_tau_distance REAL, assigned_tau_distance REAL, subtype_score REAL,
  subtype_number_error REAL) WITHOUT ROWID;
)";

/// Words of FitStatus, in its order.
constexpr std::array<std::string_view, 7> kStatuses{
    "pending", "ok", "failed", "timed_out", "out_of_memory", "not_applicable", "bad_answer"};

constexpr const char* kAddFit =
    "INSERT OR IGNORE INTO plan VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// A status that only a later version knows: the fit is made again.
FitStatus parse_status(const std::string& text) {
  return fit_status_from(text).value_or(FitStatus::pending);
}

bool has_table(Database& database, const char* name) {
  auto query = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  query.bind(1, std::string_view(name));
  return query.step();
}

std::string meta(Database& database, const char* name) {
  auto query = database.prepare("SELECT value FROM meta WHERE name = ?");
  query.bind(1, std::string_view(name));
  return query.step() ? query.text(0) : std::string();
}

void set_meta(Database& database, const char* name, const std::string& value) {
  database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)")
      .bind(1, std::string_view(name))
      .bind(2, value)
      .run();
}

/// Whether nobody has put anything into the database: it is new, or the process that made it was
/// killed at once.
bool is_blank(Database& database) {
  auto query = database.prepare(
      "SELECT (SELECT count(*) FROM sqlite_master) + (SELECT application_id FROM "
      "pragma_application_id) + (SELECT user_version FROM pragma_user_version)");
  return query.step() && query.integer(0) == 0;
}

/// @throws Error unless this tempo reads the layout. @return it
std::int64_t known_layout(Database& database, const std::filesystem::path& file) {
  const auto layout = has_table(database, "meta") ? meta(database, "layout") : "none";
  for (std::int64_t known = 1; known <= kLayout; ++known)
    if (layout == std::to_string(known)) return known;
  throw Error(fmt::format(
      "results store '{}': found layout {}, this tempo reads layouts 1 to {}; use another --out "
      "folder",
      file.string(), layout, kLayout));
}

bool has_column(Database& database, const char* schema, const char* table, const char* column) {
  auto query = database.prepare(
      fmt::format("SELECT 1 FROM pragma_table_info('{}', '{}') WHERE name = ?", table, schema));
  query.bind(1, std::string_view(column));
  return query.step();
}

/// Which hypotheses of the plan of version 1 were learned from and which were assumed, and which
/// models were applied.
class UpgradeOfVersion1 {
 public:
  explicit UpgradeOfVersion1(Database& database) : database_(database) {}

  /// @param temporary  the plan of the file stays as it is; a copy hides it from this connection
  void run(bool temporary) {
    if (temporary)
      database_.execute("CREATE TEMP TABLE plan AS SELECT * FROM main.plan");
    else  // nobody knows who made its results
      database_.execute("ALTER TABLE fits ADD COLUMN maker TEXT NOT NULL DEFAULT ''");
    for (const auto* column : {"is_real INTEGER", "assumed TEXT", "model TEXT"})
      database_.execute(fmt::format("ALTER TABLE plan ADD COLUMN {} NOT NULL DEFAULT ''", column));
    database_.execute(
        "UPDATE plan SET is_real = (hypothesis = 'real' AND EXISTS (SELECT 1 FROM cohorts))");
    struct Row {
      std::int64_t position;
      bool is_real;
      std::string method, basis, recipe, recipe_text;
    };
    std::vector<Row> rows;
    {
      auto query = database_.prepare(
          "SELECT position, is_real, method, trained_on, recipes.id, recipes.json FROM plan LEFT "
          "JOIN fits USING (key) LEFT JOIN recipes ON recipes.id = fits.recipe WHERE trained_on "
          "<> ''");
      while (query.step())
        rows.push_back({query.integer(0), query.integer(1) != 0, query.text(2), query.text(3),
                        query.text(4), query.text(5)});
    }
    for (const auto& row : rows)
      if (!row.recipe.empty())
        if (const auto [at, is_new] = recipes_.try_emplace(row.recipe); is_new) {
          at->second = codec::recipe_of_version_1(row.recipe_text);
          if (at->second.is_trained) trained_.insert(row.method);
        }
    auto update = database_.prepare(
        "UPDATE plan SET trained_on = ?, assumed = ?, model = ? WHERE position = ?");
    for (const auto& row : rows) {
      const bool is_trained = !row.is_real || trained_.contains(row.method);
      update.bind(1, is_trained ? row.basis : "")
          .bind(2, is_trained ? "" : row.basis)
          .bind(3, row.recipe.empty() ? "" : recipes_.at(row.recipe).model)
          .bind(4, row.position)
          .run();
    }
  }

 private:
  Database& database_;
  std::map<std::string, codec::RecipeOfVersion1> recipes_;
  std::set<std::string> trained_;  // methods
};

/// From the first columns of a query: what a fit is.
constexpr const char* kIdColumns =
    "axis_values, hypothesis, cohort, method, trained_on, labels, is_real, assumed";
constexpr int kIdColumnCount = 8;

FitId fit_id(const Statement& query) {
  const bool is_real = query.integer(6) != 0;
  return {.axis_values = codec::texts_from(query.text(0)),
          .origin = is_real ? CohortOrigin::real : CohortOrigin::hypothesis,
          .hypothesis = is_real ? "" : query.text(1),
          .cohort = static_cast<std::size_t>(query.integer(2)),
          .method = query.text(3),
          .trained_on = query.text(4),
          .assumed = query.text(7),
          .labels = query.text(5)};
}

/// Ids `0`, `1`, ... of participants, as simulated cohorts have them.
std::vector<std::string> numbered_ids(std::size_t participants) {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < participants; ++j) out.push_back(std::to_string(j));
  return out;
}

/// The sizes of all cohorts, those of the real ones from the start.
class AllSizes {
 public:
  explicit AllSizes(const std::vector<StoredCohort>& real) {
    for (const auto& cohort : real)
      real_.emplace(cohort.axis_values,
                    std::pair(cohort.biomarkers.size(), cohort.participants.size()));
  }

  CohortSizes& of(const FitId& id) {
    const auto [at, is_new] =
        sizes_.try_emplace(std::tuple(id.axis_values, generated_by(id), id.cohort));
    if (const auto real = real_.find(id.axis_values);
        is_new && id.is_real() && real != real_.end()) {
      const auto [biomarkers, participants] = real->second;
      // A replicate has the participants that were drawn.
      at->second =
          CohortSizes(biomarkers, id.is_replicate() ? std::nullopt : std::optional(participants));
    }
    return at->second;
  }

 private:
  std::map<std::vector<std::string>, std::pair<std::size_t, std::size_t>> real_;
  std::map<std::tuple<std::vector<std::string>, std::string, std::size_t>, CohortSizes> sizes_;
};

/// @throws Error if lists of one cohort have several lengths
void expect_one_length(const StoredCohort& cohort, const std::string& file) {
  const auto count = cohort.participants.size();
  const bool is_whole = cohort.diseased.size() == count &&
                        (cohort.diagnoses.empty() || cohort.diagnoses.size() == count);
  if (!is_whole)
    throw Error(fmt::format(
        "results store '{}': the cohort {} is damaged: it has {} participants, {} labels and {} "
        "diagnoses",
        file, cohort.name, count, cohort.diseased.size(), cohort.diagnoses.size()));
}

/// @throws Error, with the end of a sentence, if lists of one cohort have several lengths
void expect_one_length(const SimulatedCohort& both) {
  const auto& [cohort, truth] = both;
  const auto expect = [](const char* list, std::size_t found, std::size_t expected,
                         const char* noun) {
    if (found != expected)
      throw Error(fmt::format("it is damaged: its {} are of {}, its cohort has {}", list,
                              counted(found, noun), expected));
  };
  const auto participants = cohort.participant_count(), biomarkers = cohort.biomarker_count();
  expect("labels", cohort.diseased.size(), participants, "participant");
  expect("stages", truth.ordinal_stages.size(), participants, "participant");
  expect("ranks", truth.event_ranks.size(), biomarkers, "biomarker");
  expect("event times", truth.event_times.size(), biomarkers, "biomarker");
  if (!truth.subtypes) return;
  expect("subtypes", truth.subtypes->subtype.size(), participants, "participant");
  const auto K = static_cast<int>(truth.subtypes->progressions.size());
  for (const auto& [times, ranks] : truth.subtypes->progressions) {
    expect("ranks of subtypes", ranks.size(), biomarkers, "biomarker");
    expect("event times of subtypes", times.size(), biomarkers, "biomarker");
  }
  for (std::size_t j = 0; j < participants; ++j) {
    const int subtype = truth.subtypes->subtype[j];
    const bool is_diseased = cohort.diseased[j] != 0;
    if (is_diseased ? subtype < 0 || subtype >= K : subtype != -1)
      throw Error(fmt::format("it is damaged: participant {}, {}, is of subtype {}, of {}", j,
                              is_diseased ? "diseased" : "healthy", subtype, K));
  }
}

/// From the columns of a query: a truth. @throws Error likewise
SimulatedCohort truth_in(const Statement& query) {
  SimulatedCohort out;
  auto& [cohort, truth] = out;
  cohort.biomarkers = codec::texts_from(query.text(1));
  cohort.diseased = codec::flags_from(query.text(2));
  cohort.participants = codec::texts_from(query.text(0));
  if (cohort.participants.empty()) cohort.participants = numbered_ids(cohort.diseased.size());
  const auto ranks = codec::integers_from(query.text(3));
  truth.event_ranks = Ranks(std::vector<std::size_t>(ranks.begin(), ranks.end()));
  truth.event_times = query.numbers(4);
  truth.ordinal_stages = codec::integers_from(query.text(5));
  if (const auto subtypes = query.text(6); !subtypes.empty())
    truth.subtypes = codec::true_subtypes_from(subtypes);
  expect_one_length(out);
  return out;
}

void bind(Statement& add, std::int64_t position, const PlannedFit& fit) {
  add.bind(1, position)
      .bind(2, fit.key)
      .bind(3, fit.slot)
      .bind(4, codec::to_text(fit.id.axis_values))
      .bind(5, generated_by(fit.id))
      .bind(6, static_cast<std::int64_t>(fit.id.cohort))
      .bind(7, fit.id.method)
      .bind(8, fit.id.trained_on)
      .bind(9, fit.id.labels)
      .bind(10, static_cast<std::int64_t>(fit.id.is_real()))
      .bind(11, fit.id.assumed)
      .bind(12, fit.model);
}

}  // namespace

std::string_view to_string(FitStatus status) { return kStatuses[static_cast<std::size_t>(status)]; }

std::optional<FitStatus> fit_status_from(std::string_view word) {
  const auto* found = std::find(kStatuses.begin(), kStatuses.end(), word);
  if (found == kStatuses.end()) return std::nullopt;
  return static_cast<FitStatus>(found - kStatuses.begin());
}

Libraries libraries_of(const RunDescription& run) {
  Libraries out;
  for (const auto& plugin : run.plugins)
    if (!plugin.content.empty()) out[fmt::format("{} {}", plugin.kind, plugin.id)] = plugin.content;
  return out;
}

FitDetails StoredFit::details(DetailParts parts) const {
  if (row_.result.status != FitStatus::ok) return {};
  try {
    auto out = codec::details_from(query_.text(details_column_), parts);
    sizes_.expect(out);
    return out;
  } catch (const Error& fault) {
    const auto& of = id();
    throw Error(fmt::format("results store '{}': the result of {} on {} cohort {}: {}",
                            query_.file(), of.method, generated_by(of), of.cohort, fault.what()));
  }
}

Store::Store(const std::filesystem::path& file, Database::Mode mode) : database_(file, mode) {
  const bool reads = mode == Database::Mode::read;
  const bool is_new = is_blank(database_);
  const auto layout = is_new ? kLayout : known_layout(database_, file);
  if (is_new) {
    // A reader sees an empty store, and leaves no trace.
    const auto make_tables = [&] {
      database_.execute(fmt::format(kTables, reads ? "TEMP " : ""));
      set_meta(database_, "layout", std::to_string(kLayout));
    };
    if (reads)
      make_tables();
    else
      database_.transaction(make_tables);
  }
  if (!reads) database_.write_ahead();
  const auto make = [&](const char* table, const char* sql) {
    const bool is_temporary = reads && !has_table(database_, table);
    database_.execute(fmt::format(fmt::runtime(sql), is_temporary ? "TEMP " : ""));
  };
  const auto make_later_tables = [&] {
    make("models", kModels);
    make("cohorts", kCohorts);
    make("cohort_contents", kContents);
    make("cohort_covariates", kCovariates);
    make("makers", kMakers);
    make("model_makers", kModelMakers);
    make("planned_cohorts", kPlannedCohorts);
    make("truths", kTruths);
    make("true_subtypes", kTrueSubtypes);
    make("subtype_scores", kSubtypeScores);
  };
  if (reads)
    make_later_tables();
  else
    database_.transaction(make_later_tables);
  if (layout != 1) return;
  if (reads)
    UpgradeOfVersion1(database_).run(/*temporary=*/true);
  else
    database_.transaction([&] {
      UpgradeOfVersion1(database_).run(/*temporary=*/false);
      set_meta(database_, "layout", std::to_string(kLayout));
    });
}

void Store::set_plan(const StoredPlan& plan) {
  database_.transaction([&] {
    set_meta(database_, "name", plan.name);
    set_meta(database_, "axes", codec::to_text(plan.axes));
    auto add_recipe = database_.prepare("INSERT OR IGNORE INTO recipes VALUES (?, ?)");
    for (const auto& [id, text] : plan.recipes) add_recipe.bind(1, id).bind(2, text).run();
    plan_fits(plan.fits);
    database_.execute("DELETE FROM planned_cohorts");
    auto add_key = database_.prepare("INSERT OR IGNORE INTO planned_cohorts VALUES (?, ?, ?, ?)");
    for (const auto& fit : plan.fits)
      if (!fit.cohort_key.empty())
        add_key.bind(1, codec::to_text(fit.id.axis_values))
            .bind(2, generated_by(fit.id))
            .bind(3, static_cast<std::int64_t>(fit.id.cohort))
            .bind(4, fit.cohort_key)
            .run();
    add_cohorts(plan);
    fill_slots();
  });
  libraries_ = plan.libraries;
}

void Store::plan_fits(const std::vector<PlannedFit>& fits) {
  database_.execute("DELETE FROM plan");
  auto add_fit = database_.prepare(kAddFit);
  std::int64_t position = 0;
  for (const auto& fit : fits) {
    bind(add_fit, position++, fit);
    add_fit.run();
  }
}

Libraries Store::libraries_named(const std::vector<std::string>& plugins) const {
  Libraries out;
  for (const auto& plugin : plugins)
    if (const auto found = libraries_.find(plugin); found != libraries_.end()) out.insert(*found);
  return out;
}

std::string Store::maker_of(const PlannedFit& fit) {
  auto libraries = libraries_named(fit.plugins);
  // A model holds the numbers of those that trained it, whatever has been rebuilt since.
  auto query = database_.prepare(
      "SELECT libraries FROM model_makers JOIN makers ON id = maker WHERE key = ?");
  query.bind(1, fit.model);
  if (query.step())
    for (const auto& [plugin, content] : codec::libraries_from(query.text(0)))
      if (libraries.contains(plugin)) libraries[plugin] = content;
  return keep(libraries);
}

std::string Store::keep(const Libraries& libraries) {
  const auto text = codec::to_text(libraries);
  auto id = content_key(text);
  database_.prepare("INSERT OR IGNORE INTO makers VALUES (?, ?)").bind(1, id).bind(2, text).run();
  return id;
}

void Store::add_cohorts(const StoredPlan& plan) {
  database_.execute("DELETE FROM cohorts");
  database_.execute("DELETE FROM cohort_contents");
  database_.execute("DELETE FROM cohort_covariates");
  auto add_cohort = database_.prepare("INSERT INTO cohorts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const auto& cohort : plan.cohorts) {
    add_cohort.bind(1, position)
        .bind(2, codec::to_text(cohort.axis_values))
        .bind(3, kRealCohort)
        .bind(4, cohort.name)
        .bind(5, codec::to_text(cohort.participants))
        .bind(6, codec::to_text(cohort.diseased))
        .bind(7, codec::to_text(cohort.diagnoses))
        .bind(8, codec::to_text(cohort.groups))
        .bind(9, codec::to_text(cohort.biomarkers))
        .bind(10, cohort.intake)
        .run();
    if (const auto& [names, values] = cohort.covariates; !names.empty())
      database_.prepare("INSERT INTO cohort_covariates VALUES (?, ?, ?)")
          .bind(1, position)
          .bind(2, codec::to_text(names))
          .bind(3, std::span<const double>(values.values()))
          .run();
    auto add = database_.prepare("INSERT INTO cohort_contents VALUES (?, ?, ?, ?, ?, ?)");
    add.bind(1, position++);
    if (cohort.not_separating) add.bind(2, codec::to_text(*cohort.not_separating));
    if (plan.content)
      add.bind(3, plan.content->key)
          .bind(4, codec::to_text(plan.content->adjustment))
          .bind(5, codec::to_text(plan.content->distributions))
          .bind(6, std::span<const double>(plan.content->cohort.measurements.values()));
    add.run();
  }
}

void Store::fill_slots() {
  database_.execute(
      "INSERT OR REPLACE INTO slots SELECT plan.slot, fits.recipe FROM plan JOIN fits USING (key)");
}

void Store::add(const std::vector<std::pair<const PlannedFit*, FitRecord>>& finished) {
  database_.expect_in_place();
  database_.transaction([&] {
    auto insert =
        database_.prepare("INSERT OR REPLACE INTO fits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    auto fill =
        database_.prepare("INSERT OR REPLACE INTO slots SELECT slot, ? FROM plan WHERE key = ?");
    auto good = database_.prepare("SELECT 1 FROM fits WHERE key = ? AND status = 'ok'");
    auto insert_subtypes =
        database_.prepare("INSERT OR REPLACE INTO subtype_scores VALUES (?, ?, ?, ?, ?)");
    for (const auto& [fit, record] : finished) {
      // Made again, and failed: the good result stays.
      if (is_failure(record.result.status) && good.bind(1, fit->key).any()) continue;
      const auto& [status, scores, seconds, error, warnings] = record.result;
      insert.bind(1, fit->key)
          .bind(2, fit->recipe)
          .bind(3, to_string(status))
          .bind(4, scores.tau_distance)
          .bind(5, scores.stage_mae)
          .bind(6, scores.sequence_mae)
          .bind(7, seconds)
          .bind(8, error)
          .bind(9, codec::to_text(warnings))
          .bind(10, status == FitStatus::ok ? codec::to_text(record.details) : std::string())
          .bind(11, maker_of(*fit))
          .run();
      fill.bind(1, fit->recipe).bind(2, fit->key).run();
      if (scores.has_subtypes())
        insert_subtypes.bind(1, fit->key)
            .bind(2, scores.matched_tau_distance)
            .bind(3, scores.assigned_tau_distance)
            .bind(4, scores.subtype_score)
            .bind(5, scores.subtype_number_error)
            .run();
    }
  });
}

void Store::add(const ModelRecord& model) {
  database_.transaction([&] {
    database_.prepare("INSERT OR REPLACE INTO models VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(1, model.key)
        .bind(2, model.slot)
        .bind(3, model.name)
        .bind(4, model.method)
        .bind(5, model.trained_on)
        .bind(6, model.content)
        .bind(7, model.seconds)
        .bind(8, codec::to_text(model.warnings))
        .bind(9, to_csv(model.history))
        .run();
    fill_slot(model.slot, model.key);
    if (!model.plugins.empty())
      database_.prepare("INSERT OR REPLACE INTO model_makers VALUES (?, ?)")
          .bind(1, model.key)
          .bind(2, keep(libraries_named(model.plugins)))
          .run();
  });
}

void Store::fill_slot(const std::string& slot, const std::string& recipe) {
  database_.prepare("INSERT OR REPLACE INTO slots VALUES (?, ?)")
      .bind(1, slot)
      .bind(2, recipe)
      .run();
}

void Store::forget(const std::vector<std::string>& keys) {
  database_.transaction([&] {
    for (const auto* table : {"fits", "subtype_scores"}) {
      auto query = database_.prepare(fmt::format("DELETE FROM {} WHERE key = ?", table));
      for (const auto& key : keys) query.bind(1, key).run();
    }
  });
}

void Store::set_description(const RunDescription& description) {
  set_meta(database_, "about", codec::to_text(description));
}

std::vector<PlannedFit> Store::planned() {
  std::vector<PlannedFit> out;
  auto query = database_.prepare(
      fmt::format("SELECT {}, key, slot, plan.model FROM plan ORDER BY position", kIdColumns));
  while (query.step())
    out.push_back({fit_id(query),
                   query.text(kIdColumnCount),
                   "",
                   query.text(kIdColumnCount + 1),
                   query.text(kIdColumnCount + 2),
                   {}});
  return out;
}

bool Store::other_has(const char* table) {
  auto query = database_.prepare("SELECT 1 FROM other.sqlite_master WHERE name = ?");
  query.bind(1, std::string_view(table));
  return query.step();
}

void Store::beside(const Store& other, const std::function<void()>& work) {
  database_.alongside(other.database_, [&] { database_.transaction(work); });
}

void Store::take_results() {
  database_.execute("INSERT OR IGNORE INTO recipes SELECT * FROM other.recipes");
  // A result that is ok wins over one that failed.
  database_.execute(fmt::format(
      "INSERT OR REPLACE INTO fits SELECT key, recipe, status, tau_distance, stage_mae, "
      "sequence_mae, seconds, error, warnings, details, {} FROM other.fits AS o WHERE NOT EXISTS "
      "(SELECT 1 FROM fits WHERE fits.key = o.key AND (fits.status = 'ok' OR o.status <> 'ok'))",
      has_column(database_, "other", "fits", "maker") ? "maker" : "''"));
  for (const auto* table :
       {"makers", "model_makers", "planned_cohorts", "truths", "true_subtypes", "subtype_scores"})
    if (other_has(table))
      database_.execute(fmt::format("INSERT OR IGNORE INTO {0} SELECT * FROM other.{0}", table));
  fill_slots();
}

void Store::merge(const std::filesystem::path& other) {
  Store theirs(other, Database::Mode::read);
  const auto fits = theirs.planned();
  beside(theirs, [&] {
    auto add_fit = database_.prepare(kAddFit);
    std::int64_t position = 0;
    for (const auto& fit : fits) {
      bind(add_fit, position++, fit);
      add_fit.run();
    }
    database_.execute(
        "INSERT OR REPLACE INTO meta SELECT * FROM other.meta WHERE name <> 'layout'");
    for (const auto* table : {"cohorts", "cohort_contents", "cohort_covariates"})
      if (other_has(table))
        database_.execute(fmt::format("INSERT OR IGNORE INTO {0} SELECT * FROM other.{0}", table));
    take_results();
  });
}

void Store::take_real_cohorts() {
  if (!other_has("cohorts")) return;
  const bool has_contents = other_has("cohort_contents");
  if (has_contents)  // of a cohort that both have
    database_.execute(
        "INSERT OR IGNORE INTO cohort_contents SELECT mine.position, not_separating, key, "
        "adjustment, distributions, measurements FROM other.cohort_contents JOIN other.cohorts AS "
        "theirs USING (position) JOIN main.cohorts AS mine ON mine.axis_values = "
        "theirs.axis_values");
  auto query = database_.prepare("SELECT coalesce(max(position) + 1, 0) FROM main.cohorts");
  query.step();
  const auto start = query.integer(0);
  database_.execute(fmt::format(
      "INSERT INTO main.cohorts SELECT position + {}, axis_values, hypothesis, name, participants, "
      "diseased, diagnoses, groups, biomarkers, intake FROM other.cohorts WHERE axis_values NOT IN "
      "(SELECT axis_values FROM main.cohorts)",
      start));
  if (has_contents)
    database_.execute(fmt::format(
        "INSERT OR IGNORE INTO cohort_contents SELECT position + {0}, not_separating, key, "
        "adjustment, distributions, measurements FROM other.cohort_contents WHERE position + {0} IN "
        "(SELECT position FROM main.cohorts)",
        start));
  if (other_has("cohort_covariates"))
    database_.execute(
        "INSERT OR IGNORE INTO cohort_covariates SELECT mine.position, names, measurements FROM "
        "other.cohort_covariates JOIN other.cohorts AS theirs USING (position) JOIN main.cohorts AS "
        "mine ON mine.axis_values = theirs.axis_values");
  // The content is kept where there is one cohort.
  database_.execute(
      "UPDATE cohort_contents SET key = NULL, adjustment = NULL, distributions = NULL, "
      "measurements = NULL WHERE (SELECT count(*) FROM main.cohorts) > 1");
}

void Store::join(const std::filesystem::path& other, const std::string& name) {
  Store theirs(other, Database::Mode::read);
  const auto fits = united(planned(), theirs.planned());
  const auto description = united(description_when_joined(), theirs.description_when_joined());
  beside(theirs, [&] {
    plan_fits(fits);
    take_real_cohorts();
    take_results();
    set_meta(database_, "name", name);
    set_description(description);
  });
}

RunDescription Store::description_when_joined() {
  auto out = description().value_or(RunDescription());
  if (out.joined.empty())
    out.joined.push_back({.name = name(),
                          .plan = plan_key(),
                          .tempo = out.tempo,
                          .description = std::exchange(out.description, ""),
                          .seed = out.seed,
                          .fits = planned().size()});
  return out;
}

void Store::add_truths(const std::vector<StoredTruth>& truths) {
  database_.transaction([&] {
    auto add = database_.prepare("INSERT OR IGNORE INTO truths VALUES (?, ?, ?, ?, ?, ?, ?)");
    auto add_subtypes = database_.prepare(  // beside a truth that is new
        "INSERT OR IGNORE INTO true_subtypes SELECT ?, ? WHERE changes() > 0");
    for (const auto& [key, both] : truths) {
      const auto& [cohort, truth] = both;
      const bool is_numbered = cohort.participants == numbered_ids(cohort.participant_count());
      const std::vector<int> ranks(truth.event_ranks.begin(), truth.event_ranks.end());
      add.bind(1, key)
          .bind(2, is_numbered ? std::string() : codec::to_text(cohort.participants))
          .bind(3, codec::to_text(cohort.biomarkers))
          .bind(4, codec::to_text(cohort.diseased))
          .bind(5, codec::to_text(ranks))
          .bind(6, std::span<const double>(truth.event_times))
          .bind(7, codec::to_text(truth.ordinal_stages))
          .run();
      if (truth.subtypes) add_subtypes.bind(1, key).bind(2, codec::to_text(*truth.subtypes)).run();
    }
  });
}

std::set<std::string> Store::known_truths() {
  std::set<std::string> out;
  auto query = database_.prepare("SELECT key FROM truths");
  while (query.step()) out.insert(query.text(0));
  return out;
}

std::optional<SimulatedCohort> Store::truth(const std::string& key) {
  auto query = database_.prepare(
      "SELECT participants, biomarkers, diseased, ranks, event_times, stages, json FROM truths LEFT "
      "JOIN true_subtypes USING (key) WHERE key = ?");
  query.bind(1, key);
  if (!query.step()) return std::nullopt;
  try {
    return truth_in(query);
  } catch (const Error& fault) {
    throw Error(fmt::format("results store '{}': the truth of cohort {}: {}", query.file(), key,
                            fault.what()));
  }
}

std::vector<PlannedCohort> Store::planned_cohorts() {
  std::vector<PlannedCohort> out;
  auto query =
      database_.prepare("SELECT axis_values, hypothesis, cohort, key FROM planned_cohorts");
  while (query.step())
    out.push_back({codec::texts_from(query.text(0)), query.text(1),
                   static_cast<std::size_t>(query.integer(2)), query.text(3)});
  return out;
}

std::map<std::string, std::string> Store::recipe_ids() {
  std::map<std::string, std::string> out;
  auto query = database_.prepare("SELECT key, recipe FROM fits");
  while (query.step()) out[query.text(0)] = query.text(1);
  return out;
}

std::string Store::recipe(const std::string& id) {
  auto query = database_.prepare("SELECT json FROM recipes WHERE id = ?");
  query.bind(1, id);
  return query.step() ? query.text(0) : std::string();
}

void Store::show_names() {
  shown_ = {};
  shown_ = ShownNames(description().value_or(RunDescription()));
}

void Store::visit(const std::function<void(const StoredFit&)>& visit) {
  auto query = database_.prepare(fmt::format(
      "SELECT {}, status, tau_distance, stage_mae, sequence_mae, seconds, error, warnings, "
      "plan.model, details, matched_tau_distance, assigned_tau_distance, subtype_score, "
      "subtype_number_error FROM plan LEFT JOIN fits USING (key) LEFT JOIN subtype_scores USING "
      "(key) ORDER BY position",
      kIdColumns));
  constexpr int kResult = kIdColumnCount, kModel = kResult + 7, kDetails = kModel + 1,
                kSubtypes = kDetails + 1;
  AllSizes sizes(cohorts());
  const auto share = [&](int column) { return query.number_between(column, 0.0, 1.0); };
  const auto amount = [&](int column) {
    return query.number_between(column, 0.0, std::numeric_limits<double>::infinity());
  };
  while (query.step()) {
    FitRow row{shown_.shown(fit_id(query)), {}};
    row.result = {parse_status(query.text(kResult)),
                  {share(kResult + 1), amount(kResult + 2), amount(kResult + 3), share(kSubtypes),
                   share(kSubtypes + 1), query.number_between(kSubtypes + 2, -1.0, 1.0),
                   query.number(kSubtypes + 3)},
                  amount(kResult + 4),
                  query.text(kResult + 5),
                  codec::warnings_from(query.text(kResult + 6))};
    auto& of_cohort = sizes.of(row.id);
    visit(StoredFit(std::move(row), query.text(kModel), query, kDetails, of_cohort));
  }
}

std::string Store::name() { return meta(database_, "name"); }

RunResults Store::results() {
  RunResults out{name(), codec::texts_from(meta(database_, "axes")), {}};
  visit([&](const StoredFit& fit) { out.rows.push_back(fit.row()); });
  return out;
}

std::map<std::string, FitStatus> Store::statuses() {
  std::map<std::string, FitStatus> statuses;
  auto query = database_.prepare("SELECT key, status FROM fits");
  while (query.step()) statuses[query.text(0)] = parse_status(query.text(1));
  return statuses;
}

std::map<std::string, FitOutcome> Store::outcomes() {
  std::map<std::string, FitOutcome> out;
  auto query = database_.prepare("SELECT key, status, seconds FROM fits");
  while (query.step()) out[query.text(0)] = {parse_status(query.text(1)), query.number(2)};
  return out;
}

std::vector<RecipeSeconds> Store::seconds_by_recipe() {
  std::vector<RecipeSeconds> out;
  auto query = database_.prepare(
      "SELECT recipes.json, CASE WHEN json_valid(details) THEN "
      "json_array_length(details, '$.biomarkers') END, count(*), avg(seconds) "
      "FROM fits JOIN recipes ON recipes.id = fits.recipe WHERE status = 'ok' GROUP BY fits.recipe");
  while (query.step())
    out.push_back({query.text(0), static_cast<std::size_t>(query.integer(1)),
                   static_cast<std::size_t>(query.integer(2)), query.number(3)});
  return out;
}

std::map<std::string, Libraries> Store::makers() {
  if (!has_column(database_, "main", "fits", "maker")) return {};
  return libraries_by_key(
      "SELECT key, libraries FROM fits JOIN makers ON id = maker WHERE status = 'ok'");
}

std::map<std::string, Libraries> Store::model_makers() {
  return libraries_by_key("SELECT key, libraries FROM model_makers JOIN makers ON id = maker");
}

std::map<std::string, Libraries> Store::libraries_by_key(const char* sql) {
  std::map<std::string, Libraries> out;
  auto query = database_.prepare(sql);
  while (query.step()) out[query.text(0)] = codec::libraries_from(query.text(1));
  return out;
}

std::string plan_key(const std::vector<PlannedFit>& fits) {
  std::string content;
  for (const auto& fit : fits) content += fit.key + fit.slot + '\n';
  return content.empty() ? content : content_key(content);
}

std::string Store::plan_key() { return tempo::plan_key(planned()); }

std::optional<std::string> Store::last_recipe(const std::string& slot) {
  auto query = database_.prepare(
      "SELECT recipes.json FROM slots JOIN recipes ON recipes.id = slots.recipe WHERE slot = ?");
  query.bind(1, slot);
  if (!query.step()) return std::nullopt;
  return query.text(0);
}

std::vector<ModelRecord> Store::models() { return models("TRUE"); }

std::vector<ModelRecord> Store::planned_models() {
  std::set<std::string> planned;
  auto query = database_.prepare(
      "SELECT DISTINCT axis_values, method, trained_on FROM plan WHERE trained_on <> ''");
  while (query.step())
    planned.insert(model_slot(codec::texts_from(query.text(0)), query.text(1), query.text(2)));
  auto found = models("key = (SELECT recipe FROM slots WHERE slots.slot = models.slot)");
  std::erase_if(found, [&](const ModelRecord& model) { return planned.count(model.slot) == 0; });
  return found;
}

std::vector<ModelRecord> Store::models(const std::string& condition) {
  std::vector<ModelRecord> models;
  auto query = database_.prepare(fmt::format(
      "SELECT key, slot, name, method, trained_on, content, seconds, warnings, history FROM models "
      "WHERE {} ORDER BY name",
      condition));
  while (query.step())
    models.push_back({query.text(0), query.text(1), query.text(2), query.text(3), query.text(4),
                      query.text(5), query.number(6), codec::texts_from(query.text(7)),
                      training_history_from(query.text(8))});
  for (auto& model : models) model.trained_on = shown_.of_hypothesis(model.trained_on);
  return models;
}

namespace {

/// How a message calls numbers of every participant of a cohort.
struct NumbersInWords {
  const char* numbers;  ///< `measurements`
  const char* each_of;  ///< what each one of a participant's is of: `biomarker`
};

/// [J, count] from a column of the row.
Matrix numbers_of_participants(Statement& query, int column, const StoredCohort& cohort,
                               std::size_t count, const NumbersInWords& words) {
  Matrix out(cohort.participants.size(), count);
  auto numbers = query.numbers(column);
  if (numbers.size() != out.values().size())
    throw Error(fmt::format(
        "results store '{}': the cohort {} is damaged: it has {} {}, expected {} of {}",
        query.file(), cohort.name, numbers.size(), words.numbers,
        counted(cohort.participants.size(), "participant"), counted(count, words.each_of)));
  out.values() = std::move(numbers);
  return out;
}

}  // namespace

std::vector<StoredCohort> Store::cohorts() {
  std::vector<StoredCohort> out;
  auto query = database_.prepare(
      "SELECT axis_values, name, participants, diseased, diagnoses, groups, biomarkers, intake, "
      "not_separating, names, cohort_covariates.measurements FROM cohorts LEFT JOIN "
      "cohort_contents USING (position) LEFT JOIN cohort_covariates USING (position) ORDER BY "
      "position");
  while (query.step()) {
    out.push_back({codec::texts_from(query.text(0)), query.text(1),
                   codec::texts_from(query.text(2)), codec::flags_from(query.text(3)),
                   codec::texts_from(query.text(4)), codec::texts_from(query.text(5)),
                   codec::texts_from(query.text(6)), query.text(7)});
    if (const auto names = query.text(8); !names.empty())
      out.back().not_separating = codec::texts_from(names);
    if (const auto names = query.text(9); !names.empty()) {
      auto& [covariates, values] = out.back().covariates;
      covariates = codec::texts_from(names);
      values = numbers_of_participants(query, 10, out.back(), covariates.size(),
                                       {"values of covariates", "covariate"});
    }
    expect_one_length(out.back(), query.file());
  }
  return out;
}

std::optional<CohortContent> Store::cohort_content() {
  auto query = database_.prepare(
      "SELECT key, adjustment, distributions, measurements FROM cohort_contents WHERE key IS NOT "
      "NULL");
  if (!query.step()) return std::nullopt;
  const auto all = cohorts();
  if (all.empty()) return std::nullopt;
  const auto& stored = all.front();
  CohortContent out{query.text(0),
                    {stored.participants, stored.biomarkers, {}, stored.diseased, stored.diagnoses},
                    codec::adjustment_from(query.text(1)),
                    codec::biomarkers_from(query.text(2))};
  out.cohort.measurements = numbers_of_participants(query, 3, stored, stored.biomarkers.size(),
                                                    {"measurements", "biomarker"});
  check(out.cohort);
  return out;
}

std::optional<RunDescription> Store::description() {
  auto out = codec::description_from(meta(database_, "about"));
  if (out) out = shown_.shown(std::move(*out));
  return out;
}

}  // namespace tempo
