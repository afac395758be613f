#pragma once

#include <torch/types.h>

#include <cstddef>
#include <string>

#include "settings.hpp"

namespace tempo::amortised {

/// @param name auto, cpu, cuda or cuda:N
/// @throws Error if there is no such device here.
torch::Device device_of(const std::string& name);

/// How many threads a tensor operation called from this thread may use, matrix products included.
void limit_threads(std::size_t threads);

/// Allows TF32 in matrix products or not.
void set_precision(Precision precision);

}  // namespace tempo::amortised
