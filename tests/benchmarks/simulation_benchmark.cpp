// How many cohorts a second one core draws through the public interface, all checks included, and
// how many raw random numbers.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <string>
#include <utility>
#include <vector>

#include "registry.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {
namespace {

const Registry& shipped() {
  static const Registry registry({{TEMPO_TEST_PLUGINS, "build", true}});
  return registry;
}

/// B biomarkers whose states overlap as those of patients do.
BiomarkerTable biomarkers(std::size_t count) {
  std::vector<Biomarker> table;
  for (std::size_t b = 0; b < count; ++b)
    table.push_back({fmt::format("biomarker {}", b), {0.0, 1.0}, {1.5, 1.2}});
  return BiomarkerTable(std::move(table));
}

/// items_per_second: cohorts.
void simulate(benchmark::State& state, const std::string& hypothesis, std::size_t B,
              std::size_t J) {
  const auto process = shipped().hypothesis({hypothesis, {}, {}}, biomarkers(B));
  const CohortSize size{.participants = J};
  std::uint64_t cohort = 0;
  for (auto _ : state) {
    RandomStream stream(/*seed=*/1, "benchmark", hypothesis, cohort++);
    benchmark::DoNotOptimize(process->simulate(size, stream));
  }
  state.SetItemsProcessed(state.iterations());
}

/// items_per_second: 64-bit words.
void words(benchmark::State& state) {
  RandomStream stream(/*seed=*/1, "benchmark");
  for (auto _ : state) benchmark::DoNotOptimize(stream());
  state.SetItemsProcessed(state.iterations());
}

/// items_per_second: values of N(0, 1), drawn as many at a time as one cohort has cells.
void normals(benchmark::State& state) {
  RandomStream stream(/*seed=*/1, "benchmark");
  std::vector<double> cells(726 * 12);
  for (auto _ : state) {
    stream.normals(cells);
    benchmark::DoNotOptimize(cells.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells.size()));
}

/// items_per_second: values of a law with one or more parameters.
template <class Draw>
void draws(benchmark::State& state, Draw draw) {
  RandomStream stream(/*seed=*/1, "benchmark");
  for (auto _ : state) benchmark::DoNotOptimize(draw(stream));
  state.SetItemsProcessed(state.iterations());
}

void register_all() {
  const auto law = [](const std::string& name, auto draw) {
    benchmark::RegisterBenchmark(("random/" + name).c_str(),
                                 [draw](benchmark::State& state) { draws(state, draw); });
  };
  benchmark::RegisterBenchmark("random/words", words);
  benchmark::RegisterBenchmark("random/normals", normals);
  law("normal", [](RandomStream& stream) { return stream.normal(); });
  law("exponential", [](RandomStream& stream) { return stream.exponential(); });
  law("logistic", [](RandomStream& stream) { return stream.logistic(); });
  law("gamma", [](RandomStream& stream) { return stream.gamma(1.5); });
  law("beta", [](RandomStream& stream) { return stream.beta(5.0, 2.0); });
  law("index", [](RandomStream& stream) { return stream.index(12); });

  const std::pair<std::size_t, std::size_t> sizes[] = {
      {12, 726}, {100, 726}, {1000, 726}, {12, 100}, {12, 10000}};
  for (int h = 1; h <= 9; ++h)
    for (const auto& [B, J] : sizes) {
      const auto id = fmt::format("h{}", h);
      benchmark::RegisterBenchmark(
          fmt::format("{}/B:{}/J:{}", id, B, J).c_str(),
          [id, B = B, J = J](benchmark::State& state) { simulate(state, id, B, J); });
    }
}

}  // namespace
}  // namespace tempo

int main(int argc, char* argv[]) {
  mallopt(M_TRIM_THRESHOLD, 256 << 20);  // both as the program does
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  tempo::register_all();
  benchmark::RunSpecifiedBenchmarks();
}
