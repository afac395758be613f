#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "tempo/inference_method.hpp"

namespace tempo::amortised {

/// What TrainableMethod::load promises. @throws Error
std::unique_ptr<InferenceMethod> load(const std::filesystem::path& model, const std::string& device,
                                      std::size_t threads);

}  // namespace tempo::amortised
