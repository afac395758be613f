#include "weight_tensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tempo/error.hpp"

namespace tempo::amortised {

void add_weights(const Layout& layout, const std::vector<float>& values, const std::string& prefix,
                 TensorFile& file) {
  auto next = values.begin();
  for (const auto& weight : layout) {
    FloatTensor tensor;
    for (const auto size : weight.shape) tensor.shape.push_back(static_cast<std::size_t>(size));
    const auto count = static_cast<std::ptrdiff_t>(value_count(weight));
    tensor.values.assign(next, next + count);
    next += count;
    file.floats[prefix + weight.name] = std::move(tensor);
  }
}

std::vector<float> take_weights(const Layout& layout, const std::string& prefix, TensorFile& file) {
  std::vector<float> values;
  for (const auto& weight : layout) {
    const auto name = prefix + weight.name;
    const auto found = file.floats.find(name);
    if (found == file.floats.end())
      throw Error(fmt::format("has no F32 tensor '{}' [{}]", name, fmt::join(weight.shape, ", ")));
    if (!std::ranges::equal(found->second.shape, weight.shape, {}, {},
                            [](std::int64_t size) { return static_cast<std::size_t>(size); }))
      throw Error(fmt::format("tensor '{}' has shape [{}]; expected [{}]", name,
                              fmt::join(found->second.shape, ", "), fmt::join(weight.shape, ", ")));
    for (const auto value : found->second.values)
      if (!std::isfinite(value)) throw Error(fmt::format("tensor '{}' is not finite", name));
    values.insert(values.end(), found->second.values.begin(), found->second.values.end());
    file.floats.erase(found);
  }
  return values;
}

void expect_nothing_left(const TensorFile& file) {
  if (!file.floats.empty() || !file.doubles.empty())
    throw Error(fmt::format(
        "has a tensor that is not known: '{}'",
        file.floats.empty() ? file.doubles.begin()->first : file.floats.begin()->first));
}

}  // namespace tempo::amortised
