#pragma once

#include <functional>
#include <vector>

#include "tempo/event_times.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// Event times of a hypothesis that draws them itself and states their law.
struct OwnTimes {
  const EventTimeLaw& law;
  /// Those of a new cohort: [B] on the scale 0..B.
  std::function<std::vector<double>(RandomStream&)> draw;

  /// A draw that chains can start from.
  /// @throws Error if the law takes it for impossible
  std::vector<double> start(RandomStream& stream) const;
};

}  // namespace tempo::bayes
