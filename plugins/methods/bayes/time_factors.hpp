#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stage_nodes.hpp"
#include "tempo/cohort.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/matrix.hpp"

namespace tempo::bayes {

/// What every measurement of the diseased says of the time since the event,
///
///   F_jbt(u) = E p(x_jb | u - e, trait t) / its maximum over u,   e ~ N(0, (noise_sd B)^2),
///
/// the noise of a cell's own event time integrated out, on the grid u = (i + offset) step; between
/// grid event times it is interpolated linearly, and constant where it has come to its end on either
/// side. 1 where missing.
///
/// A noisy event time is not clipped to [0, B] here as it is when cohorts are drawn. To a switch
/// this makes no difference, because nobody's stage lies beyond.
class TimeFactors {
 public:
  static constexpr std::size_t kBlock = 16;  ///< participants side by side

  /// @param columns   [B] of the cohort, by biomarker of the process
  /// @param diseased  rows of the cohort
  TimeFactors(const ComposedProcess& process, const StageNodes& nodes, const Cohort& cohort,
              std::span<const std::size_t> columns, std::span<const std::size_t> diseased);

  std::size_t traits() const { return traits_.size(); }                    ///< T
  int trait(std::size_t t) const { return traits_[t]; }
  std::size_t blocks() const { return blocks_; }
  std::size_t length(std::size_t b, std::size_t t) const { return at(b, t).length; }
  /// [length, kBlock] of one block of participants.
  const float* table(std::size_t b, std::size_t t, std::size_t block) const {
    const auto& found = at(b, t);
    return found.values.data() + block * found.length * kBlock;
  }
  /// Of every node the place in a table of (b, t) for grid event time g, in floats: out [Q].
  void places(std::size_t b, std::size_t t, std::size_t g, std::span<std::uint32_t> out) const;

  /// log of the maximum over u, of the healthy log p(x | healthy): [J] of one biomarker and trait.
  std::span<const double> log_scales(std::size_t b, std::size_t t) const {
    return log_scales_.row(b * traits() + t);
  }
  /// Their sum.
  double log_scale(std::size_t b, std::size_t t) const { return at(b, t).log_scale; }

 private:
  struct Table {
    std::vector<float> values;  // [blocks, length, kBlock]
    std::size_t length = 0;
    std::ptrdiff_t low = 0;  // i of the first row
    double log_scale = 0.0;
  };
  const Table& at(std::size_t b, std::size_t t) const { return tables_[b * traits() + t]; }

  StageNodes nodes_;
  std::vector<int> traits_;
  std::size_t blocks_;
  std::vector<Table> tables_;  // [B, T]
  Matrix log_scales_;          // [B T, J]
};

}  // namespace tempo::bayes
