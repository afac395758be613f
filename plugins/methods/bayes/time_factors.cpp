#include "time_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assumptions.hpp"
#include "tempo/toolkit/order_sampler.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bayes {
namespace {

constexpr double kConstant =
    1e-5;  // nats: where no cell changes by more, a table has come to its end
constexpr double kNoiseReach = 4.5;  // sd

/// Weights of the noise at whole steps, -reach..reach, with zeros to whole lanes.
std::vector<double> noise_weights(double sd_in_steps) {
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(kNoiseReach * sd_in_steps));
  std::vector<double> out;
  double total = 0.0;
  for (std::ptrdiff_t i = -reach; i <= reach; ++i) {
    const double z = static_cast<double>(i) / sd_in_steps;
    out.push_back(std::exp(-0.5 * z * z));
    total += out.back();
  }
  for (double& weight : out) weight /= total;
  out.resize((out.size() + toolkit::kLanes - 1) / toolkit::kLanes * toolkit::kLanes);
  return out;
}

/// log((1 - part) exp(here) + part exp(next)), exact at either end.
double between(double here, double next, double part) {
  if (part == 0.0) return here;
  if (part == 1.0) return next;
  const double top = std::max(here, next);
  return top + toolkit::portable_log((1.0 - part) * toolkit::portable_exp(here - top) +
                                     part * toolkit::portable_exp(next - top));
}

}  // namespace

/// log F of one biomarker and trait before it is scaled, of one measurement at a time.
class TimeFactors::Curve {
 public:
  Curve(const ProcessLaw& process, const StageNodes& nodes)
      : length_(2 * nodes.times() - 1),
        noise_(process.event_times().noise_sd() * static_cast<double>(nodes.biomarkers) /
               nodes.step()) {
    const auto i_at = [&](std::size_t n) {
      return static_cast<double>(n) - static_cast<double>(nodes.times() - 1) + nodes.offset;
    };
    if (noise_ > 0.0 && process.measurement_model().law()->effect() == EventEffect::switched) {
      since_ = {-1.0, 0.0};
      for (std::size_t n = 0; n < length_; ++n)
        happened_.push_back(0.5 * std::erfc(-i_at(n) / noise_ / std::sqrt(2.0)));
    } else if (noise_ > 0.0) {
      // Sums over a grid of an eighth of a stage are as good as integrals.
      refinement_ = (8 + nodes.per_stage - 1) / nodes.per_stage;
      const auto fine = static_cast<double>(refinement_);
      weights_ = noise_weights(noise_ * fine);
      const double reach = std::ceil(kNoiseReach * noise_ * fine);
      for (std::size_t n = 0; n < (length_ - 1) * refinement_ + weights_.size(); ++n)
        since_.push_back((i_at(0) + (static_cast<double>(n) - reach) / fine) * nodes.step());
    } else {
      for (std::size_t n = 0; n < length_; ++n) since_.push_back(i_at(n) * nodes.step());
    }
    densities_.resize(since_.size());
  }

  std::size_t length() const { return length_; }

  /// Rows `from` .. `from + count - 1`.
  /// @param b    of the law
  /// @param out  every `stride`-th
  void evaluate(const MeasurementLaw& law, std::size_t b, int trait, double x, std::size_t from,
                std::size_t count, double* out, std::size_t stride) {
    const bool is_switch = !happened_.empty();
    const std::size_t asked = is_switch      ? 2
                              : noise_ > 0.0 ? (count - 1) * refinement_ + weights_.size()
                                             : count;
    const auto since = std::span(since_).subspan(is_switch ? 0 : from * refinement_, asked);
    const auto densities = std::span(densities_).first(asked);
    law.log_density(b, trait, x, since, densities);
    const double floor = least_log_density(law.biomarkers()[b]);
    double top = floor;
    for (double& density : densities) {
      density = std::max(density, floor);
      top = std::max(top, density);
    }
    if (noise_ == 0.0) {
      for (std::size_t n = 0; n < count; ++n) out[n * stride] = densities[n];
      return;
    }
    for (double& density : densities) density = toolkit::portable_exp(density - top);
    for (std::size_t n = 0; n < count; ++n) {
      double sum = 0.0;
      if (is_switch) {
        sum = densities[0] + happened_[from + n] * (densities[1] - densities[0]);
      } else {
        const double* first = densities.data() + n * refinement_;
        toolkit::Lanes sums{};
        for (std::size_t i = 0; i < weights_.size(); i += toolkit::kLanes)
          sums += toolkit::lanes(weights_.data() + i) * toolkit::lanes(first + i);
        for (std::size_t l = 0; l < toolkit::kLanes; ++l) sum += sums[l];
      }
      out[n * stride] = top + toolkit::portable_log(sum);
    }
  }

