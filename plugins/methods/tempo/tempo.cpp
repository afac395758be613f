// TEMPO: a Transformer that learns from simulated cohorts to order events and stage participants:
// README.md.

#include "plain_faults.hpp"
#include "settings.hpp"
#include "tempo/plugin.hpp"
#include "tempo/trainable_method.hpp"
#include "trained_model.hpp"
#include "training.hpp"

namespace tempo {
namespace {

class Tempo final : public TrainableMethod {
 public:
  explicit Tempo(const amortised::TempoSettings& settings) : settings_(settings) {}

 private:
  TrainingOutcome do_train(const TrainingTask& task, TrainingMonitor& monitor) const override {
    return amortised::with_plain_faults([&] { return amortised::train(settings_, task, monitor); });
  }
  std::unique_ptr<InferenceMethod> do_load(const std::filesystem::path& model,
                                           std::size_t threads) const override {
    return amortised::with_plain_faults(
        [&] { return amortised::load(model, settings_.device, threads); });
  }

  amortised::TempoSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::TrainableMethod, tempo::Tempo, tempo::amortised::TempoSettings,
             {.id = "tempo",
              .version = tempo::amortised::kPluginVersion,
              .licence = "MIT",
              .summary = "a Transformer trained on simulated cohorts: order and stages in one pass",
              .source = "Hao & Austerweil, TEMPO, CHIL 2026; program jpcca/tempo",
              .labels = tempo::LabelUse::infer,
              .missing = tempo::MissingData::imputed});
