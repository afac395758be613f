#include "compact_network.hpp"

#include <fmt/format.h>

#include <cmath>

#include "layers.hpp"

namespace tempo::amortised {
namespace {

constexpr std::int64_t kHinges = 14, kWidth = 64, kHeads = 4, kHidden = 128;
constexpr int kRounds = 5;
// Most of the time with many biomarkers goes into products of cells (B x channels) and evidence.
constexpr std::int64_t kManyBiomarkers = 50, kChannels = 8, kFewChannels = 4;

std::string round_name(int round, const char* part) {
  return fmt::format("rounds.{}.{}", round, part);
}

}  // namespace

CompactNetwork::CompactNetwork(std::int64_t biomarkers)
    : B_(biomarkers),
      slots_((biomarkers <= 24 ? 2 : 1) * (biomarkers + 1)),
      channels_(biomarkers < kManyBiomarkers ? kChannels : kFewChannels) {
  auto& l = layout_;
  l.push_back({"cells.threshold", {B_, kHinges}, {Initial::Law::ramp, 2.5}});
  l.push_back({"cells.weight",
               {B_, kHinges + 2, channels_},
               {Initial::Law::uniform, 1.0 / std::sqrt(static_cast<double>(kHinges))}});
  l.push_back({"tokens.biomarker", {B_, kWidth}, {Initial::Law::normal, 0.1}});
  declare_linear(l, "tokens.pooled", 2 * channels_, kWidth);
  declare_encoder_layer(l, "tokens.layer", kWidth, kHidden);
  for (int r = 0; r <= kRounds; ++r) {
    declare_norm(l, round_name(r, "norm"), kWidth);
    declare_linear(l, round_name(r, "score"), kWidth, 1);
    declare_linear(l, round_name(r, "evidence"), kWidth, channels_ * slots_);
    declare_linear(l, round_name(r, "prior"), kWidth, slots_);
    if (r == kRounds) break;
    declare_linear(l, round_name(r, "statistics"), channels_ * slots_, kWidth);
    declare_linear(l, round_name(r, "occupancy"), slots_ + 1, kWidth);
    declare_encoder_layer(l, round_name(r, "layer"), kWidth, kHidden);
  }
  l.push_back({"sharpness", {1}, {Initial::Law::constant, 2.5}});
}

std::map<std::string, std::int64_t> CompactNetwork::sizes() const {
  return {{"biomarkers", B_},  {"slots", slots_}, {"channels", channels_}, {"hinges", kHinges},
          {"d_model", kWidth}, {"heads", kHeads}, {"hidden", kHidden},     {"rounds", kRounds}};
}

torch::Tensor CompactNetwork::cell_features(const Weights& w, const torch::Tensor& x) const {
  const auto S = x.size(0), J = x.size(1);
  const auto column = x.permute({2, 0, 1}).reshape({B_, S * J, 1});
  const auto hinges = at::relu(column - w["cells.threshold"].unsqueeze(1));
  const auto basis = at::cat({column, 0.2 * at::square(column), hinges}, -1);
  return at::bmm(basis, w["cells.weight"])
      .view({B_, S, J, channels_})
      .permute({1, 2, 0, 3})
      .reshape({S, J, B_ * channels_});
}

Outputs CompactNetwork::forward(const Weights& w, const Inputs& in, Dropout& dropout) const {
  const auto S = in.x.size(0), J = in.x.size(1);
  const auto cells = cell_features(w, in.x);
  const auto diseased = in.diseased.unsqueeze(-1);       // [S, J, 1]
  const auto ill = at::clamp_min(diseased.sum(1), 1.0);  // [S, 1]
  const auto well = at::clamp_min((1 - diseased).sum(1), 1.0);
  const auto ill_cells = cells * diseased;
  const auto ill_mean = ill_cells.sum(1) / ill;
  const auto well_mean = (cells.sum(1) - ill_cells.sum(1)) / well;
  const auto pooled =
      at::cat({ill_mean.view({S, B_, channels_}), well_mean.view({S, B_, channels_})}, -1);
  const auto size = 0.5 * at::log(ill / 256.0);  // how much the evidence weighs

  auto tokens = linear(w, "tokens.pooled", pooled) + w["tokens.biomarker"];
  tokens = encoder_layer(w, "tokens.layer", tokens, kHeads, dropout);
  Outputs out;
  for (int r = 0; r <= kRounds; ++r) {
    const auto state = layer_norm(w, round_name(r, "norm"), tokens);
    out.round_scores.push_back(0.5 + linear(w, round_name(r, "score"), state).squeeze(-1));
    const auto evidence =
        linear(w, round_name(r, "evidence"), state).view({S, B_ * channels_, slots_});
    const auto prior = linear(w, round_name(r, "prior"), state.mean(1)).unsqueeze(1);
    const auto odds = at::baddbmm(prior, cells, evidence);  // [S, J, K]
    out.round_stages.push_back(
        slots_ == B_ + 1 ? odds
                         : at::logsumexp(odds.view({S, J, B_ + 1, slots_ / (B_ + 1)}), {-1}));
    if (r == kRounds) break;
    const auto where = at::softmax(odds, -1) * diseased;
    const auto statistics = at::bmm(ill_cells.transpose(1, 2), where) / ill.unsqueeze(-1);
    const auto occupancy = at::cat({where.sum(1) / ill, size}, -1);
    tokens = tokens +
             linear(w, round_name(r, "statistics"), statistics.view({S, B_, channels_ * slots_})) +
             linear(w, round_name(r, "occupancy"), occupancy).unsqueeze(1);
    tokens = encoder_layer(w, round_name(r, "layer"), tokens, kHeads, dropout);
  }
  out.scores = out.round_scores.back();
  // Healthy participants are at stage 0; the diseased at the median of their posterior, which has
  // the least expected absolute error.
  const auto healthy = at::zeros({B_ + 1}, in.x.options())
                           .index_fill(0, at::zeros({1}, in.x.options().dtype(torch::kLong)), 1.0);
  out.stage_posterior =
      at::where(diseased > 0.5, at::softmax(out.round_stages.back(), -1), healthy);
  out.stages = (out.stage_posterior.cumsum(-1) < 0.5).sum(-1).to(in.x.scalar_type());
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
  for (int r = 0; r <= kRounds; ++r) {
    const auto s = out.round_scores[static_cast<std::size_t>(r)].to(type);
    const auto gap = sharpness * (s.unsqueeze(1) - s.unsqueeze(2));
    const auto pairs = at::softplus(-earlier * gap).mean();
    const auto odds = at::log_softmax(out.round_stages[static_cast<std::size_t>(r)].to(type), -1);
    const auto stage =
        -(odds.gather(-1, y).squeeze(-1) * ill).sum() / at::clamp_min(ill.sum(), 1.0);
    const auto here = 10.0 * at::square(s - targets.target).mean() + pairs + 0.5 * stage;
    const double share = r == kRounds ? 1.0 : 0.2;
    total = total.defined() ? total + share * here : share * here;
  }
  return total;
}

}  // namespace tempo::amortised
