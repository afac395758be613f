#pragma once

// The sizes and weights of the compact network, without the arithmetic: README.md has the
// equations.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "network_shape.hpp"
#include "samples.hpp"

namespace tempo::amortised {

/// Sizes in which versions of the compact network differ.
struct CompactSizes {
  std::size_t forms = 0;  ///< of a biomarker's table, between which cohorts differ
  std::size_t slots = 0;  ///< along the stages, at which evidence is summed

  /// Those of new models.
  static CompactSizes latest(std::size_t biomarkers);
  /// Those of models that do not say: 2.0.0 had no forms, and up to 2.1.0 every stage had a slot.
  static CompactSizes first(std::size_t biomarkers) { return {0, biomarkers + 1}; }
};

/// What the compact network is made of for given biomarkers.
class CompactShape : public NetworkShape {
 public:
  static constexpr std::size_t kHinges = 14;
  static constexpr std::size_t kBasis = kHinges + 2;        // smooth functions of a value
  static constexpr std::size_t kEntries = kKnots + kAtoms;  // of a table

  /// @param columns with knots and shared values
  CompactShape(const Columns& columns, CompactSizes sizes);

  std::size_t F = 0;  // forms
  std::size_t B = 0;  // biomarkers
  std::size_t K = 0;  // stages, B + 1; as many slots or fewer
  std::vector<float>
      basis;  ///< [B, kEntries, kBasis] the smooth functions where the table has entries
  std::vector<float> knots, atoms;  ///< as in Columns

  std::size_t smooth = 0, table = 0, biomarker = 0, forms = 0;  // places of single weights
  LinearPlace pooled, adapted;
  EncoderPlace first_layer;

  /// As metadata of a model.
  std::map<std::string, std::int64_t> sizes() const;
  /// Where a value stands in the table of a biomarker.
  CellPlace place_of(std::size_t b, float x) const;
  /// The kBasis smooth functions where the table of a biomarker has an entry.
  const float* basis_at(std::size_t b, std::size_t entry) const {
    return &basis[(b * kEntries + entry) * kBasis];
  }

 private:
  std::vector<std::uint32_t> nearby_;  // [B, kNearby] the knot below the left end of each interval
};

/// Values nearer than this (in standard deviations) to a shared value count as it.
inline constexpr float kSameValue = 1e-5F;

}  // namespace tempo::amortised
