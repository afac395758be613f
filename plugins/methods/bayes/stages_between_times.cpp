#include "stages_between_times.hpp"

#include <algorithm>

#include "beta_times.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bayes {
namespace {

constexpr std::size_t kCells = 4096;

}  // namespace

StagesBetweenTimes::StagesBetweenTimes(const EventTimes& times, const ContinuousStageLaw& law,
                                       std::size_t biomarkers)
    : times_(times) {
  const auto last = static_cast<double>(biomarkers);
  std::vector<double> stages;
  for (std::size_t i = 0; i <= kCells; ++i)
    stages.push_back(last * static_cast<double>(i) / static_cast<double>(kCells));
  edges_ = law.cumulative(biomarkers, stages);
}

double StagesBetweenTimes::below(double time) const {
  const double at = time * static_cast<double>(kCells);
  const auto cell = std::min(static_cast<std::size_t>(at), kCells - 1);
  const double part = at - static_cast<double>(cell);
  return edges_[cell] + part * (edges_[cell + 1] - edges_[cell]);
}

double StagesBetweenTimes::log_share(double from, double to) const {
  const double share = below(to) - below(from);
  return share > 0.0 ? toolkit::portable_log(share) : kImpossible;
}

std::vector<double> StagesBetweenTimes::draw(std::span<const double> counts,
                                             std::vector<double>& event_times,
                                             RandomStream& stream) const {
  const std::size_t B = counts.size() - 1;
  if (event_times.empty()) {
    for (std::size_t i = 0; i < B; ++i)
      event_times.push_back(stream.beta(times_.alpha(), times_.beta()));
    std::sort(event_times.begin(), event_times.end());
  }
  const auto before = [&](std::size_t i) { return i == 0 ? 0.0 : event_times[i - 1]; };
  const auto after = [&](std::size_t i) { return i + 1 < B ? event_times[i + 1] : 1.0; };
  for (std::size_t i = 0; i < B; ++i) {
    const auto target = [&](double time) {
      double value = log_beta_density(times_, time);
      if (counts[i] > 0.0) value += counts[i] * log_share(before(i), time);
      if (counts[i + 1] > 0.0) value += counts[i + 1] * log_share(time, after(i));
      return value;
    };
    double& time = event_times[i];
    const double level = target(time) + toolkit::portable_log(stream.uniform());
    for (double low = before(i), high = after(i);;) {
      const double to = low + (high - low) * stream.uniform();
      if (target(to) >= level || to == time) {
        time = to;
        break;
      }
      (to < time ? low : high) = to;
    }
  }
  std::vector<double> log_pi;
  for (std::size_t k = 0; k <= B; ++k)
    log_pi.push_back(log_share(before(k), k < B ? event_times[k] : 1.0));
  return log_pi;
}

}  // namespace tempo::bayes
