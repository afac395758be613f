#pragma once

#include <memory>
#include <string>

#include "cli/command.hpp"
#include "data/model_file.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::cli {

/// Adds --device. @param help where to compute, in words
void add_device_option(Options& options, const std::string& help);

/// The key of the setting that says where a method computes; `device` if it has none, of which it
/// will complain.
std::string device_key(const Registry& registry, const std::string& method);

/// The method with the weights of a model file; --device is passed on to it if it was given.
/// @throws InputError
std::unique_ptr<InferenceMethod> load_model(const std::string& file, const ModelMetadata& metadata,
                                            const Options& options, const Registry& registry,
                                            std::size_t threads);

}  // namespace tempo::cli
