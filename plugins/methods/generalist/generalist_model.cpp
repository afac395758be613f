#include "generalist_model.hpp"

#include <fmt/format.h>

#include "safetensors.hpp"
#include "tempo/error.hpp"
#include "weight_tensors.hpp"

namespace tempo::amortised {
namespace {

constexpr const char* kFormat = "tempo-generalist-1";

}  // namespace

GeneralistModel read_generalist(std::istream& stream, std::uint64_t bytes) {
  auto file = read_safetensors(stream, bytes);
  if (const auto format = file.metadata["format"]; format != kFormat)
    throw Error(fmt::format("is a model of format '{}'; expected '{}'", format, kFormat));
  GeneralistModel out;
  out.weights = take_weights(out.shape.layout, "", file);
  expect_nothing_left(file);
  return out;
}

void write_generalist(const GeneralistModel& model, const std::string& training,
                      const std::filesystem::path& path) {
  TensorFile file;
  file.metadata = {{"format", kFormat}, {"plugin", "generalist"}, {"training", training}};
  add_weights(model.shape.layout, model.weights, "", file);
  write_safetensors(file, path);
}

}  // namespace tempo::amortised
