#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "generalist_shape.hpp"

namespace tempo::amortised {

/// A trained network.
struct GeneralistModel {
  GeneralistShape shape;
  std::vector<float> weights;  ///< as the shape's layout
};

/// The one that is part of the plugin, read once.
const GeneralistModel& shipped_model();
/// Reads a file of so many bytes.
/// @throws Error saying what is wrong with it.
GeneralistModel read_generalist(std::istream& file, std::uint64_t bytes);
/// @param training  how it was made, in words, for whoever reads the file
/// @throws Error if the file cannot be written.
void write_generalist(const GeneralistModel& model, const std::string& training,
                      const std::filesystem::path& path);

}  // namespace tempo::amortised
