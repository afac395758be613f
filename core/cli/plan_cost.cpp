#include "cli/plan_cost.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <set>

#include "cli/cluster_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/screen.hpp"
#include "cluster/cluster_folder.hpp"
#include "cluster/forecast.hpp"
#include "data/names.hpp"
#include "process/scratch_folder.hpp"
#include "report/table.hpp"
#include "run/fit_costs.hpp"
#include "run/fit_maker.hpp"
#include "run/models.hpp"
#include "run/processors.hpp"
#include "run/progress.hpp"
#include "run/run_folder.hpp"
#include "run/run_mark.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double cpu_seconds(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Of this thread, and of programs that it had make fits.
double cpu_seconds_of_fits() {
  rusage programs{};
  ::getrusage(RUSAGE_CHILDREN, &programs);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return cpu_seconds(CLOCK_THREAD_CPUTIME_ID) + seconds(programs.ru_utime) +
         seconds(programs.ru_stime);
}

std::string clock_time(double seconds) { return in_words(std::chrono::duration<double>(seconds)); }

/// What a method's fits, or a training, cost.
struct CostLine {
  std::string what;
  std::size_t count = 0;
  double seconds = 0.0;     ///< of processors, by those that are known
  std::size_t unknown = 0;  ///< those that nobody knows
  std::string basis = {};
};

/// What a training costs.
struct TrainingCost {
  double wall = 0.0;  ///< seconds by the clock
  double cpu = 0.0;   ///< seconds of all processors
};

/// Watches the beginning of a training, and tells what the whole would cost.
class TrainingProbe final : public TrainingMonitor {
 public:
  /// @param seconds  by the clock of an idle machine
  TrainingProbe(double seconds, std::size_t threads)
      : most_(seconds), threads_(static_cast<double>(threads)) {}

  void step(const TrainingStep& step) override {
    const auto inside = step.samples == 0 ? 0.0
                                          : static_cast<double>(step.samples_done) /
                                                static_cast<double>(step.samples);
    reach(static_cast<double>(step.epoch) - 1.0 + inside, step.epochs);
  }
  void epoch(const TrainingEpoch& epoch) override {
    reach(static_cast<double>(epoch.epoch), epoch.epochs);
    has_epoch_ = true;
  }
  bool stop_asked() const override {
    // Where an epoch is long, some of it has to do; on a busy machine it has its turn seldom. Some
    // trainings never say how far they are.
    constexpr double kPatience = 3.0;
    const auto spent = so_far();
    const auto processors = most_ * threads_;
    return is_terminated() || *stop_ || (has_epoch_ && spent.cpu > processors) ||
           (has_grown() && spent.cpu > kPatience * processors) ||
           spent.wall > 2.0 * kPatience * most_;
  }
  TrainingCost so_far() const {
    return {seconds_since(begin_), cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu_};
  }
  /// Absent if it has not got far enough. What comes before the first step comes once; where there
  /// is no more than an epoch, it counts as a part of it.
  std::optional<TrainingCost> whole() const {
    if (!has_grown() && !has_epoch_) return std::nullopt;
    const auto from = has_grown() ? *first_ : Reached();
    if (last_.share <= from.share) return std::nullopt;
    const auto times = (1.0 - from.share) / (last_.share - from.share);
    return TrainingCost{from.spent.wall + times * (last_.spent.wall - from.spent.wall),
                        from.spent.cpu + times * (last_.spent.cpu - from.spent.cpu)};
  }

 private:
  struct Reached {
    double share = 0.0;  ///< of the whole
    TrainingCost spent;
  };
  void reach(double epoch, std::uint64_t epochs) {
    last_ = {epoch / static_cast<double>(std::max<std::uint64_t>(1, epochs)), so_far()};
    if (!first_) first_ = last_;
  }
  bool has_grown() const { return first_ && last_.share > first_->share; }

  const double most_;
  const double threads_;
  const Clock::time_point begin_ = Clock::now();
  const double begin_cpu_ = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const std::atomic<bool>* stop_ = &stop_on_interrupt();
  std::optional<Reached> first_;
  Reached last_;
  bool has_epoch_ = false;  ///< the end of an epoch costs more than its steps
};

