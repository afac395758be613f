#include "tempo/trainable_method.hpp"

#include "tempo/error.hpp"

namespace tempo {

TrainingCohorts::~TrainingCohorts() = default;
TrainingMonitor::~TrainingMonitor() = default;
TrainableMethod::~TrainableMethod() = default;

TrainingOutcome TrainableMethod::train(const TrainingTask& task, TrainingMonitor& monitor) const {
  TrainingOutcome out;
  guard("training", [&] { out = do_train(task, monitor); });
  return out;
}

std::unique_ptr<InferenceMethod> TrainableMethod::load(const std::filesystem::path& model,
                                                       std::size_t threads) const {
  std::unique_ptr<InferenceMethod> out;
  guard("loading " + model.string(), [&] { out = do_load(model, threads); });
  if (out == nullptr) throw PluginError(blame("loading " + model.string()) + "it returns nothing");
  out->set_plugin_id(plugin_id());
  out->set_abilities(label_use(), missing_data());
  return out;
}

}  // namespace tempo
