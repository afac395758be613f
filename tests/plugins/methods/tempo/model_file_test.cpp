// Models on disk: what a network needs, all of it and nothing more.

#include "tempo/error.hpp"
#include "training_support.hpp"

namespace tempo::test {
namespace {

using namespace amortised;
using Catch::Matchers::Contains;

/// Writes a model, lets `corrupt` change the file's tensors and metadata, and reads it.
Model reread(const std::function<void(TensorFile&)>& corrupt, Preset preset = Preset::compact) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model";
  write_model(untrained(preset, 3), path);
  auto file = read_safetensors(path);
  corrupt(file);
  write_safetensors(file, path);
  return read_model(path);
}

}  // namespace

TEST_CASE("a model comes back as it was written", "[tempo][model]") {
  const auto preset = GENERATE(Preset::compact, Preset::paper);
  const auto written = untrained(preset, 3);
  const auto read = reread([](TensorFile&) {}, preset);
  REQUIRE(read.preset == written.preset);
  REQUIRE(read.columns.biomarkers == written.columns.biomarkers);
  REQUIRE(read.columns.mean == written.columns.mean);
  REQUIRE(read.columns.sd == written.columns.sd);
  REQUIRE(read.weights == written.weights);
  REQUIRE(read.hypotheses == written.hypotheses);
  REQUIRE(read.history.at(0).numbers == written.history.at(0).numbers);
}

TEST_CASE("models of earlier versions are read: without forms, with a slot for each stage",
          "[tempo][model]") {
  const std::size_t B = GENERATE(3, 60);
  auto written = untrained(Preset::compact, B);
  written.sizes = CompactSizes::first(B);
  written.weights = initial_values(
      make_network(Preset::compact, written.columns, written.sizes)->layout(), stream(1));
  const TemporaryFolder folder;
  write_model(written, folder.path() / "model");
  const auto read = read_model(folder.path() / "model");
  REQUIRE(read.sizes.forms == 0);
  REQUIRE(read.sizes.slots == B + 1);
  REQUIRE(read.weights == written.weights);
}

TEST_CASE("a file that is not the model it should be is refused, saying why", "[tempo][model]") {
  using Corruption = std::pair<std::function<void(TensorFile&)>, std::string>;
  const std::vector<Corruption> corruptions = {
      {[](TensorFile& f) { f.floats.erase("cells.smooth"); },
       "has no F32 tensor 'cells.smooth' [3, "},
      {[](TensorFile& f) { f.floats.erase("cells.knots"); },
       "has no F32 tensor 'cells.knots' [3, "},
      {[](TensorFile& f) { f.floats["cells.knots"].values[1] = f.floats["cells.knots"].values[0]; },
       "has knots of 'a' that do not ascend"},
      {[](TensorFile& f) {
         f.floats["more"] = {{1}, {0.0F}};
       },
       "tensor that is not known: 'more'"},
      {[](TensorFile& f) {
         f.floats["sharpness"] = {{2}, {0.0F, 0.0F}};
       },
       "tensor 'sharpness' has shape [2]; expected [1]"},
      {[](TensorFile& f) { f.floats["sharpness"].values[0] = std::nanf(""); },
       "tensor 'sharpness' is not finite"},
      {[](TensorFile& f) { f.doubles["standardisation.sd"].values[1] = 0.0; },
       "standard deviation of 0 for 'b'"},
      {[](TensorFile& f) {
         f.doubles["standardisation.mean"] = {{1}, {0.0}};
       },
       "'standardisation.mean' has shape [1]; expected [3]"},
      {[](TensorFile& f) { f.metadata.erase("format"); },
       "no metadata 'format': not written by tempo"},
      {[](TensorFile& f) { f.metadata["format"] = "tempo-model-9"; }, "expected 'tempo-model-2'"},
      {[](TensorFile& f) { f.metadata["preset"] = "large"; }, "has preset 'large'"},
      {[](TensorFile& f) { f.metadata["biomarkers"] = R"(["b","a","c"])"; },
       "not in ascending order"},
      {[](TensorFile& f) { f.metadata["biomarkers"] = "a, b"; }, "'biomarkers' that are no list"},
      {[](TensorFile& f) { f.metadata["architecture"] = "{}"; }, "has architecture {}"},
      {[](TensorFile& f) { f.metadata["history"] = "[{}]"; },
       "training history that cannot be read"}};
  for (const auto& [corrupt, message] : corruptions) {
    CAPTURE(message);
    REQUIRE_THROWS_WITH(reread(corrupt), Contains(message));
  }
}

}  // namespace tempo::test
