#include "tempo/toolkit/order_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tempo/toolkit/for_each_cpu.hpp"
#include "tempo/toolkit/lane_products.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {
namespace {

constexpr std::size_t kBlock = ParticipantColumns::kBlock;
constexpr std::size_t kGroups = kBlock / kLanes;  // registers per value of a block
constexpr std::size_t kPair = 2 * kBlock;         // y and n of a block

/// The likelihoods of all places, as products over participants.
struct Products {
  double* mantissas;         // [B, kLanes]
  std::uint64_t* exponents;  // [B, kLanes]
};

/// Of the others, let P_p and Q_p be the products of y before place p and of n from there on, F_p
/// the sum over stages k <= p of w_k times the products of y before k and n from k to p, H_p that
/// over k >= p of w_(k+1) times the products of y from p to k and n from k on. Then event b at
/// place p has the likelihood n_b F_p Q_p + y_b P_p H_p.
TEMPO_FOR_EACH_CPU void place_block(const double* cells, const double* event, const double* weights,
                                    const std::size_t* others, std::size_t B, double* behind,
                                    const Products& out) {
  Lanes a[kGroups], c[kGroups];  // Q, H; then P, F
  for (std::size_t g = 0; g < kGroups; ++g) {
    a[g] = Lanes{} + 1.0;
    c[g] = Lanes{} + weights[B];
  }
  for (std::size_t p = B; p-- > 0;) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      lanes(behind + p * kPair + g * kLanes) = a[g];
      lanes(behind + p * kPair + kBlock + g * kLanes) = c[g];
    }
    if (p == 0) break;
    const double* cell = cells + others[p - 1] * kPair;
    for (std::size_t g = 0; g < kGroups; ++g) {
      a[g] *= lanes(cell + kBlock + g * kLanes);
      c[g] = lanes(cell + g * kLanes) * c[g] + weights[p] * a[g];
    }
  }
  for (std::size_t g = 0; g < kGroups; ++g) {
    a[g] = Lanes{} + 1.0;
    c[g] = Lanes{} + weights[0];
  }
  for (std::size_t p = 0; p < B; ++p) {
    Lanes mantissa = lanes(out.mantissas + p * kLanes);
    UnsignedLanes& exponent = *reinterpret_cast<UnsignedLanes*>(out.exponents + p * kLanes);
    UnsignedLanes powers = exponent;
    for (std::size_t g = 0; g < kGroups; ++g)
      multiply(
          mantissa, powers,
          lanes(event + kBlock + g * kLanes) * c[g] * lanes(behind + p * kPair + g * kLanes) +
              lanes(event + g * kLanes) * a[g] * lanes(behind + p * kPair + kBlock + g * kLanes));
    lanes(out.mantissas + p * kLanes) = mantissa;
    exponent = powers;
    if (p + 1 == B) break;
    const double* cell = cells + others[p] * kPair;
    for (std::size_t g = 0; g < kGroups; ++g) {
      a[g] *= lanes(cell + g * kLanes);
      c[g] = c[g] * lanes(cell + kBlock + g * kLanes) + weights[p + 1] * a[g];
    }
  }
}

/// The likelihood of one order, in out[0].
TEMPO_FOR_EACH_CPU void evaluate_block(const double* cells, const double* weights,
                                       const std::size_t* order, std::size_t B,
                                       const Products& out) {
  Lanes P[kGroups], F[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) {
    P[g] = Lanes{} + 1.0;
    F[g] = Lanes{} + weights[0];
  }
  for (std::size_t p = 0; p < B; ++p) {
    const double* cell = cells + order[p] * kPair;
    for (std::size_t g = 0; g < kGroups; ++g) {
      P[g] *= lanes(cell + g * kLanes);
      F[g] = F[g] * lanes(cell + kBlock + g * kLanes) + weights[p + 1] * P[g];
    }
  }
  UnsignedLanes& exponent = *reinterpret_cast<UnsignedLanes*>(out.exponents);
  for (std::size_t g = 0; g < kGroups; ++g) multiply(lanes(out.mantissas), exponent, F[g]);
}

