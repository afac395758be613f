// What a trained model says of itself.

#include "data/model_file.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_metadata_input(std::string_view bytes) {
  Problems problems;
  const auto found = read_model_metadata(scratch_file("model.safetensors", bytes), problems);
  expect_clear(problems);
  expect(found.has_value() == problems.empty(), "a model is refused with a reason");
}

const Added kMetadataTarget("model_metadata", read_metadata_input);

}  // namespace
}  // namespace tempo::fuzz
