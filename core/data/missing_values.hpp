#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/labels.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// How the line begins that names who has no measurement.
inline constexpr const char* kUnmeasured = "no measurement at all: ";

/// What a cohort lacks. A reader may refuse or allow it, but always reports it.
struct MissingValues {
  struct Column {
    std::string biomarker;
    std::size_t healthy = 0;   ///< healthy participants without this measurement
    std::size_t diseased = 0;  ///< diseased participants without it
    bool operator==(const Column&) const = default;
  };
  std::size_t healthy = 0;                      ///< participants in the cohort
  std::size_t diseased = 0;                     ///< participants in the cohort
  std::vector<Column> columns;                  ///< [B], in column order
  std::vector<std::string> empty_participants;  ///< ids of those without any measurement

  std::size_t total() const;  ///< missing cells
  /// A table biomarker x group of the columns that lack something, then the participants without
  /// any measurement; empty if nothing is missing. Lines end in a line feed.
  std::string report() const;
  bool operator==(const MissingValues&) const = default;
};

/// Counts the NaN cells of any cohort; where labels are ignored all participants count as diseased.
/// @throws ShapeError if labels are not ignored and `diseased` is not [J].
MissingValues count_missing(const Cohort& cohort, Labels labels = Labels::needed);

/// Whether anything was measured of a participant.
bool is_measured(const Cohort& cohort, std::size_t participant);

}  // namespace tempo
