#include "layout.hpp"

#include <cmath>
#include <functional>
#include <numeric>

namespace tempo::amortised {

std::size_t value_count(const WeightSpec& weight) {
  return static_cast<std::size_t>(std::accumulate(weight.shape.begin(), weight.shape.end(),
                                                  std::int64_t{1}, std::multiplies<>()));
}

std::size_t value_count(const Layout& layout) {
  std::size_t count = 0;
  for (const auto& weight : layout) count += value_count(weight);
  return count;
}

std::vector<float> initial_values(const Layout& layout, const RandomStream& stream) {
  std::vector<float> out;
  for (const auto& weight : layout) {
    auto draw = stream.substream(weight.name);
    const auto [law, scale] = weight.initial;
    const auto last = static_cast<std::size_t>(weight.shape.back());
    for (std::size_t i = 0; i < value_count(weight); ++i) {
      const double place =
          last > 1 ? 2.0 * static_cast<double>(i % last) / static_cast<double>(last - 1) - 1.0
                   : 0.0;
      out.push_back(static_cast<float>(law == Initial::Law::uniform
                                           ? scale * (2.0 * draw.uniform() - 1.0)
                                       : law == Initial::Law::normal ? scale * draw.normal()
                                       : law == Initial::Law::ramp   ? scale * place
                                                                     : scale));
    }
  }
  return out;
}

void declare_linear(Layout& layout, const std::string& name, std::int64_t in, std::int64_t out) {
  const Initial initial{Initial::Law::uniform, 1.0 / std::sqrt(static_cast<double>(in))};
  layout.push_back({name + ".weight", {out, in}, initial});
  layout.push_back({name + ".bias", {out}, initial});
}

void declare_norm(Layout& layout, const std::string& name, std::int64_t width) {
  layout.push_back({name + ".weight", {width}, {Initial::Law::constant, 1.0}});
  layout.push_back({name + ".bias", {width}, {Initial::Law::constant, 0.0}});
}

void declare_encoder_layer(Layout& layout, const std::string& name, std::int64_t width,
                           std::int64_t hidden) {
  const auto wide = static_cast<double>(width);
  declare_norm(layout, name + ".norm1", width);
  layout.push_back({name + ".self_attn.in_proj_weight",
                    {3 * width, width},
                    {Initial::Law::uniform, std::sqrt(6.0 / (4.0 * wide))}});
  layout.push_back({name + ".self_attn.in_proj_bias", {3 * width}, {}});
  layout.push_back({name + ".self_attn.out_proj.weight",
                    {width, width},
                    {Initial::Law::uniform, 1.0 / std::sqrt(wide)}});
  layout.push_back({name + ".self_attn.out_proj.bias", {width}, {}});
  declare_norm(layout, name + ".norm2", width);
  declare_linear(layout, name + ".linear1", width, hidden);
  declare_linear(layout, name + ".linear2", hidden, width);
}

}  // namespace tempo::amortised