 private:
  std::size_t length_, refinement_ = 1;
  double noise_;                  // sd in grid steps
  std::vector<double> since_;     // times at which densities are asked for, in stages
  std::vector<double> happened_;  // [length] of a switch: P(the event has happened)
  std::vector<double> weights_;   // of the noise, else
  std::vector<double> densities_;
};

TimeFactors::~TimeFactors() = default;
TimeFactors::TimeFactors(TimeFactors&&) noexcept = default;
TimeFactors::TimeFactors(const TimeFactors& other)
    : nodes_(other.nodes_),
      traits_(other.traits_),
      blocks_(other.blocks_),
      keeps_logs_(other.keeps_logs_),
      values_(other.values_),
      diseased_(other.diseased_),
      is_diseased_(other.is_diseased_),
      curve_(std::make_unique<Curve>(*other.curve_)),
      most_(other.most_),
      tables_(other.tables_),
      log_scales_(other.log_scales_) {}

TimeFactors::TimeFactors(const ProcessLaw& process, const StageNodes& nodes, const Cohort& cohort,
                         std::span<const std::size_t> columns,
                         std::span<const std::size_t> diseased)
    : nodes_(nodes),
      traits_(process.measurement_model().law()->possible_traits()),
      blocks_((diseased.size() + kBlock - 1) / kBlock),
      keeps_logs_(process.event_times().are_ranks()),
      diseased_(diseased.begin(), diseased.end()),
      is_diseased_(cohort.diseased.begin(), cohort.diseased.end()),
      curve_(std::make_unique<Curve>(process, nodes)),
      tables_(columns.size() * traits_.size()),
      log_scales_(tables_.size(), cohort.participant_count()) {
  const std::size_t B = columns.size(), T = traits_.size(), D = diseased.size();
  for (const auto column : columns) {
    auto& of_biomarker = values_.emplace_back();
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      of_biomarker.push_back(cohort.measurements(j, column));
  }
  Matrix largest(D, B);  // the most nats between any two times, of any trait
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < T; ++t) {
      const auto range = fill(b, t, *process.measurement_model().law(), b);
      for (std::size_t i = 0; i < D; ++i) largest(i, b) = std::max(largest(i, b), range[i]);
    }
  // A participant's evidence over all events stays within the range of double. Where it is far from
  // that it may grow with parameters that change.
  most_ = Matrix(D, B);
  for (std::size_t i = 0; i < D; ++i) {
    const auto row = largest.row(i);
    toolkit::bound_evidence(row);
    double left = toolkit::kMostEvidence;
    for (const double nats : row) left -= nats;
    for (std::size_t b = 0; b < B; ++b)
      most_(i, b) = row[b] + std::max(left, 0.0) / static_cast<double>(B);
  }
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < T; ++t) finish(b, t, [&](std::size_t i) { return largest(i, b); });
}

void TimeFactors::set(std::size_t b, std::size_t t, const MeasurementLaw& law, std::size_t of_law) {
  fill(b, t, law, of_law);
  finish(b, t, [&](std::size_t i) { return most_(i, b); });
}

double TimeFactors::log_likelihood(std::size_t b, std::size_t t, const MeasurementLaw& law,
                                   std::size_t of_law, double time,
                                   std::span<const std::size_t> node) const {
  const auto g = std::min(static_cast<std::size_t>(time), nodes_.times() - 2);
  const double part = time - static_cast<double>(g);
  const double floor = least_log_density(law.biomarkers()[of_law]);
  double sum = 0.0;
  for (std::size_t j = 0; j < is_diseased_.size(); ++j)
    if (is_diseased_[j] == 0 && !std::isnan(values_[b][j]))
      sum += std::max(healthy_density(law, of_law, traits_[t], values_[b][j]), floor);
  for (std::size_t i = 0; i < diseased_.size(); ++i) {
    const double x = values_[b][diseased_[i]];
    if (std::isnan(x)) continue;
    const std::size_t row = nodes_.first + nodes_.stride * node[i] + nodes_.times() - 1 - g;
    double pair[2];  // at the grid times after and before
    const std::size_t count = part > 0.0 ? 2 : 1;
    curve_->evaluate(law, of_law, traits_[t], x, row + 1 - count, count, pair, 1);
    sum += between(pair[count - 1], pair[0], part);
  }
  return sum;
}

