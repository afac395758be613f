#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "stage_nodes.hpp"
#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"
#include "tempo/process_law.hpp"

namespace tempo::bayes {

/// What every measurement of the diseased tells of the time since the event,
///
///   F_jbt(u) = E p(x_jb | u - e, trait t) / its maximum over u,   e ~ N(0, (noise_sd B)^2),
///
/// the noise of a cell's own event time integrated out, on the grid u = (i + offset) step; between
/// grid event times it is interpolated linearly, and constant where it has come to its end on
/// either side. 1 where missing.
///
/// A noisy event time is not clipped to [0, B] here as it is when cohorts are drawn. To a switch
/// this makes no difference, because no stage lies beyond.
class TimeFactors {
 public:
  static constexpr std::size_t kBlock = 16;  ///< participants side by side

  /// @param columns   [B] of the cohort, by biomarker of the process
  /// @param diseased  rows of the cohort
  TimeFactors(const ProcessLaw& process, const StageNodes& nodes, const Cohort& cohort,
              std::span<const std::size_t> columns, std::span<const std::size_t> diseased);
  ~TimeFactors();
  TimeFactors(const TimeFactors& other);
  TimeFactors(TimeFactors&&) noexcept;

  /// Takes over biomarker b under trait t from a law in which it is `of_law`.
  void set(std::size_t b, std::size_t t, const MeasurementLaw& law, std::size_t of_law);
  /// What `set` would make of the likelihood of b's measurements, participants being where they
  /// are: with scales, in nats per unit, without the bound on a participant's evidence.
  /// @param time  of the event, in grid steps
  /// @param node  [diseased]
  double log_likelihood(std::size_t b, std::size_t t, const MeasurementLaw& law, std::size_t of_law,
                        double time, std::span<const std::size_t> node) const;

  std::size_t traits() const { return traits_.size(); }  ///< T
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

  /// Row 0 is that of this grid step u / step.
  std::ptrdiff_t low(std::size_t b, std::size_t t) const { return at(b, t).low; }
  /// log F of one of the diseased by row of the table: [length]. Only where event times are a
  /// permutation.
  std::span<const float> logs(std::size_t b, std::size_t t, std::size_t i) const {
    const auto& found = at(b, t);
    return {found.logs.data() + i * found.length, found.length};
  }

  /// log of the maximum over u, of the healthy log p(x | healthy): [J] of one biomarker and trait.
  std::span<const double> log_scales(std::size_t b, std::size_t t) const {
    return log_scales_.row(b * traits() + t);
  }
  /// Their sum.
  double log_scale(std::size_t b, std::size_t t) const { return at(b, t).log_scale; }

 private:
  struct Table {
    std::vector<float> values;  // [blocks, length, kBlock]
    std::vector<float> logs;    // [diseased, length]
    std::size_t length = 0;
    std::ptrdiff_t low = 0;  // i of the first row
    double log_scale = 0.0;
  };
  const Table& at(std::size_t b, std::size_t t) const { return tables_[b * traits() + t]; }

  class Curve;
  /// log F of one biomarker and trait in its table; and how much it varies for each participant,
  /// [diseased].
  std::vector<double> fill(std::size_t b, std::size_t t, const MeasurementLaw& law,
                           std::size_t of_law);
  /// F from log F that are at least -most(i), i among the diseased.
  template <class Most>
  void finish(std::size_t b, std::size_t t, Most most);
  static double healthy_density(const MeasurementLaw& law, std::size_t b, int trait, double x);

  StageNodes nodes_;
  std::vector<int> traits_;
  std::size_t blocks_;
  bool keeps_logs_;
  std::vector<std::vector<double>> values_;  // [B][J] NaN where missing
  std::vector<std::size_t> diseased_;
  std::vector<std::uint8_t> is_diseased_;  // [J]
  std::unique_ptr<Curve> curve_;           // with room of its own: not for several threads
  Matrix most_;                            // [diseased, B] nats that a cell may have
  std::vector<Table> tables_;              // [B, T]
  Matrix log_scales_;                      // [B T, J]
};

}  // namespace tempo::bayes
