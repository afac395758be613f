// tempo power: how many participants a study needs.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <utility>

#include "analysis/summary.hpp"
#include "cli/interrupt.hpp"
#include "cli/isolation.hpp"
#include "cli/stated_laws.hpp"
#include "cli/study_options.hpp"
#include "data/names.hpp"
#include "model/printable.hpp"
#include "report/needed_size_table.hpp"
#include "report/tables.hpp"
#include "run/describe_run.hpp"
#include "run/progress.hpp"
#include "run/run_folder.hpp"
#include "run/runner.hpp"
#include "study/lock_file.hpp"
#include "tempo/stop.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kParticipants = "cohorts.participants";
constexpr std::size_t kBatch = 16;  // cohorts of one size at a time, whatever the number of jobs

void add_power_options(Options& options) {
  options.text("method", "ID", "of the experiment (needed if it has several)");
  options.text("hypothesis", "ID", "of the experiment (needed if it has several)");
  options.choice("metric", "M", {"tau_distance", "stage_mae", "sequence_mae"}, "", "tau_distance");
  options.number<double>("at-most", "X", "what the metric may be (required)");
  options.number<double>("certainty", "P", "share of cohorts in which it has to be so", 0.8);
  options.number<int>("from", "J", "the fewest participants that are tried", 50);
  options.number<int>("to", "J", "the most", 5000);
  options.number<double>("within", "SHARE",
                         "ends once the 95 % interval is this near on both sides", 0.1);
  options.number<int>("cohorts", "N", "ends after this many", 2000);
  options.text("out", "FOLDER", "the run folder (default: runs/NAME-power)");
  options.choice("format", "F", {"table", "csv", "json"}, "", "table");
  add_study_options(options);
  add_jobs_option(options, "fits at a time (default: one per core)");
  add_isolation_options(options);
  options.positional("EXPERIMENT");
}

/// What is asked for.
struct SizeRequest {
  const Metric* metric = nullptr;
  double at_most = 0.0;
  SizeDemand demand;
  std::size_t cohorts = 0;  ///< at most, in all
  Isolate isolate = Isolate::guests;
  std::size_t jobs = 1;
};

void expect_share(const Options& options, const std::string& option, Problems& problems) {
  const double value = options.get<double>(option);
  if (!(value > 0.0 && value < 1.0))
    problems.add({"--" + option}, fmt::format("expected a number in (0, 1), found {}", value));
}

/// @throws InputError
SizeRequest read_size_request(const Options& options) {
  Problems problems;
  expect_choice(options, "metric", problems);
  expect_choice(options, "format", problems);
  expect_given(options, "at-most", "X", problems);
  expect_share(options, "certainty", problems);
  expect_share(options, "within", problems);
  expect_between(options, "from", 2, 1'000'000, problems);
  expect_between(options, "to", 2, 10'000'000, problems);
  expect_between(options, "cohorts", static_cast<int>(kBatch), 1'000'000, problems);
  if (options.get<int>("from") >= options.get<int>("to"))
    problems.add({"--from"}, fmt::format("expected fewer participants than --to {}, found {}",
                                         options.get<int>("to"), options.get<int>("from")));
  if (options.has("at-most") && !(options.get<double>("at-most") >= 0.0))
    problems.add({"--at-most"}, fmt::format("expected a number of at least 0, found {}",
                                            options.get<double>("at-most")));
  const auto isolate = isolate_of(options, problems);
  problems.throw_if_any();
  return {.metric = find_metric(options.get_text("metric")),
          .at_most = options.get<double>("at-most"),
          .demand = {.from = static_cast<std::size_t>(options.get<int>("from")),
                     .to = static_cast<std::size_t>(options.get<int>("to")),
                     .certainty = options.get<double>("certainty"),
                     .within = options.get<double>("within")},
          .cohorts = static_cast<std::size_t>(options.get<int>("cohorts")),
          .isolate = isolate,
          .jobs = jobs(options)};
}

/// The id of a [[hypothesis]] or [[method]].
std::string id_of(const ParameterTable& entry) {
  for (const auto* key : {"id", "plugin"})
    if (const auto* value = entry.find(key))
      if (const auto* text = std::get_if<std::string>(&value->value)) return *text;
  return {};
}

