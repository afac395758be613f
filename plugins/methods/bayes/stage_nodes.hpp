#pragma once

#include <cstddef>
#include <vector>

#include "tempo/matrix.hpp"
#include "tempo/process_law.hpp"

namespace tempo::bayes {

/// The stages over which a participant's likelihood is summed, on a grid of event times.
///
/// Ordinal stages are nodes themselves. A continuous stage stands for the cell of width `step` that
/// it is the middle of, with the cell's prior mass: midpoint quadrature, whose error falls
/// exponentially once the step is small against the width of what it integrates.
struct StageNodes {
  std::size_t biomarkers = 0;  ///< B
  std::size_t per_stage = 1;   ///< grid steps per stage
  std::size_t stride = 1;      ///< grid steps from node to node
  std::size_t first = 0;       ///< grid steps from 0 to node 0, without `offset`
  double offset = 0.0;  ///< of every node, in grid steps: 0.5 where nodes are middles of cells
  std::vector<double> masses;  ///< [Q] prior probabilities, the mean where they are drawn
  std::vector<double>
      concentrations;  ///< [Q] of their Dirichlet distribution; empty: they are fixed

  std::size_t size() const { return masses.size(); }                    ///< Q
  std::size_t times() const { return biomarkers * per_stage + 1; }      ///< grid event times 0..B
  double last() const { return static_cast<double>(times() - 1); }      ///< grid event time
  double step() const { return 1.0 / static_cast<double>(per_stage); }  ///< in stages
  double stage(std::size_t q) const {
    return (static_cast<double>(first + q * stride) + offset) * step();
  }
  bool ordinal() const { return offset == 0.0; }
  /// Grid times of events that are ranks: [B].
  /// @param order  events, earliest first
  std::vector<double> places(const std::vector<std::size_t>& order) const;
  /// How the mass of every node divides among the ordinal stages, by the number of events before
  /// it: [B + 1, Q].
  /// @param event_times  [B] in grid steps
  Matrix shares(std::vector<double> event_times) const;
};

/// Nodes fine enough for the parts of a process: narrower than the noise of event times, and than
/// what is gradual on the scale of a quarter of a stage.
StageNodes stage_nodes(const ProcessLaw& process);

}  // namespace tempo::bayes
