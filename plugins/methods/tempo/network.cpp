#include "network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "compact_network.hpp"
#include "first_compact_network.hpp"
#include "paper_network.hpp"

namespace tempo::amortised {
namespace {

torch::Tensor copied(const std::vector<float>& values, at::IntArrayRef shape,
                     torch::Device device) {
  // Not a view: the samples may be gone before a GPU has read them.
  return torch::from_blob(const_cast<float*>(values.data()), shape).clone().to(device);
}

}  // namespace

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

void set_stages(const torch::Tensor& log_odds, const torch::Tensor& diseased, Outputs& out) {
  const auto options = diseased.options();
  const auto healthy = at::zeros({log_odds.size(-1)}, options)
                           .index_fill(0, at::zeros({1}, options.dtype(torch::kLong)), 1.0);
  out.stage_posterior = at::where(diseased.unsqueeze(-1) > 0.5, at::softmax(log_odds, -1), healthy);
  out.stages = (out.stage_posterior.cumsum(-1) < 0.5).sum(-1).to(diseased.scalar_type());
}

torch::Tensor Dropout::mask(const torch::Tensor& x) {
  // Four draws per random word, 16 bits each: the rate is met within 1/131072.
  constexpr std::size_t kWords = 512, kDraws = 4 * kWords;
  const auto below = static_cast<std::uint16_t>(std::lround(rate_ * 65536.0));
  const auto keep = static_cast<float>(1.0 / (1.0 - rate_));
  auto mask = at::empty(x.sizes(), at::TensorOptions().dtype(torch::kFloat));
  auto* values = mask.data_ptr<float>();
  const auto count = static_cast<std::size_t>(mask.numel());
  std::array<std::uint64_t, kWords> words;
  std::array<std::uint16_t, kDraws> draws;
  for (std::size_t begin = 0; begin < count; begin += kDraws) {
    const auto here = std::min(kDraws, count - begin);
    for (std::size_t i = 0; i < (here + 3) / 4; ++i) words[i] = stream_();
    std::memcpy(draws.data(), words.data(), sizeof draws);
    for (std::size_t i = 0; i < here; ++i) values[begin + i] = draws[i] < below ? 0.0F : keep;
  }
  return mask;
}

torch::Tensor Dropout::operator()(const torch::Tensor& x) {
  if (rate_ == 0.0) return x;
  return x.is_cpu() ? x * mask(x) : at::dropout(x, rate_, /*train=*/true);
}

torch::Tensor Dropout::in_place(torch::Tensor x) {
  if (rate_ == 0.0) return x;
  return x.is_cpu() ? x.mul_(mask(x)) : at::dropout(x, rate_, /*train=*/true);
}

std::unique_ptr<Network> make_network(Preset preset, const Columns& columns, CompactSizes sizes) {
  const auto biomarkers = static_cast<std::int64_t>(columns.biomarkers.size());
  switch (preset) {
    case Preset::paper:
      return std::make_unique<PaperNetwork>(biomarkers);
    case Preset::first_compact:
      return std::make_unique<FirstCompactNetwork>(biomarkers);
    case Preset::compact:
      return std::make_unique<CompactNetwork>(columns, sizes);
  }
  throw std::logic_error("no such network");
}

std::unique_ptr<Network> make_network(Preset preset, const Columns& columns) {
  return make_network(preset, columns, CompactSizes::latest(columns.biomarkers.size()));
}

}  // namespace tempo::amortised
