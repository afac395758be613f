#pragma once

// A trained model on disk: what README.md documents for users of Python.

#include <filesystem>
#include <string>
#include <vector>

#include "network.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo::amortised {

struct Model {
  Preset preset = Preset::compact;
  Columns columns;
  std::vector<std::string> hypotheses;
  std::vector<TrainingEpoch> history;
  CompactSizes sizes;                      ///< of the compact network
  std::vector<float> weights;              ///< as the layout of the network, one after the other
  std::vector<std::string> warnings = {};  ///< of its training; written, and read by tempo alone
};

/// @throws Error if the file cannot be written.
void write_model(const Model& model, const std::filesystem::path& path);
/// @throws Error saying what is wrong with the file.
Model read_model(const std::filesystem::path& path);

}  // namespace tempo::amortised
