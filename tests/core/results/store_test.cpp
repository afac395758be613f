#include "results/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>
#include <optional>

#include "results/codec.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

PlannedFit planned(const std::string& key, const std::string& method = "m") {
  PlannedFit fit;
  fit.id = {.axis_values = {"0.5"},
            .origin = CohortOrigin::hypothesis,
            .hypothesis = "h",
            .cohort = 3,
            .method = method,
            .trained_on = "",
            .assumed = "",
            .labels = "fit"};
  fit.key = key;
  fit.recipe = "recipe of " + key;
  fit.slot = "slot of " + method;
  fit.plugins = {"method " + method};
  return fit;
}

FitRecord good(double tau_distance) {
  FitRecord record;
  record.result.status = FitStatus::ok;
  record.result.scores.tau_distance = tau_distance;
  record.result.warnings = {{Warning::Kind::method, "first"},
                            {Warning::Kind::missing_values, "second, with \"quotes\""}};
  record.details.event_scores = {1.0, 2.0};
  return record;
}

FitRecord bad() {
  FitRecord record;
  record.result.status = FitStatus::failed;
  record.result.error = "did not converge";
  return record;
}

StoredPlan plan_of(const std::vector<PlannedFit>& fits) {
  StoredPlan plan;
  plan.name = "name";
  plan.axes = {"axis"};
  plan.fits = fits;
  for (const auto& fit : fits) plan.recipes[fit.recipe] = "{\"" + fit.key + "\":1}";
  return plan;
}

void set_plan(Store& store, const std::vector<PlannedFit>& fits) { store.set_plan(plan_of(fits)); }

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

/// What a store and the files beside it look like on disk now: as a kill would leave them.
void copy_as_killed(const std::filesystem::path& from, const std::filesystem::path& to) {
  for (const auto* ending : {"", "-journal", "-wal"})
    if (std::filesystem::exists(from.string() + ending))
      std::filesystem::copy_file(from.string() + ending, to.string() + ending);
}

/// A store with one plan in it, left by a writer that was killed in a transaction.
void leave_killed(const TemporaryFolder& folder, const std::filesystem::path& to,
                  const char* journal_mode) {
  const auto file = folder.path() / "being written";
  {
    Store store(file, Database::Mode::create);
    set_plan(store, {planned("a")});
  }
  Database writer(file, Database::Mode::create);
  writer.execute(std::string("PRAGMA journal_mode = ") + journal_mode);
  writer.execute("PRAGMA cache_size = 1");  // pages reach the file before the end of a transaction
  writer.execute("UPDATE meta SET value = 'before' WHERE name = 'name'");
  writer.execute("BEGIN");
  writer.execute("UPDATE meta SET value = 'after' WHERE name = 'name'");
  for (int i = 0; i < 100; ++i)
    writer.execute("INSERT INTO recipes VALUES ('r" + std::to_string(i) + "', hex(zeroblob(500)))");
  copy_as_killed(file, to);
}

/// As long as it lives, every disk is taken for one that several machines share.
class OnNetworkDisk {
 public:
  OnNetworkDisk() { setenv("TEMPO_DISK", "network", /*overwrite=*/1); }
  ~OnNetworkDisk() { unsetenv("TEMPO_DISK"); }
  OnNetworkDisk(const OnNetworkDisk&) = delete;
  OnNetworkDisk& operator=(const OnNetworkDisk&) = delete;
};

/// As long as it lives, temporary files are in that folder.
class TemporaryFilesIn {
 public:
  explicit TemporaryFilesIn(const std::filesystem::path& folder) {
    if (const auto* const was = getenv("TMPDIR"); was != nullptr) earlier_ = was;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryFilesIn() { earlier_ ? setenv("TMPDIR", earlier_->c_str(), 1) : unsetenv("TMPDIR"); }
  TemporaryFilesIn(const TemporaryFilesIn&) = delete;
  TemporaryFilesIn& operator=(const TemporaryFilesIn&) = delete;

 private:
  std::optional<std::string> earlier_;
};

/// As long as it lives, a file changes several times a millisecond, whatever this thread does.
class RestlessWriter {
 public:
  explicit RestlessWriter(const std::filesystem::path& file) {
    path() = file.string();
    struct sigaction on_alarm {};
    on_alarm.sa_handler = [](int) {
      static long count = 0;
      const timespec then{1'000'000'000 + ++count, 0};
      const std::array<timespec, 2> times{then, then};
      utimensat(AT_FDCWD, path().c_str(), times.data(), 0);
    };
    on_alarm.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &on_alarm, &earlier_);
    every(200);
  }
  ~RestlessWriter() {
    every(0);
    sigaction(SIGALRM, &earlier_, nullptr);
  }
  RestlessWriter(const RestlessWriter&) = delete;
  RestlessWriter& operator=(const RestlessWriter&) = delete;

