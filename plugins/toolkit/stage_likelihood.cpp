#include "tempo/toolkit/stage_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tempo/toolkit/for_each_cpu.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {
namespace {

constexpr std::size_t kBlock = ParticipantColumns::kBlock;
constexpr std::size_t kGroups = kBlock / kLanes;  // registers per value of a block
constexpr std::size_t kSums = 4;                  // happened, weight, x, xx

/// One block of participants; columns in the order of events, all pointers at its first
/// participant.
struct Block {
  std::size_t events;
  const double* const* log_ratios;
  const double* const* values;
  const double* const* present;
  const double* counted;
  const double* u;  // null: expected weights
  std::size_t first;
};

struct Totals {
  double* sums;     // [events, kSums, kLanes], added to
  double* scratch;  // [events, kBlock]
};

/// @return the product over participants of sum_k pi_k exp(S(k) - M), where M is the largest log
/// pi_k + S(k): between 1
///   and events^kBlock. `largest` gets the sum of the M.
template <bool kMoments, bool kHard>
[[gnu::always_inline]] inline double run_block(const Block& block, const double* log_pi,
                                               const Totals& out, double& largest) {
  Lanes sum[kGroups] = {}, top[kGroups];
  for (auto& lane : top) lane = Lanes{} - std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < block.events; ++i) {
    const double* ratios = block.log_ratios[i] + block.first;
    for (std::size_t g = 0; g < kGroups; ++g) {
      sum[g] += lanes(ratios + g * kLanes);
      const Lanes weighed = sum[g] + log_pi[i];
      lanes(out.scratch + i * kBlock + g * kLanes) = weighed;
      raise_to(top[g], weighed);
    }
  }
  Lanes total[kGroups] = {};  // of the stages so far
  for (std::size_t i = 0; i < block.events; ++i)
    for (std::size_t g = 0; g < kGroups; ++g) {
      Lanes& cell = lanes(out.scratch + i * kBlock + g * kLanes);
      Lanes probability;
      exp_lanes(cell - top[g], probability);
      cell = total[g];
      total[g] += probability;
    }
  Lanes scale[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g)
    scale[g] = kHard ? total[g] * lanes(block.u + block.first + g * kLanes) : 1.0 / total[g];
  for (std::size_t i = 0; i < block.events; ++i) {
    Lanes happened{}, weight{}, x{}, xx{};
    for (std::size_t g = 0; g < kGroups; ++g) {
      const std::size_t at = block.first + g * kLanes;
      const Lanes& before = lanes(out.scratch + i * kBlock + g * kLanes);
      Lanes w;
      if constexpr (kHard)
        w = before < scale[g] ? lanes(block.counted + at) : Lanes{};
      else
        w = (total[g] - before) * scale[g] * lanes(block.counted + at);
      happened += w;
      if constexpr (kMoments) {
        const Lanes wx = w * lanes(block.values[i] + at);
        weight += w * lanes(block.present[i] + at);
        x += wx;
        xx += wx * lanes(block.values[i] + at);
      }
    }
    double* sums = out.sums + i * kSums * kLanes;
    lanes(sums) += happened;
    if constexpr (kMoments) {
      lanes(sums + kLanes) += weight;
      lanes(sums + 2 * kLanes) += x;
      lanes(sums + 3 * kLanes) += xx;
    }
  }
  Lanes product = total[0], tops = top[0];
  for (std::size_t g = 1; g < kGroups; ++g) {
    product *= total[g];
    tops += top[g];
  }
  largest = (tops[0] + tops[1]) + (tops[2] + tops[3]);
  return (product[0] * product[1]) * (product[2] * product[3]);
}

TEMPO_FOR_EACH_CPU double expected_counts(const Block& block, const double* log_pi,
                                          const Totals& out, double& largest) {
  return run_block<false, false>(block, log_pi, out, largest);
}
TEMPO_FOR_EACH_CPU double expected_moments(const Block& block, const double* log_pi,
                                           const Totals& out, double& largest) {
  return run_block<true, false>(block, log_pi, out, largest);
}
TEMPO_FOR_EACH_CPU double assigned_moments(const Block& block, const double* log_pi,
                                           const Totals& out, double& largest) {
  return run_block<true, true>(block, log_pi, out, largest);
}

TEMPO_FOR_EACH_CPU void normal_ratios(std::span<const double> x, std::span<const double> present,
                                      const Normal& phi, const Normal& theta,
                                      std::span<double> out) {
  const double a = phi.sd > 0.0 ? 1.0 / phi.sd : 0.0, b = theta.sd > 0.0 ? 1.0 / theta.sd : 0.0;
  const double log_root_two_pi = 0.91893853320467274;
  const double constant = (phi.sd > 0.0 ? portable_log(phi.sd) + log_root_two_pi : 0.0) -
                          (theta.sd > 0.0 ? portable_log(theta.sd) + log_root_two_pi : 0.0);
  for (std::size_t j = 0; j < out.size(); j += kLanes) {
    const Lanes u = (lanes(&x[j]) - phi.mean) * a, v = (lanes(&x[j]) - theta.mean) * b;
    lanes(&out[j]) = (constant + 0.5 * (u * u - v * v)) * lanes(&present[j]);
  }
}

