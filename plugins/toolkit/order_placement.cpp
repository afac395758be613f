#include "tempo/toolkit/order_placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tempo/toolkit/for_each_cpu.hpp"
#include "tempo/toolkit/lane_products.hpp"

namespace tempo::toolkit {
namespace {

struct Placement {
  std::size_t events, padded;
  const double* const* others;  // [events - 1] log ratios in their order
  const double* event;          // log ratios of the event
  const double* pi;             // [events + 1]
  double log_share;
  const double *top, *total;  // of the other subtypes
  Lanes* left_out;            // the sum of the logarithms that factors have been divided by
};

/// Adds the factors of all participants to the products of all places.
/// @param scratch    [2 events, kLanes]
/// @param mantissas  [events, kLanes] 1 at first
/// @param exponents  [events, kLanes] 0 at first
TEMPO_FOR_EACH_CPU void multiply_places(const Placement& at, double* scratch, double* mantissas,
                                        std::uint64_t* exponents) {
  for (std::size_t j = 0; j < at.padded; j += kLanes) {
    const Lanes ratio = lanes(at.event + j);
    Lanes sum{}, most{};
    lanes(scratch) = sum;
    for (std::size_t k = 1; k < at.events; ++k) {
      sum += lanes(at.others[k - 1] + j);
      lanes(scratch + k * kLanes) = sum;
      raise_to(most, sum);
    }
    const Lanes with_event = most + ratio;
    raise_to(most, with_event);
    most += at.log_share;
    raise_to(most, lanes(at.top + j));
    *at.left_out += most;
    Lanes before, grown, after{};
    exp_lanes(lanes(at.top + j) - most, before);
    before *= lanes(at.total + j);
    exp_lanes(ratio, grown);
    double* const afters = scratch + at.events * kLanes;  // the event among those that happened
    for (std::size_t k = at.events; k-- > 0;) {
      Lanes& cell = lanes(scratch + k * kLanes);
      Lanes weight;
      exp_lanes(cell + at.log_share - most, weight);
      cell = weight;
      after += at.pi[k + 1] * weight;
      lanes(afters + k * kLanes) = grown * after;
    }
    for (std::size_t p = 0; p < at.events; ++p) {
      before += at.pi[p] * lanes(scratch + p * kLanes);
      const Lanes factor = before + lanes(afters + p * kLanes);
      multiply(lanes(mantissas + p * kLanes),
               *reinterpret_cast<UnsignedLanes*>(exponents + p * kLanes), factor);
    }
  }
}

}  // namespace

OrderPlacement::OrderPlacement(std::size_t biomarkers, std::size_t padded)
    : padded_(padded),
      top_(padded),
      total_(padded),
      pi_(biomarkers + 1),
      values_(biomarkers),
      scratch_(2 * biomarkers * kLanes),
      mantissas_(biomarkers * kLanes),
      exponents_(biomarkers * kLanes) {}

void OrderPlacement::set_others(std::span<const SubtypeTerms> terms,
                                std::span<const double> log_shares, std::size_t subtype) {
  std::fill(top_.begin(), top_.end(), -std::numeric_limits<double>::infinity());
  std::fill(total_.begin(), total_.end(), 0.0);
  for (std::size_t s = 0; s < terms.size(); ++s)
    for (std::size_t j = 0; s != subtype && j < padded_; ++j)
      top_[j] = std::max(top_[j], terms[s].top[j] + log_shares[s]);
  for (std::size_t s = 0; s < terms.size(); ++s)
    for (std::size_t j = 0; s != subtype && j < padded_; ++j)
      total_[j] += portable_exp(terms[s].top[j] + log_shares[s] - top_[j]) * terms[s].total[j];
}

std::span<const double> OrderPlacement::log_likelihoods(const ParticipantColumns& log_ratios,
                                                        std::span<const std::size_t> others,
                                                        std::size_t event,
                                                        std::span<const double> log_pi,
                                                        double log_share) {
  std::vector<const double*> ratios;
  for (const auto b : others) ratios.push_back(log_ratios[b].data());
  for (std::size_t k = 0; k < pi_.size(); ++k)
    pi_[k] = std::isinf(log_pi[k]) ? 0.0 : portable_exp(log_pi[k]);
  std::fill(mantissas_.begin(), mantissas_.end(), 1.0);
  std::fill(exponents_.begin(), exponents_.end(), std::uint64_t{0});
  Lanes left_out{};
  multiply_places({values_.size(), padded_, ratios.data(), log_ratios[event].data(), pi_.data(),
                   log_share, top_.data(), total_.data(), &left_out},
                  scratch_.data(), mantissas_.data(), exponents_.data());
  constant_ = (left_out[0] + left_out[1]) + (left_out[2] + left_out[3]);
  for (std::size_t p = 0; p < values_.size(); ++p)
    values_[p] = log_product(&mantissas_[p * kLanes], &exponents_[p * kLanes], padded_ / kLanes);
  return values_;
}

}  // namespace tempo::toolkit
