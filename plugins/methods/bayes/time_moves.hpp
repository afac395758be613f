#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "tempo/random_stream.hpp"
#include "tempo/toolkit/draw_index.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bayes {

/// Events, earliest first.
inline std::vector<std::size_t> order_by_time(const std::vector<double>& times) {
  std::vector<std::size_t> out(times.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return times[a] < times[b]; });
  return out;
}

/// Steps by which chains move the times of events, in grid steps from 0 to the last grid time. A
/// target gives the log density of a trait and a time, -inf where that is impossible.
class TimeMoves {
 public:
  /// @param grid_times  how many there are, 0 included
  TimeMoves(std::size_t events, std::size_t grid_times)
      : steps_(grid_times - 1), last_(static_cast<double>(steps_)), widths_(events, 0.1 * last_) {}

  /// Metropolis, to any of several traits and any time, proposed by the density at the middles of
  /// cells.
  /// @param accept  decides from the logarithm of the ratio
  template <class Target, class Accept>
  void draw_anywhere(std::size_t traits, std::size_t& trait, double& time, Target target,
                     Accept accept, RandomStream& stream) {
    constexpr std::size_t kCells = 48;  // at the least, where the grid has as many
    const std::size_t width = std::max<std::size_t>(1, steps_ / kCells);
    const std::size_t cells = (steps_ + width - 1) / width;  // the last may reach beyond the end
    proposal_.resize(traits * cells);
    for (std::size_t t = 0; t < traits; ++t)
      for (std::size_t c = 0; c < cells; ++c) {
        const double middle = (static_cast<double>(c) + 0.5) * static_cast<double>(width);
        proposal_[t * cells + c] = target(t, std::min(middle, last_ - 0.5));
      }
    const auto of = [&](std::size_t t, double at) {
      // A draw next to the end may have been rounded up to it.
      return proposal_[t * cells + std::min(static_cast<std::size_t>(at) / width, cells - 1)];
    };
    const std::size_t drawn = toolkit::draw_index(proposal_, 1.0, stream);
    const double to =
        (static_cast<double>(drawn % cells) + stream.uniform()) * static_cast<double>(width);
    const double gain =
        target(drawn / cells, to) - of(drawn / cells, to) - target(trait, time) + of(trait, time);
    if (!accept(gain)) return;
    trait = drawn / cells;
    time = to;
  }

  /// Two slice sampling steps, stepping out. Source: Neal 2003, Annals of Statistics 31(3),
  /// 705-767.
  /// @param is_tuned  fits the width of the event's slices to how far it went
  template <class Target>
  void slice_twice(std::size_t event, std::size_t trait, double& time, bool is_tuned, Target target,
                   RandomStream& stream) {
    const double before = time;
    for (int i = 0; i < 2; ++i) slice(widths_[event], trait, time, target, stream);
    if (is_tuned)
      widths_[event] =
          std::clamp(0.9 * widths_[event] + 0.3 * std::abs(time - before), 0.25, last_);
  }

 private:
  template <class Target>
  void slice(double width, std::size_t trait, double& time, Target target, RandomStream& stream) {
    const double level = target(trait, time) + toolkit::portable_log(stream.uniform());
    double low = time - width * stream.uniform(), high = low + width;
    while (low > 0.0 && target(trait, low) > level) low -= width;
    while (high < last_ && target(trait, high) > level) high += width;
    for (;;) {
      const double to = low + (high - low) * stream.uniform();
      if (target(trait, to) > level) {
        time = to;
        return;
      }
      (to < time ? low : high) = to;
    }
  }

  std::size_t steps_;
  double last_;
  std::vector<double> widths_;    // [events] of slices
  std::vector<double> proposal_;  // [traits, cells]
};

/// What move_all_times does.
struct TimesMoved {
  std::vector<double> times;
  double log_scale = 0.0;  ///< log of the change of scale, all events together
};
/// Shifts all times, or stretches them from the beginning or the end.
/// @param kind  0, 1 or 2
/// @param by    in units of the last grid time, or the log of the factor
inline TimesMoved move_all_times(std::vector<double> times, std::size_t kind, double by,
                                 double last) {
  const double factor = toolkit::portable_exp(by);
  for (double& time : times)
    time = kind == 0 ? time + by * last : kind == 1 ? time * factor : last - (last - time) * factor;
  const double log_scale = kind == 0 ? 0.0 : by * static_cast<double>(times.size());
  return {std::move(times), log_scale};
}

}  // namespace tempo::bayes
