#include "analysis/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "data/estimated_biomarkers.hpp"
#include "data/real_cohort.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr std::size_t kKinds = kStatisticKinds.size();

struct Moments {
  double mean = 0.0, sd = 0.0, skewness = 0.0;
};

Moments moments_of(const std::vector<double>& values, const std::string& biomarker,
                   const char* group) {
  const auto n = static_cast<double>(values.size());
  if (values.size() < 3)
    throw NumericError(
        fmt::format("biomarker '{}' has fewer than three values among the {}", biomarker, group));
  if (std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; }))
    throw NumericError(
        fmt::format("biomarker '{}' has only equal values among the {}", biomarker, group));
  Moments out;
  for (const double x : values) out.mean += x / n;
  double squares = 0.0, cubes = 0.0;
  for (const double x : values) {
    const double d = x - out.mean;
    squares += d * d / n;
    cubes += d * d * d / n;
  }
  out.sd = std::sqrt(squares);
  out.skewness = cubes / (squares * out.sd);
  return out;
}

double correlation(const Matrix& z, const std::vector<std::size_t>& rows, std::size_t a,
                   std::size_t b, const Cohort& cohort) {
  double n = 0.0, mean_a = 0.0, mean_b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
  for (const auto j : rows) {
    const double x = z(j, a), y = z(j, b);
    if (std::isnan(x) || std::isnan(y)) continue;
    n += 1.0;
    const double dx = x - mean_a, dy = y - mean_b;
    mean_a += dx / n;
    mean_b += dy / n;
    aa += dx * (x - mean_a);
    bb += dy * (y - mean_b);
    ab += dx * (y - mean_b);
  }
  if (n < 3.0 || !(aa > 0.0) || !(bb > 0.0))
    throw NumericError(fmt::format("'{}' and '{}' have too few diseased with both, or equal values",
                                   cohort.biomarkers[a], cohort.biomarkers[b]));
  return ab / std::sqrt(aa * bb);
}

/// Cohorts' statistics of one kind, and how far each cohort is from their mean.
class StatisticSpread {
 public:
  /// @param rows  of the cohorts that mean and covariance are taken from, each [P]
  explicit StatisticSpread(const std::vector<std::vector<double>>& rows)
      : size_(rows.front().size()),
        rows_(static_cast<double>(rows.size())),
        mean_(size_, 0.0),
        root_(size_, size_) {
    constexpr std::size_t kRowsPerStatistic = 5;
    const auto n = rows_;
    for (const auto& row : rows)
      for (std::size_t i = 0; i < size_; ++i) mean_[i] += row[i] / n;
    is_full_ = rows.size() >= kRowsPerStatistic * size_;
    if (!is_full_) root_ = Matrix(1, size_);
    for (const auto& row : rows)
      for (std::size_t i = 0; i < size_; ++i) {
        const double d = (row[i] - mean_[i]) / (n - 1.0);
        if (is_full_)
          for (std::size_t k = 0; k <= i; ++k) root_(i, k) += d * (row[k] - mean_[k]);
        else
          root_(0, i) += d * (row[i] - mean_[i]);
      }
    if (is_full_) factorise();
  }

  /// Squared Mahalanobis distance of another cohort over the number of statistics, with the mean 1
  /// for a cohort of the same law: over P of n rows it would be (n + 1)(n - 1) / (n (n - P - 2)),
  /// since the mean and the covariance are estimated, too (Hotelling's T squared; exact for normal
  /// statistics). P is 1 for variances alone.
  double of_another(const std::vector<double>& row) const {
    const double left = rows_ - 2.0 - static_cast<double>(is_full_ ? rank() : 1);
    return (*this)(row)*rows_ * left / ((rows_ + 1.0) * (rows_ - 1.0));
  }