 private:
  static std::string& path() {
    static std::string path;
    return path;
  }
  static void every(suseconds_t microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }

  struct sigaction earlier_ {};
};

/// As long as it lives, nothing can be written in a folder, not even by root.
class ReadOnly {
 public:
  explicit ReadOnly(std::filesystem::path folder) : folder_(std::move(folder)) {
    using std::filesystem::perms;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      permissions(entry.path(), perms::owner_read | perms::group_read | perms::others_read);
    constexpr auto kLook = perms::owner_read | perms::owner_exec | perms::group_read |
                           perms::group_exec | perms::others_read | perms::others_exec;
    for (const auto& open : {folder_, folder_.parent_path()}) permissions(open, kLook);
    if (user_ == 0) REQUIRE(seteuid(65534) == 0);
  }
  ~ReadOnly() {
    if (user_ == 0 && seteuid(0) != 0) std::abort();
    for (const auto& open : {folder_.parent_path(), folder_})
      permissions(open, std::filesystem::perms::owner_all);
  }

 private:
  std::filesystem::path folder_;
  uid_t user_ = geteuid();
};

}  // namespace

TEST_CASE("a store that cannot be written says so when it is opened for it", "[engine][store]") {
  const TemporaryFolder folder;
  const auto inner = folder.path() / "run";
  std::filesystem::create_directory(inner);
  const auto file = inner / "results.sqlite";
  { const Store store(file, Database::Mode::create); }
  std::string why;
  {
    const ReadOnly closed(inner);
    try {
      const Store store(file, Database::Mode::create);
    } catch (const Error& error) {
      why = error.what();
    }
  }
  REQUIRE(why ==
          "results store '" + file.string() + "': can be read but not written (Permission denied)");
}

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
  REQUIRE(results.rows[0].id == fits[0].id);
  REQUIRE(results.rows[0].result.status == FitStatus::ok);
  REQUIRE(results.rows[0].result.scores.tau_distance == 0.125);
  REQUIRE(results.rows[0].result.warnings == good(0.125).result.warnings);
  REQUIRE(results.rows[1].result.status == FitStatus::pending);
  REQUIRE(results.rows[2].result.status == FitStatus::failed);
  REQUIRE(results.rows[2].result.error == "did not converge");
  REQUIRE(std::isnan(results.rows[2].result.scores.tau_distance));
  REQUIRE(store.statuses() ==
          std::map<std::string, FitStatus>{{"a", FitStatus::ok}, {"c", FitStatus::failed}});
}

TEST_CASE("each status of a fit is kept, and failures do not replace a good result",
          "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<FitStatus> failures{FitStatus::failed, FitStatus::timed_out,
                                        FitStatus::out_of_memory, FitStatus::not_applicable,
                                        FitStatus::bad_answer};
  const std::vector<PlannedFit> fits{planned("a", "one")};
  set_plan(store, fits);
  for (const auto status : failures) {
    auto record = bad();
    record.result.status = status;
    store.add({{&fits[0], record}});
    REQUIRE(store.statuses().at("a") == status);
    REQUIRE(fit_status_from(to_string(status)) == status);
    REQUIRE(is_failure(status));
  }
  store.add({{&fits[0], good(0.5)}});
  for (const auto status : failures) {
    auto record = bad();
    record.result.status = status;
    store.add({{&fits[0], record}});
    REQUIRE(store.statuses().at("a") == FitStatus::ok);
  }
  REQUIRE_FALSE(is_failure(FitStatus::ok));
  REQUIRE_FALSE(is_failure(FitStatus::pending));
  REQUIRE_FALSE(fit_status_from("good").has_value());
}

TEST_CASE("a store tells a real cohort, what was learned from and what was assumed apart",
          "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two"), planned("c", "three")};
  for (auto& fit : fits) {
    fit.id.origin = CohortOrigin::real;
    fit.id.hypothesis.clear();
  }
  fits[0].id.assumed = "h1";
  fits[1].id.trained_on = "h2";
  fits[1].model = "key of a model";
  set_plan(store, fits);
  std::vector<std::string> models;
  std::vector<FitId> ids;
  store.visit([&](const StoredFit& fit) {
    ids.push_back(fit.id());
    models.push_back(fit.model());
  });
  for (std::size_t i = 0; i < fits.size(); ++i) REQUIRE(ids[i] == fits[i].id);
  REQUIRE(models == std::vector<std::string>{"", "key of a model", ""});
}

