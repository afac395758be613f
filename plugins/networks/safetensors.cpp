#include "safetensors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/crc.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "tempo/error.hpp"

namespace tempo::amortised {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensors are stored as they lie in memory");

using Json = nlohmann::json;

constexpr const char* kChecksum = "crc32";                   // of the tensors
constexpr const char* kMetadataChecksum = "crc32_metadata";  // of all other metadata
constexpr std::uint64_t kMostHeader = 100'000'000;           // bytes; the format's own limit
constexpr int kMostLevels = 16;                              // of lists: a header has three

/// A tensor as the header describes it, checked.
struct Entry {
  std::string name;
  bool is_double = false;
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0, end = 0;
};

std::optional<std::uint64_t> whole_number(const Json& value) {
  if (!value.is_number_unsigned()) return {};
  return value.get<std::uint64_t>();
}

/// Bytes that a shape needs, or nothing if that overflows.
std::optional<std::uint64_t> bytes_of(const std::vector<std::size_t>& shape, std::uint64_t width) {
  std::uint64_t bytes = width;
  for (const auto size : shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) return {};
  return bytes;
}

Entry entry_of(const std::string& name, const Json& value, std::uint64_t data_bytes) {
  const auto fault = [&](const std::string& what) {
    return Error(fmt::format("tensor '{}' {}", name, what));
  };
  if (!value.is_object() || !value.contains("dtype") || !value.contains("shape") ||
      !value.contains("data_offsets"))
    throw fault("needs dtype, shape and data_offsets");
  Entry entry;
  entry.name = name;
  const auto& type = value["dtype"];
  if (type == "F64")
    entry.is_double = true;
  else if (type != "F32")
    throw fault(fmt::format("has dtype {}; expected \"F32\" or \"F64\"", type.dump()));
  const auto& shape = value["shape"];
  if (!shape.is_array() || shape.size() > 8)
    throw fault("has a shape that is no list of at most 8 sizes");
  for (const auto& size : shape) {
    const auto number = whole_number(size);
    if (!number) throw fault(fmt::format("has a size {} in its shape", size.dump()));
    entry.shape.push_back(*number);
  }
  const auto& offsets = value["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !whole_number(offsets[0]) ||
      !whole_number(offsets[1]))
    throw fault("has data_offsets that are no two whole numbers");
  entry.begin = *whole_number(offsets[0]);
  entry.end = *whole_number(offsets[1]);
  if (entry.begin > entry.end || entry.end > data_bytes)
    throw fault(fmt::format("lies at bytes {} to {}, but the file has {} bytes of data: cut short?",
                            entry.begin, entry.end, data_bytes));
  const auto bytes = bytes_of(entry.shape, entry.is_double ? 8 : 4);
  if (!bytes || *bytes != entry.end - entry.begin)
    throw fault(fmt::format("has {} bytes, which its shape {} does not need",
                            entry.end - entry.begin, shape.dump()));
  return entry;
}

/// Of the bytes of tensors in the order of the file.
class Checksum {
 public:
  template <class Tensor>
  void add(const Tensor& tensor) {
    crc_.process_bytes(tensor.values.data(), tensor.values.size() * sizeof(tensor.values[0]));
  }
  std::string text() const { return fmt::format("{:08x}", crc_.checksum()); }

 private:
  boost::crc_32_type crc_;
};

/// Reads so many bytes. @throws Error with the system's reason
void read_bytes(std::istream& file, void* to, std::uint64_t count) {
  errno = 0;
  if (file.read(static_cast<char*>(to), static_cast<std::streamsize>(count))) return;
  throw Error(errno == 0 ? "cannot be read to its end"
                         : fmt::format("cannot be read: {}", std::strerror(errno)));
}

template <class Tensor>
Tensor read_values(std::istream& file, const Entry& entry) {
  using Value = typename decltype(Tensor::values)::value_type;
  Tensor tensor{entry.shape, std::vector<Value>((entry.end - entry.begin) / sizeof(Value))};
  read_bytes(file, tensor.values.data(), entry.end - entry.begin);
  return tensor;
}

Json header_of(std::istream& file, std::uint64_t file_bytes, std::uint64_t& header_bytes) {
  std::array<char, 8> length{};
  if (file_bytes < length.size())
    throw Error(fmt::format("has {} bytes: no safetensors file", file_bytes));
  read_bytes(file, length.data(), length.size());
  std::memcpy(&header_bytes, length.data(), length.size());
  if (header_bytes > kMostHeader || header_bytes > file_bytes - length.size())
    throw Error(fmt::format(
        "says that its header has {} bytes, but only {} follow: no safetensors file, or cut short",
        header_bytes, file_bytes - length.size()));
  std::string text(header_bytes, ' ');
  read_bytes(file, text.data(), header_bytes);
  // A name given twice would silently be the last one.
  std::set<std::string> seen;
  const auto refuse = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMostLevels)
      throw Error(fmt::format("has a header in which lists lie more than {} deep in each other",
                              kMostLevels));
    if (event == Json::parse_event_t::key && depth == 1 &&
        !seen.insert(parsed.get<std::string>()).second)
      throw Error(fmt::format("names tensor {} twice", parsed.dump()));
    return true;
  };
  Json header;
  try {
    header = Json::parse(text, refuse);
  } catch (const Json::exception& error) {
    const std::string_view words =
        error.what();  // `[json.exception.parse_error.101] parse error ...`
    throw Error(fmt::format("has a header that is no JSON: {}",
                            words.substr(std::min(words.size(), words.find("] ") + 2))));
  }
  if (!header.is_object()) throw Error("has a header that is no JSON object");
  return header;
}

