#include "cli/trained_model.hpp"

#include <fmt/format.h>

#include "tempo/error.hpp"

namespace tempo::cli {

std::string device_key(const Registry& registry, const std::string& method) {
  const auto* device =
      registry.parameter_with(InterfaceKind::trainable_method, method, ParameterRole::device);
  return device == nullptr ? "device" : device->key;
}

std::unique_ptr<InferenceMethod> load_model(const std::string& file, const ModelMetadata& metadata,
                                            const Options& options, const Registry& registry,
                                            std::size_t threads) {
  Problems problems;
  const auto kind = InterfaceKind::trainable_method;
  if (registry.find(kind, metadata.plugin) == nullptr)
    problems.add({file}, registry.why_missing(kind, metadata.plugin));
  problems.throw_if_any();
  PartSpec part{metadata.plugin, {}, Place{file}};
  if (options.has("device"))
    part.settings.set(device_key(registry, metadata.plugin),
                      {Place{"--device"}, options.get<std::string>("device")});
  part = registry.resolve(kind, part, fmt::format("method '{}'", metadata.plugin), problems);
  problems.throw_if_any();
  const auto method = registry.trainable_method(part);
  try {
    return method->load(file, threads);
  } catch (const Error& error) {
    problems.add({file}, error.what());
    throw InputError(problems);
  }
}

}  // namespace tempo::cli