TEST_CASE("a visitor is shown the details of fits that went well", "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two"),
                                     planned("c", "three")};
  set_plan(store, fits);
  const double impossible = -std::numeric_limits<double>::infinity();
  auto rich = good(0.5);
  rich.details.log_likelihood_trace = matrix({{-3.5, -2.25}, {impossible, -1.0}});
  rich.details.checks = {{"MMSE", false, "sd", 1.5, 1.0, 0.25, 0.125}};
  rich.details.evidence = Evidence();
  rich.details.evidence->log_scores = {-1.0, -2.0};
  rich.details.evidence->elpd_mcse = 3.5;
  store.add({{&fits[1], rich}, {&fits[0], good(0.125)}, {&fits[2], bad()}});
  std::vector<FitDetails> found;
  store.visit([&](const StoredFit& fit) {
    REQUIRE(fit.id() == fits[found.size()].id);
    found.push_back(fit.details(DetailParts::all()));
  });
  REQUIRE(found.size() == 3);
  REQUIRE_FALSE(found[0].log_likelihood_trace);
  REQUIRE(found[0].checks.empty());
  REQUIRE_FALSE(found[0].evidence);
  REQUIRE(*found[1].log_likelihood_trace == matrix({{-3.5, -2.25}, {impossible, -1.0}}));
  REQUIRE(found[1].checks.size() == 1);
  const auto& check = found[1].checks[0];
  REQUIRE(check.biomarker == "MMSE");
  REQUIRE_FALSE(check.diseased);
  REQUIRE(check.statistic == "sd");
  REQUIRE(std::vector{check.observed, check.mean, check.sd, check.p} ==
          std::vector{1.5, 1.0, 0.25, 0.125});
  REQUIRE(found[1].evidence->log_scores == std::vector{-1.0, -2.0});
  REQUIRE(found[1].evidence->elpd_mcse == 3.5);
  REQUIRE(found[2].event_scores.empty());  // it failed
}

TEST_CASE("a store knows which libraries made each result", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two"),
                                     planned("c", "three")};
  auto plan = plan_of(fits);
  {
    Store store(file, Database::Mode::create);
    plan.libraries = {{"method one", "1"}, {"method two", "2"}};
    store.set_plan(plan);
    store.add({{&fits[0], good(0.5)}});
    plan.libraries["method one"] = "another";
    store.set_plan(plan);
    store.add({{&fits[1], good(0.5)}, {&fits[2], bad()}});
  }
  Store store(file, Database::Mode::read);
  REQUIRE(store.makers() == std::map<std::string, Libraries>{{"a", {{"method one", "1"}}},
                                                             {"b", {{"method two", "2"}}}});
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
  REQUIRE(store.results().rows[0].result.status == FitStatus::pending);
  REQUIRE(store.last_recipe("slot of m") == R"({"a":1})");
  REQUIRE(store.last_recipe("slot of none") == std::nullopt);
  set_plan(store, before);
  REQUIRE(store.results().rows[0].result.scores.tau_distance == 0.25);
}

TEST_CASE("fits with one key share a result", "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("a", "two")};
  set_plan(store, fits);
  store.add({{&fits[0], good(0.25)}});
  for (const auto& row : store.results().rows) REQUIRE(row.result.scores.tau_distance == 0.25);
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
    for (const auto& row : whole.results().rows)
      distances.push_back(row.result.scores.tau_distance);
    REQUIRE(distances == std::vector<double>{0.25, 0.5, 0.75});
  }
}

TEST_CASE("stores of two plans join: what both plan stands once, and a good result wins",
          "[engine][store]") {
  const TemporaryFolder folder;
  const auto make = [&](const char* name, const std::vector<PlannedFit>& fits,
                        const std::vector<FitRecord>& records) {
    Store store(folder.path() / name, Database::Mode::create);
    set_plan(store, fits);
    RunDescription about;
    about.seed = 7;
    about.description = std::string("of ") + name;
    for (const auto& fit : fits)
      about.methods.push_back(
          {.id = fit.id.method, .plugin = "p", .settings = "{}", .distributions = {}});
    store.set_description(about);
    for (std::size_t i = 0; i < fits.size(); ++i) store.add({{&fits[i], records[i]}});
    return folder.path() / name;
  };
  const auto first = make("first", {planned("a", "one"), planned("b", "two")}, {good(0.25), bad()});
  const auto second =
      make("second", {planned("b", "two"), planned("c", "three")}, {good(0.5), good(0.75)});
  Store whole(folder.path() / "whole", Database::Mode::create);
  whole.merge(first);
  whole.join(second, "both");
  const auto results = whole.results();
  REQUIRE(results.name == "both");
  std::vector<double> distances;
  for (const auto& row : results.rows) distances.push_back(row.result.scores.tau_distance);
  REQUIRE(distances == std::vector<double>{0.25, 0.5, 0.75});
  REQUIRE(whole.statuses().size() == 3);
  const auto about = whole.description().value();
  REQUIRE(about.methods.size() == 3);
  REQUIRE(about.joined.size() == 2);
  REQUIRE(about.joined[0].plan == Store(first, Database::Mode::read).plan_key());
  REQUIRE(about.joined[1].description == "of second");
  REQUIRE(about.joined[1].fits == 2);
  whole.join(second, "both");  // once more changes nothing
  REQUIRE(whole.results().rows.size() == 3);
  REQUIRE(whole.description()->joined.size() == 2);
}

