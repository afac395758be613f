// The generalist's file of weights: what is written is read, and what is wrong with another is
// said.

#include <fstream>

#include "generalist_model.hpp"
#include "safetensors.hpp"
#include "support.hpp"
#include "weight_tensors.hpp"

namespace tempo::test {
namespace {

using namespace amortised;
using Catch::Matchers::Contains;

GeneralistModel read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return read_generalist(file, std::filesystem::file_size(path));
}

}  // namespace

TEST_CASE("a generalist's file is read as it was written, or refused", "[generalist][model]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model";
  GeneralistModel model;
  model.weights = initial_values(model.shape.layout, stream(1));
  write_generalist(model, "of a test", path);
  REQUIRE(read(path).weights == model.weights);
  auto file = read_safetensors(path);
  REQUIRE(file.metadata.at("training") == "of a test");
  SECTION("another format") {
    file.metadata["format"] = "tempo-model-2";
    write_safetensors(file, path);
    REQUIRE_THROWS_WITH(read(path), Contains("is a model of format 'tempo-model-2'; expected"));
  }
  SECTION("no format") {
    file.metadata.erase("format");
    write_safetensors(file, path);
    REQUIRE_THROWS_WITH(read(path), Contains("is a model of format ''"));
  }
  SECTION("a tensor too many, of either precision") {
    file.doubles["more"] = {{1}, {1.0}};
    write_safetensors(file, path);
    REQUIRE_THROWS_WITH(read(path), Contains("has a tensor that is not known: 'more'"));
    file.floats["less"] = {{1}, {1.0F}};
    file.doubles.clear();
    write_safetensors(file, path);
    REQUIRE_THROWS_WITH(read(path), Contains("has a tensor that is not known: 'less'"));
  }
  SECTION("a tensor too few") {
    const auto name = file.floats.begin()->first;
    file.floats.erase(name);
    write_safetensors(file, path);
    REQUIRE_THROWS_WITH(read(path), Contains(name));
  }
  SECTION("of another shape") {
    file.floats.begin()->second.shape.push_back(1);
    write_safetensors(file, path);
    REQUIRE_THROWS_WITH(read(path), Contains(file.floats.begin()->first));
  }
}

}  // namespace tempo::test
