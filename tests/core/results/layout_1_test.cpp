// A store as version 1 made it is read as it is, and brought up to date when it is written to.

#include <cmath>

#include "data/content_key.hpp"
#include "results/store.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

constexpr const char* kVersion1 = R"(
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE recipes (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE plan (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL, slot TEXT NOT NULL, axis_values TEXT NOT NULL,
  hypothesis TEXT NOT NULL, cohort INTEGER NOT NULL, method TEXT NOT NULL, trained_on TEXT NOT NULL,
  labels TEXT NOT NULL);
CREATE TABLE fits (
  key TEXT PRIMARY KEY, recipe TEXT NOT NULL, status TEXT NOT NULL, tau_distance REAL,
  stage_mae REAL, sequence_mae REAL, seconds REAL, error TEXT NOT NULL, warnings TEXT NOT NULL,
  details TEXT NOT NULL);
CREATE TABLE slots (slot TEXT PRIMARY KEY, recipe TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('layout', '1'), ('name', 'old'), ('axes', '["seed"]'),
  ('about', '{"seed": 5, "hypotheses": [{"id": "h1", "event_times": "ranks, noisy"}],
    "methods": [{"id": "m", "plugin": "m", "settings": {"parameters": "estimate"}}],
    "plugins": [{"kind": "method", "id": "m", "version": "1", "file": "m.so", "content": "k"}]}');
INSERT INTO recipes VALUES ('of plain', '{"seed": 5}'), ('of trained', '{"model": {"a": 1}}'),
  ('of assuming', '{"assumed": {}}');
)";

constexpr const char* kRealCohorts = R"(
CREATE TABLE cohorts (
  position INTEGER PRIMARY KEY, axis_values TEXT NOT NULL, hypothesis TEXT NOT NULL,
  name TEXT NOT NULL, participants TEXT NOT NULL, diseased TEXT NOT NULL, diagnoses TEXT NOT NULL,
  groups TEXT NOT NULL, biomarkers TEXT NOT NULL, intake TEXT NOT NULL);
INSERT INTO cohorts VALUES (0, '["1"]', 'real', 'clinic.csv', '["p"]', '[0]', '[]', '[]', '["a", "b"]',
  '');
)";

constexpr const char* kFits = R"(
INSERT INTO plan VALUES
  (0, 'plain', '["1","ORIGIN",0,"plain"]', '["1"]', 'ORIGIN', 0, 'plain', '', 'none'),
  (1, 'trained', '["1","ORIGIN",0,"trained","h1"]', '["1"]', 'ORIGIN', 0, 'trained', 'h1', 'infer'),
  (2, 'assuming', '["1","ORIGIN",0,"assuming","h1"]', '["1"]', 'ORIGIN', 0, 'assuming', 'BASIS',
   'infer'),
  (3, 'pending', '["1","ORIGIN",1,"trained","h1"]', '["1"]', 'ORIGIN', 1, 'trained', 'h1', 'infer');
INSERT INTO fits VALUES
  ('plain', 'of plain', 'ok', 0.25, NULL, 2.5, 0.125, '',
   '["3 of 20 measurements are missing and were left out: a", "odd"]',
   '{"event_scores": [1.0, 2.0], "diagnostics": {"r_hat": 1.5, "effective_samples": 9.0}}'),
  ('trained', 'of trained', 'ok', 0.5, 1.0, 2.0, 0.125, '', '[]', '{"event_scores": [2.0, 1.0]}'),
  ('assuming', 'of assuming', 'failed', NULL, NULL, NULL, 0.125, 'did not converge', '[]', '');
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Cohorts of `h`, or a real one, in a store of version 1.
std::filesystem::path version_1(const TemporaryFolder& folder, CohortOrigin origin) {
  const bool is_real = origin == CohortOrigin::real;
  const auto file = folder.path() / "results.sqlite";
  Database database(file, Database::Mode::create);
  database.execute(kVersion1);
  if (is_real) database.execute(kRealCohorts);
  database.execute(
      replaced(replaced(kFits, "ORIGIN", is_real ? "real" : "h"), "BASIS", is_real ? "h1" : ""));
  return file;
}

std::string layout(const std::filesystem::path& file) {
  Database database(file, Database::Mode::read);
  auto query = database.prepare("SELECT value FROM meta WHERE name = 'layout'");
  REQUIRE(query.step());
  return query.text(0);
}

