#include "paper_network.hpp"

#include <fmt/format.h>

#include "layers.hpp"

namespace tempo::amortised {
namespace {

constexpr std::int64_t kPaperWidth = 256, kPaperHeads = 8, kPaperHidden = 1024;
constexpr int kSequencingLayers = 4, kStagingLayers = 2;

std::string layer_name(const char* part, int layer) {
  return fmt::format("{}.encoder.layers.{}", part, layer);
}

}  // namespace

PaperNetwork::PaperNetwork(std::int64_t biomarkers) : B_(biomarkers) {
  auto& l = layout_;
  declare_linear(l, "sequencing.cell.0", 2, kPaperWidth);
  declare_norm(l, "sequencing.cell.1", kPaperWidth);
  declare_linear(l, "sequencing.cell.3", kPaperWidth, kPaperWidth);
  declare_norm(l, "sequencing.cell.4", kPaperWidth);
  l.push_back({"sequencing.position", {B_, kPaperWidth}, {Initial::Law::normal, 0.02}});
  for (int i = 0; i < kSequencingLayers; ++i)
    declare_encoder_layer(l, layer_name("sequencing", i), kPaperWidth, kPaperHidden);
  declare_linear(l, "sequencing.head.0", kPaperWidth, kPaperWidth / 2);
  declare_linear(l, "sequencing.head.3", kPaperWidth / 2, 1);

  declare_linear(l, "staging.detector.0", 3, kPaperWidth);
  declare_linear(l, "staging.detector.2", kPaperWidth, kPaperWidth);
  declare_linear(l, "staging.detector.4", kPaperWidth, 1);
  declare_linear(l, "staging.patient.0", B_, 2 * kPaperWidth);
  declare_norm(l, "staging.patient.1", 2 * kPaperWidth);
  for (int i = 0; i < kStagingLayers; ++i)
    declare_encoder_layer(l, layer_name("staging", i), 2 * kPaperWidth, kPaperHidden);
  declare_linear(l, "staging.head.0", 2 * kPaperWidth, 128);
  declare_norm(l, "staging.head.1", 128);
  declare_linear(l, "staging.head.4", 128, 1);
}

std::map<std::string, std::int64_t> PaperNetwork::sizes() const {
  return {{"biomarkers", B_},
          {"d_model", kPaperWidth},
          {"heads", kPaperHeads},
          {"hidden", kPaperHidden}};
}

Outputs PaperNetwork::forward(const Weights& w, const Inputs& in, Dropout& dropout) const {
  const auto S = in.x.size(0), J = in.x.size(1);
  const auto diseased = in.diseased.unsqueeze(-1).expand({S, J, B_});

  auto cells = linear(w, "sequencing.cell.0", at::stack({in.x, diseased}, -1));
  cells = layer_norm(w, "sequencing.cell.1", cells).relu_();
  cells = linear(w, "sequencing.cell.3", cells);
  cells = layer_norm(w, "sequencing.cell.4", cells).relu_();
  auto tokens = cells.mean(1) + w["sequencing.position"];
  for (int i = 0; i < kSequencingLayers; ++i)
    tokens = encoder_layer(w, layer_name("sequencing", i), tokens, kPaperHeads, dropout);
  const auto hidden = dropout.in_place(linear(w, "sequencing.head.0", tokens)).relu_();
  const auto scores = linear(w, "sequencing.head.3", hidden).squeeze(-1);

  const auto order = at::sigmoid(scores).unsqueeze(1).expand({S, J, B_});
  auto events = linear(w, "staging.detector.0", at::stack({in.x, diseased, order}, -1)).relu_();
  events = linear(w, "staging.detector.2", events).relu_();
  events = at::sigmoid(linear(w, "staging.detector.4", events)).squeeze(-1);
  auto people = layer_norm(w, "staging.patient.1", linear(w, "staging.patient.0", events));
  people = dropout.in_place(people).relu_();
  for (int i = 0; i < kStagingLayers; ++i)
    people = encoder_layer(w, layer_name("staging", i), people, kPaperHeads, dropout);
  people = layer_norm(w, "staging.head.1", linear(w, "staging.head.0", people));
  people = dropout.in_place(people).relu_();
  const auto stages = linear(w, "staging.head.4", people).squeeze(-1);
  Outputs out;
  out.scores = scores;
  out.stages = stages;
  return out;
}

torch::Tensor PaperNetwork::loss(const Weights&, const Outputs& out, const Inputs&,
                                 const Targets& targets) const {
  const auto type = targets.target.scalar_type();  // sums of bf16 would be coarse
  return paper_loss(out.scores.to(type), out.stages.to(type), targets);
}

torch::Tensor paper_loss(const torch::Tensor& scores, const torch::Tensor& stages,
                         const Targets& targets) {
  const auto B = static_cast<double>(scores.size(1));
  const auto s = scores.gather(1, targets.pairs);
  const auto xi = targets.xi.gather(1, targets.pairs);
  const auto score_gap = s.select(1, 1) - s.select(1, 0);  // s_b - s_a
  const auto time_gap = xi.select(1, 1) - xi.select(1, 0);
  const auto earlier = (time_gap > 0).to(score_gap.scalar_type());
  // log(1 + e^-|z|) + max(z, 0) - z y: the cross entropy of logits without overflow
  const auto entropy =
      at::relu(score_gap) - score_gap * earlier + at::log1p(at::exp(-score_gap.abs()));
  const auto pair = at::where(targets.continuous > 0.5, at::square(score_gap - time_gap), entropy);
  const auto sequence = 0.5 * at::square(scores - targets.target).mean() + 0.5 * pair.mean();
  return sequence + at::square(stages - targets.stages).mean() / (B * B);
}

}  // namespace tempo::amortised
