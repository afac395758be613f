#pragma once

#include "network.hpp"

namespace tempo::amortised {

/// A network that is told how stages and events explain each other, instead of having to find out:
/// rounds of "where is each participant, given the events" and "when are the events, given where
/// each is", with learned evidence. README.md has the equations.
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
