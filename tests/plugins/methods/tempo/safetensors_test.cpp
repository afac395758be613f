// Files of tensors: what is written is read back; nothing else is.

#include <fstream>
#include <nlohmann/json.hpp>

#include "training_support.hpp"

namespace tempo::test {
namespace {

using amortised::read_safetensors;
using amortised::TensorFile;
using Catch::Matchers::Contains;
using Json = nlohmann::json;

TensorFile small_file() {
  TensorFile file;
  file.metadata = {{"text", "with \"quotes\" and \xc3\xa4"}};
  file.floats["a"] = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  file.floats["none"] = {{0, 4}, {}};
  file.doubles["b"] = {{2}, {0.1, -1e300}};
  return file;
}

/// A file with this header and so many bytes of data.
std::string bytes_of(const std::string& header, std::size_t data) {
  std::string out(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return out + header + std::string(data, '\0');
}

Json tensor(const std::string& type, const Json& shape, const Json& offsets) {
  return {{"dtype", type}, {"shape", shape}, {"data_offsets", offsets}};
}

void refused(const std::string& bytes, const std::string& message) {
  const TemporaryFolder folder;
  const auto path = folder.write("model", bytes);
  CAPTURE(message);
  REQUIRE_THROWS_WITH(read_safetensors(path), Contains(message));
}

}  // namespace

TEST_CASE("tensors, types, shapes and metadata come back as they were written", "[safetensors]") {
  const TemporaryFolder folder;
  amortised::write_safetensors(small_file(), folder.path() / "model");
  const auto read = read_safetensors(folder.path() / "model");
  const auto written = small_file();
  REQUIRE((read.metadata == written.metadata));
  REQUIRE((read.floats == written.floats));
  REQUIRE((read.doubles == written.doubles));
  REQUIRE(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("why a file of tensors cannot be opened is said", "[safetensors]") {
  const TemporaryFolder folder;
  REQUIRE_THROWS_WITH(read_safetensors(folder.path() / "none"),
                      Contains("cannot be read: No such file or directory"));
}

TEST_CASE("a file lies as the format says: length, header, values", "[safetensors]") {
  const TemporaryFolder folder;
  amortised::write_safetensors(small_file(), folder.path() / "model");
  const auto bytes = read_text(folder.path() / "model");
  const auto header_bytes = static_cast<std::size_t>(static_cast<unsigned char>(bytes[0])) +
                            256 * static_cast<std::size_t>(static_cast<unsigned char>(bytes[1]));
  const auto header = Json::parse(bytes.substr(8, header_bytes));
  REQUIRE(header["a"]["dtype"] == "F32");
  REQUIRE(header["a"]["shape"] == Json({2, 3}));
  const auto begin = header["a"]["data_offsets"][0].get<std::size_t>();
  float second = 0;
  std::memcpy(&second, bytes.data() + 8 + header_bytes + begin + 4, 4);
  REQUIRE(second == 2.0F);
}

TEST_CASE("a model that cannot be written is an error, and no half file is left", "[safetensors]") {
  const TemporaryFolder folder;
  REQUIRE_THROWS_WITH(amortised::write_safetensors(small_file(), folder.path() / "no" / "model"),
                      Contains("cannot be written"));
}

TEST_CASE("a file cut short anywhere is refused", "[safetensors]") {
  const TemporaryFolder folder;
  amortised::write_safetensors(small_file(), folder.path() / "model");
  const auto bytes = read_text(folder.path() / "model");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto path = folder.write("cut", bytes.substr(0, length));
    REQUIRE_THROWS_AS(read_safetensors(path), Error);
  }
}

TEST_CASE("a byte of a tensor that changed is noticed", "[safetensors]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model";
  amortised::write_safetensors(small_file(), path);
  const auto bytes = read_text(path);
  const std::size_t data = 6 * sizeof(float) + 2 * sizeof(double);
  for (std::size_t i = bytes.size() - data; i < bytes.size(); ++i) {
    auto corrupt = bytes;
    corrupt[i] = static_cast<char>(corrupt[i] ^ 1);
    refused(corrupt, "is corrupt: the checksum of its tensors is ");
  }
}

TEST_CASE("a letter of the metadata that changed is noticed", "[safetensors]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model";
  auto file = small_file();
  file.metadata["state"] = "0.125,1e-3,tanh";
  amortised::write_safetensors(file, path);
  const auto bytes = read_text(path);
  for (const auto& [key, text] :
       {std::pair<std::string, std::string>("state", file.metadata["state"]), {"key", "state"}}) {
    const auto begin = bytes.find(text);
    for (std::size_t i = begin; i < begin + text.size(); ++i) {
      auto corrupt = bytes;
      corrupt[i] = corrupt[i] == 'q' ? 'r' : 'q';
      refused(corrupt, "is corrupt: the checksum of its metadata is ");
    }
  }
}

TEST_CASE("the checksum is zlib's, and none is needed", "[safetensors]") {
  TensorFile file;
  file.floats["a"] = {{1}, {1.0F}};
  const TemporaryFolder folder;
  amortised::write_safetensors(file, folder.path() / "model");
  // python: zlib.crc32(struct.pack("<f", 1.0))
  REQUIRE_THAT(read_text(folder.path() / "model"), Contains(R"("crc32":"aca16a6a")"));
  const auto header = Json{{"a", tensor("F32", {1}, {0, 4})}}.dump();
  REQUIRE(read_safetensors(folder.write("theirs", bytes_of(header, 4))).floats["a"].values ==
          std::vector{0.0F});
}

TEST_CASE("corrupted headers are refused, each with its own message", "[safetensors]") {
  const auto good = tensor("F32", {2}, {0, 8});
  refused("short", "has 5 bytes: no safetensors file");
  refused(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8) + "{}", "says that its header has");
  refused(bytes_of("{", 0), "has a header that is no JSON");
  refused(bytes_of("[]", 0), "no JSON object");
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string begin : {R"({"a":{"dtype":)", R"({"a":{"dtype":"F32","shape":)"})
    refused(bytes_of(begin + deep + "}}", 0), "lists lie more than 16 deep in each other");
  refused(bytes_of(R"({"a":1})", 0), "tensor 'a' needs dtype, shape and data_offsets");
  refused(bytes_of(Json{{"a", tensor("I64", {1}, {0, 8})}}.dump(), 8), "has dtype \"I64\"");
  refused(bytes_of(Json{{"a", tensor("F32", {-2}, {0, 8})}}.dump(), 8), "has a size -2");
  refused(bytes_of(Json{{"a", tensor("F32", {3}, {0, 8})}}.dump(), 8),
          "has 8 bytes, which its shape [3]");
  refused(bytes_of(Json{{"a", tensor("F32", {1ull << 62, 4}, {0, 8})}}.dump(), 8),
          "which its shape");
  refused(bytes_of(Json{{"a", tensor("F32", {2}, {8, 0})}}.dump(), 8), "lies at bytes 8 to 0");
  refused(bytes_of(Json{{"a", good}}.dump(), 4), "cut short?");
  refused(bytes_of(Json{{"a", good}, {"b", tensor("F32", {2}, {4, 12})}}.dump(), 12), "overlap");
  refused(bytes_of(Json{{"a", good}, {"b", tensor("F32", {1}, {12, 16})}}.dump(), 16),
          "leave a gap");
  refused(bytes_of(Json{{"a", good}}.dump(), 12), "has 4 bytes after its last tensor");
  refused(bytes_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                   R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                   4),
          "names tensor \"a\" twice");
  refused(bytes_of(R"({"__metadata__":{"x":1}})", 0), "metadata 'x' that are no text");
}

}  // namespace tempo::test
