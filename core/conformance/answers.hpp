#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tempo/inference_method.hpp"
#include "tempo/order.hpp"

namespace tempo::conformance {

/// How far two answers about one cohort are apart.
struct Apart {
  /// Share of pairs of events in the other order; a tie in one answer only counts half.
  double order = 0.0;
  double stages = 0.0;  ///< mean over participants of the difference in stages

  /// Up to rounding, and one participant in fifty who is on the edge between two stages.
  bool same() const;
};
Apart apart(const Inference& found, const Inference& other);
std::string in_words(const Apart& apart);

/// Columns and rows of an answer put back to where those of another cohort are.
/// @param order  column i of the answer is column order[i] of the other
Inference columns_restored(const Inference& found, const std::vector<std::size_t>& order);
/// @param order  row i of the answer is row order[i] of the other
Inference rows_restored(const Inference& found, const std::vector<std::size_t>& order);

/// The order of events whatever their scale: smallest score first, rank from 1 on.
Ranks ranks_found(const Inference& found);

}  // namespace tempo::conformance
