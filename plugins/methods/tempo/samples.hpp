#pragma once

// From simulated cohorts to what a network reads.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "settings.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo::amortised {

inline constexpr std::size_t kKnots = 48, kAtoms = 4;
inline constexpr float kNoAtom = std::numeric_limits<float>::max();

/// Biomarkers in the order of a network's columns (by name) and how they are standardised.
struct Columns {
  std::vector<std::string> biomarkers;  ///< [B], ascending
  std::vector<double> mean;             ///< [B] in the units of each biomarker
  std::vector<double> sd;               ///< [B], > 0
  /// Compact: where the distributions of the training cohorts have their mass, standardised.
  std::vector<float> knots = {};  ///< [B, kKnots] ascending
  /// Compact: values that many participants share exactly (limits of a measurement), standardised;
  /// kNoAtom where there are fewer.
  std::vector<float> atoms = {};  ///< [B, kAtoms]
};

/// Of every biomarker over the first `count` training cohorts: mean and standard deviation; knots
/// and shared values of part of their participants.
/// @throws Error naming a biomarker that does not vary.
Columns standardisation(const TrainingCohorts& cohorts, std::size_t count, std::size_t threads);

/// S subsamples of J participants, row-major.
struct Samples {
  std::size_t S = 0, J = 0, B = 0;
  std::vector<float> x;           ///< [S, J, B] standardised
  std::vector<float> diseased;    ///< [S, J] 0 or 1
  std::vector<float> target;      ///< [S, B] (rank - 1)/(B - 1), or xi/B where times are continuous
  std::vector<float> xi;          ///< [S, B] xi/B: ranks/B where discrete
  std::vector<float> stages;      ///< [S, J] ordinal y
  std::vector<float> continuous;  ///< [S] 1 where event times are continuous
  std::vector<std::int64_t> pairs;  ///< [S, 2] two different biomarkers
  std::string fault;                ///< why nothing can be learnt from them; empty if something can
};

/// Which of these, a cohort each, may go through a network together: those with as many
/// participants, in order, while their cells are no more than `most_cells`, and no more than 1024.
/// Each stands in one group.
std::vector<std::vector<std::size_t>> groups(const std::vector<Samples>& samples,
                                             std::size_t most_cells);
/// Those of a group, which have equal J and B, as one.
Samples joined(const std::vector<Samples>& samples, const std::vector<std::size_t>& group);

/// Makes the subsamples of any step, each a pure function of the step and its place therein.
/// Thread-safe.
class SampleSource {
 public:
  SampleSource(const TrainingCohorts& cohorts, const Columns& columns,
               const TempoSettings& settings, const RandomStream& stream);

  /// Subsamples `begin` .. `end` - 1 of an epoch (from 1 on), all with `participants` participants.
  /// With the compact preset and fresh cohorts, two or four of a step that follow each other are
  /// different participants of the same cohort, where it has as many.
  Samples training(std::uint64_t epoch, std::size_t begin, std::size_t end,
                   std::size_t participants) const;
  /// How many participants the subsamples of a step have.
  std::size_t participants(std::uint64_t epoch, std::size_t step) const;
  /// A validation cohort with all its participants; and its truth.
  Samples validation(std::size_t number, Truth& truth) const;
  /// The order in which an epoch goes through its samples, where cohorts are fixed.
  void begin_epoch(std::uint64_t epoch);

 private:
  std::uint64_t cohort_of(std::uint64_t epoch, std::size_t sample) const;

  const TrainingCohorts& cohorts_;
  const Columns& columns_;
  TempoSettings settings_;
  RandomStream stream_;
  std::vector<std::size_t> column_;  // of a cohort, by column of the network
  std::size_t cohort_size_ = 0;
  std::vector<std::size_t> order_;
};

}  // namespace tempo::amortised