TEST_CASE("a store that cannot be merged leaves another one free to be", "[engine][store]") {
  const TemporaryFolder folder;
  for (const auto* name : {"damaged", "whole"}) {
    Store store(folder.path() / name, Database::Mode::create);
    set_plan(store, {planned("a")});
  }
  Database(folder.path() / "damaged", Database::Mode::create).execute("DROP TABLE recipes");
  Store all(folder.path() / "all", Database::Mode::create);
  REQUIRE_THROWS_AS(all.merge(folder.path() / "damaged"), Error);
  REQUIRE(all.planned().empty());
  all.merge(folder.path() / "whole");
  REQUIRE(all.planned().size() == 1);
}

TEST_CASE("a score that no metric gives is refused, and never taken for another",
          "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  const auto fit = planned("a");
  {
    Store store(file, Database::Mode::create);
    set_plan(store, {fit});
    store.add({{&fit, good(0.25)}});
  }
  const auto& [change, fault] = GENERATE(table<std::string, std::string>({
      {"tau_distance = 7.5", "tau_distance is '7.5', expected 0 to 1"},
      {"tau_distance = 'abc'", "tau_distance is 'abc', expected a number"},
      {"tau_distance = 9e999", "tau_distance is 'Inf', expected a number"},
      {"stage_mae = -1", "stage_mae is '-1.0', expected a number of at least 0"},
      {"seconds = x'00ff'", "expected a number"},
  }));
  INFO(change);
  Database(file, Database::Mode::create).execute("UPDATE fits SET " + change);
  REQUIRE_THROWS_WITH(
      Store(file, Database::Mode::read).results(),
      Catch::Matchers::StartsWith("results store '" + file.string() + "': it is damaged: ") &&
          Catch::Matchers::EndsWith(fault));
}

TEST_CASE("nothing that a store of somebody else holds is carried out", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  {
    Store store(file, Database::Mode::create);
    set_plan(store, {planned("a"), planned("b")});
    Database(file, Database::Mode::create)
        .execute("CREATE TRIGGER t AFTER INSERT ON fits BEGIN DELETE FROM plan; END");
  }
  Store store(file, Database::Mode::create);
  const auto fit = planned("a");
  store.add({{&fit, good(0.25)}});
  REQUIRE(store.planned().size() == 2);
}

TEST_CASE("a damaged truth is refused in words", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  SimulatedCohort cohort;
  cohort.cohort = {{"p", "q", "r"}, {"a", "b"}, {}, {0, 1, 1}, {}};
  cohort.truth.event_times = {1.5, 0.25};
  cohort.truth.event_ranks = Ranks({2, 1});
  cohort.truth.ordinal_stages = {0, 1, 2};
  Store(file, Database::Mode::create).add_truths({{"c", cohort}});
  const auto& [change, fault] = GENERATE(table<std::string, std::string>({
      {"ranks = '[1]'", "it is damaged: its ranks are of 1 biomarker, its cohort has 2"},
      {"event_times = zeroblob(24)",
       "it is damaged: its event times are of 3 biomarkers, its cohort has 2"},
      {"stages = '[]'", "it is damaged: its stages are of 0 participants, its cohort has 3"},
      {"diseased = '[1]'", "it is damaged: its labels are of 1 participant, its cohort has 3"},
      {"stages = '[0, 1'", "it is damaged: a text stops being JSON at byte 6 of 5"},
      {"stages = '[0, 1, \"x\"]'", "it is damaged: type must be number, but is string"},
  }));
  INFO(change);
  Database(file, Database::Mode::create).execute("UPDATE truths SET " + change);
  REQUIRE_THROWS_WITH(Store(file, Database::Mode::read).truth("c"),
                      "results store '" + file.string() + "': the truth of cohort c: " + fault);
}

