#include "tempo/toolkit/order_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <utility>

namespace tempo::toolkit {
namespace {

// Participants side by side: a group of vectors keeps enough chains of products in flight to hide
// that each waits for its own last one. Where the CPU has narrower registers the compiler splits a
// vector.
using Vector [[gnu::vector_size(32)]] = double;
using Bits [[gnu::vector_size(32)]] = std::int64_t;
constexpr std::size_t kWidth = sizeof(Vector) / sizeof(double);
constexpr std::size_t kVectors = 4;
constexpr std::size_t kLanes = kWidth * kVectors;
constexpr std::size_t kPair = 2 * kLanes;  // two values per lane: a group of each

// A vector in an array of double, wherever it begins.
using InArray [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
inline const InArray& at(const double* array) { return *reinterpret_cast<const InArray*>(array); }
inline InArray& at(double* array) { return *reinterpret_cast<InArray*>(array); }

/// A product of many positive numbers as mantissas and exponents: one logarithm at the end.
struct LogOfProduct {
  Vector mantissa[kVectors];  // in [1, 2)
  Bits exponent[kVectors];

  LogOfProduct() {
    for (std::size_t v = 0; v < kVectors; ++v) {
      mantissa[v] = Vector{} + 1.0;
      exponent[v] = Bits{};
    }
  }

  double value() const {
    double mantissas = 1.0;  // below 2^16
    std::int64_t exponents = 0;
    for (std::size_t v = 0; v < kVectors; ++v)
      for (std::size_t l = 0; l < kWidth; ++l) {
        mantissas *= mantissa[v][l];
        exponents += exponent[v][l];
      }
    return std::log(mantissas) + static_cast<double>(exponents) * std::numbers::ln2;
  }
};

// Several versions of the same arithmetic, one chosen when the library is loaded. None has fused
// multiply-add (see CMakeLists.txt), so that all give the same bits.
// Under the thread sanitizer there is one: what chooses runs before the sanitizer is ready.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define TEMPO_WIDEST_VECTORS [[gnu::target_clones("avx2", "default")]]
#else
#define TEMPO_WIDEST_VECTORS
#endif

/// Product over participants of what the logarithm is taken of: from the sums before position
/// first, through the events at positions first..last of `order`, to the sums after.
TEMPO_WIDEST_VECTORS
LogOfProduct multiplied(const double* cells, const double* forward, const double* backward,
                        const std::size_t* order, std::size_t B, std::size_t blocks,
                        std::size_t first, std::size_t last, double floor) {
  constexpr std::int64_t kFraction = 0x000fffffffffffff, kOne = 0x3ff0000000000000;  // of a double
  const double share = 1.0 / static_cast<double>(B + 1);
  LogOfProduct product;
  for (std::size_t block = 0; block < blocks; ++block) {
    const double* before = forward + (block * (B + 1) + first) * kPair;
    Vector P[kVectors], F[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      P[v] = at(before + v * kWidth);
      F[v] = at(before + kLanes + v * kWidth);
    }
    for (std::size_t i = first; i <= last; ++i) {
      const double* cell = cells + (block * B + order[i]) * kPair;
      for (std::size_t v = 0; v < kVectors; ++v) {
        P[v] *= at(cell + v * kWidth);
        F[v] = F[v] * at(cell + kLanes + v * kWidth) + P[v];
      }
    }
    const double* after = backward + (block * (B + 1) + last + 1) * kPair;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Vector sum = F[v] * at(after + v * kWidth) + P[v] * at(after + kLanes + v * kWidth);
      const Vector next = product.mantissa[v] * (floor + sum * share);
      const Bits bits = (Bits)next;
      product.exponent[v] += (bits >> 52) - 1023;
      const Bits mantissa = (bits & kFraction) | kOne;
      product.mantissa[v] = (Vector)mantissa;
    }
  }
  return product;
}

/// The sums before positions from + 1..to, from that before position `from`.
TEMPO_WIDEST_VECTORS
void sum_forward(const double* cells, double* forward, const std::size_t* order, std::size_t B,
                 std::size_t blocks, std::size_t from, std::size_t to) {
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t v = 0; v < kVectors; ++v) {
      double* before = forward + block * (B + 1) * kPair + v * kWidth;
      Vector P = at(before + from * kPair), F = at(before + from * kPair + kLanes);
      for (std::size_t i = from; i < to; ++i) {
        const double* cell = cells + (block * B + order[i]) * kPair + v * kWidth;
        P *= at(cell);
        F = F * at(cell + kLanes) + P;
        at(before + (i + 1) * kPair) = P;
        at(before + (i + 1) * kPair + kLanes) = F;
      }
    }
}

/// The sums after positions from - 1..to, from that after position `from`.
TEMPO_WIDEST_VECTORS
void sum_backward(const double* cells, double* backward, const std::size_t* order, std::size_t B,
                  std::size_t blocks, std::size_t from, std::size_t to) {
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t v = 0; v < kVectors; ++v) {
      double* after = backward + block * (B + 1) * kPair + v * kWidth;
      Vector Q = at(after + from * kPair), H = at(after + from * kPair + kLanes);
      for (std::size_t i = from; i-- > to;) {
        const double* cell = cells + (block * B + order[i]) * kPair + v * kWidth;
        H = at(cell) * (H + Q);
        Q *= at(cell + kLanes);
        at(after + i * kPair) = Q;
        at(after + i * kPair + kLanes) = H;
      }
    }
}

