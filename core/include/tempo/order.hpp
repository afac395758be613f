#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/export.hpp"

namespace tempo {

/// Which biomarker is i-th: a permutation of the biomarker indices 0..B-1, earliest event first.
/// Not to be confused with Ranks, its inverse; neither converts to the other silently.
class TEMPO_API Sequence {
 public:
  /// @throws NumericError if `biomarkers` is no permutation of 0..B-1.
  explicit Sequence(std::vector<std::size_t> biomarkers);
  std::size_t operator[](std::size_t position) const { return biomarkers_[position]; }
  std::size_t size() const { return biomarkers_.size(); }
  auto begin() const { return biomarkers_.begin(); }
  auto end() const { return biomarkers_.end(); }
  bool operator==(const Sequence&) const = default;

 private:
  std::vector<std::size_t> biomarkers_;
};

/// When biomarker b comes: its place 1..B in the order of events, indexed by biomarker.
class TEMPO_API Ranks {
 public:
  Ranks() = default;
  /// @throws NumericError if `ranks` is no permutation of 1..B.
  explicit Ranks(std::vector<std::size_t> ranks);
  std::size_t operator[](std::size_t biomarker) const { return ranks_[biomarker]; }
  std::size_t size() const { return ranks_.size(); }
  auto begin() const { return ranks_.begin(); }
  auto end() const { return ranks_.end(); }
  bool operator==(const Ranks&) const = default;

 private:
  std::vector<std::size_t> ranks_;
};

TEMPO_API Ranks ranks_of(const Sequence& sequence);
TEMPO_API Sequence sequence_of(const Ranks& ranks);
/// Biomarkers sorted by ascending time or score; ties keep the order of the biomarkers.
TEMPO_API Sequence sequence_by_score(std::span<const double> scores);

}  // namespace tempo
