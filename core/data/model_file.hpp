#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tempo/problem.hpp"

namespace tempo {

// A trained model on disk: safetensors, that is 8 bytes with the length of a header (little
// endian), the header (JSON), then raw tensors. Any program of that format opens it. tempo itself
// reads of it no more than the texts in the header's `__metadata__`, of which two are for tempo:
//
//   plugin      id of the plugin that made the model and can load it; required
//   biomarkers  names of the biomarkers it was trained on, a JSON list

/// What a model says about itself.
struct ModelMetadata {
  std::string plugin;
  std::vector<std::string> biomarkers;  ///< empty where the model does not say
};

/// Reads the header; nothing, and one problem, if the file is no model. Nothing is allocated before
/// the lengths have been checked.
std::optional<ModelMetadata> read_model_metadata(const std::filesystem::path& path,
                                                 Problems& problems);

}  // namespace tempo
