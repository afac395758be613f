// How long a clinic's table takes to read, file to cohort: a usual cohort, and a very large one.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "data/cohort_table.hpp"
#include "data/text_file.hpp"
#include "tempo/random_stream.hpp"

namespace {

void import_table(benchmark::State& state) {
  const auto J = static_cast<std::size_t>(state.range(0));
  const auto B = static_cast<std::size_t>(state.range(1));
  tempo::RandomStream stream(1, "benchmark");
  std::string text = "id,dx";
  for (std::size_t b = 0; b < B; ++b) text += fmt::format(",b{}", b);
  for (std::size_t j = 0; j < J; ++j) {
    text += fmt::format("\np{},{}", j, j % 5 == 0 ? "CN" : "AD");
    for (std::size_t b = 0; b < B; ++b)
      fmt::format_to(std::back_inserter(text), ",{:.6g}", 100.0 + 10.0 * stream.normal());
  }
  const auto file = std::filesystem::temp_directory_path() / "tempo-table-benchmark.csv";
  tempo::write_text_file(file, text);
  tempo::TableDescription description;
  description.file = file;
  description.participant = {"id", {}};
  description.diagnosis = {"dx", {}};
  description.healthy = {{"CN", {}}};
  description.diseased = {{"AD", {}}};
  for (auto _ : state) {
    tempo::Problems problems;
    const auto table = tempo::read_cohort_table(description, problems);
    problems.throw_if_any();
    benchmark::DoNotOptimize(table.cohort.measurements.values().data());
  }
  state.counters["bytes"] = static_cast<double>(text.size());
  std::filesystem::remove(file);
}

BENCHMARK(import_table)
    ->Args({726, 12})
    ->Args({25'000, 200})
    ->Args({100'000, 200})
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