/// Finds out what a plan costs.
class Coster {
 public:
  Coster(const Study& study, const Plan& plan, const std::vector<bool>& to_do,
         const fs::path& folder, double most)
      : study_(study),
        plan_(plan),
        to_do_(to_do),
        most_(most),
        store_(RunFolder::earlier_store(folder)),
        models_(study, plan, folder, store_.get()) {
    learn_from_runs(folder);
  }

  /// A line per method. @param each  gets the seconds of each fit that is to be made, 0 if unknown
  std::vector<CostLine> fits(std::vector<double>& each) {
    std::vector<std::string> methods;
    for (std::size_t i = 0; i < plan_.fits.size(); ++i)
      if (to_do_[i] &&
          std::find(methods.begin(), methods.end(), plan_.fits[i].id.method) == methods.end())
        methods.push_back(plan_.fits[i].id.method);
    std::vector<CostLine> out;
    for (const auto& method : methods) out.push_back(line_of(method, each));
    return out;
  }

  /// A line per model that the part is to train. @param each  gets seconds by the clock of each
  /// model
  std::vector<CostLine> trainings(const Shard& shard, std::size_t threads,
                                  std::vector<double>& each) {
    std::vector<CostLine> out;
    each.assign(plan_.trainings.size(), 0.0);
    for (std::size_t i = 0; i < plan_.trainings.size(); ++i) {
      if (models_.has(i) || !shard.has_training(i)) continue;
      const auto& training = plan_.trainings[i];
      CostLine line{.what = "model " + name_of(study_, training), .count = 1};
      std::optional<TrainingCost> cost;
      if (const auto known = model_seconds_.find(training.key); known != model_seconds_.end()) {
        cost = {known->second, known->second * static_cast<double>(threads)};  // all are at work
        line.basis = "the same in another run";
      } else if (most_ > 0.0 && !*stop_) {
        cost = probed(i, threads, line.basis);
      }
      if (!cost) line.basis = "not known";
      each[i] = cost ? cost->wall : 0.0;
      line.seconds = cost ? cost->cpu : 0.0;
      line.unknown = cost ? 0 : 1;
      out.push_back(std::move(line));
    }
    return out;
  }

