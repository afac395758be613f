#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tempo/problem.hpp"

namespace tempo {

// A trained model on disk is a safetensors file: 8 bytes with the length of a header (little
// endian), the header (JSON), then raw tensors. Any program of that format opens it. tempo itself
// reads only the texts in the header's `__metadata__`, of which it uses three:
//
//   plugin      id of the plugin that made the model and can load it; required
//   biomarkers  names of the biomarkers it was trained on, a JSON list
//   warnings    what its training warned of, a JSON list of sentences

/// What a model says about itself.
struct ModelMetadata {
  std::string plugin;
  std::vector<std::string> biomarkers = {};  ///< empty where the model does not say
  std::vector<std::string> warnings = {};    ///< of its training
};

/// Reads the header; absent, and one problem, if the file is no model. Lengths are checked before
/// anything is allocated.
std::optional<ModelMetadata> read_model_metadata(const std::filesystem::path& path,
                                                 Problems& problems);

}  // namespace tempo
