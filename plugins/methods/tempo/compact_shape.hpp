#pragma once

// The sizes and weights of the compact network, without the arithmetic: README.md has the
// equations.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "layout.hpp"
#include "samples.hpp"

namespace tempo::amortised {

/// Where a part's weights stand among all, counted in numbers from the first.
struct LinearPlace {
  std::size_t weight = 0, bias = 0, in = 0, out = 0;
};
struct NormPlace {
  std::size_t weight = 0, bias = 0;
};
struct EncoderPlace {
  NormPlace norm1, norm2;
  LinearPlace projections, out, linear1, linear2;
};
struct RoundPlace {
  NormPlace norm;
  LinearPlace score;  ///< of an event, and the logarithm of how unsure it is
  LinearPlace evidence, prior, statistics, occupancy;
  EncoderPlace layer;
};

/// What the compact network is made of for given biomarkers.
class CompactShape {
 public:
  static constexpr std::size_t kWidth = 64;  // of a token
  static constexpr std::size_t kHeads = 4;
  static constexpr std::size_t kHidden = 128;  // of an encoder layer
  static constexpr std::size_t kHinges = 14;
  static constexpr std::size_t kBasis = kHinges + 2;        // smooth functions of a value
  static constexpr std::size_t kEntries = kKnots + kAtoms;  // of a table
  static constexpr double kChange = 0.3;  // how much a cohort bends its biomarkers' tables
  static constexpr double kLossOfRound = 0.2, kScoreLoss = 10.0, kStageLoss = 0.5;

  /// @param columns with knots and shared values
  explicit CompactShape(const Columns& columns);

  std::size_t B = 0;  // biomarkers
  std::size_t C = 0;  // channels of a cell
  std::size_t K = 0;  // stages, B + 1
  Layout layout;
  std::vector<float>
      basis;  ///< [B, kEntries, kBasis] the smooth functions where the table has entries
  std::vector<float> knots, atoms;  ///< as in Columns

  std::size_t smooth = 0, table = 0, biomarker = 0, sharpness = 0;  // places of single weights
  LinearPlace pooled, adapted;
  EncoderPlace first_layer;
  std::vector<RoundPlace> rounds;  ///< [kRounds + 1]; of the last, no statistics, occupancy, layer

  /// As metadata of a model.
  std::map<std::string, std::int64_t> sizes() const;
  /// Where a value stands in the table of a biomarker: between entries `entry` and `entry` + 1, by
  /// the share `beyond`; or at a shared value, where `beyond` is 0.
  struct Place {
    std::uint32_t entry = 0;
    float beyond = 0.0F;
  };
  Place place_of(std::size_t b, float x) const;
  /// The kBasis smooth functions where the table of a biomarker has an entry.
  const float* basis_at(std::size_t b, std::size_t entry) const {
    return &basis[(b * kEntries + entry) * kBasis];
  }

 private:
  std::size_t declare(WeightSpec weight);
  LinearPlace linear(const std::string& name, std::size_t in, std::size_t out);
  NormPlace norm(const std::string& name);
  void take_place(LinearPlace& place, std::size_t in, std::size_t out);
  void take_place(NormPlace& place);
  EncoderPlace encoder(const std::string& name);

  std::size_t count_ = 0;
  std::vector<std::uint32_t> nearby_;  // [B, kNearby] the knot below the left end of each interval
};

/// Values nearer than this (in standard deviations) to a shared value count as it.
inline constexpr float kSameValue = 1e-5F;

}  // namespace tempo::amortised