 private:
  /// What runs beside this one have learned counts, too.
  void learn_from_runs(const fs::path& folder) {
    const auto own = ClusterFolder(folder);
    std::vector<fs::path> runs{own.run()};
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(own.run().parent_path(), none))
      if (entry.path() != own.run()) runs.push_back(entry.path());
    for (const auto& run : runs) {
      auto stores = ClusterFolder(run).stored_parts();
      if (fs::exists(RunFolder::store_in(run), none)) stores.push_back(run);
      for (const auto& part : stores) learn(part);
    }
  }

  void learn(const fs::path& part) {
    try {
      Store store(RunFolder::store_in(part), Database::Mode::read);
      costs_.learn(store);
      for (const auto& model : store.models()) model_seconds_[model.key] = model.seconds;
    } catch (const std::exception&) {  // of another version, or at work: others may tell
    }
  }

  CostLine line_of(const std::string& method, std::vector<double>& each) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < plan_.fits.size(); ++i)
      if (to_do_[i] && plan_.fits[i].id.method == method) positions.push_back(i);
    auto unknown = positions;
    std::erase_if(unknown, [&](std::size_t i) { return is_known(i); });
    const auto tried = probe(unknown);
    CostLine line{.what = method, .count = positions.size()};
    std::optional<FitCost> scaled;  // the one that takes longest of those scaled to their size
    for (const auto i : positions) {
      const auto cost = costs_.cost(plan_, i);
      each[i] = cost ? cost->seconds : 0.0;
      line.seconds += each[i];
      if (!cost) ++line.unknown;
      if (cost && !cost->is_of_same_size() && (!scaled || cost->seconds > scaled->seconds))
        scaled = cost;
    }
    if (unknown.size() < positions.size())
      line.basis = "stored fits of the same method and size, by the clock";
    if (tried > 0) add_basis(fmt::format("a probe of {}", counted(tried, "fit")), line);
    if (scaled) add_basis(in_words(*scaled), line);
    if (line.basis.empty()) line.basis = "not known";
    return line;
  }

  static void add_basis(const std::string& basis, CostLine& line) {
    line.basis += (line.basis.empty() ? "" : "; ") + basis;
  }

  static std::string in_words(const FitCost& scaled) {
    std::vector<std::string> by;
    const auto add = [&](const char* what, const std::optional<FitCost::Growth>& growth) {
      if (growth)
        by.push_back(growth->is_measured ? fmt::format("{}^{:.2f}", what, growth->power)
                                         : fmt::format("{}^1 (supposed)", what));
    };
    add("participants", scaled.participants);
    add("biomarkers", scaled.biomarkers);
    return fmt::format("fits of other sizes, as {}", fmt::join(by, " and "));
  }

  /// Whether fits of the same size tell what a fit costs.
  bool is_known(std::size_t position) const {
    const auto cost = costs_.cost(plan_, position);
    return cost && cost->is_of_same_size();
  }

  /// Makes a fit of each recipe, such as a hypothesis, until the time for it is over. @return how
  /// many
  std::size_t probe(const std::vector<std::size_t>& positions) {
    // On a busy machine fits have their turn seldom: so much longer by the clock, and no more.
    constexpr double kPatience = 4.0;
    const auto begin = Clock::now();
    const auto begin_of_fits = cpu_seconds_of_fits();
    std::set<std::string> tried;
    std::size_t count = 0;
    for (const auto i : positions) {
      const auto left = most_ - (cpu_seconds_of_fits() - begin_of_fits);
      if (*stop_ || left <= 0.0 || seconds_since(begin) >= kPatience * most_) break;
      const auto& training = plan_.tasks[i].training;
      if ((training && !models_.has(*training)) || !tried.insert(plan_.fits[i].recipe).second)
        continue;
      const auto cost = costs_.cost(plan_, i);  // of another size: it would take too long
      if (cost && cost->seconds > left) continue;
      const auto before = cpu_seconds_of_fits();
      const auto record = fits_.make(i, /*with_truth=*/false);
      if (record.result.status == FitStatus::pending) break;   // it was interrupted
      if (record.result.status != FitStatus::ok) continue;     // the run will say why
      costs_.learn(plan_, i, cpu_seconds_of_fits() - before);  // whatever else the machine is at
      ++count;
    }
    return count;
  }

  /// @param basis  gets what is said of how far it went
  std::optional<TrainingCost> probed(std::size_t training, std::size_t threads,
                                     std::string& basis) {
    const process::ScratchFolder scratch("probe");
    const auto& planned = plan_.trainings[training];
    TrainingProbe monitor(most_, threads);
    try {
      const auto trained =
          tempo::train(*plan_.objects[planned.point].trainable[planned.method],
                       training_cohorts(study_, plan_, planned), study_.points[planned.point].seed,
                       {.model = scratch.path() / "model",
                        .history = scratch.path() / "history.csv",
                        .checkpoints = scratch.path() / "checkpoints"},
                       threads, monitor);
      const auto spent = monitor.so_far();
      basis = trained.finished ? "the whole of it"
                               : fmt::format("the first {} of it", clock_time(spent.wall));
      return trained.finished ? std::optional(spent) : monitor.whole();
    } catch (const std::exception&) {
      return std::nullopt;  // the run will say why
    }
  }

  const Study& study_;
  const Plan& plan_;
  const std::vector<bool>& to_do_;
  const double most_;
  const std::atomic<bool>* stop_ = &stop_on_interrupt();
  std::unique_ptr<Store> store_;
  Models models_;
  FitMaker fits_{study_, plan_, models_, 1};
  FitCosts costs_;
  std::map<std::string, double> model_seconds_;
};

Table table_of_cost(const std::vector<CostLine>& lines) {
  Table out;
  out.columns = {"what", "count", "seconds", "unknown", "basis"};
  Block block{.heading = "cost of what is to run",
              .rows = {{"what", "count", "each", "CPU seconds", "known from"}},
              .name_columns = 1};
  for (const auto& [what, count, seconds, unknown, basis] : lines) {
    const auto known = count - unknown;
    block.rows.push_back(
        {what, std::to_string(count),
         known == 0 ? "?" : fmt::format("{:.2g}", seconds / static_cast<double>(known)),
         known == 0 ? "?" : fmt::format("{:.1f}", seconds), basis});
  }
  out.blocks.push_back(std::move(block));
  return out;
}