TEST_CASE("damaged subtypes of a truth are refused in words", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  SimulatedCohort cohort;
  cohort.cohort = {{"p", "q"}, {"a"}, {}, {0, 1}, {}};
  cohort.truth.event_times = {1.0};
  cohort.truth.event_ranks = Ranks({1});
  cohort.truth.ordinal_stages = {0, 1};
  cohort.truth.subtypes = TrueSubtypes{{{{1.0}, Ranks({1})}}, {-1, 0}};
  Store(file, Database::Mode::create).add_truths({{"c", cohort}});
  const std::string one = R"({"event_times": [1.0], "event_ranks": [1]})";
  const auto& [progressions, subtype, fault] =
      GENERATE_REF(table<std::string, std::string, std::string>({
          {one, "[-1]", "it is damaged: its subtypes are of 1 participant, its cohort has 2"},
          {one, "[-1, 1]", "it is damaged: participant 1, diseased, is of subtype 1, of 1"},
          {one, "[0, 0]", "it is damaged: participant 0, healthy, is of subtype 0, of 1"},
          {R"({"event_times": [], "event_ranks": [1]})", "[-1, 0]",
           "it is damaged: its event times of subtypes are of 0 biomarkers, its cohort has 1"},
          {R"({"event_times": [1.0], "event_ranks": [1, 2]})", "[-1, 0]",
           "it is damaged: its ranks of subtypes are of 2 biomarkers, its cohort has 1"},
      }));
  Database(file, Database::Mode::create)
      .execute(fmt::format(
          R"(UPDATE true_subtypes SET json = '{{"progressions": [{}], "subtype": {}}}')",
          progressions, subtype));
  REQUIRE_THROWS_WITH(Store(file, Database::Mode::read).truth("c"),
                      "results store '" + file.string() + "': the truth of cohort c: " + fault);
}

TEST_CASE("a truth is kept once for all fits of its cohort", "[engine][store]") {
  const TemporaryFolder folder;
  SimulatedCohort cohort;
  cohort.cohort = {{"0", "1", "2"}, {"a", "b"}, {}, {0, 1, 1}, {}};
  cohort.truth.event_times = {1.5, 0.25};
  cohort.truth.event_ranks = Ranks({2, 1});
  cohort.truth.ordinal_stages = {0, 1, 2};
  auto named = cohort;
  named.cohort.participants = {"p", "q", "r"};
  named.truth.subtypes =
      TrueSubtypes{{{{1.5, 0.25}, Ranks({2, 1})}, {{0.5, 1.75}, Ranks({1, 2})}}, {-1, 1, 0}};
  auto one = planned("a", "one"), two = planned("b", "two");
  one.cohort_key = two.cohort_key = "cohort";
  {
    Store store(folder.path() / "results.sqlite", Database::Mode::create);
    set_plan(store, {one, two});
    REQUIRE(store.known_truths().empty());
    store.add_truths({{"cohort", cohort}, {"named", named}});
    store.add_truths({{"cohort", named}});  // is known
  }
  Store store(folder.path() / "results.sqlite", Database::Mode::read);
  REQUIRE(store.known_truths() == std::set<std::string>{"cohort", "named"});
  REQUIRE(store.truth("cohort") == cohort);
  REQUIRE(store.truth("named") == named);
  REQUIRE_FALSE(store.truth("other"));
  const auto cohorts = store.planned_cohorts();
  REQUIRE(cohorts.size() == 1);
  REQUIRE(cohorts[0].axis_values == std::vector<std::string>{"0.5"});
  REQUIRE(cohorts[0].hypothesis == "h");
  REQUIRE(cohorts[0].number == 3);
  REQUIRE(cohorts[0].key == "cohort");
}

