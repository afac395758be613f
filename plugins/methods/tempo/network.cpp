#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compact_network.hpp"
#include "paper_network.hpp"

namespace tempo::amortised {
namespace {

std::size_t value_count(const WeightSpec& weight) {
  return static_cast<std::size_t>(std::accumulate(weight.shape.begin(), weight.shape.end(),
                                                  std::int64_t{1}, std::multiplies<>()));
}

torch::Tensor copied(const std::vector<float>& values, at::IntArrayRef shape,
                     torch::Device device) {
  // Not a view: the samples may be gone before a GPU has read them.
  return torch::from_blob(const_cast<float*>(values.data()), shape).clone().to(device);
}

}  // namespace

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
      const double place = last > 1 ? 2.0 * static_cast<double>(i % last) /
                                              static_cast<double>(last - 1) - 1.0
                                    : 0.0;
      out.push_back(static_cast<float>(
          law == Initial::Law::uniform  ? scale * (2.0 * draw.uniform() - 1.0)
          : law == Initial::Law::normal ? scale * draw.normal()
          : law == Initial::Law::ramp   ? scale * place
                                        : scale));
    }
  }
  return out;
}

Weights::Weights(const Layout& layout, std::vector<torch::Tensor> tensors)
    : all_(std::move(tensors)) {
  for (std::size_t i = 0; i < layout.size(); ++i) by_name_[layout[i].name] = all_.at(i);
}

Weights views(const Layout& layout, const torch::Tensor& flat, bool gradients) {
  std::vector<torch::Tensor> tensors;
  std::int64_t offset = 0;
  for (const auto& weight : layout) {
    const auto count = static_cast<std::int64_t>(value_count(weight));
    auto view = flat.narrow(0, offset, count).view(weight.shape).detach();
    tensors.push_back(view.set_requires_grad(gradients));
    offset += count;
  }
  return {layout, std::move(tensors)};
}

Inputs inputs_of(const Samples& s, torch::Device device, torch::Dtype type) {
  const auto S = static_cast<std::int64_t>(s.S), J = static_cast<std::int64_t>(s.J),
             B = static_cast<std::int64_t>(s.B);
  return {copied(s.x, {S, J, B}, device).to(type), copied(s.diseased, {S, J}, device).to(type)};
}

Targets targets_of(const Samples& s, torch::Device device) {
  const auto S = static_cast<std::int64_t>(s.S), J = static_cast<std::int64_t>(s.J),
             B = static_cast<std::int64_t>(s.B);
  auto pairs = torch::from_blob(const_cast<std::int64_t*>(s.pairs.data()), {S, 2}, torch::kLong);
  return {copied(s.target, {S, B}, device), copied(s.xi, {S, B}, device),
          copied(s.stages, {S, J}, device), copied(s.continuous, {S}, device),
          pairs.clone().to(device)};
}

torch::Tensor Dropout::operator()(const torch::Tensor& x) {
  if (rate_ == 0.0) return x;
  if (!x.is_cpu()) return at::dropout(x, rate_, /*train=*/true);
  // Four draws per random word, 16 bits each: the rate is met within 1/131072.
  const auto below = static_cast<std::uint64_t>(std::lround(rate_ * 65536.0));
  const auto keep = static_cast<float>(1.0 / (1.0 - rate_));
  auto mask = at::empty(x.sizes(), at::TensorOptions().dtype(torch::kFloat));
  auto* values = mask.data_ptr<float>();
  const auto count = mask.numel();
  for (std::int64_t i = 0; i < count; i += 4) {
    const auto word = stream_();
    const auto here = std::min<std::int64_t>(4, count - i);
    for (std::int64_t k = 0; k < here; ++k)
      values[i + k] = ((word >> (16 * k)) & 0xffff) < below ? 0.0F : keep;
  }
  return x * mask;
}

std::unique_ptr<Network> make_network(Preset preset, std::size_t biomarkers) {
  if (preset == Preset::paper)
    return std::make_unique<PaperNetwork>(static_cast<std::int64_t>(biomarkers));
  return std::make_unique<CompactNetwork>(static_cast<std::int64_t>(biomarkers));
}

}  // namespace tempo::amortised
