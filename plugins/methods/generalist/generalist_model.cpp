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
  if (file.metadata["format"] != kFormat)
    throw Error(
        fmt::format("is a model of format '{}'; expected '{}'", file.metadata["format"], kFormat));
  GeneralistModel out;
  out.training = file.metadata["training"];
  out.weights = take_weights(out.shape.layout, "", file);
  if (!file.floats.empty())
    throw Error(fmt::format("has a tensor that is not known: '{}'", file.floats.begin()->first));
  return out;
}

void write_generalist(const GeneralistModel& model, const std::filesystem::path& path) {
  TensorFile file;
  file.metadata = {{"format", kFormat}, {"plugin", "generalist"}, {"training", model.training}};
  add_weights(model.shape.layout, model.weights, "", file);
  write_safetensors(file, path);
}

}  // namespace tempo::amortised