double TimeFactors::healthy_density(const MeasurementLaw& law, std::size_t b, int trait, double x) {
  const double since = -std::numeric_limits<double>::infinity();
  double out = 0.0;
  law.log_density(b, trait, x, {&since, 1}, {&out, 1});
  return out;
}

std::vector<double> TimeFactors::fill(std::size_t b, std::size_t t, const MeasurementLaw& law,
                                      std::size_t of_law) {
  const std::size_t D = diseased_.size(), padded = blocks_ * kBlock, length = curve_->length();
  std::vector<double> curves(length * padded);  // [length, padded]
  std::vector<double> range(D);
  const auto scales = log_scales_.row(b * traits_.size() + t);
  const double floor = least_log_density(law.biomarkers()[of_law]);
  for (std::size_t j = 0; j < scales.size(); ++j)
    if (is_diseased_[j] == 0 && !std::isnan(values_[b][j]))
      scales[j] = std::max(healthy_density(law, of_law, traits_[t], values_[b][j]), floor);
  for (std::size_t i = 0; i < D; ++i) {
    const double x = values_[b][diseased_[i]];
    if (std::isnan(x)) continue;
    curve_->evaluate(law, of_law, traits_[t], x, 0, length, curves.data() + i, padded);
    double low = curves[i], high = low;
    for (std::size_t n = 1; n < length; ++n) {
      low = std::min(low, curves[n * padded + i]);
      high = std::max(high, curves[n * padded + i]);
    }
    for (std::size_t n = 0; n < length; ++n) curves[n * padded + i] -= high;
    scales[diseased_[i]] = high;
    range[i] = high - low;
  }
  Table& table = tables_[b * traits_.size() + t];
  table.log_scale = 0.0;
  for (const double scale : scales) table.log_scale += scale;
  // Rows at either end that are all alike count as one.
  const auto same = [&](std::size_t n, std::size_t end) {
    for (std::size_t i = 0; i < D; ++i)
      if (!(std::abs(curves[n * padded + i] - curves[end * padded + i]) <= kConstant)) return false;
    return true;
  };
  std::size_t first = 0, last = length - 1;
  while (first < last && same(first + 1, 0)) ++first;
  while (last > first && same(last - 1, length - 1)) --last;
  table.length = last - first + 1;
  table.low = static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(nodes_.times() - 1);
  table.values.resize(blocks_ * table.length * kBlock);
  for (std::size_t block = 0; block < blocks_; ++block)
    for (std::size_t n = 0; n < table.length; ++n)
      for (std::size_t lane = 0; lane < kBlock; ++lane)
        table.values[(block * table.length + n) * kBlock + lane] =
            static_cast<float>(curves[(first + n) * padded + block * kBlock + lane]);
  return range;
}

template <class Most>
void TimeFactors::finish(std::size_t b, std::size_t t, Most most) {
  Table& table = tables_[b * traits_.size() + t];
  const std::size_t D = diseased_.size();
  if (keeps_logs_) table.logs.resize(D * table.length);
  for (std::size_t block = 0; block < blocks_; ++block)
    for (std::size_t n = 0; n < table.length; ++n)
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        const std::size_t i = block * kBlock + lane;
        float& value = table.values[(block * table.length + n) * kBlock + lane];
        const double log_f = i < D ? std::max<double>(value, -most(i)) : 0.0;
        if (keeps_logs_ && i < D) table.logs[i * table.length + n] = static_cast<float>(log_f);
        value = static_cast<float>(toolkit::portable_exp(log_f));
      }
}

void TimeFactors::places(std::size_t b, std::size_t t, std::size_t g,
                         std::span<std::uint32_t> out) const {
  const auto& table = at(b, t);
  const auto last = static_cast<std::ptrdiff_t>(table.length) - 1;
  for (std::size_t q = 0; q < out.size(); ++q) {
    const auto i = static_cast<std::ptrdiff_t>(nodes_.first + nodes_.stride * q) -
                   static_cast<std::ptrdiff_t>(g);
    out[q] = static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(i - table.low, 0, last)) *
             static_cast<std::uint32_t>(kBlock);
  }
}

}  // namespace tempo::bayes