/// A file that gets its name when all of it has reached the disk.
class FileOnDisk {
 public:
  explicit FileOnDisk(const std::filesystem::path& path)
      : path_(path.string()), part_(path_ + ".part") {
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail();
  }
  ~FileOnDisk() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(part_.c_str());
  }
  FileOnDisk(const FileOnDisk&) = delete;
  FileOnDisk& operator=(const FileOnDisk&) = delete;

  void put(const void* bytes, std::size_t count) {
    for (const auto* at = static_cast<const char*>(bytes); count > 0;) {
      const auto written = ::write(file_, at, count);
      if (written < 0 && errno != EINTR) fail();
      if (written <= 0) continue;
      at += written;
      count -= static_cast<std::size_t>(written);
    }
  }
  void finish() {
    while (::fsync(file_) != 0)
      if (errno != EINTR) fail();
    if (::rename(part_.c_str(), path_.c_str()) != 0) fail();
    if (::close(std::exchange(file_, -1)) != 0) fail();
    sync_folder();
  }

 private:
  /// So that the name outlasts a loss of power, too. Not every file system can do this.
  void sync_folder() const {
    const auto folder = std::filesystem::path(path_).parent_path();
    const int open = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (open < 0) return;
    const int fault = ::fsync(open) == 0 ? 0 : errno;
    ::close(open);
    errno = fault;
    if (fault == EIO || fault == ENOSPC || fault == EDQUOT) fail();
  }
  [[noreturn]] void fail() const {
    throw Error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }

  std::string path_, part_;
  int file_ = -1;
};

/// Of the metadata, but for the checksums themselves.
std::string checksum_of(const std::map<std::string, std::string>& metadata) {
  boost::crc_32_type crc;
  for (const auto& [key, text] : metadata) {
    if (key == kChecksum || key == kMetadataChecksum) continue;
    for (const auto& part : {key, text}) crc.process_bytes(part.c_str(), part.size() + 1);
  }
  return fmt::format("{:08x}", crc.checksum());
}

/// @throws Error if it is stated, and another
void expect_checksum(TensorFile& content, const char* key, const char* of,
                     const std::string& found) {
  const auto stated = content.metadata.extract(key);
  if (!stated.empty() && stated.mapped() != found)
    throw Error(
        fmt::format("is corrupt: the checksum of its {} is {}, but it was written with {}; copy or "
                    "train it again",
                    of, found, stated.mapped()));
}

}  // namespace

void write_safetensors(const TensorFile& content, const std::filesystem::path& path) {
  Checksum checksum;
  for (const auto& [name, tensor] : content.doubles) checksum.add(tensor);
  for (const auto& [name, tensor] : content.floats) checksum.add(tensor);
  auto metadata = content.metadata;
  metadata[kChecksum] = checksum.text();
  metadata[kMetadataChecksum] = checksum_of(metadata);
  Json header = {{"__metadata__", metadata}};
  std::uint64_t offset = 0;
  const auto describe = [&](const auto& tensors, const char* type) {
    for (const auto& [name, tensor] : tensors) {
      const auto bytes = tensor.values.size() * sizeof(tensor.values[0]);
      header[name] = {
          {"dtype", type}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes}}};
      offset += bytes;
    }
  };
  describe(content.doubles, "F64");  // first, so that all values are aligned
  describe(content.floats, "F32");
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t header_bytes = text.size();

  FileOnDisk file(path);
  file.put(&header_bytes, sizeof header_bytes);
  file.put(text.data(), text.size());
  const auto put = [&](const auto& tensors) {
    for (const auto& [name, tensor] : tensors)
      file.put(tensor.values.data(), tensor.values.size() * sizeof(tensor.values[0]));
  };
  put(content.doubles);
  put(content.floats);
  file.finish();
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  if (!file) error.assign(errno, std::system_category());
  const auto file_bytes = error ? 0 : std::filesystem::file_size(path, error);
  if (!file || error) throw Error("cannot be read: " + error.message());
  return read_safetensors(file, file_bytes);
}

TensorFile read_safetensors(std::istream& file, std::uint64_t file_bytes) {
  std::uint64_t header_bytes = 0;
  const auto header = header_of(file, file_bytes, header_bytes);

  TensorFile content;
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name != "__metadata__") {
      entries.push_back(entry_of(name, value, file_bytes - 8 - header_bytes));
      continue;
    }
    if (!value.is_object()) throw Error("has metadata that are no JSON object");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) throw Error(fmt::format("has metadata '{}' that are no text", key));
      content.metadata[key] = text.get<std::string>();
    }
  }
  std::ranges::sort(entries, {},
                    [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
  std::uint64_t expected = 0;
  for (const auto& entry : entries) {
    if (entry.begin != expected)
      throw Error(fmt::format("tensor '{}' begins at byte {} of the data; expected {}: tensors {}",
                              entry.name, entry.begin, expected,
                              entry.begin < expected ? "overlap" : "leave a gap"));
    expected = entry.end;
  }
  if (expected != file_bytes - 8 - header_bytes)
    throw Error(fmt::format("has {} bytes after its last tensor",
                            file_bytes - 8 - header_bytes - expected));
  Checksum checksum;
  const auto keep = [&](const Entry& entry, auto& tensors) {
    using Tensor = typename std::decay_t<decltype(tensors)>::mapped_type;
    checksum.add(tensors[entry.name] = read_values<Tensor>(file, entry));
  };
  for (const auto& entry : entries) {
    if (entry.is_double)
      keep(entry, content.doubles);
    else
      keep(entry, content.floats);
  }
  const auto of_metadata = checksum_of(content.metadata);
  expect_checksum(content, kChecksum, "tensors", checksum.text());
  expect_checksum(content, kMetadataChecksum, "metadata", of_metadata);
  return content;
}

}  // namespace tempo::amortised
