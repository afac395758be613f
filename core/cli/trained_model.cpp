#include "cli/trained_model.hpp"

#include <fmt/format.h>

#include "tempo/error.hpp"

namespace tempo::cli {
namespace {

constexpr auto kTrainableMethod = InterfaceKind::trainable_method;

/// The plugin that a model file names, with its settings. @throws InputError
PartSpec plugin_of(const std::string& file, const std::string& plugin, const Options& options,
                   const Registry& registry) {
  Problems problems;
  if (registry.find(kTrainableMethod, plugin) == nullptr)
    problems.add({file}, registry.why_missing(kTrainableMethod, plugin));
  problems.throw_if_any();
  PartSpec part{plugin, {}, Place{file}};
  if (options.has("device"))
    part.settings.set(device_key(registry, plugin),
                      {Place{"--device"}, options.get_text("device")});
  part = registry.resolve(kTrainableMethod, part, fmt::format("method '{}'", plugin), problems);
  problems.throw_if_any();
  return part;
}

}  // namespace

void add_device_option(Options& options, const std::string& help) {
  options.text("device", "D", help);
}

std::string device_key(const Registry& registry, const std::string& method) {
  const auto* device = registry.parameter_with(kTrainableMethod, method, ParameterRole::device);
  return device == nullptr ? "device" : device->key;
}

std::unique_ptr<InferenceMethod> load_model(const std::string& file, const ModelMetadata& metadata,
                                            const Options& options, const Registry& registry,
                                            std::size_t threads) {
  const auto method =
      registry.trainable_method(plugin_of(file, metadata.plugin, options, registry));
  try {
    return method->load(file, threads);
  } catch (const Error& error) {
    Problems problems;
    problems.add({file}, error.what());
    throw InputError(problems);
  }
}

}  // namespace tempo::cli
