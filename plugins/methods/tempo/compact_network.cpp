#include "compact_network.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "compact_pass.hpp"
#include "layers.hpp"

namespace tempo::amortised {
namespace {

constexpr std::int64_t kHeads = CompactShape::kHeads;
constexpr std::int64_t kBasis = CompactShape::kBasis, kEntries = CompactShape::kEntries;

torch::Tensor copy_of(const std::vector<float>& values, at::IntArrayRef shape) {
  return torch::from_blob(const_cast<float*>(values.data()), shape).clone();
}

std::string round_name(int round, const char* part) {
  return fmt::format("rounds.{}.{}", round, part);
}

}  // namespace

/// Where each cell stands between knots.
struct CompactNetwork::Cells {
  torch::Tensor index;   ///< [S, J, B] of the knot below, or of the shared value
  torch::Tensor beyond;  ///< [S, J, B] how far to the next, in [0, 1]
};

CompactNetwork::CompactNetwork(const Columns& columns, CompactSizes sizes)
    : shape_(columns, sizes),
      B_(static_cast<std::int64_t>(shape_.B)),
      slots_(static_cast<std::int64_t>(shape_.slots)),
      channels_(static_cast<std::int64_t>(shape_.C)),
      knots_(copy_of(shape_.knots, {B_, static_cast<std::int64_t>(kKnots)})),
      atoms_(copy_of(shape_.atoms, {B_, static_cast<std::int64_t>(kAtoms)})),
      basis_(copy_of(shape_.basis, {B_, kEntries, kBasis})) {
  if (shape_.slots == shape_.K) return;
  stages_of_slots_ = at::zeros({slots_, B_ + 1}, at::TensorOptions().dtype(torch::kDouble));
  auto shares = stages_of_slots_.accessor<double, 2>();
  for (std::size_t k = 0; k < shape_.K; ++k) {
    const auto [below, beyond] = between<double>(k, shape_.K, shape_.slots);
    const auto slot = static_cast<std::int64_t>(below), stage = static_cast<std::int64_t>(k);
    shares[slot][stage] = 1.0 - beyond;
    shares[slot + 1][stage] = beyond;
  }
}

CompactNetwork::Cells CompactNetwork::cells_of(const torch::Tensor& x, torch::Dtype type) const {
  const auto S = x.size(0), J = x.size(1), N = static_cast<std::int64_t>(kKnots);
  const auto column = x.to(torch::kFloat).permute({2, 0, 1}).reshape({B_, S * J}).contiguous();
  const auto knots = knots_.to(x.device());
  auto index = at::clamp(at::searchsorted(knots, column, false, true) - 1, 0, N - 2);
  const auto below = knots.gather(1, index), above = knots.gather(1, index + 1);
  auto beyond = at::clamp((column - below) / (above - below), 0.0, 1.0);
  const auto atoms = atoms_.to(x.device());
  for (auto m = static_cast<std::int64_t>(kAtoms); m-- > 0;) {  // the first that fits counts
    const auto same = (column - atoms.select(1, m).unsqueeze(1)).abs() < kSameValue;
    index = at::where(same, at::full_like(index, N + m), index);
    beyond = at::where(same, at::zeros_like(beyond), beyond);
  }
  const auto as_given = [&](const torch::Tensor& t) {
    return t.view({B_, S, J}).permute({1, 2, 0}).contiguous();
  };
  return {as_given(index), as_given(beyond).to(type)};
}

Outputs CompactNetwork::forward(const Weights& w, const Inputs& in, Dropout& dropout) const {
  const auto S = in.x.size(0), J = in.x.size(1);
  const auto type = w["cells.smooth"].scalar_type();
  const auto [index, beyond] = cells_of(in.x, type);
  const auto ill = at::clamp_min(in.diseased.sum(1), 1.0);  // [S]
  const auto well = at::clamp_min((1 - in.diseased).sum(1), 1.0);
  const auto diseased = in.diseased.unsqueeze(-1);  // [S, J, 1]

  // Of which sample and biomarker each cell's entry is, all tables one after the other.
  const auto longs = in.x.options().dtype(torch::kLong);
  const auto table_of =
      (at::arange(S, longs).view({S, 1, 1}) * B_ + at::arange(B_, longs).view({1, 1, B_})) *
      kEntries;
  const auto low = (table_of + index).view(-1);
  const auto high = (table_of + at::clamp_max(index + 1, kEntries - 1)).view(-1);
  const auto count = [&](const torch::Tensor& weight) {
    const auto flat = at::zeros({S * B_ * kEntries}, beyond.options());
    return flat.index_add(0, low, (weight * (1 - beyond)).reshape(-1))
        .index_add(0, high, (weight * beyond).reshape(-1))
        .view({S, B_, kEntries});
  };
  const auto of_ill = count((diseased / ill.view({S, 1, 1})).expand({S, J, B_}));
  const auto of_well = count(((1 - diseased) / well.view({S, 1, 1})).expand({S, J, B_}));

  const auto basis = basis_.to(in.x.device()).to(type);
  const auto fixed = at::bmm(basis, w["cells.smooth"]) + w["cells.table"];  // [B, kEntries, C]
  const auto mean_of = [&](const torch::Tensor& counts) {
    return at::bmm(counts.transpose(0, 1), fixed).transpose(0, 1);
  };
  const auto pooled = at::cat({mean_of(of_ill), mean_of(of_well), of_ill, of_well}, -1);
  auto tokens = linear(w, "tokens.pooled", pooled) + w["tokens.biomarker"];
  tokens = encoder_layer(w, "tokens.layer", tokens, kHeads, dropout);

  const auto F = static_cast<std::int64_t>(shape_.F);
  const auto adapted =
      linear(w, "cells.adapted", tokens).split_with_sizes({kBasis * channels_, F}, -1);
  auto change = at::matmul(basis, adapted[0].reshape({S, B_, kBasis, channels_}));
  if (F > 0)
    change = change + at::matmul(adapted[1].unsqueeze(2),
                                 w["cells.forms"].view({B_, F, kEntries * channels_}))
                          .view({S, B_, kEntries, channels_});
  const auto table = fixed + CompactShape::kChange * change;
  const auto flat = table.reshape({S * B_ * kEntries, channels_});
  const auto beyond_flat = beyond.reshape({-1, 1});
  const auto cells =
      (flat.index_select(0, low) * (1 - beyond_flat) + flat.index_select(0, high) * beyond_flat)
          .view({S, J, B_ * channels_});
  const auto ill_cells = cells * diseased;
  const auto size = 0.5 * at::log(ill / 256.0).unsqueeze(1);  // how much the evidence weighs
  torch::Tensor shares;                                       // of stages and slots in each other
  if (stages_of_slots_.defined()) shares = stages_of_slots_.to(in.x.device()).to(type);
  Outputs out;
  const auto rounds = static_cast<int>(shape_.rounds.size());
  for (int r = 0; r < rounds; ++r) {
    const auto state = layer_norm(w, round_name(r, "norm"), tokens);
    const auto score = linear(w, round_name(r, "score"), state);
    out.round_scores.push_back(0.5 + score.select(-1, 0));
    out.round_log_variances.push_back(score.select(-1, 1));
    const auto evidence =
        linear(w, round_name(r, "evidence"), state).view({S, B_ * channels_, slots_});
    const auto prior = linear(w, round_name(r, "prior"), state.mean(1)).unsqueeze(1);
    auto odds = at::baddbmm(prior, cells, evidence);  // [S, J, slots]
    if (shares.defined()) odds = at::matmul(odds, shares);
    out.round_stages.push_back(odds);
    if (r + 1 == rounds) break;
    auto where = at::softmax(odds, -1) * diseased;
    if (shares.defined()) where = at::matmul(where, shares.t());
    const auto statistics = at::bmm(ill_cells.transpose(1, 2), where) / ill.view({S, 1, 1});
    const auto occupancy = at::cat({where.sum(1) / ill.unsqueeze(-1), size}, -1);
    tokens = tokens +
             linear(w, round_name(r, "statistics"), statistics.view({S, B_, channels_ * slots_})) +
             linear(w, round_name(r, "occupancy"), occupancy).unsqueeze(1);
    tokens = encoder_layer(w, round_name(r, "layer"), tokens, kHeads, dropout);
  }
  out.scores = out.round_scores.back();
  out.score_sds = at::exp(0.5 * out.round_log_variances.back()) *
                  (score_sd(0.0, 0.0) * at::exp(-w["sharpness"]));
  set_stages(out.round_stages.back(), in.diseased, out);
  return out;
}

torch::Tensor CompactNetwork::loss(const Weights& w, const Outputs& out, const Inputs& in,
                                   const Targets& targets) const {
  const auto time_gap = targets.xi.unsqueeze(1) - targets.xi.unsqueeze(2);  // [S, a, b] xi_b - xi_a
  const auto earlier = at::sign(time_gap);
  const auto type = targets.target.scalar_type();  // sums of bf16 would be coarse
  const auto ill = in.diseased.to(type);
  const auto y = targets.stages.to(torch::kLong).unsqueeze(-1);
  const auto sharpness = at::exp(w["sharpness"].to(type));
  torch::Tensor total;
  const auto rounds = static_cast<int>(shape_.rounds.size());
  for (int r = 0; r < rounds; ++r) {
    const auto s = out.round_scores[static_cast<std::size_t>(r)].to(type);
    const auto variance = at::exp(out.round_log_variances[static_cast<std::size_t>(r)].to(type));
    const auto both = 0.5 * (variance.unsqueeze(1) + variance.unsqueeze(2));
    const auto gap = sharpness * (s.unsqueeze(1) - s.unsqueeze(2)) * at::rsqrt(both);
    const auto pairs = at::softplus(-earlier * gap).mean();
    const auto odds = at::log_softmax(out.round_stages[static_cast<std::size_t>(r)].to(type), -1);
    const auto stage =
        -(odds.gather(-1, y).squeeze(-1) * ill).sum() / at::clamp_min(ill.sum(), 1.0);
    const auto here = CompactShape::kScoreLoss * at::square(s - targets.target).mean() + pairs +
                      CompactShape::kStageLoss * stage;
    const double share = r + 1 == rounds ? 1.0 : CompactShape::kLossOfRound;
    total = total.defined() ? total + share * here : share * here;
  }
  return total;
}

}  // namespace tempo::amortised
