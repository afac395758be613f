#pragma once

#include "network.hpp"

namespace tempo::amortised {

/// The compact network of versions up to 1.1.0 of the plugin, whose models can be applied. It
/// differs from CompactNetwork in its cells, which are sums of 14 hinges and two powers for each
/// biomarker; in its tokens, which begin with the means of these over the diseased and the healthy;
/// in having two slots for a stage up to 24 biomarkers; and in scores without a variance.
class FirstCompactNetwork final : public Network {
 public:
  explicit FirstCompactNetwork(std::int64_t biomarkers);

  const Layout& layout() const override { return layout_; }
  std::map<std::string, std::int64_t> sizes() const override;
  double dropout_rate() const override { return 0.0; }
  Outputs forward(const Weights& w, const Inputs& in, Dropout& dropout) const override;
  torch::Tensor loss(const Weights& w, const Outputs& out, const Inputs& in,
                     const Targets& targets) const override;

 private:
  torch::Tensor cell_features(const Weights& w, const torch::Tensor& x) const;

  std::int64_t B_;
  std::int64_t slots_;     // K, on the axis of the disease: a whole number per ordinal stage 0..B
  std::int64_t channels_;  // per cell
  Layout layout_;
};

}  // namespace tempo::amortised
