#include "run/training.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "data/csv_rows.hpp"
#include "data/model_file.hpp"
#include "data/text_file.hpp"
#include "run/progress.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

std::string header_of(const std::vector<std::string>& columns) {
  std::string out;
  for (const auto& name : columns) out += (out.empty() ? "" : ",") + csv_field(name);
  return out;
}

/// Writes the history as epochs end, on their way to another monitor.
class HistoryKeeper final : public TrainingMonitor {
 public:
  HistoryKeeper(TrainingMonitor& next, const fs::path& file) : next_(next), file_(file) {}

  void step(const TrainingStep& step) override { next_.step(step); }
  bool stop_asked() const override { return next_.stop_asked(); }
  void epoch(const TrainingEpoch& epoch) override {
    std::vector<std::string> columns{"epoch"};
    std::vector<double> numbers{static_cast<double>(epoch.epoch)};
    for (const auto& [name, number] : epoch.numbers) {
      columns.push_back(name);
      numbers.push_back(number);
    }
    if (columns_.empty()) columns_ = columns;
    if (columns != columns_)
      throw NumericError(fmt::format("epoch {} comes with the numbers '{}', earlier ones with '{}'",
                                     epoch.epoch, header_of(columns), header_of(columns_)));
    epochs_[epoch.epoch] = std::move(numbers);  // one that is told again replaces the first
    write_text_file(file_, to_csv(history()));
    next_.epoch(epoch);
  }

  TrainingHistory history() const {
    TrainingHistory out{columns_, {}};
    for (const auto& [epoch, numbers] : epochs_) out.epochs.push_back(numbers);
    return out;
  }

 private:
  TrainingMonitor& next_;
  const fs::path& file_;
  std::vector<std::string> columns_;
  std::map<std::uint64_t, std::vector<double>> epochs_;
};

/// What is the plugin's own of the checkpoints.
fs::path plugins_folder(const fs::path& checkpoints) { return checkpoints / "plugin"; }

/// A model that nobody can read is no model.
void check_model(const TrainableMethod& method, const fs::path& file) {
  Problems problems;
  const auto metadata = read_model_metadata(file, problems);
  if (!problems.empty())
    throw PluginError(fmt::format("plugin {}, while training: the model it wrote {}",
                                  method.plugin_id(), problems.all().front().message));
  if (metadata->plugin != method.plugin_id())
    throw PluginError(fmt::format("plugin {}, while training: the model it wrote says plugin '{}'",
                                  method.plugin_id(), metadata->plugin));
  method.load(file, 1);
}

}  // namespace

RandomStream training_stream(std::uint64_t seed, TrainingCohorts::Purpose purpose,
                             const std::string& hypothesis, std::uint64_t number) {
  const auto* const name =
      purpose == TrainingCohorts::Purpose::training ? "training cohort" : "validation cohort";
  return RandomStream(seed, name, hypothesis, number);
}

SimulatedTrainingCohorts::SimulatedTrainingCohorts(std::uint64_t seed, const CohortSize& size,
                                                   std::vector<Source> sources)
    : seed_(seed), size_(size), sources_(std::move(sources)) {
  biomarkers_ = sources_.front().process->biomarkers().names();
  for (const auto& source : sources_) hypotheses_.push_back(source.hypothesis);
}

SimulatedCohort SimulatedTrainingCohorts::draw(Purpose purpose, std::uint64_t number) const {
  const auto& [hypothesis, process] = sources_[number % sources_.size()];
  auto stream = training_stream(seed_, purpose, hypothesis, number / sources_.size());
  return process->simulate(size_, stream);
}

bool has_checkpoint(const fs::path& checkpoints) {
  std::error_code absent;
  return !fs::is_empty(plugins_folder(checkpoints), absent) && !absent;
}

Trained train(const TrainableMethod& method, const TrainingCohorts& cohorts, std::uint64_t seed,
              const TrainingFiles& files, std::size_t threads, TrainingMonitor& monitor) {
  for (const auto& folder : {files.model.parent_path(), files.checkpoints}) {
    std::error_code failure;
    if (!folder.empty()) fs::create_directories(folder, failure);
    if (failure)
      throw Error(
          fmt::format("cannot make the folder '{}': {}", folder.string(), failure.message()));
  }
  std::string subject;
  for (const auto& id : cohorts.hypotheses()) subject += (subject.empty() ? "" : "\n") + id;
  // Under another name until it has been checked: a half-written model is never taken for one.
  const auto unchecked = files.checkpoints / "unchecked-model";
  HistoryKeeper history(monitor, files.history);
  const auto start = std::chrono::steady_clock::now();
  const auto outcome =
      method.train({.cohorts = cohorts,
                    .stream = RandomStream(seed, "train " + method.plugin_id(), subject),
                    .model = unchecked,
                    .checkpoints = plugins_folder(files.checkpoints),
                    .threads = threads},
                   history);
  Trained out{.finished = outcome.finished,
              .warnings = outcome.warnings,
              .history = history.history(),
              .seconds = seconds_since(start)};
  if (!outcome.finished) {
    if (!monitor.stop_asked())
      throw PluginError(
          fmt::format("plugin {}, while training: it stopped before it was finished, "
                      "though nobody asked it to",
                      method.plugin_id()));
    return out;
  }
  check_model(method, unchecked);
  move_whole_file(unchecked, files.model);
  return out;
}

}  // namespace tempo
