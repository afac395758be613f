// What one evaluation of an order costs, and one step that is taken: the inner loop of the
// event-based models.

#include <benchmark/benchmark.h>

#include "tempo/random_stream.hpp"
#include "tempo/toolkit/order_likelihood.hpp"

namespace tempo::toolkit {
namespace {

OrderLikelihood likelihood(benchmark::State& state, RandomStream& stream) {
  const auto B = static_cast<std::size_t>(state.range(0)),
             J = static_cast<std::size_t>(state.range(1));
  Matrix y(J, B), n(J, B);
  for (double& value : y.values()) value = stream.uniform();
  for (double& value : n.values()) value = stream.uniform();
  OrderLikelihood made(y, n, /*floor=*/1e-250);
  made.set_order(stream.permutation(B));
  return made;
}

void propose(benchmark::State& state) {
  RandomStream stream(/*seed=*/1, "benchmark");
  auto made = likelihood(state, stream);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        made.propose_exchange(stream.index(made.size()), stream.index(made.size())));
}

void propose_and_accept(benchmark::State& state) {
  RandomStream stream(/*seed=*/1, "benchmark");
  auto made = likelihood(state, stream);
  for (auto _ : state) {
    made.propose_exchange(stream.index(made.size()), stream.index(made.size()));
    made.accept();
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"B", "J"});
  for (const auto& [B, J] :
       {std::pair{12, 726}, {25, 726}, {50, 726}, {100, 726}, {12, 100}, {12, 10000}})
    benchmark->Args({B, J});
}

BENCHMARK(propose)->Apply(sizes);
BENCHMARK(propose_and_accept)->Apply(sizes);

}  // namespace
}  // namespace tempo::toolkit

BENCHMARK_MAIN();