/// Replaces u by the first stage at which the distribution function of P(k | x) passes it.
TEMPO_FOR_EACH_CPU void stage_block(const double* cells, const double* weights,
                                    const std::size_t* order, std::size_t B, double* scratch,
                                    double* u) {
  for (std::size_t g = 0; g < kGroups; ++g) {
    Lanes product = Lanes{} + 1.0;
    for (std::size_t k = B + 1; k-- > 0;) {
      lanes(scratch + k * kBlock + g * kLanes) = product * weights[k];
      if (k > 0) product *= lanes(cells + order[k - 1] * kPair + kBlock + g * kLanes);
    }
    product = Lanes{} + 1.0;
    Lanes total{};
    for (std::size_t k = 0; k <= B; ++k) {
      Lanes& cell = lanes(scratch + k * kBlock + g * kLanes);
      total += cell * product;
      cell = total;
      if (k < B) product *= lanes(cells + order[k] * kPair + g * kLanes);
    }
    Lanes& out = lanes(u + g * kLanes);
    const Lanes target = total * out;
    Lanes stage{};
    for (std::size_t k = 0; k < B; ++k)
      stage += lanes(scratch + k * kBlock + g * kLanes) <= target ? Lanes{} + 1.0 : Lanes{};
    out = stage;
  }
}

/// y and n of log ratios.
TEMPO_FOR_EACH_CPU void fill_cell(const double* log_ratios, double* cell) {
  for (std::size_t g = 0; g < kGroups; ++g) {
    const Lanes r = lanes(log_ratios + g * kLanes);
    const Lanes one = Lanes{} + 1.0, falling = r < Lanes{} ? r : -r;
    Lanes least;
    exp_lanes(falling, least);
    lanes(cell + g * kLanes) = r < Lanes{} ? least : one;
    lanes(cell + kBlock + g * kLanes) = r < Lanes{} ? one : least;
  }
}

}  // namespace

void bound_evidence(std::span<double> log_ratios) {
  std::vector<double> sizes;
  for (double& ratio : log_ratios) {
    if (std::isnan(ratio)) ratio = 0.0;
    sizes.push_back(std::abs(ratio));
  }
  std::sort(sizes.begin(), sizes.end());
  // The largest c with sum min(size, c) <= limit: each cell in turn, smallest first, takes its size
  // or an equal part of what is left.
  double left = kMostEvidence;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double part = left / static_cast<double>(sizes.size() - i);
    if (sizes[i] <= part) {
      left -= sizes[i];
      continue;
    }
    for (double& ratio : log_ratios) ratio = std::clamp(ratio, -part, part);
    return;
  }
}

OrderSampler::OrderSampler(std::size_t participants, std::size_t biomarkers)
    : J_(participants),
      B_(biomarkers),
      blocks_((participants + kBlock - 1) / kBlock),
      cells_(blocks_ * B_ * kPair, 1.0),
      weights_(B_ + 1, 1.0),
      offsets_(B_),
      places_(B_),
      mantissas_(B_ * kLanes),
      exponents_(B_ * kLanes),
      behind_(B_ * kPair) {
  for (std::size_t b = 0; b < B_; ++b) order_.push_back(b);
  set_stage_weights(std::vector<double>(B_ + 1, 0.0));
}

void OrderSampler::set_evidence(const Matrix& log_ratios) {
  ParticipantColumns columns(B_, J_);
  for (std::size_t b = 0; b < B_; ++b)
    for (std::size_t j = 0; j < J_; ++j)
      columns[b][j] = std::isnan(log_ratios(j, b)) ? 0.0 : log_ratios(j, b);
  set_evidence(columns);
  refresh();
}

void OrderSampler::set_evidence(const ParticipantColumns& log_ratios) {
  std::vector<double> evidence(log_ratios.padded()), row(B_);
  for (std::size_t b = 0; b < B_; ++b) {
    const auto column = log_ratios[b];
    for (std::size_t j = 0; j < evidence.size(); ++j) evidence[j] += std::abs(column[j]);
    set_evidence(b, column);
  }
  for (std::size_t j = 0; j < J_; ++j) {
    if (evidence[j] <= kMostEvidence) continue;
    for (std::size_t b = 0; b < B_; ++b) row[b] = log_ratios[b][j];
    bound_evidence(row);
    for (std::size_t b = 0; b < B_; ++b) {
      offsets_[b] += std::max(row[b], 0.0) - std::max(log_ratios[b][j], 0.0);
      double* cell = cells_.data() + (j / kBlock * B_ + b) * kPair + j % kBlock;
      cell[0] = portable_exp(std::min(row[b], 0.0));
      cell[kBlock] = portable_exp(std::min(-row[b], 0.0));
    }
  }
}

void OrderSampler::set_evidence(std::size_t b, std::span<const double> log_ratios) {
  offsets_[b] = 0.0;
  for (const double ratio : log_ratios) offsets_[b] += ratio > 0.0 ? ratio : 0.0;
  for (std::size_t block = 0; block < blocks_; ++block)
    fill_cell(log_ratios.data() + block * kBlock, cells_.data() + (block * B_ + b) * kPair);
}

