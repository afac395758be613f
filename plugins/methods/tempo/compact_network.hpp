#pragma once

#include "compact_shape.hpp"
#include "network.hpp"

namespace tempo::amortised {

/// A network that is told how stages and events explain each other, instead of having to find out:
/// rounds of "where is each participant, given the events" and "when are the events, given where
/// each is", with learned evidence. README.md has the equations.
class CompactNetwork final : public Network {
 public:
  /// @param columns with knots
  CompactNetwork(const Columns& columns, CompactSizes sizes);

  const Layout& layout() const override { return shape_.layout; }
  std::map<std::string, std::int64_t> sizes() const override { return shape_.sizes(); }
  double dropout_rate() const override { return 0.0; }
  const CompactShape* by_hand() const override { return &shape_; }
  Outputs forward(const Weights& w, const Inputs& in, Dropout& dropout) const override;
  torch::Tensor loss(const Weights& w, const Outputs& out, const Inputs& in,
                     const Targets& targets) const override;

 private:
  struct Cells;
  Cells cells_of(const torch::Tensor& x, torch::Dtype type) const;

  CompactShape shape_;
  std::int64_t B_, slots_, channels_;
  torch::Tensor knots_, atoms_, basis_;
  torch::Tensor stages_of_slots_;  // [slots, K] shares; undefined where each stage has a slot
};

}  // namespace tempo::amortised
