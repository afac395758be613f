#pragma once

// Which weights a network has, without their values.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tempo/random_stream.hpp"

namespace tempo::amortised {

/// How a weight begins: U(-scale, scale), N(0, scale) or the constant `scale`.
struct Initial {
  enum class Law { uniform, normal, constant, ramp } law = Law::constant;
  double scale = 0.0;  ///< ramp: from -scale to scale along the last dimension
};

struct WeightSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  Initial initial;
};
std::size_t value_count(const WeightSpec& weight);

/// The weights of a network, in the order in which it declares them.
using Layout = std::vector<WeightSpec>;
std::size_t value_count(const Layout& layout);

/// Initial values of all weights, one after the other.
std::vector<float> initial_values(const Layout& layout, const RandomStream& stream);

// Declaring weights, with PyTorch's names and initial values.
void declare_linear(Layout& layout, const std::string& name, std::int64_t in, std::int64_t out);
void declare_norm(Layout& layout, const std::string& name, std::int64_t width);
/// A pre-norm encoder layer of this width.
void declare_encoder_layer(Layout& layout, const std::string& name, std::int64_t width,
                           std::int64_t hidden);

}  // namespace tempo::amortised
