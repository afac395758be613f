#pragma once

#include <memory>
#include <string>

#include "cli/command.hpp"
#include "data/model_file.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::cli {

/// The key by which a trainable method is told its device; `device` if it has none, which it will
/// complain about.
std::string device_key(const Registry& registry, const std::string& method);

/// The method with the weights of a model file; --device is passed on to it if it was given.
/// @throws InputError
std::unique_ptr<InferenceMethod> load_model(const std::string& file, const ModelMetadata& metadata,
                                            const Options& options, const Registry& registry,
                                            std::size_t threads);

}  // namespace tempo::cli
