#pragma once

// A cohort as the generalist reads it: nothing of names, units, directions or the order of columns
// is left.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "network_shape.hpp"
#include "tempo/cohort.hpp"

namespace tempo::amortised {

/// What is computed of each biomarker before the network sees anything.
struct Grid {
  static constexpr std::size_t kQuantiles = 24, kEven = 8, kKnots = kQuantiles + kEven;
  static constexpr std::size_t kShared = 4;                  // values that participants share
  static constexpr std::size_t kEntries = kKnots + kShared;  // of a table
  static constexpr std::size_t kHinges = 10, kHats = 8;
  static constexpr std::size_t kBasis = 2 + kHinges + kHats + 2;  // functions of a value
  static constexpr std::size_t kGroups = 3;    // the asked, the unaffected, the most affected
  static constexpr std::size_t kNumbers = 12;  // that describe a biomarker
  static constexpr std::size_t kFeatures =
      (kGroups + 1) * kEntries + kKnots + kGroups * kBasis + kNumbers;
};

/// The participants whose stage is asked are the diseased, or everybody where the diagnosis is not
/// known. Columns are in an order that follows from their values.
struct PreparedCohort {
  std::size_t J = 0, B = 0;
  bool labelled = false;
  std::vector<std::size_t> columns;  ///< [B] of the cohort
  std::vector<bool> is_constant;     ///< [B], by column of the cohort: one value throughout
  std::vector<bool> is_too_wide;     ///< [B] values so far apart that they have no scale
  std::vector<std::size_t> asked;    ///< rows of the cohort
  std::vector<CellPlace> places;     ///< [B, asked]
  std::vector<float> basis;          ///< [B, kEntries, kBasis]
  std::vector<float> features;       ///< [B, kFeatures]
  std::vector<float> present;        ///< [B] those asked with a value, at least 1

  // Of a simulated cohort.
  std::vector<float> target;          ///< [B] from 0, the first event, to 1
  std::vector<float> time;            ///< [B] event times on the scale 0..1
  std::vector<std::uint32_t> stages;  ///< [asked] ordinal
};

/// Each biomarker is centred at its median and divided by the distance of its outer tenths, so that
/// no participant far out decides it. Its sign is the one by which the diseased have the greater
/// values. Where that is open, it is the one by which it grows with what the biomarkers have most
/// in common, the first principal component of their ranks; without any diagnosis, the one by which
/// the longer tail of that is on the right.
/// @param cohort without labels, or with them
PreparedCohort prepare(const Cohort& cohort);
/// The same with what is asked for.
PreparedCohort prepare(const SimulatedCohort& drawn);

/// What the network has learnt from.
inline constexpr std::size_t kFewestBiomarkers = 5, kMostBiomarkers = 30, kFewestParticipants = 50,
                             kMostParticipants = 2000;
inline constexpr double kLeastHealthy = 0.05, kMostHealthy = 0.6;  // shares

}  // namespace tempo::amortised
