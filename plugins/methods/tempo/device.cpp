#include "device.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/cuda.h>

#include "tempo/error.hpp"

// OpenBLAS's own; absent where LibTorch brings another library for matrix products.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace tempo::amortised {

std::string why_no_device(const std::string& name) {
  if (name == "auto" || name == "cpu") return {};
  const auto gpus = torch::cuda::device_count();
  if (gpus == 0) return "LibTorch finds no GPU here; use \"cpu\" or \"auto\"";
  const auto number = name == "cuda" ? 0 : std::stoul(name.substr(name.find(':') + 1));
  if (number < gpus) return {};
  return fmt::format("LibTorch finds {} here, the last is \"cuda:{}\"",
                     gpus == 1 ? "one GPU" : fmt::format("{} GPUs", gpus), gpus - 1);
}

torch::Device device_of(const std::string& name) {
  if (const auto why = why_no_device(name); !why.empty())
    throw Error(fmt::format("device = \"{}\": {}", name, why));
  if (name == "cpu" || (name == "auto" && torch::cuda::device_count() == 0)) return torch::kCPU;
  return {name == "auto" || name == "cuda" ? "cuda:0" : name};
}

void limit_threads(std::size_t threads) {
  at::set_num_threads(static_cast<int>(threads));
  if (openblas_set_num_threads) openblas_set_num_threads(static_cast<int>(threads));
}

std::size_t cells_together(Preset preset, torch::Device device) {
  if (!device.is_cpu()) return std::size_t{1} << 20;
  return preset == Preset::paper ? 12288 : std::size_t{1} << 15;
}

void set_precision(Precision precision) {
  at::globalContext().setFloat32MatmulPrecision(precision == Precision::tf32 ? "high" : "highest");
}

}  // namespace tempo::amortised