TEST_CASE("a store shows names in place of ids, and knows the ids still", "[engine][store]") {
  const TemporaryFolder folder;
  Store store(folder.path() / "results.sqlite", Database::Mode::create);
  set_plan(store, {planned("a", "one"), planned("b", "two")});
  RunDescription about;
  about.limit = "one";
  about.methods = {
      {.id = "one", .plugin = "p", .settings = "{}", .distributions = {}, .name = "The one"},
      {.id = "two", .plugin = "p", .settings = "{}", .distributions = {}}};
  about.hypotheses.emplace_back().id = "h";
  about.hypotheses.back().name = "Hypothesis H";
  about.misfits = {{"one", "h", "why", 1}};
  store.set_description(about);
  for (const int time : {1, 2}) {
    CAPTURE(time);
    store.show_names();
    const auto rows = store.results().rows;
    REQUIRE(rows[0].id.method == "The one");
    REQUIRE(rows[1].id.method == "two");
    REQUIRE(rows[0].id.hypothesis == "Hypothesis H");
    REQUIRE(store.description()->limit == "The one");
    REQUIRE(store.description()->misfits[0].method == "The one");
    REQUIRE(store.description()->hypotheses[0].id == "Hypothesis H");
  }
  using Names = ShownNames::Names;
  REQUIRE(store.shown_names().methods_by_name() == Names{{"The one", "one"}});
  REQUIRE(store.shown_names().hypotheses_by_name() == Names{{"Hypothesis H", "h"}});
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
  const StoredCohort stored{.axis_values = {"0.5"},
                            .name = "clinic.toml",
                            .participants = cohort.participants,
                            .diseased = cohort.diseased,
                            .diagnoses = cohort.diagnoses,
                            .groups = {"CN", "AD"},
                            .biomarkers = cohort.biomarkers,
                            .intake = "2 in the table",
                            .not_separating = std::vector<std::string>{"b"},
                            .covariates = {{"age", "sex = F"}, matrix({{70, 1}, {missing, 0}})}};
  const auto make = [&](const char* name) {
    Store store(folder.path() / name, Database::Mode::create);
    auto plan = plan_of({planned("a")});
    plan.cohorts = {stored};
    plan.content = content;
    store.set_plan(plan);
    return folder.path() / name;
  };
  const auto expect_content = [&](Store& store) {
    REQUIRE(store.cohorts().size() == 1);
    REQUIRE(store.cohorts().front().not_separating == stored.not_separating);
    const auto [names, values] = store.cohorts().front().covariates;
    REQUIRE(names == stored.covariates.names);
    REQUIRE(values(0, 0) == 70.0);
    REQUIRE(values(0, 1) == 1.0);
    REQUIRE(std::isnan(values(1, 0)));
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
  Database(before, Database::Mode::create)
      .execute("DROP TABLE cohort_contents; DROP TABLE cohort_covariates");
  {
    Store old(before, Database::Mode::read);
    REQUIRE(old.cohorts().front().participants == cohort.participants);
    REQUIRE_FALSE(old.cohorts().front().not_separating);
    REQUIRE(old.cohorts().front().covariates.names.empty());
    REQUIRE_FALSE(old.cohort_content());
  }
  for (const auto& parts : {std::vector{file, before}, std::vector{before, file}}) {
    Store whole(folder.path() / (parts[0] == file ? "forwards" : "backwards"),
                Database::Mode::create);
    for (const auto& part : parts) whole.merge(part);
    expect_content(whole);
  }
}

TEST_CASE("a result that cannot be of its cohort is refused in words", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  Store store(file, Database::Mode::create);
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two")};
  set_plan(store, fits);
  FitRecord sound = good(0.5);
  sound.details.stages = {0.0, 1.0, 2.0};
  const auto found = [&](const FitDetails& details) {
    auto damaged = sound;
    damaged.details = details;
    store.add({{&fits[0], sound}, {&fits[1], damaged}});
    store.visit([](const StoredFit& fit) { fit.details(DetailParts::all()); });
  };
  REQUIRE_NOTHROW(found(sound.details));
  const auto expect = [&](const FitDetails& details, const std::string& fault) {
    REQUIRE_THROWS_WITH(found(details),
                        "results store '" + file.string() +
                            "': the result of two on h cohort 3: it is damaged: " + fault);
  };
  FitDetails details = sound.details;
  SECTION("scores") {
    details.event_scores = {1.0};
    expect(details, "its event scores are of 1 biomarker, its cohort has 2");
  }
  SECTION("stages") {
    details.stages = {0.0, 1.0};
    expect(details, "its stages are of 2 participants, its cohort has 3");
  }
  SECTION("spreads of times") {
    details.event_times = {0.1, 0.2};
    details.event_time_spreads.emplace(1);
    expect(details, "its spreads of event times are of 1 biomarker, its cohort has 2");
  }
  SECTION("posteriors") {
    details.rank_posterior = Matrix(2, 3);
    expect(details, "its columns of the rank posterior are of 3 biomarkers, its cohort has 2");
  }
  SECTION("posteriors of subtypes") {
    details.subtypes = SubtypeInference{.event_scores = Matrix(1, 2),
                                        .shares = {1.0},
                                        .posterior = Matrix(3, 1, 1.0),
                                        .log_evidence = {},
                                        .rank_posteriors = {Matrix(2, 3)}};
    expect(
        details,
        "its columns of the rank posterior of a progression are of 3 biomarkers, its cohort has 2");
    details.subtypes->rank_posteriors = {Matrix(2, 2), Matrix(2, 2)};
    expect(details, "it has 2 rank posteriors of progressions, and 1 share of them");
  }
  SECTION("log scores") {
    details.evidence.emplace().log_scores = {-1.0};
    expect(details, "its log scores are of 1 participant, its cohort has 3");
  }
  SECTION("rows of several lengths, and what is no list") {
    store.add({{&fits[0], sound}});
    for (const auto& [text, fault] : std::vector<std::pair<std::string, std::string>>{
             {"[[1, 0], [1]]", "a row of a matrix has 1 numbers, expected 2"},
             {"7", "cannot use at() with number"},
         }) {
      Database(file, Database::Mode::create)
          .execute("UPDATE fits SET status = 'ok', details = '{\"rank_posterior\": " + text +
                   "}' WHERE key = 'a'");
      REQUIRE_THROWS_WITH(
          store.visit([](const StoredFit& fit) { fit.details(DetailParts::all()); }),
          Catch::EndsWith("the result of one on h cohort 3: it is damaged: " + fault));
    }
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
              "layouts 1 to 2; use another --out folder");
    REQUIRE(read_text(file) == before);
  }
  SECTION("a store of a tempo to come") {
    const auto file = folder.path() / "results.sqlite";
    { Store store(file, Database::Mode::create); }
    { Database(file, Database::Mode::create).execute("UPDATE meta SET value = '3'"); }
    REQUIRE(why_refused(file, Database::Mode::read) ==
            "results store 'FILE': found layout 3, this tempo reads layouts 1 to 2; use another "
            "--out folder");
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
            "results store 'FILE': found layout none, this tempo reads layouts 1 to 2; use another "
            "--out folder");
  }
}

