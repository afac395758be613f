#pragma once

// safetensors files: eight bytes with the length of a JSON header (little endian), the header, then
// the tensors' bytes. Source: https://github.com/huggingface/safetensors, "Format".

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace tempo::amortised {

/// Row-major values with their shape. Written as F32 or F64, held as double where F64.
struct FloatTensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
  bool operator==(const FloatTensor&) const = default;
};
struct DoubleTensor {
  std::vector<std::size_t> shape;
  std::vector<double> values;
  bool operator==(const DoubleTensor&) const = default;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, FloatTensor> floats;
  std::map<std::string, DoubleTensor> doubles;  // names differ from those of `floats`
};

/// Adds the metadata `crc32`, of all tensors' bytes in the order of the file, and `crc32_metadata`,
/// of the other metadata: as zlib computes them, eight hexadecimal digits.
/// Writes beside the file, then renames: the file appears whole or not at all.
/// @throws Error if it cannot be written.
void write_safetensors(const TensorFile& content, const std::filesystem::path& path);

/// Reads a file; length of the header, offsets, sizes and shapes are checked before anything is
/// allocated for tensors. The tensors must fill the file without gap or overlap; types other than
/// F32 and F64 are refused. Checksums that are there are compared and not returned.
/// @throws Error saying what is wrong.
TensorFile read_safetensors(const std::filesystem::path& path);
/// The same from a stream of so many bytes.
TensorFile read_safetensors(std::istream& file, std::uint64_t file_bytes);

}  // namespace tempo::amortised