void expect_results(Store& store) {
  const auto results = store.results();
  REQUIRE(results.name == "old");
  REQUIRE(results.axes == std::vector<std::string>{"seed"});
  REQUIRE(results.rows.size() == 4);
  const auto& plain = results.rows[0].result;
  REQUIRE(plain.status == FitStatus::ok);
  REQUIRE(plain.scores.tau_distance == 0.25);
  REQUIRE(std::isnan(plain.scores.stage_mae));
  REQUIRE(plain.warnings ==
          std::vector<Warning>{{Warning::Kind::missing_values,
                                "3 of 20 measurements are missing and were left out: a"},
                               {Warning::Kind::method, "odd"}});
  REQUIRE(results.rows[2].result.error == "did not converge");
  REQUIRE(results.rows[3].result.status == FitStatus::pending);
  std::vector<std::string> models;
  store.visit([&](const StoredFit& fit) {
    models.push_back(fit.model());
    if (fit.id().method != "plain") return;
    const auto details = fit.details({DetailPart::order, DetailPart::chains});
    REQUIRE(details.event_scores == std::vector{1.0, 2.0});
    REQUIRE(details.chains->r_hat == 1.5);
  });
  // Of a fit that is still to be made version 1 does not tell which model it will apply.
  REQUIRE(models == std::vector<std::string>{"", content_key(R"({"a":1})"), "", ""});
  REQUIRE(store.makers().empty());  // layout 1 did not say who made a result
  const auto run = store.description();
  REQUIRE(run->seed == 5);
  REQUIRE(run->hypotheses[0].events == EventScale::ranks);
  REQUIRE(run->methods[0].distributions == Distributions::estimated);
}

/// On what each fit rests.
std::vector<std::string> bases_of(const std::vector<FitRow>& rows) {
  std::vector<std::string> out;
  for (const auto& [id, result] : rows)
    out.push_back(!id.trained_on.empty() ? "learned " + id.trained_on
                  : !id.assumed.empty()  ? "assumed " + id.assumed
                                         : "");
  return out;
}

}  // namespace

TEST_CASE("what version 1 stored of cohorts with a truth", "[results][store][version_1]") {
  const TemporaryFolder folder;
  const auto file = version_1(folder, CohortOrigin::hypothesis);
  const auto expect = [](Store& store) {
    expect_results(store);
    const auto rows = store.results().rows;
    for (const auto& row : rows) {
      REQUIRE_FALSE(row.id.is_real());
      REQUIRE(row.id.hypothesis == "h");
      REQUIRE(row.id.assumed.empty());
      REQUIRE(row.id.trained_on == (row.id.method == "trained" ? "h1" : ""));
    }
  };
  SECTION("is read, and stays as it is") {
    const auto before = read_text(file);
    Store store(file, Database::Mode::read);
    expect(store);
    REQUIRE(read_text(file) == before);
  }
  SECTION("is brought up to date when the store is opened for writing") {
    {
      Store store(file, Database::Mode::create);
      expect(store);
    }
    REQUIRE(layout(file) == "2");
    Store again(file, Database::Mode::read);
    expect(again);
  }
  SECTION("is taken over by a store of this version") {
    const auto whole = folder.path() / "whole";
    Store store(whole, Database::Mode::create);
    store.merge(file);
    REQUIRE(store.results().rows.size() == 4);
    REQUIRE(store.results().rows[1].id.trained_on == "h1");
    REQUIRE(store.results().rows[1].result.scores.tau_distance == 0.5);
    REQUIRE(store.plan_key() == Store(file, Database::Mode::read).plan_key());
    REQUIRE(layout(whole) == "2");
    REQUIRE(layout(file) == "1");
  }
}

TEST_CASE("what version 1 stored of a real cohort: models and assumptions are told apart",
          "[results][store][version_1]") {
  const TemporaryFolder folder;
  const auto file = version_1(folder, CohortOrigin::real);
  const auto expect = [](Store& store) {
    expect_results(store);
    const auto rows = store.results().rows;
    for (const auto& row : rows) {
      REQUIRE(row.id.is_real());
      REQUIRE(row.id.hypothesis.empty());
    }
    REQUIRE(bases_of(rows) ==
            std::vector<std::string>{"", "learned h1", "assumed h1", "learned h1"});
    REQUIRE(rows[3].id.is_replicate());
    REQUIRE(store.cohorts().size() == 1);
    REQUIRE(store.cohorts()[0].name == "clinic.csv");
    REQUIRE_FALSE(store.cohorts()[0].not_separating);
    REQUIRE_FALSE(store.cohort_content());
  };
  for (const auto mode : {Database::Mode::read, Database::Mode::create}) {
    Store store(file, mode);
    expect(store);
  }
  REQUIRE(layout(file) == "2");
}

}  // namespace tempo::test
