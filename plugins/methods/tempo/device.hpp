#pragma once

#include <torch/types.h>

#include <cstddef>
#include <string>

#include "settings.hpp"

namespace tempo::amortised {

/// Why there is no such device here, as the end of a sentence; empty if there is one.
/// @param name auto, cpu, cuda or cuda:N
std::string why_no_device(const std::string& name);

/// @param name auto, cpu, cuda or cuda:N
/// @throws Error if there is no such device here.
torch::Device device_of(const std::string& name);

/// How many threads a tensor operation called from this thread may use, matrix products included.
void limit_threads(std::size_t threads);

/// How many cells [participants x biomarkers] of different cohorts go through a network together:
/// on a CPU as many as caches hold what it makes of them, on a GPU as keep it busy.
std::size_t cells_together(Preset preset, torch::Device device);

/// Allows TF32 in matrix products or not.
void set_precision(Precision precision);

}  // namespace tempo::amortised
