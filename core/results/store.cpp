#include "results/store.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "data/content_key.hpp"
#include "results/matrix_json.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr std::int64_t kLayout = 1;

/// Given `TEMP ` or nothing.
constexpr const char* kTables = R"(
CREATE {0}TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE {0}TABLE recipes (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE {0}TABLE plan (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL, slot TEXT NOT NULL, axis_values TEXT NOT NULL,
  hypothesis TEXT NOT NULL, cohort INTEGER NOT NULL, method TEXT NOT NULL, trained_on TEXT NOT NULL,
  labels TEXT NOT NULL);
CREATE {0}TABLE fits (
  key TEXT PRIMARY KEY, recipe TEXT NOT NULL, status TEXT NOT NULL, tau_distance REAL, stage_mae REAL,
  sequence_mae REAL, seconds REAL, error TEXT NOT NULL, warnings TEXT NOT NULL, details TEXT NOT NULL);
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

/// Likewise before runs kept what their real cohort is; a row per cohort, its content where there
/// is one only.
constexpr const char* kContents = R"(
CREATE {0}TABLE IF NOT EXISTS cohort_contents (
  position INTEGER PRIMARY KEY, not_separating TEXT, key TEXT, adjustment TEXT, distributions TEXT,
  measurements BLOB);
)";

using nlohmann::json;