/// The largest memory that tasks of the run noted, or else that of this process, which has tried.
std::string memory_in_words(const fs::path& folder) {
  double most = 0.0;
  std::vector<fs::path> parts{folder};
  for (const auto& part : ClusterFolder(folder).stored_parts()) parts.push_back(part);
  for (const auto& part : parts)
    if (const auto mark = read_mark(part)) most = std::max(most, mark->memory);
  const bool is_noted = most > 0.0;
  if (!is_noted) most = updated({}, 0.0).memory;
  return fmt::format("largest memory of a task: {:.0f} MiB, {}", most / 0x1p20,
                     is_noted ? "of the tasks that ran" : "of this process, one fit at a time");
}

}  // namespace

void add_cost_options(Options& options) {
  add_jobs_option(options, "say what is to run costs, with so many fits at a time");
  options.number<std::int64_t>("tasks", "N", "say what it costs as so many tasks of tempo submit");
  options.text("shard", "I/N", "of this part only");
  options.number<double>("probe", "SECONDS",
                         "to try each method whose cost is not known; 0: not at all", 10.0);
}

bool asks_for_cost(const Options& options) { return options.has("jobs") || options.has("tasks"); }

void print_cost(const Options& options, const Study& study, const Plan& plan, const Shard& shard,
                const std::vector<Fate>& fate, const fs::path& folder) {
  Problems problems;
  if (options.has("tasks")) expect_between<std::int64_t>(options, "tasks", 1, 1'000'000, problems);
  expect_between(options, "probe", 0.0, 1e9, problems);
  problems.throw_if_any();
  std::vector<bool> to_do;
  for (const auto of_fit : fate) to_do.push_back(of_fit == Fate::to_do);
  const auto& settings = study.cluster;
  const bool as_tasks = options.has("tasks");
  const auto at_a_time = as_tasks ? settings.fits.cpus : jobs(options);
  Coster coster(study, plan, to_do, folder, options.get<double>("probe"));
  std::vector<double> each(plan.fits.size(), 0.0), of_models;
  auto lines = coster.trainings(shard, as_tasks ? settings.trainings.cpus : at_a_time, of_models);
  for (auto& line : coster.fits(each)) lines.push_back(std::move(line));
  std::cout << render(table_of_cost(lines), TableFormat::table, screen_width());

  double seconds = 0.0;
  std::size_t unknown = 0;
  for (const auto& line : lines) {
    seconds += line.seconds;
    unknown += line.unknown;
  }
  const auto work_of = [&](const Shard& part) {
    const auto is_its = part.fits_of(plan);
    std::vector<double> pieces;
    for (std::size_t i = 0; i < each.size(); ++i)
      if (is_its[i] && to_do[i]) pieces.push_back(each[i]);
    return wall_seconds(pieces, at_a_time);
  };
  double wall = 0.0;
  std::string with = jobs_in_words(options);
  if (as_tasks) {
    const auto count = static_cast<std::size_t>(options.get<std::int64_t>("tasks"));
    std::vector<double> tasks;
    for (std::size_t i = 0; i < plan.trainings.size(); ++i)
      tasks.push_back(of_models[i] + work_of({i + 1, plan.trainings.size(), Shard::What::applied}));
    const auto cut = std::min(count, fits_without_model(plan));
    for (std::size_t i = 1; i <= cut; ++i) tasks.push_back(work_of({i, cut, Shard::What::fits}));
    const auto together = settings.throttle > 0 ? settings.throttle : tasks.size();
    wall = wall_seconds(tasks, together);
    with = fmt::format("{} of {}, {} at a time", counted(tasks.size(), "task"),
                       counted(settings.fits.cpus, "core"), std::min(together, tasks.size()));
  } else {
    for (const double training : of_models) wall += training;
    wall += work_of({});
  }
  const auto* const how = unknown > 0 ? "at least" : "about";
  std::cout << fmt::format("{} {:.0f} CPU seconds; {} {} by the clock with {}\n", how, seconds, how,
                           clock_time(wall), with)
            << memory_in_words(folder) << "\n";
}

}  // namespace tempo::cli
