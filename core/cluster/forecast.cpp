#include "cluster/forecast.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace tempo {

double wall_seconds(const std::vector<double>& pieces, std::size_t jobs) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, jobs); ++i) free_at.push(0.0);
  double end = 0.0;
  for (const double piece : pieces) {
    const double done = free_at.top() + piece;
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

}  // namespace tempo
