// A method that is trained and is wrong in the way its setting asks for. What it learns is the
// names of biomarkers; it puts events in the order of their means.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tempo/trainable_method.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

std::atomic<int> trainings{0};

class Known final : public InferenceMethod {
 public:
  Known(std::string names, bool takes_any) : names_(std::move(names)), takes_any_(takes_any) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream&) const override {
    Inference out;
    out.stages.assign(cohort.participant_count(), 1.0);
    for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
      if (!takes_any_ && names_.find("'" + cohort.biomarkers[b] + "'") == std::string::npos)
        throw std::runtime_error("was not trained on '" + cohort.biomarkers[b] + "'");
      out.event_scores.push_back(static_cast<double>(cohort.biomarkers[b].back()));
    }
    return out;
  }

  std::string names_;
  bool takes_any_;
};

class WrongLearner final : public TrainableMethod {
 public:
  explicit WrongLearner(const Faulty& faulty) : faulty_(faulty) {}

 private:
  TrainingOutcome do_train(const TrainingTask& task, TrainingMonitor& monitor) const override {
    constexpr std::uint64_t kSteps = 5;
    const bool went_on = std::filesystem::exists(task.checkpoints / "begun");
    std::ofstream(task.checkpoints / "begun") << "yes";
    for (std::uint64_t i = 0; i < kSteps; ++i) {
      monitor.step({.samples_done = i + 1, .samples = kSteps});
      if (!monitor.stop_asked()) continue;
      if (faulty_.has("slow_to_stop")) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
      return {};
    }
    if (faulty_.has("never_done")) return {};
    std::ofstream model(task.model);
    model << "model";
    if (faulty_.has("counts_trainings")) model << trainings++;
    if (faulty_.has("forgets") && went_on) model << "again";
    for (const auto& name : task.cohorts.biomarkers()) model << " '" << name << "'";
    return {.finished = true, .warnings = {}};
  }

  std::unique_ptr<InferenceMethod> do_load(const std::filesystem::path& file,
                                           std::size_t) const override {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const auto names = text.str();
    const bool is_whole = names.starts_with("model") && names.ends_with("'");
    if (!is_whole && !faulty_.has("trusting")) throw std::runtime_error("is no model");
    return std::make_unique<Known>(names, faulty_.has("any_name"));
  }

  Faulty faulty_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::TrainableMethod, tempo::test::WrongLearner, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_learner")));