  /// Squared Mahalanobis distance over the number of statistics.
  double operator()(const std::vector<double>& row) const {
    double sum = 0.0;
    std::vector<double> z(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      z[i] = row[i] - mean_[i];
      for (std::size_t k = 0; is_full_ && k < i; ++k) z[i] -= root_(i, k) * z[k];
      const double scale = is_full_ ? root_(i, i) : std::sqrt(root_(0, i));
      z[i] = scale > 0.0 ? z[i] / scale : 0.0;
      sum += z[i] * z[i];
    }
    return sum / static_cast<double>(std::max<std::size_t>(rank(), 1));
  }

 private:
  /// Of the statistics those that neither are constant nor follow from others.
  std::size_t rank() const {
    std::size_t out = 0;
    for (std::size_t i = 0; i < size_; ++i) out += root_(is_full_ ? i : 0, i) > 0.0;
    return out;
  }

  /// Cholesky; a statistic that others determine is left out, with a diagonal of 0.
  void factorise() {
    constexpr double kDetermined = 1e-10;  // of a statistic's variance
    for (std::size_t i = 0; i < size_; ++i) {
      const double variance = root_(i, i);
      for (std::size_t k = 0; k <= i; ++k) {
        double sum = root_(i, k);
        for (std::size_t m = 0; m < k; ++m) sum -= root_(i, m) * root_(k, m);
        if (k < i)
          root_(i, k) = root_(k, k) > 0.0 ? sum / root_(k, k) : 0.0;
        else
          root_(i, i) = sum > kDetermined * variance ? std::sqrt(sum) : 0.0;
      }
    }
  }

  std::size_t size_;
  double rows_;
  bool is_full_ = false;
  std::vector<double> mean_;
  Matrix root_;  ///< lower triangle of the covariance's root; or [1, P] variances
};

std::vector<double> values_of(const std::vector<Statistic>& statistics, std::size_t kind) {
  std::vector<double> out;
  for (const auto& statistic : statistics)
    if (statistic.kind == static_cast<StatisticKind>(kind)) out.push_back(statistic.value);
  return out;
}

/// Puts the gaps of one cohort into another: the healthy's into the healthy, the diseased's
/// likewise.
void copy_gaps(const Cohort& from, Cohort& to) {
  std::array<std::vector<std::size_t>, 2> rows;
  for (std::size_t j = 0; j < to.participant_count(); ++j) rows[to.diseased[j]].push_back(j);
  std::array<std::size_t, 2> next{};
  for (std::size_t j = 0; j < from.participant_count(); ++j) {
    const auto group = from.diseased[j];
    const auto row = rows[group][next[group]++];
    for (std::size_t b = 0; b < from.biomarker_count(); ++b)
      if (std::isnan(from.measurements(j, b))) to.measurements(row, b) = from.measurements(j, b);
  }
}

std::vector<Plausibility::Oddity> oddest(const std::vector<Statistic>& own,
                                         const std::vector<std::vector<Statistic>>& simulated) {
  constexpr std::size_t kShown = 3;
  const auto n = static_cast<double>(simulated.size());
  std::vector<Plausibility::Oddity> out;
  for (std::size_t i = 0; i < own.size(); ++i) {
    double mean = 0.0, squares = 0.0;
    for (const auto& cohort : simulated) mean += cohort[i].value / n;
    for (const auto& cohort : simulated)
      squares += (cohort[i].value - mean) * (cohort[i].value - mean) / (n - 1.0);
    if (squares > 0.0) out.push_back({own[i].name, (own[i].value - mean) / std::sqrt(squares)});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.z) > std::abs(b.z); });
  out.resize(std::min(kShown, out.size()));
  return out;
}

}  // namespace

