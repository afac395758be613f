#pragma once

// The weights of a layout as tensors of a file.

#include <string>
#include <vector>

#include "layout.hpp"
#include "safetensors.hpp"

namespace tempo::amortised {

/// Adds the weights of a layout as tensors `prefix` + name; takes them out again, all of them.
void add_weights(const Layout& layout, const std::vector<float>& values, const std::string& prefix,
                 TensorFile& file);
/// @throws Error naming a tensor that is missing or has another shape.
std::vector<float> take_weights(const Layout& layout, const std::string& prefix, TensorFile& file);

/// Of a file whose tensors were taken one after the other.
/// @throws Error naming a tensor that nobody took
void expect_nothing_left(const TensorFile& file);

}  // namespace tempo::amortised