double sum_of(const double* four) { return (four[0] + four[1]) + (four[2] + four[3]); }

}  // namespace

ParticipantColumns::ParticipantColumns(std::size_t biomarkers, std::size_t participants)
    : biomarkers_(biomarkers),
      participants_(participants),
      padded_((participants + kBlock - 1) / kBlock * kBlock) {
  values_.resize(biomarkers_ * padded_);
}

StageLikelihood::StageLikelihood(ParticipantColumns values)
    : values_(std::move(values)),
      present_(values_.biomarkers(), values_.participants()),
      counted_(values_.padded()),
      scratch_(kBlock * values_.biomarkers()),
      totals_(kSums * kLanes * values_.biomarkers()),
      ratios_in_order_(values_.biomarkers()),
      values_in_order_(values_.biomarkers()),
      present_in_order_(values_.biomarkers()) {
  std::fill_n(counted_.begin(), values_.participants(), 1.0);
  for (std::size_t b = 0; b < values_.biomarkers(); ++b)
    for (std::size_t j = 0; j < values_.participants(); ++j) {
      if (std::isnan(values_[b][j]))
        values_[b][j] = 0.0;
      else
        present_[b][j] = 1.0;
    }
}

void StageLikelihood::normal_log_ratios(std::size_t b, const Normal& phi, const Normal& theta,
                                        ParticipantColumns& log_ratios) const {
  normal_ratios(values_[b], present_[b], phi, theta, log_ratios[b]);
}

void StageLikelihood::expect(const ParticipantColumns& log_ratios,
                             std::span<const std::size_t> order, std::span<const double> log_pi,
                             Sums sums, StageSums& out) {
  run(log_ratios, order, log_pi, sums, nullptr, out);
}

void StageLikelihood::assign(const ParticipantColumns& log_ratios,
                             std::span<const std::size_t> order, std::span<const double> log_pi,
                             std::span<const double> u, StageSums& out) {
  run(log_ratios, order, log_pi, Sums::moments, u.data(), out);
}

void StageLikelihood::run(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
                          std::span<const double> log_pi, Sums sums, const double* u,
                          StageSums& out) {
  const std::size_t B = order.size();
  for (std::size_t i = 0; i < B; ++i) {
    ratios_in_order_[i] = log_ratios[order[i]].data();
    values_in_order_[i] = values_[order[i]].data();
    present_in_order_[i] = present_[order[i]].data();
  }
  std::fill(totals_.begin(), totals_.end(), 0.0);
  const auto kernel = u != nullptr            ? assigned_moments
                      : sums == Sums::moments ? expected_moments
                                              : expected_counts;
  out.log_likelihood = 0.0;
  for (std::size_t first = 0; first < values_.padded(); first += kBlock) {
    double largest = 0.0;
    const double product = kernel({B, ratios_in_order_.data(), values_in_order_.data(),
                                   present_in_order_.data(), counted_.data(), u, first},
                                  log_pi.data(), {totals_.data(), scratch_.data()}, largest);
    out.log_likelihood += largest + portable_log(product);
  }
  for (auto* column : {&out.happened, &out.weight, &out.x, &out.xx}) column->resize(B);
  for (std::size_t i = 0; i < B; ++i) {
    const double* four = totals_.data() + i * kSums * kLanes;
    out.happened[i] = sum_of(four);
    out.weight[order[i]] = sum_of(four + kLanes);
    out.x[order[i]] = sum_of(four + 2 * kLanes);
    out.xx[order[i]] = sum_of(four + 3 * kLanes);
  }
}

void add_stage_posterior(const ParticipantColumns& log_ratios, std::span<const std::size_t> order,
                         std::span<const double> log_prior, Matrix& sum) {
  const std::size_t B = order.size();
  std::vector<double> row(B + 1);
  for (std::size_t j = 0; j < log_ratios.participants(); ++j) {
    double ratio = 0.0, top = row[0] = log_prior[0];
    for (std::size_t k = 1; k <= B; ++k) {
      ratio += log_ratios[order[k - 1]][j];
      row[k] = ratio + log_prior[k];
      top = std::max(top, row[k]);
    }
    double total = 0.0;
    for (double& value : row) total += value = portable_exp(value - top);
    const auto out = sum.row(j);
    for (std::size_t k = 0; k <= B; ++k) out[k] += row[k] / total;
  }
}

}  // namespace tempo::toolkit
