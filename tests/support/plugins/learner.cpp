// A method that is trained and does as its settings say, so that tests see what the engine does
// with it. What it learns is each biomarker's mean event time and the mean stage of participants.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tempo/metrics.hpp"
#include "tempo/plugin.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo::test {
namespace {

using nlohmann::json;

struct Settings {
  explicit Settings(Parameters& keys)
      : epochs(keys.integer("epochs", 3, at_least_one, "how many")),
        cohorts(keys.integer("cohorts", 4, at_least_one, "per epoch")),
        device(keys.device("device", "auto", "'gone' cannot load a model")),
        fails_on(keys.text("fails_on", "", "training on this hypothesis throws")),
        writes(keys.choice("writes", "model",
                           {"model", "garbage", "another's", "unlabelled", "nothing"},
                           "what training leaves")),
        stops_early(keys.flag("stops_early", false, "training ends unfinished, unasked")),
        warns(keys.flag("warns", false, "training gives a warning")),
        waits_for(keys.text("waits_for", "", "file that the second epoch waits for")),
        log(keys.text("log", "", "file that gets a line per epoch: hypotheses, epoch, threads")) {
    if (device != "auto" && device != "cpu" && device != "gone")
      keys.complain("device", "'device' must be 'auto', 'cpu' or 'gone', not '" + device + "'");
  }

  std::int64_t epochs;
  std::int64_t cohorts;
  std::string device;
  std::string fails_on;
  std::string writes;
  bool stops_early;
  bool warns;
  std::string waits_for;
  std::string log;
};

class Learned final : public InferenceMethod {
 public:
  Learned(std::map<std::string, double> times, double stage)
      : times_(std::move(times)), stage_(stage) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream&) const override {
    Inference out;
    out.event_times.emplace();
    for (const auto& name : cohort.biomarkers) {
      const auto known = times_.find(name);
      if (known == times_.end()) throw std::runtime_error("was not trained on " + name);
      out.event_scores.push_back(known->second);
      out.event_times->push_back(known->second / static_cast<double>(times_.size()));
    }
    out.stages.assign(cohort.participant_count(), stage_);
    return out;
  }

  std::map<std::string, double> times_;
  double stage_;
};

class Learner final : public TrainableMethod {
 public:
  explicit Learner(const Settings& settings) : settings_(settings) {}

 private:
  /// What a checkpoint holds: sums over all cohorts so far, and the history.
  struct State {
    std::vector<double> times;
    double stages = 0.0;
    std::vector<double> losses;
  };

