// Subsamples that one core trains on per second (256 participants), by preset and number of
// biomarkers, and what the machine gives at best: matrix products of the shapes that occur.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/types.h>

#include <array>
#include <string>
#include <vector>

#include "compact_pass.hpp"
#include "device.hpp"
#include "network.hpp"

namespace tempo::amortised {
namespace {

constexpr std::size_t kParticipants = 256;

Samples samples(std::size_t S, std::size_t J, std::size_t B) {
  RandomStream draw(/*seed=*/1, "benchmark");
  Samples out;
  out.S = S;
  out.J = J;
  out.B = B;
  for (std::size_t i = 0; i < S * J * B; ++i) out.x.push_back(static_cast<float>(draw.normal()));
  for (std::size_t i = 0; i < S * J; ++i) {
    out.diseased.push_back(i % 5 == 0 ? 0.0F : 1.0F);
    out.stages.push_back(i % 5 == 0 ? 0.0F : static_cast<float>(draw.index(B + 1)));
  }
  for (std::size_t s = 0; s < S; ++s) {
    for (const auto rank : draw.permutation(B)) {
      out.target.push_back(static_cast<float>(rank) / static_cast<float>(B - 1));
      out.xi.push_back(static_cast<float>(rank + 1) / static_cast<float>(B));
    }
    out.continuous.push_back(0.0F);
    out.pairs.insert(out.pairs.end(), {0, 1});
  }
  return out;
}

Columns columns(std::size_t B) {
  Columns out;
  for (std::size_t b = 0; b < B; ++b) {
    out.biomarkers.push_back(fmt::format("{:03}", b));
    for (std::size_t i = 0; i < kKnots; ++i)
      out.knots.push_back(6.0F * static_cast<float>(i) / static_cast<float>(kKnots - 1) - 3.0F);
    out.atoms.insert(out.atoms.end(), kAtoms, kNoAtom);
  }
  return out;
}

Weights weights(const Network& network, bool gradients) {
  auto values = initial_values(network.layout(), RandomStream(/*seed=*/1, "weights"));
  return views(network.layout(),
               torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}).clone(),
               gradients);
}

/// Forward and backward, as a thread does it in training.
void train(benchmark::State& state, Preset preset, std::size_t B, std::size_t S) {
  limit_threads(1);
  const auto network = make_network(preset, columns(B));
  const auto w = weights(*network, true);
  const auto batch = samples(S, kParticipants, B);
  std::uint64_t step = 0;
  for (auto _ : state) {
    const auto in = inputs_of(batch, torch::kCPU);
    Dropout dropout(network->dropout_rate(), RandomStream(/*seed=*/1, "dropout", {}, step++));
    const auto loss =
        network->loss(w, network->forward(w, in, dropout), in, targets_of(batch, torch::kCPU));
    benchmark::DoNotOptimize(torch::autograd::grad({loss}, w.all(), {}, {}, false, true));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(S));
}

/// The same by the pass written by hand.
void train_by_hand(benchmark::State& state, std::size_t B, std::size_t S) {
  const CompactShape shape(columns(B), CompactSizes::latest(B));
  const auto w = initial_values(shape.layout, RandomStream(/*seed=*/1, "weights"));
  const auto batch = samples(S, kParticipants, B);
  std::vector<float> gradient(w.size());
  for (auto _ : state)
    benchmark::DoNotOptimize(compact_loss(shape, w.data(), batch, 1.0, gradient.data()));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(S));
}

/// S cohorts of J participants in one pass.
void infer(benchmark::State& state, Preset preset, std::size_t B, std::size_t J, std::size_t S) {
  limit_threads(1);
  const torch::NoGradGuard no_gradient;
  const auto network = make_network(preset, columns(B));
  const auto w = weights(*network, false);
  const auto in = inputs_of(samples(S, J, B), torch::kCPU);
  for (auto _ : state) {
    Dropout none;
    benchmark::DoNotOptimize(network->forward(w, in, none));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(S));
}

void infer_by_hand(benchmark::State& state, std::size_t B, std::size_t J, std::size_t S) {
  const CompactShape shape(columns(B), CompactSizes::latest(B));
  const auto w = initial_values(shape.layout, RandomStream(/*seed=*/1, "weights"));
  const auto batch = samples(S, J, B);
  for (auto _ : state) benchmark::DoNotOptimize(compact_answers(shape, w.data(), batch));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(S));
}

/// [n, k] times [k, m]; items: floating point operations.
void product(benchmark::State& state, std::array<std::int64_t, 3> shape) {
  limit_threads(1);
  const auto [n, k, m] = shape;
  const auto a = at::ones({n, k}), b = at::ones({k, m});
  auto c = at::empty({n, m});
  for (auto _ : state) benchmark::DoNotOptimize(at::mm_out(c, a, b));
  state.SetItemsProcessed(state.iterations() * 2 * n * k * m);
}

void register_all() {
  for (const auto& [name, preset] :
       {std::pair{"paper", Preset::paper}, std::pair{"compact", Preset::compact}}) {
    for (const std::size_t B : {std::size_t{12}, std::size_t{100}}) {
      for (const std::size_t S : {1, 2, 4, 8})
        benchmark::RegisterBenchmark(
            fmt::format("train/{}/B:{}/S:{}", name, B, S).c_str(),
            [preset = preset, B, S](benchmark::State& state) { train(state, preset, B, S); })
            ->Unit(benchmark::kMillisecond);
      for (const std::size_t J : {60, 726})
        for (const std::size_t S : {1, 4, 16})
          benchmark::RegisterBenchmark(
              fmt::format("infer/{}/B:{}/J:{}/S:{}", name, B, J, S).c_str(),
              [=, preset = preset](benchmark::State& state) { infer(state, preset, B, J, S); })
              ->Unit(benchmark::kMillisecond);
    }
  }
  for (const std::size_t B : {std::size_t{12}, std::size_t{100}})
    for (const std::size_t S : {1, 4, 8, 16})
      benchmark::RegisterBenchmark(fmt::format("train/by hand/B:{}/S:{}", B, S).c_str(),
                                   [B, S](benchmark::State& state) { train_by_hand(state, B, S); })
          ->Unit(benchmark::kMillisecond);
  for (const std::size_t B : {std::size_t{12}, std::size_t{100}})
    for (const std::size_t J : {60, 726})
      for (const std::size_t S : {1, 4, 8, 16, 64})
        benchmark::RegisterBenchmark(
            fmt::format("infer/by hand/B:{}/J:{}/S:{}", B, J, S).c_str(),
            [B, J, S](benchmark::State& state) { infer_by_hand(state, B, J, S); })
            ->Unit(benchmark::kMillisecond);
  using Shape = std::array<std::int64_t, 3>;
  for (const auto& shape : {Shape{12288, 256, 256}, Shape{1024, 512, 512}, Shape{1024, 512, 1024},
                            Shape{1024, 1024, 512}, Shape{256, 64, 256}, Shape{2048, 2048, 2048}})
    benchmark::RegisterBenchmark(
        fmt::format("product/{}x{}x{}", shape[0], shape[1], shape[2]).c_str(),
        [shape](benchmark::State& state) { product(state, shape); })
        ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace tempo::amortised

extern "C" [[gnu::visibility("default")]] int tempo_module_main(int argc, char* argv[]) {
  mallopt(M_TRIM_THRESHOLD, 256 << 20);  // as the program does
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  tempo::amortised::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
