#include "conformance/event_time_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/statistics.hpp"
#include "tempo/process_law.hpp"

namespace tempo::conformance {
namespace {

using Times = std::vector<double>;

/// What is compared of the event times of a cohort. How events depend on each other shows in how
/// far apart they are, and in the law itself.
struct Statistic {
  const char* what;
  double (*of)(const EventTimeLaw& law, const Times& times);
};
constexpr Statistic kStatistics[] = {
    {"the first biomarker's time",
     [](const EventTimeLaw&, const Times& times) { return times[0]; }},
    {"the mean time", [](const EventTimeLaw&, const Times& times) { return mean(times); }},
    {"the variance of the times",
     [](const EventTimeLaw&, const Times& times) { return variance(times); }},
    {"the log density",
     [](const EventTimeLaw& law, const Times& times) { return law.log_density(times); }}};

/// Steps that take the law for their target.
class Walk {
 public:
  Walk(const EventTimeLaw& law, Times times, std::uint64_t number)
      : law_(law),
        stream_(1, "conformance", "event times", number),
        times_(std::move(times)),
        log_density_(law.log_density(times_)) {}

  Times after(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) {
      auto to = times_;
      const double log_ratio = law_.support() == TimeSupport::ranks ? exchanged(to) : moved(to);
      const double log_density = law_.log_density(to);
      if (!(std::log(stream_.uniform()) < log_density - log_density_ + log_ratio)) continue;
      times_ = std::move(to);
      log_density_ = log_density;
    }
    return times_;
  }

 private:
  // Proposals: each changes the times, and gives the logarithm of how much likelier the way back
  // is.

  double exchanged(Times& times) {
    const auto pair = stream_.permutation(times.size());
    std::swap(times[pair[0]], times[pair[1]]);
    return 0.0;
  }

  /// One event goes anywhere, or nearer to one end of the scale or farther from it by a factor, as
  /// laws may crowd there; or all of them a little.
  double moved(Times& times) {
    const double kind = stream_.uniform();
    auto& one = times[stream_.index(times.size())];
    const auto last = static_cast<double>(times.size());
    if (kind < 0.25) {
      one = last * stream_.uniform();
      return 0.0;
    }
    if (kind < 0.75) return scaled(one, last);
    shift_all(times, last);
    return 0.0;
  }

  double scaled(double& time, double last) {
    const double by = stream_.normal();
    const bool from_end = stream_.uniform() < 0.5;
    const double away = (from_end ? last - time : time) * std::exp(by);
    const double to = from_end ? last - away : away;
    if (!(to > 0.0 && to < last)) return 0.0;  // stays where it is
    time = to;
    return by;
  }

  void shift_all(Times& times, double last) {
    constexpr double kWidth = 0.05;  // of B
    const double by = kWidth * last * stream_.normal();
    for (double& time : times) time += by;
    const auto [first, end] = std::minmax_element(times.begin(), times.end());
    if (*first <= 0.0 || *end >= last)  // laws need not answer beyond the scale
      for (double& time : times) time -= by;
  }

  const EventTimeLaw& law_;
  RandomStream stream_;
  Times times_;
  double log_density_;
};

bool are_ranks(Times times) {
  std::sort(times.begin(), times.end());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] != static_cast<double>(i + 1)) return false;
  return true;
}

/// What is wrong with a single draw; empty if nothing is.
std::string fault_of_draw(const EventTimeLaw& law, const Times& times) {
  if (law.support() == TimeSupport::ranks && !are_ranks(times))
    return "its law says that event times are ranks, and it draws others";
  if (law.support() == TimeSupport::stages && are_ranks(times))
    return "it draws ranks: its law has to say TimeSupport::ranks";
  const double log_density = law.log_density(times);
  if (std::isnan(log_density)) return "its law is NaN for what it draws";
  if (std::isinf(log_density)) return "its law takes for impossible what it draws";
  return {};
}

}  // namespace

Finding event_times_follow_their_law(const GenerativeProcess& process, std::size_t draws) {
  const auto* stated = process.law();
  const auto* law = stated == nullptr ? nullptr : stated->event_times().law();
  if (law == nullptr) return not_applicable("states no law of event times");
  constexpr std::size_t kStepsPerEvent = 20;
  constexpr CohortSize kSmallest{.participants = 1, .healthy_ratio = 0.0};
  std::vector<Times> drawn, moved;
  for (std::uint64_t i = 0; i < draws; ++i) {
    RandomStream stream(1, "conformance", "event times drawn", i);
    auto times = process.simulate(kSmallest, stream).truth.event_times;
    if (auto fault = fault_of_draw(*law, times); !fault.empty()) return failed(std::move(fault));
    if (i % 2 == 0)
      drawn.push_back(std::move(times));
    else
      moved.push_back(Walk(*law, times, i).after(kStepsPerEvent * times.size()));
  }
  if (drawn.front().size() < 2) return passed();
  for (const auto& [what, of] : kStatistics) {
    std::vector<double> of_drawn, of_moved;
    for (const auto& times : drawn) of_drawn.push_back(of(*law, times));
    for (const auto& times : moved) of_moved.push_back(of(*law, times));
    if (const double p = ks_p_value(of_drawn, of_moved); p < kRarely)
      return failed(
          fmt::format("event times are not drawn as its law says: {} is {:.3g} on "
                      "average, and {:.3g} after steps towards the law (p = {:.1e})",
                      what, mean(of_drawn), mean(of_moved), p));
  }
  return passed();
}

}  // namespace tempo::conformance
