// Seconds one core takes for a whole fit of the methods that learn from one cohort, through the
// public interface, and how they grow with biomarkers B and participants J.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

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

Cohort cohort(std::size_t B, std::size_t J) {
  std::vector<Biomarker> table;
  for (std::size_t b = 0; b < B; ++b)
    table.push_back({fmt::format("biomarker {}", b), {0.0, 1.0}, {1.5, 1.2}});
  RandomStream stream(/*seed=*/1, "benchmark");
  return shipped()
      .hypothesis({"h1", {}, {}}, BiomarkerTable(std::move(table)))
      ->simulate({.participants = J}, stream)
      .cohort;
}

/// @param fidelity empty for a method that has no such setting
void fit(benchmark::State& state, const std::string& plugin, const std::string& fidelity,
         std::size_t B, std::size_t J) {
  PartSpec spec{plugin, {}, {}};
  ParameterValue value;
  value.value = fidelity;
  if (!fidelity.empty()) spec.settings.set("fidelity", value);
  const auto method = shipped().method(spec);
  const auto data = cohort(B, J);
  for (auto _ : state) {
    RandomStream stream(/*seed=*/1, "benchmark", "fit");
    benchmark::DoNotOptimize(method->fit(data, stream));
  }
}

void register_all() {
  const std::pair<std::size_t, std::size_t> sizes[] = {{12, 726},  {100, 726},   {1000, 726},
                                                       {12, 2904}, {12, 10'000}, {12, 100'000}};
  for (const std::string plugin : {"debm", "debm_gmm", "ucl_gmm", "ucl_kde", "sa_ebm"})
    for (const std::string fidelity : {"paper", "repaired"})
      for (const auto& [B, J] : sizes)
        benchmark::RegisterBenchmark(fmt::format("{}/{}/B:{}/J:{}", plugin, fidelity, B, J).c_str(),
                                     [plugin, fidelity, B = B, J = J](benchmark::State& state) {
                                       fit(state, plugin, fidelity, B, J);
                                     })
            ->Unit(benchmark::kSecond)
            ->Iterations(1);
  for (const auto& [B, J] : sizes)
    benchmark::RegisterBenchmark(
        fmt::format("generalist/B:{}/J:{}", B, J).c_str(),
        [B = B, J = J](benchmark::State& state) { fit(state, "generalist", "", B, J); })
        ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace tempo

int main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  tempo::register_all();
  benchmark::RunSpecifiedBenchmarks();
}
