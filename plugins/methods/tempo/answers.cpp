#include "answers.hpp"

#include <torch/csrc/autograd/grad_mode.h>

#include "compact_pass.hpp"

namespace tempo::amortised {
namespace {

std::vector<double> numbers(const torch::Tensor& tensor) {
  if (!tensor.defined()) return {};
  const auto here = tensor.cpu().to(torch::kDouble).contiguous();
  return {here.data_ptr<double>(), here.data_ptr<double>() + here.numel()};
}

}  // namespace

Answers answers(const Network& network, const torch::Tensor& weights, const Samples& samples,
                torch::Device device) {
  Answers out;
  if (const auto* shape = network.by_hand(); shape && device.is_cpu()) {
    auto found = compact_answers(*shape, weights.data_ptr<float>(), samples);
    out.loss = found.loss;
    out.stages = median_stages(found.stage_posterior, samples.B + 1);
    out.scores = std::move(found.scores);
    out.score_sds = std::move(found.score_sds);
    out.stage_posterior = std::move(found.stage_posterior);
    return out;
  }
  const torch::NoGradGuard no_gradient;
  const auto in = inputs_of(samples, device);
  const auto named = views(network.layout(), weights, false);
  Dropout none;
  const auto found = network.forward(named, in, none);
  if (!samples.stages.empty())
    out.loss = network.loss(named, found, in, targets_of(samples, device)).item<double>();
  out.scores = numbers(found.scores);
  out.score_sds = numbers(found.score_sds);
  out.stages = numbers(found.stages);
  out.stage_posterior = numbers(found.stage_posterior);
  return out;
}

}  // namespace tempo::amortised
