#include "results/store.hpp"

#include <cmath>
#include <limits>

#include "small_experiment.hpp"

namespace tempo::test {
namespace {

using Status = ResultRow::Status;

PlannedFit planned(const std::string& key, const std::string& method = "m") {
  PlannedFit fit;
  fit.row.axis_values = {"0.5"};
  fit.row.hypothesis = "h";
  fit.row.cohort = 3;
  fit.row.method = method;
  fit.row.labels = "fit";
  fit.key = key;
  fit.recipe = "recipe of " + key;
  fit.slot = "slot of " + method;
  return fit;
}

FitRecord good(double tau_distance) {
  FitRecord record;
  record.status = Status::ok;
  record.tau_distance = tau_distance;
  record.warnings = {"first", "second, with \"quotes\""};
  record.details = "{}";
  return record;
}

FitRecord bad() {
  FitRecord record;
  record.error = "did not converge";
  return record;
}

void set_plan(Store& store, const std::vector<PlannedFit>& fits) {
  std::map<std::string, std::string> recipes;
  for (const auto& fit : fits) recipes[fit.recipe] = "{\"" + fit.key + "\":1}";
  store.set_plan("name", {"axis"}, fits, recipes);
}

std::string why_refused(const std::filesystem::path& file, Database::Mode mode) {
  try {
    Store store(file, mode);
    return "opened";
  } catch (const Error& error) {
    auto text = std::string(error.what());
    const auto at = text.find(file.string());
    return at == std::string::npos ? text : text.replace(at, file.string().size(), "FILE");
  }
}

}  // namespace

TEST_CASE("a store gives back what was put in", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two"),
                                     planned("c", "three")};
  {
    Store store(file, Database::Mode::create);
    set_plan(store, fits);
    store.add({{&fits[2], bad()}, {&fits[0], good(0.125)}});
  }
  Store store(file, Database::Mode::read);
  const auto results = store.results();
  REQUIRE(results.name == "name");
  REQUIRE(results.axes == std::vector<std::string>{"axis"});
  REQUIRE(results.rows.size() == 3);
  REQUIRE(results.rows[0].status == Status::ok);
  REQUIRE(results.rows[0].tau_distance == 0.125);
  REQUIRE(results.rows[0].warnings == std::vector<std::string>{"first", "second, with \"quotes\""});
  REQUIRE(results.rows[0].axis_values == std::vector<std::string>{"0.5"});
  REQUIRE(results.rows[0].cohort == 3);
  REQUIRE(results.rows[0].labels == "fit");
  REQUIRE(results.rows[1].status == Status::pending);
  REQUIRE(results.rows[2].status == Status::failed);
  REQUIRE(results.rows[2].error == "did not converge");
  REQUIRE(std::isnan(results.rows[2].tau_distance));
  REQUIRE(store.statuses() ==
          std::map<std::string, Status>{{"a", Status::ok}, {"c", Status::failed}});
}

TEST_CASE("a store has the traces of fits that kept one", "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two"),
                                     planned("c", "three")};
  set_plan(store, fits);
  auto traced = good(0.5);
  traced.details = R"({"log_likelihood_trace": [[-3.5, -2.25], [null, -1.0]]})";  // no infinity
  store.add({{&fits[1], traced}, {&fits[0], good(0.125)}, {&fits[2], bad()}});
  const auto traces = store.traces();
  REQUIRE(traces.size() == 1);
  REQUIRE(traces[0].row.method == "two");
  REQUIRE(traces[0].row.cohort == 3);
  REQUIRE(traces[0].chains == std::vector<std::vector<double>>{
                                  {-3.5, -2.25}, {-std::numeric_limits<double>::infinity(), -1.0}});
}

TEST_CASE("a store has the predictive checks and the evidence of fits that kept them",
          "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two")};
  set_plan(store, fits);
  auto checked = good(0.5);
  checked.details = R"({"checks": [{"biomarker": "MMSE", "group": "healthy", "statistic": "sd",
    "observed": 1.5, "mean": 1.0, "sd": 0.25, "p": 0.125}],
    "log_scores": [-1.0, -2.0], "diagnostics": {"elpd_mcse": 3.5, "r_hat": null}})";
  store.add({{&fits[1], checked}, {&fits[0], good(0.125)}});
  const auto checks = store.checks();
  REQUIRE(checks.size() == 1);
  REQUIRE(checks[0].row.method == "two");
  REQUIRE(checks[0].checks.size() == 1);
  const auto& check = checks[0].checks[0];
  REQUIRE(check.biomarker == "MMSE");
  REQUIRE_FALSE(check.diseased);
  REQUIRE(check.statistic == "sd");
  REQUIRE(std::vector{check.observed, check.mean, check.sd, check.p} ==
          std::vector{1.5, 1.0, 0.25, 0.125});
  const auto evidence = store.evidence();
  REQUIRE(evidence[0].log_scores.empty());
  REQUIRE(evidence[1].log_scores == std::vector{-1.0, -2.0});
  REQUIRE(evidence[1].elpd_mcse == 3.5);
}