/// Texts of plugins may be anything; those of a store are UTF-8.
std::string to_text(const std::vector<std::string>& items) {
  return json(items).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::string> to_list(const std::string& text) {
  return text.empty() ? std::vector<std::string>()
                      : json::parse(text).get<std::vector<std::string>>();
}

ResultRow::Status parse_status(const std::string& text) {
  if (text == "ok") return ResultRow::Status::ok;
  if (text == "failed") return ResultRow::Status::failed;
  return ResultRow::Status::pending;
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

/// Whether nobody has put anything into the database: it is new, or whoever made it was killed at
/// once.
bool is_blank(Database& database) {
  auto query = database.prepare(
      "SELECT (SELECT count(*) FROM sqlite_master) + (SELECT application_id FROM "
      "pragma_application_id) + (SELECT user_version FROM pragma_user_version)");
  return query.step() && query.integer(0) == 0;
}

/// From the first columns of a query: what a fit is.
ResultRow planned_row(Statement& query) {
  ResultRow row;
  row.axis_values = to_list(query.text(0));
  row.hypothesis = query.text(1);
  row.cohort = static_cast<std::size_t>(query.integer(2));
  row.method = query.text(3);
  row.trained_on = query.text(4);
  row.labels = query.text(5);
  return row;
}

json to_json(const Adjustment& adjustment) {
  return {{"covariates", adjustment.covariates},
          {"biomarkers", adjustment.biomarkers},
          {"slopes", to_json(adjustment.slopes)},
          {"means", to_json(adjustment.means)},
          {"lows", adjustment.lows},
          {"highs", adjustment.highs}};
}

Adjustment adjustment_from(const json& text) {
  Adjustment out{text.at("covariates"), text.at("biomarkers"), {}, {}};
  out.slopes = matrix_from(text.at("slopes"), out.covariates.size());
  out.means = matrix_from(text.at("means"), out.covariates.size());
  out.lows = text.value("lows", std::vector<double>());  // older runs kept none
  out.highs = text.value("highs", std::vector<double>());
  return out;
}

json to_json(const BiomarkerTable& table) {
  json out = json::array();
  for (const auto& [name, phi, theta] : table)
    out.push_back({{"name", name}, {"phi", {phi.mean, phi.sd}}, {"theta", {theta.mean, theta.sd}}});
  return out;
}

BiomarkerTable table_from(const json& list) {
  std::vector<Biomarker> out;
  for (const auto& item : list)
    out.push_back({item.at("name"),
                   {item.at("phi")[0], item.at("phi")[1]},
                   {item.at("theta")[0], item.at("theta")[1]}});
  return BiomarkerTable(std::move(out));
}

}  // namespace

std::string model_slot(const std::vector<std::string>& axis_values, const std::string& method,
                       const std::string& trained_on) {
  return json({"model", axis_values, method, trained_on}).dump();
}

std::string_view to_string(ResultRow::Status status) {
  switch (status) {
    case ResultRow::Status::pending:
      return "pending";
    case ResultRow::Status::ok:
      return "ok";
    case ResultRow::Status::failed:
      return "failed";
  }
  return "unknown";
}

Store::Store(const std::filesystem::path& file, Database::Mode mode) : database_(file, mode) {
  const bool reads = mode == Database::Mode::read;
  if (is_blank(database_)) {
    // Who only reads sees an empty store, and leaves no trace.
    const auto make_tables = [&] {
      database_.execute(fmt::format(kTables, reads ? "TEMP " : ""));
      auto insert = database_.prepare("INSERT INTO meta VALUES ('layout', ?)");
      insert.bind(1, std::to_string(kLayout)).run();
    };
    if (reads)
      make_tables();
    else
      database_.transaction(make_tables);
  } else {
    const auto layout = has_table(database_, "meta") ? meta(database_, "layout") : "none";
    if (layout != std::to_string(kLayout))
      throw Error(
          fmt::format("results store '{}': found layout {}, this tempo reads layout {}; use "
                      "another --out folder",
                      file.string(), layout, kLayout));
  }
  if (!reads) database_.write_ahead();
  const auto temporary = [&](const char* table) {
    return reads && !has_table(database_, table) ? "TEMP " : "";
  };
  database_.execute(fmt::format(kModels, temporary("models")));
  database_.execute(fmt::format(kCohorts, temporary("cohorts")));
  database_.execute(fmt::format(kContents, temporary("cohort_contents")));
}

void Store::set_plan(const std::string& name, const std::vector<std::string>& axes,
                     const std::vector<PlannedFit>& fits,
                     const std::map<std::string, std::string>& recipes,
                     const std::vector<StoredCohort>& cohorts, const CohortContent* content) {
  database_.transaction([&] {
    auto set_meta = database_.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
    set_meta.bind(1, "name").bind(2, name).run();
    set_meta.bind(1, "axes").bind(2, to_text(axes)).run();
    auto add_recipe = database_.prepare("INSERT OR IGNORE INTO recipes VALUES (?, ?)");
    for (const auto& [id, text] : recipes) add_recipe.bind(1, id).bind(2, text).run();
    database_.execute("DELETE FROM plan");
    auto add_fit = database_.prepare("INSERT INTO plan VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    std::int64_t position = 0;
    for (const auto& fit : fits)
      add_fit.bind(1, position++)
          .bind(2, fit.key)
          .bind(3, fit.slot)
          .bind(4, to_text(fit.row.axis_values))
          .bind(5, fit.row.hypothesis)
          .bind(6, static_cast<std::int64_t>(fit.row.cohort))
          .bind(7, fit.row.method)
          .bind(8, fit.row.trained_on)
          .bind(9, fit.row.labels)
          .run();
    database_.execute("DELETE FROM cohorts");
    auto add_cohort =
        database_.prepare("INSERT INTO cohorts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    position = 0;
    for (const auto& cohort : cohorts)
      add_cohort.bind(1, position++)
          .bind(2, to_text(cohort.axis_values))
          .bind(3, cohort.hypothesis)
          .bind(4, cohort.name)
          .bind(5, to_text(cohort.participants))
          .bind(6, json(cohort.diseased).dump())
          .bind(7, to_text(cohort.diagnoses))
          .bind(8, to_text(cohort.groups))
          .bind(9, to_text(cohort.biomarkers))
          .bind(10, cohort.intake)
          .run();
    add_contents(cohorts, content);
    fill_slots();
  });
}

void Store::add_contents(const std::vector<StoredCohort>& cohorts, const CohortContent* content) {
  database_.execute("DELETE FROM cohort_contents");
  for (std::size_t c = 0; c < cohorts.size(); ++c) {
    auto add = database_.prepare("INSERT INTO cohort_contents VALUES (?, ?, ?, ?, ?, ?)");
    add.bind(1, static_cast<std::int64_t>(c));
    if (cohorts[c].not_separating) add.bind(2, to_text(*cohorts[c].not_separating));
    if (content != nullptr)
      add.bind(3, content->key)
          .bind(4, to_json(content->adjustment).dump())
          .bind(5, to_json(content->distributions).dump())
          .bind(6, std::span<const double>(content->cohort.measurements.values()));
    add.run();
  }
}

void Store::fill_slots() {
  database_.execute(
      "INSERT OR REPLACE INTO slots SELECT plan.slot, fits.recipe FROM plan JOIN fits USING (key)");
}

void Store::add(const std::vector<std::pair<const PlannedFit*, FitRecord>>& finished) {
  database_.transaction([&] {
    auto insert =
        database_.prepare("INSERT OR REPLACE INTO fits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    auto fill_slots =
        database_.prepare("INSERT OR REPLACE INTO slots SELECT slot, ? FROM plan WHERE key = ?");
    for (const auto& [fit, record] : finished) {
      insert.bind(1, fit->key)
          .bind(2, fit->recipe)
          .bind(3, to_string(record.status))
          .bind(4, record.tau_distance)
          .bind(5, record.stage_mae)
          .bind(6, record.sequence_mae)
          .bind(7, record.seconds)
          .bind(8, record.error)
          .bind(9, to_text(record.warnings))
          .bind(10, record.details)
          .run();
      fill_slots.bind(1, fit->recipe).bind(2, fit->key).run();
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
        .bind(8, to_text(model.warnings))
        .bind(9, model.history)
        .run();
    fill_slot(model.slot, model.key);
  });
}

void Store::fill_slot(const std::string& slot, const std::string& recipe) {
  database_.prepare("INSERT OR REPLACE INTO slots VALUES (?, ?)")
      .bind(1, slot)
      .bind(2, recipe)
      .run();
}

std::vector<ModelRecord> Store::models() { return models("TRUE"); }

std::vector<ModelRecord> Store::planned_models() {
  std::set<std::string> planned;
  auto query = database_.prepare(
      "SELECT DISTINCT axis_values, method, trained_on FROM plan WHERE trained_on <> ''");
  while (query.step())
    planned.insert(model_slot(to_list(query.text(0)), query.text(1), query.text(2)));
  auto found = models("key = (SELECT recipe FROM slots WHERE slots.slot = models.slot)");
  std::erase_if(found, [&](const ModelRecord& model) { return planned.count(model.slot) == 0; });
  return found;
}

std::optional<std::string> Store::model_key(const ResultRow& row) {
  auto query = database_.prepare(
      "SELECT recipes.json FROM plan JOIN fits USING (key) JOIN recipes ON recipes.id = "
      "fits.recipe "
      "WHERE axis_values = ? AND hypothesis = ? AND cohort = ? AND method = ? AND trained_on = ?");
  query.bind(1, to_text(row.axis_values))
      .bind(2, row.hypothesis)
      .bind(3, static_cast<std::int64_t>(row.cohort))
      .bind(4, row.method)
      .bind(5, row.trained_on);
  if (!query.step()) return std::nullopt;
  const auto recipe = json::parse(query.text(0));
  if (!recipe.contains("model")) return std::nullopt;
  return content_key(recipe["model"].dump());
}

std::vector<ModelRecord> Store::models(const std::string& condition) {
  std::vector<ModelRecord> models;
  auto query = database_.prepare(
      "SELECT key, slot, name, method, trained_on, content, seconds, warnings, history FROM models "
      "WHERE " +
      condition + " ORDER BY name");
  while (query.step())
    models.push_back({query.text(0), query.text(1), query.text(2), query.text(3), query.text(4),
                      query.text(5), query.number(6), to_list(query.text(7)), query.text(8)});
  return models;
}

void Store::forget(const std::vector<std::string>& keys) {
  database_.transaction([&] {
    for (const auto& key : keys)
      database_.prepare("DELETE FROM fits WHERE key = ?").bind(1, key).run();
  });
}

std::map<std::string, ResultRow::Status> Store::statuses() {
  std::map<std::string, ResultRow::Status> statuses;
  auto query = database_.prepare("SELECT key, status FROM fits");
  while (query.step()) statuses[query.text(0)] = parse_status(query.text(1));
  return statuses;
}

std::optional<std::string> Store::last_recipe(const std::string& slot) {
  auto query = database_.prepare(
      "SELECT recipes.json FROM slots JOIN recipes ON recipes.id = slots.recipe WHERE slot = ?");
  query.bind(1, slot);
  if (!query.step()) return std::nullopt;
  return query.text(0);
}

std::string Store::plan_key() {
  std::string content;
  auto query = database_.prepare("SELECT key, slot FROM plan ORDER BY position");
  while (query.step()) content += query.text(0) + query.text(1) + '\n';
  return content.empty() ? content : content_key(content);
}

RunResults Store::results() {
  RunResults out;
  out.name = meta(database_, "name");
  out.axes = to_list(meta(database_, "axes"));
  auto query = database_.prepare(
      "SELECT axis_values, hypothesis, cohort, method, trained_on, labels, status, tau_distance, "
      "stage_mae, sequence_mae, seconds, error, warnings FROM plan LEFT JOIN fits USING (key) "
      "ORDER BY position");
  while (query.step()) {
    ResultRow row = planned_row(query);
    row.status = parse_status(query.text(6));
    row.tau_distance = query.number(7);
    row.stage_mae = query.number(8);
    row.sequence_mae = query.number(9);
    row.seconds = query.number(10);
    row.error = query.text(11);
    row.warnings = to_list(query.text(12));
    out.rows.push_back(std::move(row));
  }
  return out;
}

void Store::visit_details(
    const std::function<void(const ResultRow& row, const std::string& details)>& visit,
    Cohorts cohorts) {
  auto query = database_.prepare(
      "SELECT axis_values, hypothesis, cohort, method, trained_on, labels, details FROM plan JOIN "
      "fits USING (key) WHERE status = 'ok' AND cohort <= ? ORDER BY position");
  query.bind(1,
             cohorts == Cohorts::all ? std::numeric_limits<std::int64_t>::max() : std::int64_t{0});
  while (query.step()) visit(planned_row(query), query.text(6));
}

std::vector<FitTrace> Store::traces() {
  std::vector<FitTrace> out;
  visit_details([&](const ResultRow& row, const std::string& text) {
    const auto details = json::parse(text);
    const auto trace = details.find("log_likelihood_trace");
    if (trace == details.end()) return;
    FitTrace fit{row, {}};
    for (const auto& chain : *trace) {
      auto& points = fit.chains.emplace_back();
      for (const auto& point : chain)  // JSON has no infinity
        points.push_back(point.is_number() ? point.get<double>()
                                           : -std::numeric_limits<double>::infinity());
    }
    out.push_back(std::move(fit));
  });
  return out;
}

std::vector<FitEvidence> Store::evidence() {
  std::vector<FitEvidence> out;
  auto query = database_.prepare(
      "SELECT axis_values, hypothesis, cohort, method, trained_on, labels, status, details FROM "
      "plan LEFT JOIN fits USING (key) ORDER BY position");
  while (query.step()) {
    out.push_back({planned_row(query), {}, 0.0});
    if (parse_status(query.text(6)) != ResultRow::Status::ok) continue;
    const auto text = query.text(7);
    if (text.find("\"log_scores\"") == std::string::npos)
      continue;  // most methods: not worth parsing
    const auto details = json::parse(text);
    if (const auto scores = details.find("log_scores"); scores != details.end())
      out.back().log_scores = scores->get<std::vector<double>>();
    const auto diagnostics = details.value("diagnostics", json::object());
    if (const auto error = diagnostics.find("elpd_mcse"); error != diagnostics.end())
      out.back().elpd_mcse =
          error->is_number() ? error->get<double>() : std::nan("");  // JSON has none
    // bayes 1.2 and before missed families together with their distributions: how far it was off is
    // not known.
    if (diagnostics.value("families", 1.0) > 1.0) out.back().elpd_mcse = std::nan("");
  }
  return out;
}

std::vector<std::pair<ResultRow, std::string>> Store::first_details() {
  std::vector<std::pair<ResultRow, std::string>> out;
  // SQLite takes the other columns from the row that has the minimum.
  auto query = database_.prepare(
      "SELECT axis_values, hypothesis, cohort, method, trained_on, labels, details, min(position) "
      "FROM plan JOIN fits USING (key) WHERE status = 'ok' "
      "GROUP BY axis_values, hypothesis, method, trained_on ORDER BY min(position)");
  while (query.step()) out.emplace_back(planned_row(query), query.text(6));
  return out;
}

void Store::set_about(const std::string& text) {
  database_.prepare("INSERT OR REPLACE INTO meta VALUES ('about', ?)").bind(1, text).run();
}

std::string Store::about() { return meta(database_, "about"); }

std::vector<FitChecks> Store::checks() {
  std::vector<FitChecks> out;
  visit_details([&](const ResultRow& row, const std::string& text) {
    const auto details = json::parse(text);
    const auto checks = details.find("checks");
    if (checks == details.end()) return;
    FitChecks fit{row, {}};
    for (const auto& check : *checks)
      fit.checks.push_back({check.at("biomarker"), check.at("group") == "diseased",
                            check.at("statistic"), check.at("observed"), check.at("mean"),
                            check.at("sd"), check.at("p")});
    out.push_back(std::move(fit));
  });
  return out;
}

std::vector<FitDetails> Store::details() {
  std::vector<FitDetails> out;
  visit_details([&](const ResultRow& row, const std::string& text) { out.push_back({row, text}); });
  return out;
}

std::optional<CohortContent> Store::cohort_content() {
  auto query = database_.prepare(
      "SELECT key, adjustment, distributions, measurements FROM cohort_contents WHERE key IS NOT "
      "NULL");
  if (!query.step()) return std::nullopt;
  const auto stored = std::move(cohorts().front());
  CohortContent out{query.text(0),
                    {stored.participants, stored.biomarkers, {}, stored.diseased, stored.diagnoses},
                    adjustment_from(json::parse(query.text(1))),
                    table_from(json::parse(query.text(2)))};
  out.cohort.measurements = Matrix(stored.participants.size(), stored.biomarkers.size());
  out.cohort.measurements.values() = query.numbers(3);
  check(out.cohort);
  return out;
}

std::vector<StoredCohort> Store::cohorts() {
  std::vector<StoredCohort> out;
  auto query = database_.prepare(
      "SELECT axis_values, hypothesis, name, participants, diseased, diagnoses, groups, "
      "biomarkers, intake, "
      "not_separating FROM cohorts LEFT JOIN cohort_contents USING (position) ORDER BY position");
  while (query.step()) {
    out.push_back({to_list(query.text(0)), query.text(1), query.text(2), to_list(query.text(3)),
                   json::parse(query.text(4)).get<std::vector<std::uint8_t>>(),
                   to_list(query.text(5)), to_list(query.text(6)), to_list(query.text(7)),
                   query.text(8)});
    if (const auto names = query.text(9); !names.empty())
      out.back().not_separating = to_list(names);
  }
  return out;
}

void Store::merge(const std::filesystem::path& other) {
  auto attach = database_.prepare("ATTACH DATABASE ? AS other");
  attach.bind(1, other.string()).run();
  database_.transaction([&] {
    database_.execute("INSERT OR IGNORE INTO plan SELECT * FROM other.plan");
    database_.execute("INSERT OR REPLACE INTO meta SELECT * FROM other.meta");
    database_.execute("INSERT OR IGNORE INTO recipes SELECT * FROM other.recipes");
    // A result that is ok wins over one that failed.
    database_.execute(
        "INSERT OR REPLACE INTO fits SELECT * FROM other.fits AS o WHERE NOT EXISTS "
        "(SELECT 1 FROM fits WHERE fits.key = o.key AND (fits.status = 'ok' OR o.status <> 'ok'))");
    auto has_cohorts =
        database_.prepare("SELECT 1 FROM other.sqlite_master WHERE name = 'cohorts'");
    if (has_cohorts.step())
      database_.execute("INSERT OR IGNORE INTO cohorts SELECT * FROM other.cohorts");
    auto has_contents =
        database_.prepare("SELECT 1 FROM other.sqlite_master WHERE name = 'cohort_contents'");
    if (has_contents.step())
      database_.execute(
          "INSERT OR IGNORE INTO cohort_contents SELECT * FROM other.cohort_contents");
    fill_slots();
  });
  database_.execute("DETACH DATABASE other");
}

}  // namespace tempo
