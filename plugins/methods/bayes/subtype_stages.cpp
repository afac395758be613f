#include "subtype_stages.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "stages_between_times.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bayes {

DrawStages draw_stages_by(const WholeStageLaw& law) {
  if (law.concentrations.empty())
    return [weights = law.log_weights](const std::vector<double>&, std::vector<double>&,
                                       RandomStream&) { return weights; };
  return [alpha = law.concentrations](const std::vector<double>& counts, std::vector<double>&,
                                      RandomStream& stream) {
    auto shapes = alpha;
    for (std::size_t k = 0; k < shapes.size(); ++k) shapes[k] += counts[k + 1];
    auto out = stream.dirichlet(shapes);
    constexpr double kLeast = std::numeric_limits<double>::min();
    for (double& share : out) share = toolkit::portable_log(std::max(share, kLeast));
    out.insert(out.begin(), -std::numeric_limits<double>::infinity());
    return out;
  };
}

DrawStages draw_stages_of(const ProcessLaw& process) {
  const auto B = process.biomarkers().size();
  const auto& prior = process.stage_prior();
  if (process.event_times().are_ranks()) return draw_stages_by(whole_stage_law(prior, B));
  return [between = StagesBetweenTimes(process.event_times(), *prior.continuous_law(), B)](
             const std::vector<double>& counts, std::vector<double>& event_times,
             RandomStream& stream) { return between.draw(counts, event_times, stream); };
}

}  // namespace tempo::bayes
