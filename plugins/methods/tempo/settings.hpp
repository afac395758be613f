#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tempo/parameters.hpp"

namespace tempo::amortised {

/// first_compact: what `compact` was up to version 1.1.0 of the plugin; its models can be read.
enum class Preset { compact, paper, first_compact };
enum class Precision { float32, tf32, bf16 };

/// How a network is trained: the keys of the plugin's page.
struct TempoSettings {
  explicit TempoSettings(Parameters& keys);

  Preset preset = Preset::compact;
  std::string device;  ///< auto, cpu, cuda, cuda:N
  Precision precision = Precision::float32;
  bool fixed_cohorts = false;    ///< the same cohorts every epoch
  std::size_t cohorts = 0;       ///< how many, where fixed
  std::size_t validation = 0;    ///< cohorts for validation
  std::size_t epochs = 0;        ///< 0: for_biomarkers
  std::size_t samples = 0;       ///< subsamples per epoch; 0: for_biomarkers
  std::size_t participants = 0;  ///< of a subsample; 0: from a fifth of the cohort to all of it
  std::size_t batch = 0;         ///< subsamples per step
  double learning_rate = 0.0;
};

/// Every setting that decides the weights, as text: what a checkpoint must have in common with the
/// training that goes on from it. How the device is spelt is none: training notes which kind it is.
std::string identity(const TempoSettings& settings);

/// With the epochs and samples that a 0 leaves to the number of biomarkers.
TempoSettings for_biomarkers(TempoSettings settings, std::size_t biomarkers);

}  // namespace tempo::amortised
