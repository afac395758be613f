#include "tempo/toolkit/two_means.hpp"

#include <algorithm>
#include <cmath>

#include "tempo/error.hpp"
#include "tempo/toolkit/normal_mixture.hpp"

namespace tempo::toolkit {
namespace {

constexpr int kMostRounds = 300;
constexpr double kTolerance = 1e-4;
constexpr std::size_t kLeastMembers = 2;
constexpr int kMaxDraws = 100;

std::vector<double> members(std::span<const double> values, const std::vector<bool>& labels,
                            bool label) {
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (labels[i] == label) out.push_back(values[i]);
  return out;
}

double mean_of(const std::vector<double>& values) {
  return pairwise_sum(values) / static_cast<double>(values.size());
}

bool too_small(const std::vector<bool>& labels) {
  const auto second = static_cast<std::size_t>(std::count(labels.begin(), labels.end(), true));
  return std::min(second, labels.size() - second) < kLeastMembers;
}

std::vector<bool> lloyd(std::span<const double> values, double first, double second,
                        double tolerance) {
  std::vector<bool> labels(values.size()), previous;
  const auto assign = [&] {
    for (std::size_t i = 0; i < values.size(); ++i)
      labels[i] = std::abs(values[i] - second) < std::abs(values[i] - first);
  };
  for (int round = 0; round < kMostRounds; ++round) {
    assign();
    if (labels == previous) return labels;
    previous = labels;
    const auto a = members(values, labels, false), b = members(values, labels, true);
    if (a.empty() || b.empty()) return labels;
    const double da = mean_of(a) - first, db = mean_of(b) - second;
    first += da;
    second += db;
    if (da * da + db * db <= tolerance) break;
  }
  assign();
  return labels;
}

/// Mean m and s sqrt(n / (n + 1)) = sqrt(sum of squares / (n - 1) * n / (n + 1)).
Normal component(const std::vector<double>& values, double least_sd) {
  const auto n = static_cast<double>(values.size());
  const Normal moments = population_moments(values);
  const double sd = moments.sd * n / std::sqrt((n - 1.0) * (n + 1.0));
  return {moments.mean, std::max(sd, least_sd)};
}

}  // namespace

TwoMeans two_means(std::span<const double> values, const std::vector<bool>& diseased,
                   double least_sd, RandomStream& stream) {
  const double sd = population_moments(values).sd;
  auto labels = lloyd(values, mean_of(members(values, diseased, false)),
                      mean_of(members(values, diseased, true)), kTolerance * sd * sd);
  TwoMeans out;
  out.by_diagnosis = too_small(labels);
  for (int draw = 0; too_small(labels); ++draw) {
    if (draw == kMaxDraws) throw NumericError("no two clusters of at least two values");
    for (std::size_t i = 0; i < values.size(); ++i)
      labels[i] = diseased[i] && stream.uniform() < 0.5;
  }
  std::size_t controls = 0, controls_in_second = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!diseased[i]) {
      ++controls;
      controls_in_second += labels[i];
    }
  if (2 * controls_in_second > controls) labels.flip();
  out.phi = component(members(values, labels, false), least_sd);
  out.theta = component(members(values, labels, true), least_sd);
  out.in_theta = std::move(labels);
  return out;
}

}  // namespace tempo::toolkit