/// Leaves one entry of [[method]] or [[hypothesis]]: that of the option, or the only one.
void keep_one(const std::string& list, const Options& options, ParameterTable& experiment,
              Problems& problems) {
  auto* value = experiment.find(list);
  auto* entries = value == nullptr ? nullptr : std::get_if<ParameterValue::Array>(&value->value);
  if (entries == nullptr) return;  // the reader of the experiment says so
  std::vector<std::string> ids;
  for (const auto& entry : *entries)
    if (const auto* table = std::get_if<ParameterTable>(&entry.value)) ids.push_back(id_of(*table));
  if (!options.has(list)) {
    if (entries->size() > 1)
      problems.add(command_line(options.command()),
                   fmt::format("there are {} [[{}]]: choose one with --{}, {}", entries->size(),
                               list, list, one_of(ids)));
    return;
  }
  const auto& wanted = options.get_text(list);
  const auto found = std::find(ids.begin(), ids.end(), wanted);
  if (found == ids.end()) {
    problems.add({"--" + list}, fmt::format("no [[{}]] '{}'; expected {}{}", list, wanted,
                                            one_of(ids), did_you_mean(wanted, ids)));
    return;
  }
  auto kept = (*entries)[static_cast<std::size_t>(found - ids.begin())];
  auto& table = std::get<ParameterTable>(kept.value);
  std::erase_if(table.entries, [](const auto& entry) { return entry.key == "hypotheses"; });
  *entries = {std::move(kept)};
}

/// A sweep over participants gives way to the search; any other is a fault.
void drop_sweep_over_participants(ParameterTable& experiment, Problems& problems) {
  const auto points = sweep_points(experiment, problems);
  for (const auto& axis : points.front())
    if (axis.path != kParticipants)
      problems.add(
          axis.place,
          fmt::format("tempo power looks at one value of '{}': take it out of [sweep], and "
                      "choose the value with --set",
                      axis.path));
  std::erase_if(experiment.entries, [](const auto& entry) { return entry.key == "sweep"; });
}

/// An experiment of one method under one hypothesis, at any size.
class SizedStudy {
 public:
  /// @throws InputError with all faults
  SizedStudy(const Options& options, const Registry& registry)
      : file_(options.argument("EXPERIMENT")), registry_(registry) {
    auto given = read_experiment_file(options);
    table_ = std::move(given.table);
    Problems problems;
    apply_all(given.overrides, table_, problems);
    drop_sweep_over_participants(table_, problems);
    for (const auto* list : {"method", "hypothesis"}) keep_one(list, options, table_, problems);
    problems.throw_if_any();
    name_ = at({kSomeSize}, kBatch).name + "-power";
    const auto study = at({kSomeSize}, kBatch);
    const auto& experiment = study.points.front();
    if (!experiment.simulates_cohorts())
      problems.add({file_.string()},
                   "tempo power simulates cohorts: expected source = \"simulate\" in [cohorts]");
    if (experiment.methods.front().trains())
      problems.add(experiment.methods.front().place,
                   "a method that is trained would learn anew for every number of participants; "
                   "choose another");
    problems.throw_if_any();
    expect_right_laws(study, make_plan(study, registry_), registry_);
  }

  /// @param sizes  several are a sweep
  /// @throws InputError
  Study at(const std::vector<std::size_t>& sizes, std::size_t cohorts) const {
    Problems problems;
    std::vector<Override> overrides{
        parse_override(fmt::format("cohorts.test={}", cohorts), problems)};
    overrides.push_back(parse_override(
        sizes.size() == 1 ? fmt::format("{}={}", kParticipants, sizes.front())
                          : fmt::format("sweep.{}=[{}]", kParticipants, fmt::join(sizes, ", ")),
        problems));
    if (!name_.empty())
      overrides.push_back({"experiment.name", {file_.string()}, {{file_.string()}, name_}});
    auto out = study_from(table_, file_, overrides, registry_, problems);
    problems.throw_if_any();
    return out;
  }

  const Registry& registry() const { return registry_; }

