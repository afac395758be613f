#pragma once

// The sizes and weights that networks with rounds have in common, without the arithmetic.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "layout.hpp"

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

/// A value between entries `entry` and `entry` + 1 of a table, by the share `beyond`; or at a
/// shared value, where `beyond` is 0; or missing.
struct CellPlace {
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;
  std::uint32_t entry = 0;
  float beyond = 0.0F;
};

/// Of n places that are spread evenly, the one below the i-th of m, and how far beyond it that is.
template <class Real>
struct Between {
  std::size_t below;
  Real beyond;
};
template <class Real>
Between<Real> between(std::size_t i, std::size_t m, std::size_t n) {
  const auto place = static_cast<Real>(i * (n - 1)) / static_cast<Real>(m - 1);
  const auto below = std::min(static_cast<std::size_t>(place), n - 2);
  return {below, place - static_cast<Real>(below)};
}

/// Weights in the order in which they are declared, and what rounds are made of.
class NetworkShape {
 public:
  static constexpr std::size_t kWidth = 64;  // of a token
  static constexpr std::size_t kHeads = 4;
  static constexpr std::size_t kHidden = 128;  // of an encoder layer
  static constexpr double kChange = 0.3;       // how much a cohort bends its biomarkers' tables
  static constexpr double kLossOfRound = 0.2, kScoreLoss = 10.0, kStageLoss = 0.5;

  std::size_t C = 0;      // channels of a cell
  std::size_t slots = 0;  // places along the stages that the rounds' weights know
  Layout layout;
  std::vector<RoundPlace> rounds;  ///< of the last, no statistics, occupancy, layer
  std::size_t sharpness = 0;       // place of a single weight

 protected:
  std::size_t declare(WeightSpec weight);
  LinearPlace linear(const std::string& name, std::size_t in, std::size_t out);
  NormPlace norm(const std::string& name);
  EncoderPlace encoder(const std::string& name);
  /// `rounds` and `sharpness`, of C channels and so many slots.
  void declare_rounds();
  static std::vector<std::int64_t> dimensions(std::initializer_list<std::size_t> sizes);

 private:
  void take_place(LinearPlace& place, std::size_t in, std::size_t out);
  void take_place(NormPlace& place);

  std::size_t count_ = 0;
};

}  // namespace tempo::amortised