#undef TEMPO_WIDEST_VECTORS

}  // namespace

OrderLikelihood::OrderLikelihood(const Matrix& y, const Matrix& n, double floor)
    : B_(y.cols()),
      blocks_((y.rows() + kLanes - 1) / kLanes),
      floor_(floor),
      unused_(static_cast<double>(blocks_ * kLanes - y.rows()) * std::log(floor + 1.0)),
      cells_(blocks_ * B_ * kPair, 1.0),
      forward_(blocks_ * (B_ + 1) * kPair, 1.0),
      backward_(forward_.size(), 0.0) {
  for (std::size_t j = 0; j < y.rows(); ++j)
    for (std::size_t b = 0; b < B_; ++b) {
      double* lane = cells_.data() + (j / kLanes * B_ + b) * kPair + j % kLanes;
      lane[0] = y(j, b);
      lane[kLanes] = n(j, b);
    }
  for (std::size_t block = 0; block < blocks_; ++block)
    std::fill_n(backward_.data() + (block * (B_ + 1) + B_) * kPair, kLanes, 1.0);
}

void OrderLikelihood::set_order(std::span<const std::size_t> order) {
  order_.assign(order.begin(), order.end());
  proposed_ = order_;
  forward_to_ = 0;
  backward_to_ = B_;
  first_ = last_ = 0;
  value_ = propose_exchange(0, 0);
}

double OrderLikelihood::propose_exchange(std::size_t a, std::size_t b) {
  withdraw_proposal();
  std::tie(first_, last_) = std::minmax(a, b);
  std::swap(proposed_[first_], proposed_[last_]);
  return evaluate_proposal();
}

void OrderLikelihood::accept() {
  if (first_ == last_) return;  // nothing was exchanged
  std::copy_n(proposed_.begin() + static_cast<std::ptrdiff_t>(first_), last_ - first_ + 1,
              order_.begin() + static_cast<std::ptrdiff_t>(first_));
  forward_to_ = std::min(forward_to_, first_);
  backward_to_ = std::max(backward_to_, last_ + 1);
  value_ = proposed_value_;
}

void OrderLikelihood::withdraw_proposal() {
  std::copy_n(order_.begin() + static_cast<std::ptrdiff_t>(first_), last_ - first_ + 1,
              proposed_.begin() + static_cast<std::ptrdiff_t>(first_));
}

double OrderLikelihood::evaluate_proposal() {
  if (forward_to_ < first_) {
    sum_forward(cells_.data(), forward_.data(), order_.data(), B_, blocks_, forward_to_, first_);
    forward_to_ = first_;
  }
  if (backward_to_ > last_ + 1) {
    sum_backward(cells_.data(), backward_.data(), order_.data(), B_, blocks_, backward_to_,
                 last_ + 1);
    backward_to_ = last_ + 1;
  }
  return proposed_value_ = multiplied(cells_.data(), forward_.data(), backward_.data(),
                                      proposed_.data(), B_, blocks_, first_, last_, floor_)
                               .value() -
                           unused_;
}

}  // namespace tempo::toolkit
