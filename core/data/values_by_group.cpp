#include "data/values_by_group.hpp"

#include <algorithm>
#include <cmath>

namespace tempo {

ValuesByGroup values_by_group(const Cohort& cohort, std::size_t b) {
  ValuesByGroup out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (const double x = cohort.measurements(j, b); !std::isnan(x))
      out[cohort.diseased[j]].push_back(x);
  for (auto& group : out) std::sort(group.begin(), group.end());
  return out;
}

}  // namespace tempo
