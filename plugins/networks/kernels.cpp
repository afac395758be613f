#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

// Each entry point is compiled for processors with AVX2 and FMA and for all others, and the loader
// chooses; the templates below are inlined into both. (By its features: "arch=haswell" would mean
// Intel's processor of that name.) Under the thread sanitizer there is one version: what chooses
// runs before the sanitizer is ready.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define TEMPO_CLONES [[gnu::target_clones("arch=x86-64-v3", "default"), gnu::noinline]]
#else
#define TEMPO_CLONES [[gnu::noinline]]
#endif
#define TEMPO_INLINE [[gnu::always_inline]] inline

// Vectors are passed between inlined functions only: their calling convention is of no concern.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tempo::amortised {
namespace {

template <class Real>
struct Lanes;
template <>
struct Lanes<float> {
  using Vector [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;
  using Whole [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = std::int32_t;
  static constexpr std::size_t kCount = 8;
};
template <>
struct Lanes<double> {
  using Vector [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
  using Whole [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = std::int64_t;
  static constexpr std::size_t kCount = 4;
};
template <class Real>
using Vector = typename Lanes<Real>::Vector;
template <class Real>
constexpr std::size_t kLanes = Lanes<Real>::kCount;

/// Where the last whole block ends.
TEMPO_INLINE std::size_t padded(std::size_t length) {
  return (length + kBlock - 1) / kBlock * kBlock;
}

template <class Real>
TEMPO_INLINE Vector<Real>& at(Real* place) {
  return *reinterpret_cast<Vector<Real>*>(place);
}
template <class Real>
TEMPO_INLINE const Vector<Real>& at(const Real* place) {
  return *reinterpret_cast<const Vector<Real>*>(place);
}

template <class Real>
TEMPO_INLINE Real sum_of(const Vector<Real>& v) {
  Real total = 0;
  for (std::size_t i = 0; i < kLanes<Real>; ++i) total += v[i];
  return total;
}

/// Of two vectors a and b: a0 + a2, b0 + b2, a1 + a3, b1 + b3, and so on of the other half.
TEMPO_INLINE Vector<float> sums_of_pairs(const Vector<float>& a, const Vector<float>& b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13) +
         __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}

/// The sums of four vectors, to be written side by side.
TEMPO_INLINE void sums_of_four(const Vector<float>* v, float* to, bool adds) {
  const Vector<float> first = sums_of_pairs(v[0], v[1]), second = sums_of_pairs(v[2], v[3]);
  const Vector<float> halves = __builtin_shufflevector(first, second, 0, 1, 8, 9, 4, 5, 12, 13) +
                               __builtin_shufflevector(first, second, 2, 3, 10, 11, 6, 7, 14, 15);
  for (std::size_t i = 0; i < 4; ++i) to[i] = (adds ? to[i] : 0.0F) + (halves[i] + halves[i + 4]);
}

TEMPO_INLINE void sums_of_four(const Vector<double>* v, double* to, bool adds) {
  for (std::size_t i = 0; i < 4; ++i) to[i] = (adds ? to[i] : 0.0) + sum_of<double>(v[i]);
}

/// e^x for x <= 0, within 2e-7 of it: 2^n e^r with |r| <= log(2)/2 and Taylor's polynomial of e^r.
TEMPO_INLINE Vector<float> exponential(Vector<float> x) {
  using Whole = Lanes<float>::Whole;
  const Vector<float> least = Vector<float>{} - 87.0F;
  x = x < least ? least : x;
  // Adding 1.5 * 2^23 rounds to whole numbers.
  const Vector<float> scaled = x * 1.44269504F + 12582912.0F;
  const Vector<float> n = scaled - 12582912.0F;
  const Vector<float> r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  Vector<float> y = r * (1.0F / 5040.0F) + 1.0F / 720.0F;
  y = y * r + 1.0F / 120.0F;
  y = y * r + 1.0F / 24.0F;
  y = y * r + 1.0F / 6.0F;
  y = y * r + 0.5F;
  y = y * r + 1.0F;
  y = y * r + 1.0F;
  const Whole power = (__builtin_convertvector(n, Whole) + 127) << 23;
  return y * reinterpret_cast<const Vector<float>&>(power);
}

TEMPO_INLINE Vector<double> exponential(Vector<double> x) {
  for (std::size_t i = 0; i < kLanes<double>; ++i) x[i] = std::exp(x[i]);
  return x;
}

/// M results of kBlock columns each.
template <class Real, std::size_t M>
TEMPO_INLINE void product_block(View<Real> to, Coefficients<Real> w, View<Real> x, std::size_t N,
                                std::size_t column, bool adds) {
  constexpr std::size_t kVectors = kBlock / kLanes<Real>;
  Vector<Real> sum[M][kVectors];
  for (std::size_t m = 0; m < M; ++m)
    for (std::size_t v = 0; v < kVectors; ++v)
      sum[m][v] = adds ? at(to.row(m) + column + v * kLanes<Real>) : Vector<Real>{};
  const Real* here = x.data + column;
  const Real* coefficient = w.data;
  for (std::size_t n = 0; n < N; ++n, here += x.stride, coefficient += w.of_feature) {
    Vector<Real> value[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) value[v] = at(here + v * kLanes<Real>);
    for (std::size_t m = 0; m < M; ++m) {
      const Real by = coefficient[m * w.of_result];
      for (std::size_t v = 0; v < kVectors; ++v) sum[m][v] += by * value[v];
    }
  }
  for (std::size_t m = 0; m < M; ++m)
    for (std::size_t v = 0; v < kVectors; ++v)
      at(to.row(m) + column + v * kLanes<Real>) = sum[m][v];
}

template <class Real>
TEMPO_INLINE void product_of(View<Real> to, std::size_t M, Coefficients<Real> w, View<Real> x,
                             std::size_t N, std::size_t length, bool adds) {
  // Six results times two vectors are the twelve sums that fit sixteen registers; shared out
  // evenly.
  const std::size_t groups = (M + 5) / 6;
  for (std::size_t column = 0; column < length; column += kBlock)
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t m = group * M / groups, count = (group + 1) * M / groups - m;
      const View<Real> rows{to.row(m), to.stride};
      const Coefficients<Real> part{w.data + m * w.of_result, w.of_result, w.of_feature};
      switch (count) {
        case 6:
          product_block<Real, 6>(rows, part, x, N, column, adds);
          break;
        case 5:
          product_block<Real, 5>(rows, part, x, N, column, adds);
          break;
        case 4:
          product_block<Real, 4>(rows, part, x, N, column, adds);
          break;
        case 3:
          product_block<Real, 3>(rows, part, x, N, column, adds);
          break;
        case 2:
          product_block<Real, 2>(rows, part, x, N, column, adds);
          break;
        default:
          product_block<Real, 1>(rows, part, x, N, column, adds);
          break;
      }
    }
}

template <class Real, std::size_t M, std::size_t N>
TEMPO_INLINE void inner_block(Real* to, std::size_t to_stride, View<Real> x, View<Real> y,
                              std::size_t length, bool adds) {
  Vector<Real> sum[M][N] = {};
  for (std::size_t r = 0; r < length; r += kLanes<Real>) {
    Vector<Real> right[N];
    for (std::size_t n = 0; n < N; ++n) right[n] = at(y.row(n) + r);
    for (std::size_t m = 0; m < M; ++m) {
      const Vector<Real> left = at(x.row(m) + r);
      for (std::size_t n = 0; n < N; ++n) sum[m][n] += left * right[n];
    }
  }
  for (std::size_t m = 0; m < M; ++m)
    if constexpr (N == 4) {
      sums_of_four(sum[m], to + m * to_stride, adds);
    } else {
      for (std::size_t n = 0; n < N; ++n) {
        Real& place = to[m * to_stride + n];
        place = (adds ? place : Real{0}) + sum_of<Real>(sum[m][n]);
      }
    }
}

template <class Real, std::size_t M>
TEMPO_INLINE void inner_rows(Real* to, std::size_t to_stride, View<Real> x, View<Real> y,
                             std::size_t N, std::size_t length, bool adds) {
  std::size_t n = 0;
  for (; n + 4 <= N; n += 4)
    inner_block<Real, M, 4>(to + n, to_stride, x, {y.row(n), y.stride}, length, adds);
  for (; n < N; ++n)
    inner_block<Real, M, 1>(to + n, to_stride, x, {y.row(n), y.stride}, length, adds);
}

template <class Real>
TEMPO_INLINE void inner_products_of(Real* to, std::size_t to_stride, View<Real> x, std::size_t M,
                                    View<Real> y, std::size_t N, std::size_t length, bool adds) {
  length = padded(length);
  std::size_t m = 0;
  for (; m + 3 <= M; m += 3)
    inner_rows<Real, 3>(to + m * to_stride, to_stride, {x.row(m), x.stride}, y, N, length, adds);
  for (; m < M; ++m)
    inner_rows<Real, 1>(to + m * to_stride, to_stride, {x.row(m), x.stride}, y, N, length, adds);
}

template <class Real>
TEMPO_INLINE void softmax_of(View<Real> x, std::size_t K, std::size_t length, Real* log_total) {
  length = padded(length);
  for (std::size_t r = 0; r < length; r += kLanes<Real>) {
    Vector<Real> most = at(x.data + r);
    for (std::size_t k = 1; k < K; ++k) {
      const Vector<Real> here = at(x.row(k) + r);
      most = here > most ? here : most;
    }
    Vector<Real> total{};
    for (std::size_t k = 0; k < K; ++k) {
      const Vector<Real> here = exponential(at(x.row(k) + r) - most);
      at(x.row(k) + r) = here;
      total += here;
    }
    const Vector<Real> scale = Real{1} / total;
    for (std::size_t k = 0; k < K; ++k) at(x.row(k) + r) *= scale;
    if (log_total)
      for (std::size_t i = 0; i < kLanes<Real>; ++i)
        log_total[r + i] = most[i] + std::log(total[i]);
  }
}

template <class Real>
TEMPO_INLINE void softmax_backward_of(View<Real> d, View<Real> p, std::size_t K,
                                      std::size_t length) {
  length = padded(length);
  for (std::size_t r = 0; r < length; r += kLanes<Real>) {
    Vector<Real> mean{};
    for (std::size_t k = 0; k < K; ++k) mean += at(p.row(k) + r) * at(d.row(k) + r);
    for (std::size_t k = 0; k < K; ++k)
      at(d.row(k) + r) = at(p.row(k) + r) * (at(d.row(k) + r) - mean);
  }
}

template <class Real>
TEMPO_INLINE void layer_norm_of(View<Real> x, std::size_t F, std::size_t length, const Real* weight,
                                const Real* bias, View<Real> normal, Real* inverse, View<Real> y) {
  length = padded(length);
  const Real share = Real{1} / static_cast<Real>(F);
  for (std::size_t r = 0; r < length; r += kLanes<Real>) {
    Vector<Real> mean{}, variance{};
    for (std::size_t f = 0; f < F; ++f) mean += at(x.row(f) + r);
    mean *= share;
    for (std::size_t f = 0; f < F; ++f) {
      const Vector<Real> off = at(x.row(f) + r) - mean;
      variance += off * off;
    }
    Vector<Real> scale = variance * share + static_cast<Real>(1e-5);
    for (std::size_t i = 0; i < kLanes<Real>; ++i) scale[i] = Real{1} / std::sqrt(scale[i]);
    at(inverse + r) = scale;
    for (std::size_t f = 0; f < F; ++f) {
      const Vector<Real> here = (at(x.row(f) + r) - mean) * scale;
      at(normal.row(f) + r) = here;
      at(y.row(f) + r) = here * weight[f] + bias[f];
    }
  }
}

template <class Real>
TEMPO_INLINE void layer_norm_backward_of(View<Real> dy, View<Real> normal, const Real* inverse,
                                         std::size_t F, std::size_t length, const Real* weight,
                                         View<Real> dx, Real* dweight, Real* dbias) {
  length = padded(length);
  const Real share = Real{1} / static_cast<Real>(F);
  for (std::size_t r = 0; r < length; r += kLanes<Real>) {
    Vector<Real> mean{}, along{};
    for (std::size_t f = 0; f < F; ++f) {
      const Vector<Real> here = at(dy.row(f) + r) * weight[f];
      mean += here;
      along += here * at(normal.row(f) + r);
    }
    mean *= share;
    along *= share;
    for (std::size_t f = 0; f < F; ++f)
      at(dx.row(f) + r) +=
          at(inverse + r) * (at(dy.row(f) + r) * weight[f] - mean - along * at(normal.row(f) + r));
  }
  for (std::size_t f = 0; f < F; ++f) {
    Vector<Real> of_weight{}, of_bias{};
    for (std::size_t r = 0; r < length; r += kLanes<Real>) {
      of_bias += at(dy.row(f) + r);
      of_weight += at(dy.row(f) + r) * at(normal.row(f) + r);
    }
    dweight[f] += sum_of<Real>(of_weight);
    dbias[f] += sum_of<Real>(of_bias);
  }
}

constexpr std::size_t kTogether = 4;

/// Of L samples side by side, from the s-th on.
template <class Real, std::size_t L>
TEMPO_INLINE void attention_lanes(View<Real> query, View<Real> key, View<Real> value, std::size_t E,
                                  std::size_t T, std::size_t S, std::size_t s, Real* weights,
                                  View<Real> out) {
  const Real scale = Real{1} / std::sqrt(static_cast<Real>(E));
  for (std::size_t t = 0; t < T; ++t) {
    Real* row = weights + t * T * S + s;
    Real most[L], total[L];
    for (std::size_t i = 0; i < L; ++i) most[i] = -std::numeric_limits<Real>::infinity();
    for (std::size_t u = 0; u < T; ++u) {
      Real sum[L] = {};
      for (std::size_t e = 0; e < E; ++e) {
        const Real* q = query.row(e) + t * S + s;
        const Real* k = key.row(e) + u * S + s;
        for (std::size_t i = 0; i < L; ++i) sum[i] += q[i] * k[i];
      }
      for (std::size_t i = 0; i < L; ++i) {
        row[u * S + i] = sum[i] * scale;
        most[i] = std::max(most[i], row[u * S + i]);
      }
    }
    for (std::size_t i = 0; i < L; ++i) total[i] = 0;
    for (std::size_t u = 0; u < T; ++u)
      if constexpr (L == kLanes<Real>) {
        at(row + u * S) = exponential(at(row + u * S) - at(most));
        for (std::size_t i = 0; i < L; ++i) total[i] += row[u * S + i];
      } else {
        for (std::size_t i = 0; i < L; ++i) {
          row[u * S + i] = std::exp(row[u * S + i] - most[i]);
          total[i] += row[u * S + i];
        }
      }
    for (std::size_t u = 0; u < T; ++u)
      for (std::size_t i = 0; i < L; ++i) row[u * S + i] /= total[i];
    for (std::size_t e = 0; e < E; e += kTogether) {
      Real sum[kTogether][L] = {};
      for (std::size_t u = 0; u < T; ++u)
        for (std::size_t f = 0; f < kTogether; ++f) {
          const Real* v = value.row(e + f) + u * S + s;
          for (std::size_t i = 0; i < L; ++i) sum[f][i] += row[u * S + i] * v[i];
        }
      for (std::size_t f = 0; f < kTogether; ++f)
        for (std::size_t i = 0; i < L; ++i) out.row(e + f)[t * S + s + i] = sum[f][i];
    }
  }
}

template <class Real, std::size_t L>
TEMPO_INLINE void attention_backward_lanes(View<Real> query, View<Real> key, View<Real> value,
                                           std::size_t E, std::size_t T, std::size_t S,
                                           std::size_t s, const Real* weights, View<Real> dout,
                                           Real* scratch, View<Real> dquery, View<Real> dkey,
                                           View<Real> dvalue) {
  const Real scale = Real{1} / std::sqrt(static_cast<Real>(E));
  for (std::size_t t = 0; t < T; ++t) {  // scratch: gradients of the scores, before the softmax
    const Real* row = weights + t * T * S + s;
    Real* d = scratch + t * T * S + s;
    Real mean[L] = {};
    for (std::size_t u = 0; u < T; ++u) {
      Real sum[L] = {};
      for (std::size_t e = 0; e < E; ++e) {
        const Real* v = value.row(e) + u * S + s;
        const Real* o = dout.row(e) + t * S + s;
        for (std::size_t i = 0; i < L; ++i) sum[i] += v[i] * o[i];
      }
      for (std::size_t i = 0; i < L; ++i) {
        d[u * S + i] = sum[i];
        mean[i] += sum[i] * row[u * S + i];
      }
    }
    for (std::size_t u = 0; u < T; ++u)
      for (std::size_t i = 0; i < L; ++i)
        d[u * S + i] = scale * row[u * S + i] * (d[u * S + i] - mean[i]);
  }
  // Four features at once: the weights and scores of many tokens are larger than the cache.
  for (std::size_t e = 0; e < E; e += kTogether)
    for (std::size_t t = 0; t < T; ++t) {
      Real of_query[kTogether][L] = {}, of_key[kTogether][L] = {}, of_value[kTogether][L] = {};
      for (std::size_t u = 0; u < T; ++u) {
        const Real* to = scratch + (t * T + u) * S + s;    // from query t to key u
        const Real* from = scratch + (u * T + t) * S + s;  // from query u to key t
        const Real* weight = weights + (u * T + t) * S + s;
        for (std::size_t f = 0; f < kTogether; ++f) {
          const Real* k = key.row(e + f) + u * S + s;
          const Real* q = query.row(e + f) + u * S + s;
          const Real* o = dout.row(e + f) + u * S + s;
          for (std::size_t i = 0; i < L; ++i) {
            of_query[f][i] += to[i] * k[i];
            of_key[f][i] += from[i] * q[i];
            of_value[f][i] += weight[i] * o[i];
          }
        }
      }
      for (std::size_t f = 0; f < kTogether; ++f)
        for (std::size_t i = 0; i < L; ++i) {
          dquery.row(e + f)[t * S + s + i] = of_query[f][i];
          dkey.row(e + f)[t * S + s + i] = of_key[f][i];
          dvalue.row(e + f)[t * S + s + i] = of_value[f][i];
        }
    }
}

template <class Real>
TEMPO_INLINE void attention_of(View<Real> query, View<Real> key, View<Real> value, std::size_t E,
                               std::size_t T, std::size_t S, Real* weights, View<Real> out) {
  std::size_t s = 0;
  for (; s + kLanes<Real> <= S; s += kLanes<Real>)
    attention_lanes<Real, kLanes<Real>>(query, key, value, E, T, S, s, weights, out);
  for (; s < S; ++s) attention_lanes<Real, 1>(query, key, value, E, T, S, s, weights, out);
}

template <class Real>
TEMPO_INLINE void attention_backward_of(View<Real> query, View<Real> key, View<Real> value,
                                        std::size_t E, std::size_t T, std::size_t S,
                                        const Real* weights, View<Real> dout, Real* scratch,
                                        View<Real> dquery, View<Real> dkey, View<Real> dvalue) {
  std::size_t s = 0;
  for (; s + kLanes<Real> <= S; s += kLanes<Real>)
    attention_backward_lanes<Real, kLanes<Real>>(query, key, value, E, T, S, s, weights, dout,
                                                 scratch, dquery, dkey, dvalue);
  for (; s < S; ++s)
    attention_backward_lanes<Real, 1>(query, key, value, E, T, S, s, weights, dout, scratch, dquery,
                                      dkey, dvalue);
}

template <class Real>
TEMPO_INLINE void add_to_rows_of(View<Real> to, const Real* by, std::size_t F, std::size_t length,
                                 bool rectified) {
  length = padded(length);
  for (std::size_t f = 0; f < F; ++f)
    for (std::size_t r = 0; r < length; r += kLanes<Real>) {
      Vector<Real> here = at(to.row(f) + r) + by[f];
      if (rectified) here = here > Vector<Real>{} ? here : Vector<Real>{};
      at(to.row(f) + r) = here;
    }
}

template <class Real>
TEMPO_INLINE void add_of(View<Real> to, View<Real> from, std::size_t F, std::size_t length) {
  length = padded(length);
  for (std::size_t f = 0; f < F; ++f)
    for (std::size_t r = 0; r < length; r += kLanes<Real>) at(to.row(f) + r) += at(from.row(f) + r);
}

template <class Real>
TEMPO_INLINE void add_sums_of(Real* to, View<Real> x, std::size_t F, std::size_t length) {
  length = padded(length);
  for (std::size_t f = 0; f < F; ++f) {
    Vector<Real> sum{};
    for (std::size_t r = 0; r < length; r += kLanes<Real>) sum += at(x.row(f) + r);
    to[f] += sum_of<Real>(sum);
  }
}

template <class Real>
TEMPO_INLINE void rectifier_backward_of(View<Real> d, View<Real> y, std::size_t F,
                                        std::size_t length) {
  length = padded(length);
  for (std::size_t f = 0; f < F; ++f)
    for (std::size_t r = 0; r < length; r += kLanes<Real>) {
      const Vector<Real> here = at(d.row(f) + r);
      at(d.row(f) + r) = at(y.row(f) + r) > Vector<Real>{} ? here : Vector<Real>{};
    }
}

}  // namespace

// clang-format off
#define TEMPO_DEFINE_KERNELS(Real)                                                                \
  TEMPO_CLONES void product(View<Real> to, std::size_t M, Coefficients<Real> w, View<Real> x,     \
                            std::size_t N, std::size_t length, bool adds) {                       \
    product_of<Real>(to, M, w, x, N, length, adds);                                               \
  }                                                                                               \
  TEMPO_CLONES void inner_products(Real* to, std::size_t to_stride, View<Real> x, std::size_t M,  \
                                   View<Real> y, std::size_t N, std::size_t length, bool adds) {  \
    inner_products_of<Real>(to, to_stride, x, M, y, N, length, adds);                             \
  }                                                                                               \
  TEMPO_CLONES void softmax_of_columns(View<Real> x, std::size_t K, std::size_t length,           \
                                       Real* log_total) {                                         \
    softmax_of<Real>(x, K, length, log_total);                                                    \
  }                                                                                               \
  TEMPO_CLONES void softmax_backward(View<Real> d, View<Real> p, std::size_t K,                   \
                                     std::size_t length) {                                        \
    softmax_backward_of<Real>(d, p, K, length);                                                   \
  }                                                                                               \
  TEMPO_CLONES void layer_norm_of_columns(View<Real> x, std::size_t F, std::size_t length,        \
                                          const Real* weight, const Real* bias,                   \
                                          View<Real> normal, Real* inverse, View<Real> y) {       \
    layer_norm_of<Real>(x, F, length, weight, bias, normal, inverse, y);                          \
  }                                                                                               \
  TEMPO_CLONES void layer_norm_backward(View<Real> dy, View<Real> normal, const Real* inverse,    \
                                        std::size_t F, std::size_t length, const Real* weight,    \
                                        View<Real> dx, Real* dweight, Real* dbias) {              \
    layer_norm_backward_of<Real>(dy, normal, inverse, F, length, weight, dx, dweight, dbias);     \
  }                                                                                               \
  TEMPO_CLONES void attention(View<Real> query, View<Real> key, View<Real> value, std::size_t E,  \
                              std::size_t T, std::size_t S, Real* weights, View<Real> out) {      \
    attention_of<Real>(query, key, value, E, T, S, weights, out);                                 \
  }                                                                                               \
  TEMPO_CLONES void attention_backward(View<Real> query, View<Real> key, View<Real> value,        \
                                       std::size_t E, std::size_t T, std::size_t S,               \
                                       const Real* weights, View<Real> dout, Real* scratch,       \
                                       View<Real> dquery, View<Real> dkey, View<Real> dvalue) {   \
    attention_backward_of<Real>(query, key, value, E, T, S, weights, dout, scratch, dquery, dkey, \
                                dvalue);                                                          \
  }                                                                                               \
  TEMPO_CLONES void add_to_rows(View<Real> to, const Real* by, std::size_t F, std::size_t length, \
                                bool rectified) {                                                 \
    add_to_rows_of<Real>(to, by, F, length, rectified);                                           \
  }                                                                                               \
  TEMPO_CLONES void add(View<Real> to, View<Real> from, std::size_t F, std::size_t length) {      \
    add_of<Real>(to, from, F, length);                                                            \
  }                                                                                               \
  TEMPO_CLONES void add_sums_of_rows(Real* to, View<Real> x, std::size_t F, std::size_t length) { \
    add_sums_of<Real>(to, x, F, length);                                                          \
  }                                                                                               \
  TEMPO_CLONES void rectifier_backward(View<Real> d, View<Real> y, std::size_t F,                 \
                                       std::size_t length) {                                      \
    rectifier_backward_of<Real>(d, y, F, length);                                                 \
  }

TEMPO_DEFINE_KERNELS(float)
TEMPO_DEFINE_KERNELS(double)
// clang-format on
#undef TEMPO_DEFINE_KERNELS
#undef TEMPO_INLINE
#undef TEMPO_CLONES

}  // namespace tempo::amortised
