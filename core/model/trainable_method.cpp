#include "tempo/trainable_method.hpp"

#include "tempo/error.hpp"

namespace tempo {

TrainingCohorts::~TrainingCohorts() = default;
TrainingMonitor::~TrainingMonitor() = default;
TrainableMethod::~TrainableMethod() = default;

void TrainableMethod::set_abilities(LabelUse labels, MissingData missing) {
  label_use_ = labels;
  missing_data_ = missing;
}

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
  out->set_abilities(label_use_, missing_data_);
  return out;
}

}  // namespace tempo
