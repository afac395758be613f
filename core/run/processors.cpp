#include "run/processors.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <cstdlib>
#include <string_view>
#include <thread>

#include "data/names.hpp"

namespace tempo {
namespace {

constexpr const char* kOfSlurm = "SLURM_CPUS_PER_TASK";

/// Cores on which the system lets this process run; 0 if it does not say.
std::size_t cores_of_affinity() {
  constexpr std::size_t kMost = 1 << 14;
  for (std::size_t size = 1024; size <= kMost; size *= 2) {  // a machine may have more than 1024
    auto* const set = CPU_ALLOC(size);
    const auto bytes = CPU_ALLOC_SIZE(size);
    const bool is_known = set != nullptr && sched_getaffinity(0, bytes, set) == 0;
    const auto count = is_known ? static_cast<std::size_t>(CPU_COUNT_S(bytes, set)) : 0;
    CPU_FREE(set);
    if (is_known) return count;
  }
  return 0;
}

}  // namespace

Processors processors() {
  auto cores = cores_of_affinity();
  if (cores == 0) cores = std::thread::hardware_concurrency();
  if (cores == 0) cores = 1;
  Processors out{cores, fmt::format("this process may use {}", counted(cores, "core"))};
  const auto* const given = std::getenv(kOfSlurm);
  std::size_t of_slurm = 0;
  if (given != nullptr && parse_number(std::string_view(given), of_slurm) == std::errc() &&
      of_slurm > 0 && of_slurm < cores)
    out = {of_slurm, fmt::format("{} is {}", kOfSlurm, of_slurm)};
  return out;
}

void forbid_hidden_threads() {
  for (const auto* const name :
       {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"})
    ::setenv(name, "1", /*overwrite=*/1);
}

}  // namespace tempo