 private:
  static constexpr std::size_t kSomeSize = 100;
  fs::path file_;
  const Registry& registry_;
  ParameterTable table_;
  std::string name_;  ///< of the run: that of the experiment, and what it is for
};

/// The sizes of which a sweep leaves out the fewest cohorts, and how many each of them has.
std::pair<std::vector<std::size_t>, std::size_t> largest_sweep(
    const std::vector<SizeTrial>& trials) {
  std::size_t most = 0, cohorts = 0;
  const auto sizes_with = [&](std::size_t count) {
    std::vector<std::size_t> out;
    for (const auto& trial : trials)
      if (trial.cohorts >= count) out.push_back(trial.participants);
    return out;
  };
  for (const auto& trial : trials)
    if (const auto all = trial.cohorts * sizes_with(trial.cohorts).size(); all > most) {
      most = all;
      cohorts = trial.cohorts;
    }
  return {sizes_with(cohorts), cohorts};
}

/// The run folder of a search: results of fits that are there are not made again.
class SizeRuns {
 public:
  SizeRuns(const SizedStudy& study, const fs::path& folder, const SizeRequest& request,
           const Options& options)
      : study_(study),
        folder_(folder),
        store_(folder_.store(), Database::Mode::create),
        request_(request),
        command_line_(options) {}

  /// The scores of a number of cohorts of a size; absent if it was interrupted.
  std::optional<RunResults> run(std::size_t participants, std::size_t cohorts,
                                const std::function<void(const RunState&)>& report) {
    const auto study = study_.at({participants}, cohorts);
    const auto plan = make_plan(study, study_.registry());
    keep(study, plan);
    RunOptions options;
    options.jobs = request_.jobs;
    options.stop = &stop_on_interrupt();
    options.isolation = isolation_of(command_line_, request_.isolate, study, plan,
                                     study_.registry(), folder_.path());
    Models no_models(study, plan, folder_.path(), &store_);
    const auto counts = run_plan(study, plan, no_models, store_, options, report);
    if (counts.interrupted) return std::nullopt;
    return store_.results();
  }

  /// Makes the folder that of a sweep over sizes, whose fits are there.
  void leave_as_sweep(const StudySize& found) {
    const auto [sizes, cohorts] = largest_sweep(found.trials);
    const auto study = study_.at(sizes, cohorts);
    keep(study, make_plan(study, study_.registry()), in_lines(found));
    folder_.write("results.csv", results_csv(store_.results()));
  }

 private:
  /// @param answer  of the search, for the report
  void keep(const Study& study, const Plan& plan, const std::string& answer = {}) {
    auto description = describe_run(study, plan, study_.registry());
    if (!answer.empty())
      description.description += (description.description.empty() ? "" : "\n") + answer;
    store_.set_plan(stored_plan(study, plan, description));
    store_.set_description(description);
    folder_.write_lock_file(lock_file(study, plan, folder_.path()));
  }

  const SizedStudy& study_;
  RunFolder folder_;
  Store store_;
  const SizeRequest& request_;
  const Options& command_line_;
};

/// Shows how far a search is.
class SearchProgress {
 public:
  explicit SearchProgress(std::size_t cohorts) : cohorts_(cohorts) {}
  ~SearchProgress() { bar_.finish(); }
  SearchProgress(const SearchProgress&) = delete;
  SearchProgress& operator=(const SearchProgress&) = delete;

  /// @param before  cohorts of earlier batches
  void show(std::size_t before, std::size_t failed, const RunCounts& batch) {
    bar_.show({.done = before + batch.ok + batch.failed,
               .failed = failed + batch.failed,
               .total = cohorts_});
    if (!stop_asked() || std::exchange(said_stopping_, true)) return;
    bar_.finish();
    std::cerr << kStopping;
  }

 private:
  std::size_t cohorts_;
  Progress bar_{std::cerr, isatty(STDERR_FILENO) != 0, "cohorts"};
  bool said_stopping_ = false;
};

