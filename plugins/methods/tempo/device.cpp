#include "device.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "tempo/error.hpp"

// OpenBLAS's own; absent where LibTorch brings another library for matrix products.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace tempo::amortised {

torch::Device device_of(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (!at::hasCUDA()) {
    if (name == "auto") return torch::kCPU;
    throw Error(
        fmt::format("device = \"{}\": LibTorch finds no GPU here; use \"cpu\" or \"auto\"", name));
  }
  return {name == "auto" ? "cuda:0" : name == "cuda" ? "cuda:0" : name};
}

void limit_threads(std::size_t threads) {
  at::set_num_threads(static_cast<int>(threads));
  if (openblas_set_num_threads) openblas_set_num_threads(static_cast<int>(threads));
}

void set_precision(Precision precision) {
  at::globalContext().setFloat32MatmulPrecision(precision == Precision::tf32 ? "high" : "highest");
}

}  // namespace tempo::amortised
