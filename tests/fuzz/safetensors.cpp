// Files of tensors.

#include "safetensors.hpp"

#include <sstream>
#include <string>

#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_tensors_input(std::string_view bytes) {
  std::istringstream file{std::string(bytes)};
  const auto content = amortised::read_safetensors(file, bytes.size());
  const auto path = scratch() / "written.safetensors";
  expect_no_error("a file of tensors that is written is read", [&] {
    amortised::write_safetensors(content, path);
    const auto again = amortised::read_safetensors(path);
    expect(again.metadata == content.metadata, "metadata that are written read back equal");
    expect(again.doubles.size() == content.doubles.size() &&
               again.floats.size() == content.floats.size(),
           "tensors that are written are read");
  });
}

const Added kTensorsTarget("safetensors", read_tensors_input);

}  // namespace
}  // namespace tempo::fuzz
