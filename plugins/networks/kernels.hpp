#pragma once

// Dense arithmetic of the hand-written network, in the widest vectors that the processor has.
//
// Matrices are stored by feature: [F, R] has a row of R numbers for each feature, and rows begin
// `stride` numbers apart. A row is padded to whole blocks of kBlock: what stands in the padding is
// computed along, and should be 0 in inputs. A result never overlaps what it is computed from. Each
// function exists in single precision, for use, and in double, for tests.

#include <cstddef>

namespace tempo::amortised {

inline constexpr std::size_t kBlock = 16;

/// The least stride for rows of this length. An odd number of cache lines (of floats): rows a power
/// of two apart would share few places in the cache.
constexpr std::size_t stride_for(std::size_t length) {
  const std::size_t blocks = (length + kBlock - 1) / kBlock;
  return (blocks | 1) * kBlock;
}

/// Rows of a matrix in memory.
template <class Real>
struct View {
  Real* data = nullptr;
  std::size_t stride = 0;
  Real* row(std::size_t f) const { return data + f * stride; }
};

/// How the coefficient of feature n in result m is found: data[m * of_result + n * of_feature].
template <class Real>
struct Coefficients {
  const Real* data;
  std::size_t of_result, of_feature;
};

// clang-format off
#define TEMPO_DECLARE_KERNELS(Real)                                                               \
  /** to[m, r] = (adds ? to[m, r] : 0) + sum over n < N of w(m, n) x[n, r]; m < M, r < length. */ \
  void product(View<Real> to, std::size_t M, Coefficients<Real> w, View<Real> x, std::size_t N,   \
               std::size_t length, bool adds);                                                    \
  /** to[m * to_stride + n] = (adds ? ... : 0) + sum over r < length of x[m, r] y[n, r]. */       \
  void inner_products(Real* to, std::size_t to_stride, View<Real> x, std::size_t M, View<Real> y, \
                      std::size_t N, std::size_t length, bool adds);                              \
  /** Each column of x [K, length] becomes its softmax; `log_total` [length] its log of sums. */  \
  void softmax_of_columns(View<Real> x, std::size_t K, std::size_t length, Real* log_total);      \
  /** d[k, r] = p[k, r] (d[k, r] - sum over k of p[k, r] d[k, r]). */                             \
  void softmax_backward(View<Real> d, View<Real> p, std::size_t K, std::size_t length);           \
  /** `normal` becomes x less its column's mean, divided by the column's root mean square, which  \
      goes inverted into `inverse` [length]; y = normal weight + bias. */                         \
  void layer_norm_of_columns(View<Real> x, std::size_t F, std::size_t length, const Real* weight, \
                             const Real* bias, View<Real> normal, Real* inverse, View<Real> y);   \
  /** Adds to dx, dweight [F] and dbias [F]. */                                                   \
  void layer_norm_backward(View<Real> dy, View<Real> normal, const Real* inverse, std::size_t F,  \
                           std::size_t length, const Real* weight, View<Real> dx, Real* dweight,  \
                           Real* dbias);                                                          \
  /** Self-attention of one head between the T tokens of each of S samples. Column t S + s is     \
      token t of sample s. weights [T, T, S]; query, key, value, out are [E, T S]; \
      E is a multiple of four. */ \
  void attention(View<Real> query, View<Real> key, View<Real> value, std::size_t E, std::size_t T, \
                 std::size_t S, Real* weights, View<Real> out);                                   \
  /** `scratch` is as long as `weights`. The gradients dquery, dkey, dvalue are written. */       \
  void attention_backward(View<Real> query, View<Real> key, View<Real> value, std::size_t E,      \
                          std::size_t T, std::size_t S, const Real* weights, View<Real> dout,     \
                          Real* scratch, View<Real> dquery, View<Real> dkey, View<Real> dvalue);  \
  /** to[f, r] += by[f]; negative numbers become 0 if `rectified`. */                             \
  void add_to_rows(View<Real> to, const Real* by, std::size_t F, std::size_t length, bool rectified); \
  /** to[f, r] += from[f, r]. */                                                                  \
  void add(View<Real> to, View<Real> from, std::size_t F, std::size_t length);                    \
  /** to[f] += sum over r of x[f, r]. */                                                          \
  void add_sums_of_rows(Real* to, View<Real> x, std::size_t F, std::size_t length);               \
  /** Where y [F, length] is 0, d becomes 0. */                                                   \
  void rectifier_backward(View<Real> d, View<Real> y, std::size_t F, std::size_t length);

TEMPO_DECLARE_KERNELS(float)
TEMPO_DECLARE_KERNELS(double)
// clang-format on
#undef TEMPO_DECLARE_KERNELS

}  // namespace tempo::amortised
