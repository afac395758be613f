#include "first_compact_network.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "layers.hpp"

namespace tempo::amortised {
namespace {

constexpr std::int64_t kFirstHinges = 14, kFirstWidth = 64, kFirstHeads = 4, kFirstHidden = 128;
constexpr int kFirstRounds = 5;
// Most of the time with many biomarkers goes into products of cells (B x channels) and evidence.
constexpr std::int64_t kFirstManyBiomarkers = 50, kFirstChannels = 8, kFirstFewChannels = 4;

std::string name_in_round(int round, const char* part) {
  return fmt::format("rounds.{}.{}", round, part);
}

}  // namespace

FirstCompactNetwork::FirstCompactNetwork(std::int64_t biomarkers)
    : B_(biomarkers),
      slots_((biomarkers <= 24 ? 2 : 1) * (biomarkers + 1)),
      channels_(biomarkers < kFirstManyBiomarkers ? kFirstChannels : kFirstFewChannels) {
  auto& l = layout_;
  l.push_back({"cells.threshold", {B_, kFirstHinges}, {Initial::Law::ramp, 2.5}});
  l.push_back({"cells.weight",
               {B_, kFirstHinges + 2, channels_},
               {Initial::Law::uniform, 1.0 / std::sqrt(static_cast<double>(kFirstHinges))}});
  l.push_back({"tokens.biomarker", {B_, kFirstWidth}, {Initial::Law::normal, 0.1}});
  declare_linear(l, "tokens.pooled", 2 * channels_, kFirstWidth);
  declare_encoder_layer(l, "tokens.layer", kFirstWidth, kFirstHidden);
  for (int r = 0; r <= kFirstRounds; ++r) {
    declare_norm(l, name_in_round(r, "norm"), kFirstWidth);
    declare_linear(l, name_in_round(r, "score"), kFirstWidth, 1);
    declare_linear(l, name_in_round(r, "evidence"), kFirstWidth, channels_ * slots_);
    declare_linear(l, name_in_round(r, "prior"), kFirstWidth, slots_);
    if (r == kFirstRounds) break;
    declare_linear(l, name_in_round(r, "statistics"), channels_ * slots_, kFirstWidth);
    declare_linear(l, name_in_round(r, "occupancy"), slots_ + 1, kFirstWidth);
    declare_encoder_layer(l, name_in_round(r, "layer"), kFirstWidth, kFirstHidden);
  }
  l.push_back({"sharpness", {1}, {Initial::Law::constant, 2.5}});
}

std::map<std::string, std::int64_t> FirstCompactNetwork::sizes() const {
  return {{"biomarkers", B_},       {"slots", slots_},        {"channels", channels_},
          {"hinges", kFirstHinges}, {"d_model", kFirstWidth}, {"heads", kFirstHeads},
          {"hidden", kFirstHidden}, {"rounds", kFirstRounds}};
}

torch::Tensor FirstCompactNetwork::cell_features(const Weights& w, const torch::Tensor& x) const {
  const auto S = x.size(0), J = x.size(1);
  const auto column = x.permute({2, 0, 1}).reshape({B_, S * J, 1});
  const auto hinges = at::relu(column - w["cells.threshold"].unsqueeze(1));
  const auto basis = at::cat({column, 0.2 * at::square(column), hinges}, -1);
  return at::bmm(basis, w["cells.weight"])
      .view({B_, S, J, channels_})
      .permute({1, 2, 0, 3})
      .reshape({S, J, B_ * channels_});
}

Outputs FirstCompactNetwork::forward(const Weights& w, const Inputs& in, Dropout& dropout) const {
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
  tokens = encoder_layer(w, "tokens.layer", tokens, kFirstHeads, dropout);
  Outputs out;
  for (int r = 0; r <= kFirstRounds; ++r) {
    const auto state = layer_norm(w, name_in_round(r, "norm"), tokens);
    out.round_scores.push_back(0.5 + linear(w, name_in_round(r, "score"), state).squeeze(-1));
    const auto evidence =
        linear(w, name_in_round(r, "evidence"), state).view({S, B_ * channels_, slots_});
    const auto prior = linear(w, name_in_round(r, "prior"), state.mean(1)).unsqueeze(1);
    const auto odds = at::baddbmm(prior, cells, evidence);  // [S, J, K]
    out.round_stages.push_back(
        slots_ == B_ + 1 ? odds
                         : at::logsumexp(odds.view({S, J, B_ + 1, slots_ / (B_ + 1)}), {-1}));
    if (r == kFirstRounds) break;
    const auto where = at::softmax(odds, -1) * diseased;
    const auto statistics = at::bmm(ill_cells.transpose(1, 2), where) / ill.unsqueeze(-1);
    const auto occupancy = at::cat({where.sum(1) / ill, size}, -1);
    tokens =
        tokens +
        linear(w, name_in_round(r, "statistics"), statistics.view({S, B_, channels_ * slots_})) +
        linear(w, name_in_round(r, "occupancy"), occupancy).unsqueeze(1);
    tokens = encoder_layer(w, name_in_round(r, "layer"), tokens, kFirstHeads, dropout);
  }
  out.scores = out.round_scores.back();
  set_stages(out.round_stages.back(), in.diseased, out);
  return out;
}

torch::Tensor FirstCompactNetwork::loss(const Weights&, const Outputs&, const Inputs&,
                                        const Targets&) const {
  throw std::logic_error("networks of version 1 are not trained any more");
}

}  // namespace tempo::amortised
