#include "data/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "data/json_text.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::uintmax_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the limit of the format

/// Reads so many bytes of a header. @throws Error as read_header, with the system's reason
void read_bytes(std::istream& file, char* to, std::uint64_t count) {
  errno = 0;
  if (file.read(to, static_cast<std::streamsize>(count))) return;
  throw Error(errno == 0 ? "cannot be read to the end of its header"
                         : fmt::format("cannot be read ({})", std::strerror(errno)));
}

/// The header's text. @throws Error with the end of a sentence that begins with the file.
std::string read_header(const fs::path& path) {
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (!fs::exists(status)) throw Error("does not exist");
  if (!fs::is_regular_file(status)) throw Error("is no file; expected a model (safetensors)");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(fmt::format("cannot be read ({}); check its permissions", std::strerror(errno)));
  const auto size = fs::file_size(path);
  if (size < kLengthBytes)
    throw Error(fmt::format("is no model: it has {} bytes; expected a safetensors file", size));
  std::array<unsigned char, kLengthBytes> bytes{};
  read_bytes(file, reinterpret_cast<char*>(bytes.data()), bytes.size());
  std::uint64_t length = 0;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) length = length << 8 | *byte;
  if (length > size - kLengthBytes || length > kLongestHeader)
    throw Error(
        fmt::format("is no model, or cut short: its header would be {} bytes long in a file of {}; "
                    "expected a safetensors file",
                    length, size));
  std::string text(length, '\0');
  read_bytes(file, text.data(), length);
  return text;
}

/// What a text holds; nothing if it is no JSON. @throws Error as read_header if it is too deep
json parse_part(const std::string& text) {
  if (too_deep_at(text))
    throw Error(fmt::format("is no model: in its header {}", too_deep_in_words()));
  return json::parse(text, nullptr, /*allow_exceptions=*/false);
}

/// A list of texts of the metadata; empty where it has none. @throws Error as read_header
std::vector<std::string> texts_in(const json& metadata, const char* key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return {};
  const auto list = found->is_string() ? parse_part(found->get<std::string>()) : json();
  const auto is_text = [](const json& one) { return one.is_string(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_text))
    throw Error(fmt::format("is faulty: '{}' in its '__metadata__' is no JSON list of texts", key));
  return list.get<std::vector<std::string>>();
}

ModelMetadata parse(const std::string& text) {
  const auto header = parse_part(text);
  if (!header.is_object())
    throw Error("is no model: its header is no JSON object; expected a safetensors file");
  const auto metadata = header.value("__metadata__", json::object());
  if (!metadata.is_object() || !metadata.contains("plugin") || !metadata["plugin"].is_string())
    throw Error(
        "does not say which plugin made it: there is no text 'plugin' in the '__metadata__' of its "
        "header; expected a model from tempo train or tempo run");
  return {metadata["plugin"].get<std::string>(), texts_in(metadata, "biomarkers"),
          texts_in(metadata, "warnings")};
}

}  // namespace

std::optional<ModelMetadata> read_model_metadata(const fs::path& path, Problems& problems) {
  try {
    return parse(read_header(path));
  } catch (const Error& error) {
    problems.add({path.string()}, error.what());
    return std::nullopt;
  }
}

}  // namespace tempo