TEST_CASE("how far fits of bayes 1.2 with several families were off is not known",
          "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<PlannedFit> fits{planned("a", "one")};
  set_plan(store, fits);
  auto old = good(0.5);
  old.details = R"({"log_scores": [-1.0], "diagnostics": {"elpd_mcse": 3.5, "families": 6}})";
  store.add({{&fits[0], old}});
  REQUIRE(std::isnan(store.evidence()[0].elpd_mcse));
}

TEST_CASE("a store at rest is one file", "[engine][store]") {
  const TemporaryFolder folder;
  { Store store(folder.path() / "results.sqlite", Database::Mode::create); }
  const std::filesystem::directory_iterator files(folder.path());
  REQUIRE(std::distance(begin(files), end(files)) == 1);
  // Bytes 18 and 19 of an SQLite file are 2 where readers need a write-ahead log beside it.
  REQUIRE(read_text(folder.path() / "results.sqlite").substr(18, 2) == "\x01\x01");
}

TEST_CASE("results outlive a change of plan and come back with it", "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<PlannedFit> before{planned("a")};
  const std::vector<PlannedFit> after{planned("b")};
  set_plan(store, before);
  store.add({{&before[0], good(0.25)}});
  set_plan(store, after);
  REQUIRE(store.results().rows[0].status == Status::pending);
  REQUIRE(store.last_recipe("slot of m") == R"({"a":1})");
  REQUIRE(store.last_recipe("slot of none") == std::nullopt);
  set_plan(store, before);
  REQUIRE(store.results().rows[0].tau_distance == 0.25);
}

TEST_CASE("fits with one key share a result", "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("a", "two")};
  set_plan(store, fits);
  store.add({{&fits[0], good(0.25)}});
  for (const auto& row : store.results().rows) REQUIRE(row.tau_distance == 0.25);
  for (const auto& fit : fits) REQUIRE(store.last_recipe(fit.slot) == R"({"a":1})");
}

TEST_CASE("stores of one plan merge; a good result wins", "[engine][store]") {
  const TemporaryFolder folder;
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two"),
                                     planned("c", "three")};
  const auto make = [&](const char* name, const std::vector<std::optional<FitRecord>>& records) {
    Store store(folder.path() / name, Database::Mode::create);
    set_plan(store, fits);
    for (std::size_t i = 0; i < records.size(); ++i)
      if (records[i]) store.add({{&fits[i], *records[i]}});
    return folder.path() / name;
  };
  const auto first = make("first", {good(0.25), bad()});
  const auto second = make("second", {bad(), good(0.5), good(0.75)});
  for (const bool forwards : {true, false}) {
    Store whole(folder.path() / (forwards ? "forwards" : "backwards"), Database::Mode::create);
    REQUIRE(whole.plan_key().empty());
    whole.merge(forwards ? first : second);
    whole.merge(forwards ? second : first);
    REQUIRE(whole.plan_key() == Store(first, Database::Mode::read).plan_key());
    std::vector<double> distances;
    for (const auto& row : whole.results().rows) distances.push_back(row.tau_distance);
    REQUIRE(distances == std::vector<double>{0.25, 0.5, 0.75});
  }
}

TEST_CASE("a store has its real cohort as it was read, also after a merge; older ones have not",
          "[engine][store]") {
  const TemporaryFolder folder;
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const Cohort cohort{
      {"p", "q"}, {"a", "b"}, matrix({{1.5, missing}, {0.1, -3e-300}}), {0, 1}, {"CN", "AD"}};
  const CohortContent content{
      "key",
      cohort,
      {{"age"}, {"a", "b"}, matrix({{0.5}, {-1}}), matrix({{70}, {71.25}}), {55}, {90.5}},
      BiomarkerTable({{"a", {0.0, 1.0}, {2.0, 0.5}}, {"b", {1.0, 1.0}, {3.0, 1.0}}})};
  const StoredCohort stored{{"0.5"},          "real",
                            "clinic.toml",    cohort.participants,
                            cohort.diseased,  cohort.diagnoses,
                            {"CN", "AD"},     cohort.biomarkers,
                            "2 in the table", std::vector<std::string>{"b"}};
  const auto make = [&](const char* name) {
    Store store(folder.path() / name, Database::Mode::create);
    const std::vector<PlannedFit> fits{planned("a")};
    store.set_plan("name", {"axis"}, fits, {{fits[0].recipe, "{}"}}, {stored}, &content);
    return folder.path() / name;
  };
  const auto expect_content = [&](Store& store) {
    REQUIRE(store.cohorts().size() == 1);
    REQUIRE(store.cohorts().front().not_separating == stored.not_separating);
    const auto found = store.cohort_content();
    REQUIRE(found);
    REQUIRE(found->key == "key");
    REQUIRE(found->cohort == cohort);
    REQUIRE(found->distributions == content.distributions);
    REQUIRE(found->adjustment.covariates == content.adjustment.covariates);
    REQUIRE(found->adjustment.slopes == content.adjustment.slopes);
    REQUIRE(found->adjustment.means == content.adjustment.means);
    REQUIRE(found->adjustment.lows == content.adjustment.lows);
    REQUIRE(found->adjustment.highs == content.adjustment.highs);
  };
  const auto file = make("now");
  Store now(file, Database::Mode::read);
  expect_content(now);

  const auto before = make("before");  // as it was made before runs kept their cohort
  Database(before, Database::Mode::create).execute("DROP TABLE cohort_contents");
  {
    Store old(before, Database::Mode::read);
    REQUIRE(old.cohorts().front().participants == cohort.participants);
    REQUIRE_FALSE(old.cohorts().front().not_separating);
    REQUIRE_FALSE(old.cohort_content());
  }
  for (const auto& parts : {std::vector{file, before}, std::vector{before, file}}) {
    Store whole(folder.path() / (parts[0] == file ? "forwards" : "backwards"),
                Database::Mode::create);
    for (const auto& part : parts) whole.merge(part);
    expect_content(whole);
  }
}

