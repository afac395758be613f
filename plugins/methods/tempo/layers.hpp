#pragma once

#include <torch/types.h>

#include <string>

#include "network.hpp"

namespace tempo::amortised {

/// x [..., in] -> [..., out].
torch::Tensor linear(const Weights& w, const std::string& name, const torch::Tensor& x);
/// Over the last dimension, eps 1e-5.
torch::Tensor layer_norm(const Weights& w, const std::string& name, const torch::Tensor& x);
/// Self-attention between the tokens of each sample: x [S, T, width].
torch::Tensor attention(const Weights& w, const std::string& name, const torch::Tensor& x,
                        std::int64_t heads, Dropout& dropout);
/// x + attention(norm1(x)), then x + linear2(relu(linear1(norm2(x)))).
torch::Tensor encoder_layer(const Weights& w, const std::string& name, const torch::Tensor& x,
                            std::int64_t heads, Dropout& dropout);

}  // namespace tempo::amortised
