#include "own_times.hpp"

#include <cmath>

#include "tempo/error.hpp"

namespace tempo::bayes {

std::vector<double> OwnTimes::start(RandomStream& stream) const {
  auto times = draw(stream);
  if (std::isinf(law.log_density(times)))
    throw Error("hypothesis '" + law.plugin_id() +
                "' draws event times that its own law takes for impossible");
  return times;
}

}  // namespace tempo::bayes