void OrderSampler::set_stage_weights(std::span<const double> log_weights) {
  log_largest_ = *std::max_element(log_weights.begin(), log_weights.end());
  for (std::size_t k = 0; k <= B_; ++k)
    weights_[k] = std::isinf(log_weights[k]) ? 0.0 : portable_exp(log_weights[k] - log_largest_);
  double sum = 0.0;
  for (const double weight : weights_) sum += weight;
  log_sum_ = portable_log(sum);
}

void OrderSampler::set_order(std::span<const std::size_t> order) {
  order_.assign(order.begin(), order.end());
  refresh();
}

void OrderSampler::refresh() { value_ = evaluate(order_); }

double OrderSampler::evaluate(const std::vector<std::size_t>& order) {
  std::fill_n(mantissas_.begin(), kLanes, 1.0);
  std::fill_n(exponents_.begin(), kLanes, 0);
  for (std::size_t block = 0; block < blocks_; ++block)
    evaluate_block(cells_.data() + block * B_ * kPair, weights_.data(), order.data(), B_,
                   {mantissas_.data(), exponents_.data()});
  return constant() + log_product(mantissas_.data(), exponents_.data(), blocks_ * kGroups);
}

double OrderSampler::constant() const {
  double offset = 0.0;
  for (const double of_event : offsets_) offset += of_event;
  return offset + static_cast<double>(J_) * log_largest_ -
         static_cast<double>(blocks_ * kBlock - J_) * log_sum_;
}

void OrderSampler::draw_stages(RandomStream& stream, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.5);
  for (std::size_t j = 0; j < J_; ++j) out[j] = stream.uniform();
  std::vector<double> scratch((B_ + 1) * kBlock);
  for (std::size_t block = 0; block < blocks_; ++block)
    stage_block(cells_.data() + block * B_ * kPair, weights_.data(), order_.data(), B_,
                scratch.data(), out.data() + block * kBlock);
}

std::span<const double> OrderSampler::places(std::size_t b) {
  others_.clear();
  for (const std::size_t event : order_)
    if (event != b) others_.push_back(event);
  std::fill(mantissas_.begin(), mantissas_.end(), 1.0);
  std::fill(exponents_.begin(), exponents_.end(), 0);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const double* cells = cells_.data() + block * B_ * kPair;
    place_block(cells, cells + b * kPair, weights_.data(), others_.data(), B_, behind_.data(),
                {mantissas_.data(), exponents_.data()});
  }
  for (std::size_t p = 0; p < B_; ++p)
    places_[p] = constant() + log_product(mantissas_.data() + p * kLanes,
                                          exponents_.data() + p * kLanes, blocks_ * kGroups);
  return places_;
}

bool OrderSampler::place(std::size_t b, RandomStream& stream, double temperature) {
  places(b);
  const double top = *std::max_element(places_.begin(), places_.end());
  double total = 0.0;
  for (const double value : places_) total += portable_exp((value - top) / temperature);
  double left = stream.uniform() * total;
  std::size_t to = 0;
  while (to + 1 < B_ && (left -= portable_exp((places_[to] - top) / temperature)) >= 0.0) ++to;
  value_ = places_[to];
  others_.insert(others_.begin() + static_cast<std::ptrdiff_t>(to), b);
  const bool changed = others_ != order_;
  std::swap(order_, others_);
  ++steps_;
  changes_ += changed;
  return changed;
}

bool OrderSampler::move_segment(RandomStream& stream, double temperature) {
  if (B_ < 3) return false;
  // Of every length as likely as its reverse move, short ones more often.
  const std::size_t length = 3 + stream.index(1 + stream.index(B_ - 2));
  const std::size_t from = stream.index(B_ - length + 1);
  proposed_ = order_;
  const auto begin = proposed_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = begin + static_cast<std::ptrdiff_t>(length);
  if (stream.index(2) == 0)
    std::reverse(begin, end);
  else
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(1 + stream.index(length - 1)), end);
  const double value = evaluate(proposed_);
  ++steps_;
  if (!(portable_exp((value - value_) / temperature) > stream.uniform())) return false;
  ++changes_;
  std::swap(order_, proposed_);
  value_ = value;
  return true;
}

void OrderSampler::sweep(RandomStream& stream, double temperature) {
  for (const std::size_t b : stream.permutation(B_)) place(b, stream, temperature);
  for (std::size_t left = B_; left > 0; left /= 2) move_segment(stream, temperature);
}

double OrderSampler::acceptance() const {
  return steps_ == 0 ? 0.0 : static_cast<double>(changes_) / static_cast<double>(steps_);
}

}  // namespace tempo::toolkit