  TrainingOutcome do_train(const TrainingTask& task, TrainingMonitor& monitor) const override {
    const auto& hypotheses = task.cohorts.hypotheses();
    if (hypotheses.front() == settings_.fails_on) throw std::runtime_error("the loss is NaN");
    if (settings_.stops_early) return {};
    auto state = read(task);
    for (std::size_t i = 0; i < state.losses.size(); ++i) report(i + 1, state.losses[i], monitor);
    const auto epochs = static_cast<std::size_t>(settings_.epochs);
    const auto count = static_cast<std::uint64_t>(settings_.cohorts);
    while (state.losses.size() < epochs) {
      const auto epoch = state.losses.size() + 1;
      if (!settings_.log.empty()) note(hypotheses, epoch, task.threads);
      if (epoch == 2 && !wait(monitor)) return {};
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto cohort =
            task.cohorts.draw(TrainingCohorts::Purpose::training, state.losses.size() * count + i);
        learn(cohort, state);
        monitor.step({.epoch = epoch,
                      .epochs = epochs,
                      .samples_done = i + 1,
                      .samples = count,
                      .loss = 0.5,
                      .samples_per_second = 10.0});
      }
      const auto validation = task.cohorts.draw(TrainingCohorts::Purpose::validation, 0);
      state.losses.push_back(tau_distance(state.times, validation.truth.event_ranks));
      write(task, state);
      report(epoch, state.losses.back(), monitor);
      if (monitor.stop_asked() && state.losses.size() < epochs) return {};
    }
    write_model(task, state);
    TrainingOutcome out;
    out.finished = true;
    if (settings_.warns) out.warnings.emplace_back("the last epoch was no better");
    return out;
  }

  static void learn(const SimulatedCohort& cohort, State& state) {
    state.times.resize(cohort.truth.event_times.size());
    for (std::size_t b = 0; b < state.times.size(); ++b)
      state.times[b] += cohort.truth.event_times[b];
    double sum = 0.0;
    for (const auto stage : cohort.truth.ordinal_stages) sum += stage;
    state.stages += sum / static_cast<double>(cohort.truth.ordinal_stages.size());
  }

  void report(std::size_t epoch, double loss, TrainingMonitor& monitor) const {
    monitor.epoch({.epoch = epoch,
                   .epochs = static_cast<std::uint64_t>(settings_.epochs),
                   .numbers = {{"validation_tau_distance", loss}, {"cohorts_seen", count(epoch)}}});
  }
  double count(std::size_t epochs) const {
    return static_cast<double>(epochs) * static_cast<double>(settings_.cohorts);
  }

  /// No longer than a minute. @return false: asked to stop.
  bool wait(const TrainingMonitor& monitor) const {
    for (int i = 0;
         i < 6000 && !settings_.waits_for.empty() && !std::filesystem::exists(settings_.waits_for);
         ++i) {
      if (monitor.stop_asked()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  void note(const std::vector<std::string>& hypotheses, std::size_t epoch,
            std::size_t threads) const {
    std::ofstream log(settings_.log, std::ios::app);
    for (const auto& id : hypotheses) log << id << ' ';
    log << epoch << ' ' << threads << std::endl;
  }

  static std::filesystem::path checkpoint(const TrainingTask& task) {
    return task.checkpoints / "state";
  }

  /// Waits until a file, or the names in a folder, are on disk.
  static void sync(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    int code = -1;
    while (file >= 0 && (code = ::fsync(file)) != 0 && errno == EINTR) {
    }
    const bool is_done = code == 0;
    const int fault = errno;
    if (file >= 0) ::close(file);
    if (!is_done) throw std::runtime_error(std::string("no checkpoint: ") + std::strerror(fault));
  }

  /// @param skipped  bytes at its beginning
  static json read_json(const std::filesystem::path& path, std::streamsize skipped,
                        const std::string& what) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file.ignore(skipped)) text << file.rdbuf();
    if (!file || file.bad())
      throw std::runtime_error(what + " cannot be read: " + std::strerror(errno));
    return json::parse(text.str());
  }

  static State read(const TrainingTask& task) {
    if (!std::filesystem::exists(checkpoint(task))) return {};
    const auto saved = read_json(checkpoint(task), 0, "the checkpoint");
    return {saved["times"], saved["stages"], saved["losses"]};
  }

  static void write(const TrainingTask& task, const State& state) {
    std::filesystem::create_directories(task.checkpoints);
    const auto unfinished = task.checkpoints / "next";
    std::ofstream file(unfinished);
    file << json{{"times", state.times}, {"stages", state.stages}, {"losses", state.losses}};
    file.close();
    if (!file) throw std::runtime_error(std::string("no checkpoint: ") + std::strerror(errno));
    sync(unfinished);
    std::filesystem::rename(unfinished, checkpoint(task));
    sync(task.checkpoints);
  }

  void write_model(const TrainingTask& task, const State& state) const {
    if (settings_.writes == "nothing") return;
    std::ofstream file(task.model, std::ios::binary);
    if (settings_.writes == "garbage") {
      file << "no model, but longer than eight bytes";
      return;
    }
    auto times = state.times;
    for (auto& time : times) time /= count(state.losses.size());
    json metadata{{"plugin", settings_.writes == "another's" ? "other" : plugin_id()},
                  {"biomarkers", json(task.cohorts.biomarkers()).dump()},
                  {"times", json(times).dump()},
                  {"stage", json(state.stages / count(state.losses.size())).dump()}};
    if (settings_.writes == "unlabelled") metadata.erase("plugin");
    const auto header = json{{"__metadata__", metadata}}.dump();
    std::uint64_t length = header.size();
    for (int byte = 0; byte < 8; ++byte, length >>= 8) file.put(static_cast<char>(length & 0xff));
    file << header;
    file.close();
    if (!file) throw std::runtime_error(std::string("no model: ") + std::strerror(errno));
  }

  std::unique_ptr<InferenceMethod> do_load(const std::filesystem::path& model,
                                           std::size_t) const override {
    if (settings_.device == "gone") throw std::runtime_error("there is no device 'gone'");
    constexpr std::streamsize kLength = 8;  // of the header, which comes first
    const auto metadata = read_json(model, kLength, "the model")["__metadata__"];
    const auto list = [&](const char* name) {
      return json::parse(metadata[name].get<std::string>());
    };
    const auto names = list("biomarkers").get<std::vector<std::string>>();
    const auto values = list("times").get<std::vector<double>>();
    std::map<std::string, double> times;
    for (std::size_t b = 0; b < names.size(); ++b) times[names[b]] = values.at(b);
    return std::make_unique<Learned>(std::move(times), list("stage").get<double>());
  }

  const Settings settings_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::TrainableMethod, tempo::test::Learner, tempo::test::Settings,
             ({.id = "learner",
               .version = LEARNER_VERSION,
               .licence = "MIT",
               .summary = "a test" LEARNER_BUILD,
               .source = "none",
               .labels = tempo::LabelUse::infer}));