std::vector<Statistic> statistics_of(const Cohort& cohort, const BiomarkerTable& biomarkers) {
  const auto B = cohort.biomarker_count();
  std::vector<std::size_t> diseased;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (cohort.diseased[j] != 0) diseased.push_back(j);
  std::array<std::vector<Statistic>, kKinds> out;
  const auto add = [&](StatisticKind kind, std::string name, double value) {
    out[static_cast<std::size_t>(kind)].push_back({kind, std::move(name), value});
  };
  auto z = cohort.measurements;
  std::vector<double> shares;
  for (std::size_t b = 0; b < B; ++b) {
    const auto& name = cohort.biomarkers[b];
    std::vector<double> of_healthy, of_diseased;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (const double x = z(j, b); !std::isnan(x))
        (cohort.diseased[j] != 0 ? of_diseased : of_healthy).push_back(x);
    const auto healthy = moments_of(of_healthy, name, "healthy");
    const auto [mean, sd, skewness] = moments_of(of_diseased, name, "diseased");
    // What an event adds counts as positive, so that a biomarker's sign does not matter.
    const double change = biomarkers[b].theta.mean - biomarkers[b].phi.mean;
    const double sign = change < 0.0 ? -1.0 : 1.0;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      z(j, b) = sign * (z(j, b) - healthy.mean) / healthy.sd;
    add(StatisticKind::mean, "mean of " + name, sign * (mean - healthy.mean) / healthy.sd);
    add(StatisticKind::sd, "sd of " + name, sd / healthy.sd);
    add(StatisticKind::skewness, "skewness of " + name, sign * skewness);
    // Of one whose distributions all but coincide the share is noise, however large.
    const auto& [ignored, phi, theta] = biomarkers[b];
    if (distance_in_sds(phi, theta) >= kLeastDistance)
      shares.push_back((mean - healthy.mean) / change);
  }
  for (std::size_t a = 0; a < B; ++a)
    for (std::size_t b = 0; b < a; ++b)
      add(StatisticKind::correlation,
          fmt::format("correlation of {} and {}", cohort.biomarkers[b], cohort.biomarkers[a]),
          correlation(z, diseased, a, b, cohort));
  std::sort(shares.begin(), shares.end(), std::greater<>());
  for (std::size_t i = 0; i < shares.size(); ++i)
    add(StatisticKind::share, fmt::format("share number {}", i + 1), shares[i]);
  std::vector<Statistic> all;
  for (auto& kind : out) std::move(kind.begin(), kind.end(), std::back_inserter(all));
  return all;
}

Plausibility plausibility(const Cohort& cohort, const GenerativeProcess& process,
                          const std::string& hypothesis, std::size_t simulations,
                          std::uint64_t seed) {
  const auto found = find_columns(cohort, process.biomarkers().names());
  if (!found.missing.empty() || !found.unknown.empty())
    throw NumericError("the cohort has other biomarkers than the hypothesis");
  const auto seen = with_columns(cohort, found.columns);
  const auto own = statistics_of(seen, process.biomarkers());
  const auto size = size_like(cohort);
  std::vector<std::vector<Statistic>> simulated;
  for (std::size_t i = 0; i < simulations; ++i) {
    RandomStream stream(seed, "plausibility cohort", hypothesis, i);
    auto other = process.simulate(size, stream).cohort;
    copy_gaps(seen, other);
    simulated.push_back(statistics_of(other, process.biomarkers()));
  }

  Plausibility out{
      .hypothesis = hypothesis, .simulations = simulations, .oddest = oddest(own, simulated)};
  std::vector<double> scores(simulations + 1, 0.0);  // the last is the cohort's
  double sum = 0.0, kinds = 0.0;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    std::vector<std::vector<double>> rows;
    for (const auto& other : simulated) rows.push_back(values_of(other, kind));
    const auto mine = values_of(own, kind);
    out.distances[kind] = std::numeric_limits<double>::quiet_NaN();
    if (mine.empty()) continue;  // one biomarker has no correlations
    const double distance = StatisticSpread(rows).of_another(mine);
    out.distances[kind] = std::sqrt(distance);
    sum += distance;
    kinds += 1.0;
    rows.push_back(mine);
    const StatisticSpread all(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) scores[i] += all(rows[i]);
  }
  out.distance = std::sqrt(sum / kinds);
  const auto as_far = std::count_if(scores.begin(), scores.end(),
                                    [&](double score) { return score >= scores.back(); });
  out.p = static_cast<double>(as_far) / static_cast<double>(scores.size());
  return out;
}

}  // namespace tempo
