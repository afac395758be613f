#include "engine/store.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr std::int64_t kLayout = 1;

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recipes (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS plan (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL, axis_values TEXT NOT NULL,
  hypothesis TEXT NOT NULL, cohort INTEGER NOT NULL, method TEXT NOT NULL, trained_on TEXT NOT NULL,
  labels TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS fits (
  number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, slot TEXT NOT NULL, recipe TEXT NOT NULL,
  status TEXT NOT NULL, tau_distance REAL, stage_mae REAL, sequence_mae REAL, seconds REAL,
  error TEXT NOT NULL, details TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS fits_by_slot ON fits (slot);
)";

ResultRow::Status parse_status(const std::string& text) {
  if (text == "ok") return ResultRow::Status::ok;
  if (text == "failed") return ResultRow::Status::failed;
  return ResultRow::Status::pending;
}

std::string meta(Database& database, const char* name) {
  auto query = database.prepare("SELECT value FROM meta WHERE name = ?");
  query.bind(1, std::string_view(name));
  return query.step() ? query.text(0) : std::string();
}

}  // namespace

std::string_view to_string(ResultRow::Status status) {
  switch (status) {
    case ResultRow::Status::pending: return "pending";
    case ResultRow::Status::ok: return "ok";
    case ResultRow::Status::failed: return "failed";
  }
  return "unknown";
}

Store::Store(const std::filesystem::path& file, Database::Mode mode) : database_(file, mode) {
  if (mode == Database::Mode::create) {
    database_.execute(kTables);
    auto insert = database_.prepare("INSERT OR IGNORE INTO meta VALUES ('layout', ?)");
    insert.bind(1, std::to_string(kLayout)).run();
  }
  const auto layout = meta(database_, "layout");
  if (layout != std::to_string(kLayout))
    throw Error(fmt::format("results store '{}': found layout {}, this tempo reads layout {}; use "
                            "another --out folder",
                            file.string(), layout.empty() ? "none" : layout, kLayout));
}

void Store::set_plan(const std::string& name, const std::vector<std::string>& axes,
                     const std::vector<PlannedFit>& fits,
                     const std::map<std::string, std::string>& recipes) {
  database_.transaction([&] {
    auto set_meta = database_.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
    set_meta.bind(1, "name").bind(2, name).run();
    set_meta.bind(1, "axes").bind(2, nlohmann::json(axes).dump()).run();
    auto add_recipe = database_.prepare("INSERT OR IGNORE INTO recipes VALUES (?, ?)");
    for (const auto& [id, json] : recipes) add_recipe.bind(1, id).bind(2, json).run();
    database_.execute("DELETE FROM plan");
    auto add_fit = database_.prepare("INSERT INTO plan VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    std::int64_t position = 0;
    for (const auto& fit : fits)
      add_fit.bind(1, position++)
          .bind(2, fit.key)
          .bind(3, nlohmann::json(fit.row.axis_values).dump())
          .bind(4, fit.row.hypothesis)
          .bind(5, static_cast<std::int64_t>(fit.row.cohort))
          .bind(6, fit.row.method)
          .bind(7, fit.row.trained_on)
          .bind(8, fit.row.labels)
          .run();
  });
}

void Store::add(const std::vector<std::pair<const PlannedFit*, FitRecord>>& finished) {
  database_.transaction([&] {
    auto insert = database_.prepare(
        "INSERT OR REPLACE INTO fits (key, slot, recipe, status, tau_distance, stage_mae, "
        "sequence_mae, seconds, error, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const auto& [fit, record] : finished)
      insert.bind(1, fit->key)
          .bind(2, fit->slot)
          .bind(3, fit->recipe)
          .bind(4, to_string(record.status))
          .bind(5, record.tau_distance)
          .bind(6, record.stage_mae)
          .bind(7, record.sequence_mae)
          .bind(8, record.seconds)
          .bind(9, record.error)
          .bind(10, record.details)
          .run();
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
      "SELECT recipes.json FROM fits JOIN recipes ON recipes.id = fits.recipe WHERE slot = ? "
      "ORDER BY number DESC LIMIT 1");
  query.bind(1, slot);
  if (!query.step()) return std::nullopt;
  return query.text(0);
}

RunResults Store::results() {
  RunResults out;
  out.name = meta(database_, "name");
  if (const auto axes = meta(database_, "axes"); !axes.empty())
    out.axes = nlohmann::json::parse(axes).get<std::vector<std::string>>();
  auto query = database_.prepare(
      "SELECT axis_values, hypothesis, cohort, method, trained_on, labels, status, tau_distance, "
      "stage_mae, sequence_mae, seconds, error FROM plan LEFT JOIN fits ON fits.key = plan.key "
      "ORDER BY position");
  while (query.step()) {
    ResultRow row;
    row.axis_values = nlohmann::json::parse(query.text(0)).get<std::vector<std::string>>();
    row.hypothesis = query.text(1);
    row.cohort = static_cast<std::size_t>(query.integer(2));
    row.method = query.text(3);
    row.trained_on = query.text(4);
    row.labels = query.text(5);
    row.status = parse_status(query.text(6));
    row.tau_distance = query.number(7);
    row.stage_mae = query.number(8);
    row.sequence_mae = query.number(9);
    row.seconds = query.number(10);
    row.error = query.text(11);
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::string Store::details(const std::string& key) {
  auto query = database_.prepare("SELECT details FROM fits WHERE key = ?");
  query.bind(1, key);
  return query.step() ? query.text(0) : std::string();
}

void Store::merge(const std::filesystem::path& other) {
  const Store checked(other, Database::Mode::read);  // a clear message if it is no store
  auto attach = database_.prepare("ATTACH DATABASE ? AS other");
  attach.bind(1, other.string()).run();
  const auto count = [&](const std::string& sql) {
    auto query = database_.prepare(sql);
    query.step();
    return query.integer(0);
  };
  const auto own = count("SELECT count(*) FROM plan");
  const auto differing = count(
      "SELECT count(*) FROM other.plan AS o LEFT JOIN plan AS p ON p.position = o.position "
      "WHERE p.key IS NOT o.key OR p.axis_values IS NOT o.axis_values OR p.method IS NOT o.method");
  if (own != 0 && (differing != 0 || own != count("SELECT count(*) FROM other.plan")))
    throw Error(fmt::format("'{}' was made by another experiment or another version of it: its plan "
                            "differs; merge only shards of one experiment",
                            other.string()));
  database_.transaction([&] {
    if (own == 0) {
      database_.execute("INSERT INTO plan SELECT * FROM other.plan");
      database_.execute("INSERT OR REPLACE INTO meta SELECT * FROM other.meta");
    }
    database_.execute("INSERT OR IGNORE INTO recipes SELECT * FROM other.recipes");
    // A result that is ok wins over one that failed.
    database_.execute(
        "INSERT OR REPLACE INTO fits (key, slot, recipe, status, tau_distance, stage_mae, "
        "sequence_mae, seconds, error, details) SELECT key, slot, recipe, status, tau_distance, "
        "stage_mae, sequence_mae, seconds, error, details FROM other.fits AS o WHERE NOT EXISTS "
        "(SELECT 1 FROM fits WHERE fits.key = o.key AND (fits.status = 'ok' OR o.status <> 'ok'))");
  });
  database_.execute("DETACH DATABASE other");
}

}  // namespace tempo
