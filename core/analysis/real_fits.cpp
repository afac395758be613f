#include "analysis/real_fits.hpp"

#include <map>
#include <tuple>

namespace tempo {

std::vector<RealFits> real_fits(const RunResults& results) {
  std::vector<RealFits> out;
  std::vector<double> seconds;
  std::map<std::tuple<std::vector<std::string>, std::string, std::string, std::string>, std::size_t>
      places;
  for (const auto& [id, result] : results.rows) {
    if (!id.is_real()) continue;
    const auto& base = rests_on(id);
    const auto [at, is_new] =
        places.emplace(std::tuple(id.axis_values, id.method, id.labels, base), out.size());
    if (is_new) {
      out.push_back({id.axis_values, id.method, id.labels, base, 0, 0, 0, 0, {}});
      seconds.push_back(0.0);
    }
    auto& counts = out[at->second];
    ++(id.is_replicate() ? counts.replicates : counts.planned);
    if (result.status != FitStatus::ok) continue;
    ++(id.is_replicate() ? counts.fitted_replicates : counts.fitted);
    seconds[at->second] += result.seconds;
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (const auto done = out[i].fitted + out[i].fitted_replicates; done > 0)
      out[i].seconds = seconds[i] / static_cast<double>(done);
  return out;
}

}  // namespace tempo
