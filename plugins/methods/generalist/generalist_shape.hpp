#pragma once

#include "prepared_cohort.hpp"

namespace tempo::amortised {

/// The sizes and weights of the network that knows no biomarker: all share them.
class GeneralistShape : public NetworkShape {
 public:
  static constexpr std::size_t kChannels = 8;

  GeneralistShape();

  std::size_t smooth = 0;  // place of a single weight
  LinearPlace described, adapted;
  std::vector<EncoderPlace> first_layers;
};

}  // namespace tempo::amortised