/// @param study  without an answer
/// @return with one; absent if it was interrupted
std::optional<StudySize> search(const SizeRequest& request, SizeRuns& runs, StudySize study) {
  NeededSizeSearch search(study.demand);
  std::map<std::size_t, SizeTrial> trials;
  SearchProgress progress(request.cohorts);
  for (std::size_t total = 0; total + kBatch <= request.cohorts; total += kBatch) {
    const auto size = search.next();
    auto& trial = trials.try_emplace(size, SizeTrial{size}).first->second;
    const auto found = runs.run(size, trial.cohorts + kBatch, [&](const RunState& state) {
      progress.show(total, study.failed, state.counts);
    });
    if (!found) return std::nullopt;
    SizeTrial more{size, kBatch, 0};
    for (std::size_t i = trial.cohorts; i < found->rows.size(); ++i) {
      const auto& result = found->rows[i].result;
      if (is_failure(result.status) && study.failed++ == 0) study.first_error = result.error;
      more.met += request.metric->in(result) <= request.at_most ? 1 : 0;
    }
    search.add(more);
    trial.cohorts += more.cohorts;
    trial.met += more.met;
    study.needed = search.needed();
    if (verdict_on(study.needed, study.demand) != SizeVerdict::open) break;
  }
  for (const auto& [size, trial] : trials) {
    study.trials.push_back(trial);
    study.curve.push_back(search.share_at(size));
  }
  return study;
}

std::size_t cohorts_of(const std::vector<SizeTrial>& trials) {
  std::size_t out = 0;
  for (const auto& trial : trials) out += trial.cohorts;
  return out;
}

/// The run folder of --out, or the default one. @throws InputError if it is of another run
fs::path power_folder(const Options& options, const Study& study) {
  const auto out = run_folder(options, study);
  Problems problems;
  if (const auto earlier = RunFolder::earlier_store(out)) {
    RunFolder::expect_one_experiment(out, *earlier, problems);
    const auto name = earlier->name();
    if (problems.empty() && !name.empty() && name != study.name)
      problems.add(
          {out.string()},
          fmt::format("holds the run '{}', whose tables would be lost; choose another --out",
                      name));
  }
  problems.throw_if_any();
  return out;
}

int power(const Options& options) {
  const auto request = read_size_request(options);
  const auto registry = open_registry(options);
  const SizedStudy sized(options, registry);
  const auto study = sized.at({request.demand.from}, kBatch);
  const auto& experiment = study.points.front();
  const auto out = power_folder(options, study);
  SizeRuns runs(sized, out, request, options);
  const auto found = search(request, runs,
                            {.hypothesis = experiment.hypotheses.front().id,
                             .method = experiment.methods.front().id,
                             .metric = request.metric->name,
                             .at_most = request.at_most,
                             .healthy_ratio = experiment.simulation()->size.healthy_ratio,
                             .demand = request.demand});
  if (!found) {
    std::cerr << "interrupted; the same command continues\n";
    return kInterrupted;
  }
  if (found->failed == cohorts_of(found->trials)) {
    std::cerr << printable(
        fmt::format("all {} failed: {}\n", counted(found->failed, "fit"), found->first_error));
    return kFailed;
  }
  runs.leave_as_sweep(*found);
  std::cout << render(needed_size_table(*found), format_of(options), screen_width());
  if (verdict_on(found->needed, found->demand) == SizeVerdict::open)
    std::cerr << fmt::format(
        "no more than {} cohorts were asked for; the interval is still wider "
        "than --within {} asks\n",
        request.cohorts, request.demand.within);
  std::cerr << fmt::format("learning curve, of the sizes with most cohorts: tempo report {}\n",
                           as_argument(out.string()));
  return kOk;
}

}  // namespace

const Command power_command{
    "power",
    "EXPERIMENT.toml --at-most X [options]",
    "how many participants a study needs, for a method and a hypothesis",
    {{"tempo power experiments/quickstart.toml --method debm --hypothesis h1 --at-most 0.2",
      "until four of five cohorts have a tau distance of at most 0.2"},
     {"tempo power own.toml --metric stage_mae --at-most 1 --certainty 0.9 --to 20000",
      "the error of stages, in nine of ten cohorts"}},
    add_power_options,
    power};

}  // namespace tempo::cli