TEST_CASE("a store whose writer was killed is read, whatever it was at", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run/results.sqlite";
  std::filesystem::create_directory(file.parent_path());
  const std::string mode = GENERATE("DELETE", "WAL");
  INFO("journal mode " << mode);
  leave_killed(folder, file, mode.c_str());
  const auto* const beside = mode == "WAL" ? "-wal" : "-journal";
  REQUIRE(std::filesystem::file_size(file.string() + beside) > 0);
  SECTION("and repaired by that") {
    for (int i = 0; i < 2; ++i)
      REQUIRE(Store(file, Database::Mode::read).results().name == "before");
    REQUIRE(Store(file, Database::Mode::create).results().name == "before");
    REQUIRE(!std::filesystem::exists(file.string() + beside));
  }
  SECTION("also where nothing can be written") {
    const ReadOnly medium(file.parent_path());
    REQUIRE(Store(file, Database::Mode::read).results().name == "before");
    REQUIRE(std::filesystem::file_size(file.string() + beside) > 0);
  }
  SECTION("on a disk that machines share it is not repaired: its writer may be alive elsewhere") {
    const OnNetworkDisk claimed;
    const auto size = std::filesystem::file_size(file.string() + beside);
    REQUIRE(Store(file, Database::Mode::read).results().name == "before");
    REQUIRE(std::filesystem::file_size(file.string() + beside) == size);
    REQUIRE(Store(file, Database::Mode::create).results().name == "before");
  }
  SECTION("also to be merged from there") {
    const TemporaryFolder elsewhere;
    Store whole(elsewhere.path() / "whole", Database::Mode::create);
    const ReadOnly medium(file.parent_path());
    whole.merge(file);
    REQUIRE(whole.results().name == "before");
    REQUIRE(whole.planned().size() == 1);
  }
  SECTION("or it says why not") {
    const TemporaryFilesIn full(file.parent_path());
    std::string why;
    {
      const ReadOnly medium(file.parent_path());
      why = why_refused(file, Database::Mode::read);
    }
    REQUIRE(why ==
            "results store 'FILE': whoever wrote it last was killed or is not done, so reading it "
            "needs files beside it, where nothing can be written, and a copy failed (Permission "
            "denied); copy its whole folder to where there is room, and name that one");
  }
}

TEST_CASE("a damaged store on a disk that machines share is an error, and no wait",
          "[engine][store]") {
  const TemporaryFolder folder;
  const OnNetworkDisk claimed;
  const auto file = folder.write("results.sqlite", "no database, however often it is read");
  REQUIRE_THAT(why_refused(file, Database::Mode::read),
               Catch::Matchers::Contains("not a database"));
}

TEST_CASE("a copy of a store that cannot be made is not tried again, and says why",
          "[engine][store]") {
  const TemporaryFolder folder;
  const OnNetworkDisk claimed;
  const auto file = folder.path() / "results.sqlite";
  { Store(file, Database::Mode::create); }
  const TemporaryFilesIn nowhere(folder.path() / "no/such");
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(
      why_refused(file, Database::Mode::read) ==
      "results store 'FILE': is on a disk that several machines share, so it is read from a "
      "copy in the folder of temporary files, and that copy failed (No such file or directory); "
      "TMPDIR names another folder");
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
}

TEST_CASE("a store whose writer never rests is not read from half of a copy", "[engine][store]") {
  const TemporaryFolder folder;
  const OnNetworkDisk claimed;
  const auto file = folder.path() / "results.sqlite";
  { Store(file, Database::Mode::create); }
  // Long to copy, and changed while it is copied, however busy the machine.
  std::filesystem::resize_file(file, std::size_t{8} << 20);
  const RestlessWriter writer(file);
  REQUIRE(why_refused(file, Database::Mode::read) ==
          "results store 'FILE': is being written; try again");
}

