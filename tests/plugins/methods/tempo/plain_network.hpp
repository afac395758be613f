#pragma once

// The paper's network as plain loops over numbers: written from the description, reads a model file
// through no code of the plugin but its tensor reader.

#include <vector>

#include "safetensors.hpp"
#include "tempo/matrix.hpp"

namespace tempo::test {

struct PlainOutput {
  std::vector<double> scores;  ///< [B]
  std::vector<double> stages;  ///< [J]
};

/// @param x [J, B] standardised; @param diseased [J] 0 or 1.
PlainOutput plain_paper_network(const amortised::TensorFile& file, const Matrix& x,
                                const std::vector<double>& diseased);

}  // namespace tempo::test
