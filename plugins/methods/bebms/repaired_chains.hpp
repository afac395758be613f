#pragma once

#include <cstddef>
#include <cstdint>

#include "components.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::bebms {

struct RepairedSettings {
  Variant variant = Variant::labels;
  std::size_t subtypes = 3;
  std::int64_t attempts = 8;          ///< annealed starts from random orders
  std::int64_t attempt_length = 120;  ///< sweeps of each
  std::int64_t iterations = 400;      ///< sweeps of the likeliest, of which the later half is used
};

/// A valid chain over orders, normals, shares and stages, and the mean over its draws. Columns and
/// rows are those of the cohort that the study was made of, but for `subtypes->posterior`, whose
/// rows are the study's.
Inference repaired_chains(const Study& study, const RepairedSettings& settings,
                          const RandomStream& stream);

}  // namespace tempo::bebms