TEST_CASE("a store in WAL mode is read from a folder that cannot be written", "[engine][store]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run 100%?/results.sqlite";
  std::filesystem::create_directory(file.parent_path());
  {
    Store store(file, Database::Mode::create);
    set_plan(store, {planned("a")});
  }
  Database(file, Database::Mode::create).execute("PRAGMA journal_mode = WAL");
  const ReadOnly medium(file.parent_path());
  REQUIRE(Store(file, Database::Mode::read).results().name == "name");
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

TEST_CASE("scores of subtypes are kept beside those of every fit", "[engine][store][subtypes]") {
  const TemporaryFolder folder;
  const std::vector<PlannedFit> fits{planned("a", "one"), planned("b", "two"),
                                     planned("c", "three")};
  auto with_subtypes = good(0.25);
  with_subtypes.result.scores.matched_tau_distance = 0.125;
  with_subtypes.result.scores.assigned_tau_distance = 0.375;
  with_subtypes.result.scores.subtype_score = -0.5;
  with_subtypes.result.scores.subtype_number_error = -1.0;
  auto one_order = good(0.5);
  one_order.result.scores.matched_tau_distance = 0.75;
  const auto file = folder.path() / "results.sqlite";
  {
    Store store(file, Database::Mode::create);
    set_plan(store, fits);
    store.add({{&fits[0], with_subtypes}, {&fits[1], one_order}, {&fits[2], good(0.5)}});
  }
  const auto expect_all = [](const std::vector<FitRow>& rows) {
    const auto& scores = rows[0].result.scores;
    REQUIRE(scores.tau_distance == 0.25);
    REQUIRE(std::vector{scores.matched_tau_distance, scores.assigned_tau_distance,
                        scores.subtype_score,
                        scores.subtype_number_error} == std::vector{0.125, 0.375, -0.5, -1.0});
    REQUIRE(rows[1].result.scores.matched_tau_distance == 0.75);
    REQUIRE(std::isnan(rows[1].result.scores.subtype_score));
    REQUIRE_FALSE(rows[2].result.scores.has_subtypes());
    REQUIRE(rows[2].result.scores.tau_distance == 0.5);
  };
  SECTION("read again") { expect_all(Store(file, Database::Mode::read).results().rows); }
  SECTION("through a merge") {
    Store whole(folder.path() / "whole", Database::Mode::create);
    whole.merge(file);
    expect_all(whole.results().rows);
  }
  SECTION("from one process to another") {
    const auto back = codec::record_from(codec::to_text(with_subtypes)).result.scores;
    REQUIRE(back.subtype_score == -0.5);
    REQUIRE(back.subtype_number_error == -1.0);
    REQUIRE(std::isnan(codec::record_from(codec::to_text(one_order)).result.scores.subtype_score));
    REQUIRE_FALSE(codec::record_from(codec::to_text(good(0.5))).result.scores.has_subtypes());
  }
  SECTION("until the fit is forgotten") {
    Store store(file, Database::Mode::create);
    store.forget({"a"});
    store.add({{&fits[0], good(0.5)}});
    REQUIRE_FALSE(store.results().rows[0].result.scores.has_subtypes());
  }
  SECTION("a store of before they were has none, and takes some") {
    { Database(file, Database::Mode::create).execute("DROP TABLE subtype_scores"); }
    REQUIRE_FALSE(Store(file, Database::Mode::read).results().rows[0].result.scores.has_subtypes());
    Store store(file, Database::Mode::create);
    store.add({{&fits[0], with_subtypes}});
    REQUIRE(store.results().rows[0].result.scores.subtype_score == -0.5);
  }
}

TEST_CASE("a store whose writer was killed between two tables is read, and written again",
          "[results]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "results.sqlite";
  const std::vector<std::string> later{"models", "cohorts",       "cohort_contents",
                                       "makers", "model_makers",  "planned_cohorts",
                                       "truths", "subtype_scores"};
  for (std::size_t made = 0; made < later.size(); ++made) {
    INFO(made);
    { const Store store(file, Database::Mode::create); }
    Database(file, Database::Mode::create).execute([&] {
      std::string drop;
      for (auto i = made; i < later.size(); ++i) drop += "DROP TABLE " + later[i] + ";";
      return drop;
    }());
    Store reader(file, Database::Mode::read);
    REQUIRE(reader.models().empty());
    REQUIRE(reader.makers().empty());
    REQUIRE(reader.known_truths().empty());
  }
  Store writer(file, Database::Mode::create);
  REQUIRE(writer.model_makers().empty());
}

TEST_CASE("a store that cannot be opened says what the system says", "[results]") {
  const TemporaryFolder folder;
  REQUIRE_THROWS_WITH(Store(folder.path(), Database::Mode::create),
                      Catch::Contains("unable to open database file (Is a directory)"));
}

}  // namespace tempo::test
