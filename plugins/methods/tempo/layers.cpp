#include "layers.hpp"

#include <cmath>

namespace tempo::amortised {

torch::Tensor linear(const Weights& w, const std::string& name, const torch::Tensor& x) {
  const auto& weight = w[name + ".weight"];
  auto shape = x.sizes().vec();
  const auto flat = x.reshape({-1, shape.back()});
  shape.back() = weight.size(0);
  return at::addmm(w[name + ".bias"], flat, weight.t()).view(shape);
}

torch::Tensor layer_norm(const Weights& w, const std::string& name, const torch::Tensor& x) {
  return at::layer_norm(x, {x.size(-1)}, w[name + ".weight"], w[name + ".bias"], 1e-5);
}

torch::Tensor attention(const Weights& w, const std::string& name, const torch::Tensor& x,
                        std::int64_t heads, Dropout& dropout) {
  const auto S = x.size(0), T = x.size(1), width = x.size(2), each = width / heads;
  const auto projected = at::addmm(w[name + ".in_proj_bias"], x.reshape({S * T, width}),
                                   w[name + ".in_proj_weight"].t())
                             .view({S, T, 3, heads, each})
                             .permute({2, 0, 3, 1, 4})
                             .reshape({3, S * heads, T, each});
  const auto query = projected[0] * (1.0 / std::sqrt(static_cast<double>(each)));
  const auto weights = dropout(at::softmax(at::bmm(query, projected[1].transpose(1, 2)), -1));
  const auto mixed = at::bmm(weights, projected[2])
                         .view({S, heads, T, each})
                         .transpose(1, 2)
                         .reshape({S, T, width});
  return linear(w, name + ".out_proj", mixed);
}

torch::Tensor encoder_layer(const Weights& w, const std::string& name, const torch::Tensor& x,
                            std::int64_t heads, Dropout& dropout) {
  // Sums and masks are written over what `linear` returned: no gradient needs that. A mask
  // before the rectifier does what one after it does.
  const auto normal = layer_norm(w, name + ".norm1", x);
  const auto mixed =
      dropout.in_place(attention(w, name + ".self_attn", normal, heads, dropout)).add_(x);
  const auto hidden =
      dropout.in_place(linear(w, name + ".linear1", layer_norm(w, name + ".norm2", mixed))).relu_();
  return dropout.in_place(linear(w, name + ".linear2", hidden)).add_(mixed);
}

}  // namespace tempo::amortised
