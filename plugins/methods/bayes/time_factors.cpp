#include "time_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assumptions.hpp"
#include "order_sampler.hpp"
#include "portable_math.hpp"

namespace tempo::bayes {
namespace {

constexpr double kConstant = 1e-5;  // nats: where no cell changes by more, a table has come to its end
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

/// log F of one biomarker and trait before it is scaled, of one measurement at a time.
class Curve {
 public:
  Curve(const ComposedProcess& process, const StageNodes& nodes)
      : model_(process.measurement_model()),
        length_(2 * nodes.times() - 1),
        noise_(process.event_times().noise_sd * static_cast<double>(nodes.biomarkers) /
               nodes.step()) {
    const auto i_at = [&](std::size_t n) {
      return static_cast<double>(n) - static_cast<double>(nodes.times() - 1) + nodes.offset;
    };
    if (noise_ > 0.0 && model_.is_switch()) {
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

  /// @param out  [length] every `stride`-th
  void evaluate(std::size_t b, int trait, double x, double* out, std::size_t stride) {
    model_.log_density(b, trait, x, since_, densities_);
    const double floor = least_log_density(model_.biomarkers()[b]);
    double top = floor;
    for (double& density : densities_) {
      density = std::max(density, floor);
      top = std::max(top, density);
    }
    if (noise_ == 0.0) {
      for (std::size_t n = 0; n < length_; ++n) out[n * stride] = densities_[n];
      return;
    }
    for (double& density : densities_) density = toolkit::portable_exp(density - top);
    for (std::size_t n = 0; n < length_; ++n) {
      double sum = 0.0;
      if (!happened_.empty()) {
        sum = densities_[0] + happened_[n] * (densities_[1] - densities_[0]);
      } else {
        const double* from = densities_.data() + n * refinement_;
        toolkit::Lanes sums{};
        for (std::size_t i = 0; i < weights_.size(); i += toolkit::kLanes)
          sums += toolkit::lanes(weights_.data() + i) * toolkit::lanes(from + i);
        for (std::size_t l = 0; l < toolkit::kLanes; ++l) sum += sums[l];
      }
      out[n * stride] = top + toolkit::portable_log(sum);
    }
  }

 private:
  const MeasurementModel& model_;
  std::size_t length_, refinement_ = 1;
  double noise_;                  // sd in grid steps
  std::vector<double> since_;     // times at which densities are asked for, in stages
  std::vector<double> happened_;  // [length] of a switch: P(the event has happened)
  std::vector<double> weights_;   // of the noise, else
  std::vector<double> densities_;
};

}  // namespace

TimeFactors::TimeFactors(const ComposedProcess& process, const StageNodes& nodes,
                         const Cohort& cohort, std::span<const std::size_t> columns,
                         std::span<const std::size_t> diseased)
    : nodes_(nodes),
      traits_(process.measurement_model().possible_traits()),
      blocks_((diseased.size() + kBlock - 1) / kBlock),
      tables_(columns.size() * traits_.size()),
      log_scales_(tables_.size(), cohort.participant_count()) {
  const auto& model = process.measurement_model();
  const std::size_t B = columns.size(), T = traits_.size(), D = diseased.size(),
                    padded = blocks_ * kBlock;
  Curve curve(process, nodes);
  Matrix largest(D, B);  // the most nats between any two times, of any trait
  std::vector<double> curves(curve.length() * padded);  // [length, padded]

  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < T; ++t) {
      std::fill(curves.begin(), curves.end(), 0.0);
      const auto scales = log_scales_.row(b * T + t);
      Table& table = tables_[b * T + t];
      for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
        const double x = cohort.measurements(j, columns[b]);
        if (cohort.diseased[j] != 0 || std::isnan(x)) continue;
        const double since = -std::numeric_limits<double>::infinity();
        model.log_density(b, traits_[t], x, {&since, 1}, {&scales[j], 1});
        scales[j] = std::max(scales[j], least_log_density(model.biomarkers()[b]));
      }
      for (std::size_t i = 0; i < D; ++i) {
        const double x = cohort.measurements(diseased[i], columns[b]);
        if (std::isnan(x)) continue;
        curve.evaluate(b, traits_[t], x, curves.data() + i, padded);
        double low = curves[i], high = low;
        for (std::size_t n = 1; n < curve.length(); ++n) {
          low = std::min(low, curves[n * padded + i]);
          high = std::max(high, curves[n * padded + i]);
        }
        for (std::size_t n = 0; n < curve.length(); ++n) curves[n * padded + i] -= high;
        scales[diseased[i]] = high;
        largest(i, b) = std::max(largest(i, b), high - low);
      }
      for (const double scale : scales) table.log_scale += scale;
      // Rows at either end that all say the same are one.
      const auto same = [&](std::size_t n, std::size_t end) {
        for (std::size_t i = 0; i < D; ++i)
          if (!(std::abs(curves[n * padded + i] - curves[end * padded + i]) <= kConstant))
            return false;
        return true;
      };
      std::size_t first = 0, last = curve.length() - 1;
      while (first < last && same(first + 1, 0)) ++first;
      while (last > first && same(last - 1, curve.length() - 1)) --last;
      table.length = last - first + 1;
      table.low = static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(nodes.times() - 1);
      table.values.resize(blocks_ * table.length * kBlock);
      for (std::size_t block = 0; block < blocks_; ++block)
        for (std::size_t n = 0; n < table.length; ++n)
          for (std::size_t lane = 0; lane < kBlock; ++lane)
            table.values[(block * table.length + n) * kBlock + lane] =
                static_cast<float>(curves[(first + n) * padded + block * kBlock + lane]);
    }

  // A participant's evidence over all events stays within the range of double.
  for (std::size_t i = 0; i < D; ++i) toolkit::bound_evidence(largest.row(i));
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < T; ++t) {
      Table& table = tables_[b * T + t];
      for (std::size_t block = 0; block < blocks_; ++block)
        for (std::size_t n = 0; n < table.length; ++n)
          for (std::size_t lane = 0; lane < kBlock; ++lane) {
            const std::size_t i = block * kBlock + lane;
            float& value = table.values[(block * table.length + n) * kBlock + lane];
            value = static_cast<float>(
                toolkit::portable_exp(i < D ? std::max<double>(value, -largest(i, b)) : 0.0));
          }
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