TEST_CASE("what is no store is refused and left as it was", "[engine][store]") {
  const TemporaryFolder folder;
  SECTION("some text") {
    const auto file = folder.write("results.sqlite", std::string(200, 'x'));
    for (const auto mode : {Database::Mode::create, Database::Mode::read})
      REQUIRE(why_refused(file, mode) == "results store 'FILE': file is not a database");
    REQUIRE(read_text(file) == std::string(200, 'x'));
  }
  SECTION("a store of which only a part was copied") {
    const auto file = folder.path() / "results.sqlite";
    { Store store(file, Database::Mode::create); }
    std::filesystem::resize_file(file, 5000);
    REQUIRE(why_refused(file, Database::Mode::create) ==
            "results store 'FILE': database disk image is malformed");
  }
  SECTION("another program's database") {
    const auto file = folder.path() / "results.sqlite";
    { Database(file, Database::Mode::create).execute("CREATE TABLE plan (mine TEXT)"); }
    const auto before = read_text(file);
    for (const auto mode : {Database::Mode::create, Database::Mode::read})
      REQUIRE(why_refused(file, mode) ==
              "results store 'FILE': found layout none, this tempo reads "
              "layout 1; use another --out folder");
    REQUIRE(read_text(file) == before);
  }
  SECTION("a store of a tempo to come") {
    const auto file = folder.path() / "results.sqlite";
    { Store store(file, Database::Mode::create); }
    { Database(file, Database::Mode::create).execute("UPDATE meta SET value = '2'"); }
    REQUIRE(why_refused(file, Database::Mode::read) ==
            "results store 'FILE': found layout 2, this tempo reads layout 1; use another --out "
            "folder");
  }
}

TEST_CASE("a store whose maker was killed at once is as good as none", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  { Database(file, Database::Mode::create).execute("PRAGMA journal_mode = WAL"); }
  REQUIRE(std::filesystem::file_size(file) == 4096);
  SECTION("to read") {
    const auto before = read_text(file);
    REQUIRE(Store(file, Database::Mode::read).results().rows.empty());
    REQUIRE(read_text(file) == before);
  }
  SECTION("to write") {
    const std::vector<PlannedFit> fits{planned("a")};
    {
      Store store(file, Database::Mode::create);
      set_plan(store, fits);
    }
    REQUIRE(Store(file, Database::Mode::read).results().rows.size() == 1);
  }
  SECTION("unless another program has put its mark on it") {
    { Database(file, Database::Mode::create).execute("PRAGMA application_id = 7"); }
    REQUIRE(why_refused(file, Database::Mode::create) ==
            "results store 'FILE': found layout none, this tempo reads layout 1; use another --out "
            "folder");
  }
}

TEST_CASE("what went wrong in a transaction is what is said", "[engine][store]") {
  const TemporaryFolder folder;
  Database database(folder.path() / "d", Database::Mode::create);
  SECTION("though SQLite had undone it already") {
    REQUIRE_THROWS_WITH(database.transaction([&] {
      database.execute("ROLLBACK");
      throw Error("disk full");
    }),
                        "disk full");
  }
  SECTION("and one that cannot be committed is over") {
    database.execute("PRAGMA foreign_keys = ON");
    database.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)");
    database.execute("CREATE TABLE u (n INTEGER REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)");
    REQUIRE_THROWS_AS(database.transaction([&] { database.execute("INSERT INTO u VALUES (1)"); }),
                      Error);
    database.transaction([&] { database.execute("INSERT INTO t VALUES (1)"); });
  }
}

TEST_CASE("a transaction that throws leaves nothing", "[engine][store]") {
  const TemporaryFolder folder;
  Database database(folder.path() / "d", Database::Mode::create);
  database.execute("CREATE TABLE t (n INTEGER)");
  REQUIRE_THROWS_AS(database.transaction([&] {
    database.execute("INSERT INTO t VALUES (1)");
    throw Error("no");
  }),
                    Error);
  auto query = database.prepare("SELECT count(*) FROM t");
  REQUIRE(query.step());
  REQUIRE(query.integer(0) == 0);
}

}  // namespace tempo::test
