#include "conformance/training.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <system_error>

#include "conformance/examples.hpp"
#include "tempo/error.hpp"

namespace tempo::conformance {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

/// Cohorts like the plain example, each a function of its number.
class PlainCohorts final : public TrainingCohorts {
 public:
  PlainCohorts()
      : process_(known_process(biomarkers_table())), names_(biomarkers_table().names()) {}

  SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override {
    RandomStream stream(1, "conformance", purpose == Purpose::training ? "training" : "validation",
                        number);
    return process_->simulate({.participants = 240, .healthy_ratio = 0.3}, stream);
  }
  const std::vector<std::string>& biomarkers() const override { return names_; }
  const std::vector<std::string>& hypotheses() const override { return hypotheses_; }

 private:
  static BiomarkerTable biomarkers_table() { return plain_example().biomarkers; }

  std::unique_ptr<GenerativeProcess> process_;
  std::vector<std::string> names_;
  std::vector<std::string> hypotheses_{"known"};
};

/// Asks to stop after some calls, and notes when.
class Watch final : public TrainingMonitor {
 public:
  explicit Watch(std::optional<int> stop_after) : left_(stop_after) {}

  void step(const TrainingStep&) override { count(); }
  void epoch(const TrainingEpoch&) override { count(); }
  bool stop_asked() const override { return asked_.has_value(); }
  std::optional<Clock::time_point> asked() const { return asked_; }

 private:
  void count() {
    if (left_ && --*left_ == 0) asked_ = Clock::now();
  }

  std::optional<int> left_;
  std::optional<Clock::time_point> asked_;
};

}  // namespace

Trained train(const TrainableMethod& method, const Training& training) {
  const auto checkpoints = training.folder / "checkpoints";
  fs::create_directories(checkpoints);
  const PlainCohorts cohorts;
  Watch watch(training.stop_after);
  Trained out{{}, training.folder / "model.safetensors"};
  out.outcome = method.train(
      {cohorts, RandomStream(1, "conformance", "weights"), out.model, checkpoints, 1}, watch);
  if (watch.asked())
    out.seconds_to_stop = std::chrono::duration<double>(Clock::now() - *watch.asked()).count();
  return out;
}

std::unique_ptr<InferenceMethod> trained(const Subject& subject) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const auto method = subject.trainable_method();
  const auto folder = subject.scratch() / "trained";
  const auto file = folder / "model.safetensors";
  if (!fs::exists(file)) {
    // Another process may train at the same time: a model is there as a whole or not at all.
    const auto own = subject.scratch() / fmt::format("training-{}", ::getpid());
    if (!train(*method, {own}).outcome.finished)
      throw PluginError("training ended unfinished although nobody asked it to stop");
    std::error_code is_there;
    fs::rename(own, folder, is_there);
  }
  return method->load(file, 1);
}

}  // namespace tempo::conformance
