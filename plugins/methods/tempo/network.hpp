#pragma once

// What the networks have in common: named weights, inputs, outputs.

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compact_shape.hpp"
#include "layout.hpp"
#include "safetensors.hpp"
#include "samples.hpp"
#include "settings.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::amortised {

/// Weights by name: what a forward pass reads.
class Weights {
 public:
  /// @param tensors as the layout says.
  Weights(const Layout& layout, std::vector<torch::Tensor> tensors);
  /// @throws std::out_of_range if there is none of that name.
  const torch::Tensor& operator[](const std::string& name) const { return by_name_.at(name); }
  const std::vector<torch::Tensor>& all() const { return all_; }

 private:
  std::vector<torch::Tensor> all_;
  std::map<std::string, torch::Tensor> by_name_;
};

/// Views into one flat tensor, each a leaf of its own if `gradients`.
Weights views(const Layout& layout, const torch::Tensor& flat, bool gradients);

/// Subsamples on a device.
struct Inputs {
  torch::Tensor x;         ///< [S, J, B]
  torch::Tensor diseased;  ///< [S, J] 0 or 1
};
struct Targets {
  torch::Tensor target;      ///< [S, B]
  torch::Tensor xi;          ///< [S, B]
  torch::Tensor stages;      ///< [S, J]
  torch::Tensor continuous;  ///< [S]
  torch::Tensor pairs;       ///< [S, 2]
};
Inputs inputs_of(const Samples& samples, torch::Device device, torch::Dtype type = torch::kFloat);
Targets targets_of(const Samples& samples, torch::Device device);

struct Outputs {
  torch::Tensor scores;  ///< [S, B], small = early
  /// [S, B] how unsure each score is where the network has it, else undefined.
  torch::Tensor score_sds;
  torch::Tensor stages;  ///< [S, J]
  /// [S, J, B + 1] where the network has it, else undefined.
  torch::Tensor stage_posterior;
  /// Compact, while training: what each round found. [S, B] scores, the logarithm of how unsure
  /// they are, and [S, J, B + 1] log-odds.
  std::vector<torch::Tensor> round_scores, round_log_variances, round_stages;
};

/// Sets stages and their posterior: the healthy are at stage 0, the diseased at the median of their
/// posterior, which has the least expected absolute error.
/// @param log_odds [S, J, B + 1], diseased [S, J]
void set_stages(const torch::Tensor& log_odds, const torch::Tensor& diseased, Outputs& out);

/// Multiplies by 1/(1 - rate) or 0 at random, in training only.
class Dropout {
 public:
  Dropout() = default;  ///< nothing is dropped
  /// On a CPU the masks come from `stream`, on a GPU from the device's generator.
  Dropout(double rate, RandomStream stream) : rate_(rate), stream_(std::move(stream)) {}
  torch::Tensor operator()(const torch::Tensor& x);
  /// May write over x, which nothing else may need any more (an output of `linear`).
  torch::Tensor in_place(torch::Tensor x);

 private:
  torch::Tensor mask(const torch::Tensor& x);

  double rate_ = 0.0;
  RandomStream stream_{0, "dropout"};
};

/// Immutable; const calls are thread-safe.
class Network {
 public:
  virtual ~Network() = default;
  virtual const Layout& layout() const = 0;
  /// As metadata of a model: preset, sizes.
  virtual std::map<std::string, std::int64_t> sizes() const = 0;
  virtual double dropout_rate() const = 0;
  /// If the network has a pass written by hand (compact_pass.hpp): what it needs. Else null.
  virtual const CompactShape* by_hand() const { return nullptr; }
  virtual Outputs forward(const Weights& w, const Inputs& in, Dropout& dropout) const = 0;
  /// Mean over the subsamples.
  virtual torch::Tensor loss(const Weights& w, const Outputs& out, const Inputs& in,
                             const Targets& targets) const = 0;
};

/// @param sizes of the compact network
std::unique_ptr<Network> make_network(Preset preset, const Columns& columns, CompactSizes sizes);
/// As new models have it.
std::unique_ptr<Network> make_network(Preset preset, const Columns& columns);

}  // namespace tempo::amortised
