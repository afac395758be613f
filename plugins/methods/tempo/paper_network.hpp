#pragma once

#include "network.hpp"

namespace tempo::amortised {

/// The Transformer of the paper: README.md has every size.
class PaperNetwork final : public Network {
 public:
  explicit PaperNetwork(std::int64_t biomarkers);

  const Layout& layout() const override { return layout_; }
  std::map<std::string, std::int64_t> sizes() const override;
  double dropout_rate() const override { return 0.1; }
  Outputs forward(const Weights& w, const Inputs& in, Dropout& dropout) const override;
  torch::Tensor loss(const Weights& w, const Outputs& out, const Inputs& in,
                     const Targets& targets) const override;

 private:
  std::int64_t B_;
  Layout layout_;
};

/// 0.5 MSE(s, target) + 0.5 L_pair + MSE(y_hat, y)/B^2, each sample by its own kind of event times.
torch::Tensor paper_loss(const torch::Tensor& scores, const torch::Tensor& stages,
                         const Targets& targets);

}  // namespace tempo::amortised
