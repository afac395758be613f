#include "analysis/needed_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tempo {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// `count` numbers from one to another, in equal steps.
std::vector<double> evenly(double from, double to, std::size_t count) {
  std::vector<double> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
  return out;
}

using Weighted = std::vector<std::pair<double, double>>;  // value, weight

/// @param p  in (0, 1)
/// @param ascending  whose weights sum to 1
double quantile_of(const Weighted& ascending, double p) {
  double sum = 0.0;
  for (const auto& [value, weight] : ascending)
    if ((sum += weight) >= p) return value;
  return ascending.back().first;
}

/// Sums over weighted values.
struct Scatter {
  double sum = 0.0, first = 0.0, second = 0.0;

  void add(double weight, double value) {
    sum += weight;
    first += weight * value;
    second += weight * value * value;
  }
  /// The variance, times the sum of weights.
  double value() const { return sum > 0.0 ? second - first * first / sum : 0.0; }
};

}  // namespace

SizeVerdict verdict_on(const NeededSize& needed, const SizeDemand& demand) {
  constexpr double kSure = 0.975;
  const double ratio = (1.0 + demand.within) * (1.0 + demand.within);
  if (needed.reached < 1.0 - kSure) return SizeVerdict::never;
  if (!(needed.low <= static_cast<double>(demand.to))) return SizeVerdict::beyond;
  if (needed.high < static_cast<double>(demand.from)) return SizeVerdict::below;
  return needed.high / needed.low <= ratio ? SizeVerdict::found : SizeVerdict::open;
}

double NeededSizeSearch::Curve::share_at(double log_size) const {
  return ceiling / (1.0 + std::exp(steepness * (log_half - log_size)));
}

NeededSizeSearch::NeededSizeSearch(const SizeDemand& demand) {
  const auto& [from, to, certainty, within] = demand;
  // Grids that are fine beside what some hundred cohorts can tell.
  constexpr std::size_t kSizes = 30, kHalves = 121, kSlopes = 17, kCeilings = 9;
  const double low = std::log(static_cast<double>(from)), high = std::log(static_cast<double>(to));
  for (const double size : evenly(low, high, kSizes)) {
    const auto rounded = static_cast<std::size_t>(std::lround(std::exp(size)));
    if (sizes_.empty() || sizes_.back() != rounded) sizes_.push_back(rounded);
  }
  // Half of the cohorts may be enough far below the sizes that may be tried, and far above them.
  const double width = high - low;
  for (const double log_half : evenly(low - width, high + width, kHalves))
    for (const double log_slope : evenly(std::log(0.5), std::log(20.0), kSlopes))
      for (const double ceiling : evenly(0.75 * certainty, 1.0, kCeilings)) {
        const double slope = std::exp(log_slope);
        const double answer =
            ceiling > certainty ? log_half - std::log(ceiling / certainty - 1.0) / slope : kNever;
        curves_.push_back({log_half, slope, ceiling, answer});
      }
  log_weights_.assign(curves_.size(), 0.0);
}

void NeededSizeSearch::add(const SizeTrial& trial) {
  const double size = std::log(static_cast<double>(trial.participants));
  const auto met = static_cast<double>(trial.met);
  const double missed = static_cast<double>(trial.cohorts) - met;
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    const double share = curves_[c].share_at(size);
    if (met > 0.0) log_weights_[c] += met * std::log(share);
    if (missed > 0.0) log_weights_[c] += missed * std::log1p(-share);
  }
}

std::vector<double> NeededSizeSearch::weights() const {
  const double most = *std::max_element(log_weights_.begin(), log_weights_.end());
  auto out = log_weights_;
  for (double& weight : out) weight = std::exp(weight - most);
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& weight : out) weight /= sum;
  return out;
}

NeededSize NeededSizeSearch::needed() const {
  constexpr double kTail = 0.025;
  const auto weight = weights();
  Weighted answers;
  NeededSize out{.reached = 0.0};
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    answers.emplace_back(curves_[c].answer, weight[c]);
    if (curves_[c].answer < kNever) out.reached += weight[c];
  }
  std::sort(answers.begin(), answers.end());
  out.participants = std::exp(quantile_of(answers, 0.5));
  out.low = std::exp(quantile_of(answers, kTail));
  out.high = std::exp(quantile_of(answers, 1.0 - kTail));
  return out;
}

std::vector<NeededSizeSearch::Likely> NeededSizeSearch::likely() const {
  constexpr double kUnlikely = 1e-9;  // all that is left out together is no thousandth
  const auto weight = weights();
  // Beyond the sizes that may be tried one answer is as good as another, and all are finite.
  const double low = std::log(static_cast<double>(sizes_.front()));
  const double high = std::log(static_cast<double>(sizes_.back()));
  const double beyond = 0.5 * (high - low);
  std::vector<Likely> out;
  for (std::size_t c = 0; c < curves_.size(); ++c)
    if (weight[c] > kUnlikely)
      out.push_back(
          {&curves_[c], std::clamp(curves_[c].answer, low - beyond, high + beyond), weight[c]});
  return out;
}

/// Far from the answer cohorts tell about it only as far as the curve is right there.
std::vector<std::size_t> NeededSizeSearch::sizes_near_answer() const {
  constexpr double kNear = 2.0;
  const auto answer = needed();
  std::vector<std::size_t> out;
  for (const auto size : sizes_)
    if (const auto count = static_cast<double>(size);
        count * kNear >= answer.low && count <= kNear * answer.high)
      out.push_back(size);
  if (out.empty()) {
    const bool is_below = answer.high < static_cast<double>(sizes_.front());
    out.push_back(is_below ? sizes_.front() : sizes_.back());
  }
  return out;
}

std::size_t NeededSizeSearch::next() const {
  const auto curves = likely();
  Scatter now;
  for (const auto& [curve, answer, weight] : curves) now.add(weight, answer);
  const auto sizes = sizes_near_answer();
  std::vector<double> gains;  // by which one more cohort is expected to narrow the answer
  for (const auto size : sizes) {
    const double at = std::log(static_cast<double>(size));
    Scatter if_met, if_missed;
    for (const auto& [curve, answer, weight] : curves) {
      const double share = curve->share_at(at);
      if_met.add(weight * share, answer);
      if_missed.add(weight * (1.0 - share), answer);
    }
    gains.push_back(now.value() - if_met.value() - if_missed.value());
  }
  // Small cohorts cost less: the smallest that tells nearly as much as the best.
  constexpr double kNearly = 0.75;
  const double most = *std::max_element(gains.begin(), gains.end());
  const auto best = std::find_if(gains.begin(), gains.end(), [&](double gain) {
    return gain >= std::min(kNearly * most, most);
  });
  return sizes[static_cast<std::size_t>(best - gains.begin())];
}

NeededSizeSearch::Share NeededSizeSearch::share_at(std::size_t participants) const {
  constexpr double kTail = 0.025;
  const auto weight = weights();
  const double at = std::log(static_cast<double>(participants));
  Weighted shares;
  Share out;
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    shares.emplace_back(curves_[c].share_at(at), weight[c]);
    out.mean += weight[c] * shares.back().first;
  }
  std::sort(shares.begin(), shares.end());
  out.low = quantile_of(shares, kTail);
  out.high = quantile_of(shares, 1.0 - kTail);
  return out;
}

}  // namespace tempo
