#include "box_minimiser.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace tempo::toolkit {
namespace {

using Vector = std::vector<double>;

constexpr double kMachineEpsilon = 2.22e-16;     // algorithm 733's, not exactly 2^-52
constexpr double kStep = 1.4901161193847656e-8;  // 2^-26
constexpr double kSmallestShrink = 0.1;
constexpr int kMaxTrials = 11;
constexpr int kMaxStarts = 5;  // of the Hessian approximation

/// A dense matrix, column-major: the algorithms walk along columns.
class Columns {
 public:
  Columns(std::size_t rows, std::size_t cols) : values_(rows * cols), rows_(rows) {}
  double& operator()(std::size_t i, std::size_t j) { return values_[i + j * rows_]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i + j * rows_]; }
  double* column(std::size_t j) { return values_.data() + j * rows_; }
  std::size_t rows() const { return rows_; }

 private:
  Vector values_;
  std::size_t rows_;
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

// ------------------------------------------------------------------- Lawson and Hanson's tools

/// A Householder reflection that zeroes u[pivot + 1 ..]; u[pivot] becomes the new pivot element.
struct Reflection {
  double up = 0.0;
  bool usable = false;

  Reflection(double* u, std::size_t pivot, std::size_t size) {
    if (pivot + 1 >= size) return;  // nothing below the pivot
    double largest = std::abs(u[pivot]);
    for (std::size_t i = pivot + 1; i < size; ++i) largest = std::max(std::abs(u[i]), largest);
    if (!(largest > 0.0)) return;
    const double scale = 1.0 / largest;
    double sum = (u[pivot] * scale) * (u[pivot] * scale);
    for (std::size_t i = pivot + 1; i < size; ++i) sum += (u[i] * scale) * (u[i] * scale);
    double length = largest * std::sqrt(sum);
    if (u[pivot] > 0.0) length = -length;
    up = u[pivot] - length;
    u[pivot] = length;
    usable = true;
  }

  void apply(const double* u, std::size_t pivot, std::size_t size, double* c) const {
    if (!usable) return;
    double b = up * u[pivot];
    if (b >= 0.0) return;
    b = 1.0 / b;
    double sum = c[pivot] * up;
    for (std::size_t i = pivot + 1; i < size; ++i) sum += c[i] * u[i];
    if (sum == 0.0) return;
    sum *= b;
    c[pivot] += sum * up;
    for (std::size_t i = pivot + 1; i < size; ++i) c[i] += sum * u[i];
  }
};

/// A Givens rotation that zeroes b; a becomes the length of (a, b).
struct Rotation {
  double c = 1.0;
  double s = 0.0;

  Rotation(double& a, double& b) {
    const double major = std::abs(a) > std::abs(b) ? a : b;
    const double scale = std::abs(a) + std::abs(b);
    if (scale == 0.0) return;
    double r = scale * std::sqrt((a / scale) * (a / scale) + (b / scale) * (b / scale));
    r = std::copysign(1.0, major) * r;
    c = a / r;
    s = b / r;
    a = r;
  }

  void apply(double& a, double& b) const {
    const double rotated = c * a + s * b;
    b = c * b - s * a;
    a = rotated;
  }
};

/// Nonnegative least squares: min ||A x - b||, x >= 0 (Lawson and Hanson 1974, 23.3). Destroys A
/// and b. The residual's norm goes to `residual`.
/// @return x, or nothing if it does not end within 3 n passes.
std::optional<Vector> nonnegative_least_squares(Columns& A, Vector& b, std::size_t n,
                                                double& residual) {
  const std::size_t m = A.rows();
  Vector x(n, 0.0), dual(n, 0.0), z(m, 0.0);
  std::vector<std::size_t> index(n);  // the first `solved` are in the set of positive variables
  std::iota(index.begin(), index.end(), std::size_t{0});
  std::size_t solved = 0;
  std::size_t passes = 0;

  while (solved < n && solved < m) {
    for (std::size_t i = solved; i < n; ++i) {
      const double* column = A.column(index[i]);
      dual[index[i]] = dot({column + solved, m - solved}, {b.data() + solved, m - solved});
    }
    // Take in the variable with the largest dual value whose column is independent of the others.
    bool found = false;
    std::size_t entering = 0;
    while (!found) {
      double largest = 0.0;
      std::size_t at = n;
      for (std::size_t i = solved; i < n; ++i) {
        if (dual[index[i]] <= largest) continue;
        largest = dual[index[i]];
        at = i;
      }
      if (!(largest > 0.0) || at == n) break;
      entering = index[at];
      double* column = A.column(entering);
      const double before = column[solved];
      const Reflection reflection(column, solved, m);
      const double length = norm({column, solved});
      if ((length + 0.01 * std::abs(column[solved])) - length > 0.0) {
        z = b;
        reflection.apply(column, solved, m, z.data());
        if (z[solved] / column[solved] > 0.0) {
          b = z;
          std::swap(index[at], index[solved]);
          for (std::size_t i = solved + 1; i < n; ++i)
            reflection.apply(column, solved, m, A.column(index[i]));
          ++solved;
          dual[entering] = 0.0;
          std::fill(column + solved, column + m, 0.0);
          found = true;
          break;
        }
      }
      column[solved] = before;
      dual[entering] = 0.0;
    }
    if (!found) break;

    // Solve for the set; as long as a variable would turn negative, stop there and drop it.
    while (true) {
      for (std::size_t p = solved; p-- > 0;) {
        if (p + 1 < solved) {
          const double* column = A.column(index[p + 1]);
          for (std::size_t i = 0; i <= p; ++i) z[i] += -z[p + 1] * column[i];
        }
        z[p] /= A(p, index[p]);
      }
      if (++passes > 3 * n) return std::nullopt;

      double alpha = 1.0;
      std::size_t leaving = solved;
      for (std::size_t p = 0; p < solved; ++p) {
        if (z[p] > 0.0) continue;
        const double t = -x[index[p]] / (z[p] - x[index[p]]);
        if (alpha < t) continue;
        alpha = t;
        leaving = p;
      }
      for (std::size_t p = 0; p < solved; ++p)
        x[index[p]] = (1.0 - alpha) * x[index[p]] + alpha * z[p];
      if (leaving == solved) break;

      while (leaving < solved) {
        const std::size_t variable = index[leaving];
        x[variable] = 0.0;
        for (std::size_t p = leaving + 1; p < solved; ++p) {
          const std::size_t moved = index[p];
          index[p - 1] = moved;
          const Rotation rotation(A(p - 1, moved), A(p, moved));
          const double diagonal = A(p - 1, moved);
          for (std::size_t j = 0; j < n; ++j) rotation.apply(A(p - 1, j), A(p, j));
          A(p - 1, moved) = diagonal;
          A(p, moved) = 0.0;
          rotation.apply(b[p - 1], b[p]);
        }
        --solved;
        index[solved] = variable;
        if (solved == 0) return std::nullopt;
        leaving = 0;
        while (leaving < solved && x[index[leaving]] > 0.0) ++leaving;
      }
      z = b;
    }
  }
  residual = norm({b.data() + solved, m - solved});
  return x;
}

/// Least distance programming: the shortest z [n] with G z >= h (Lawson and Hanson 1974, 23.4).
/// @return nothing if there is none, as far as the precision tells.
std::optional<Vector> least_distance(const Columns& G, const Vector& h, std::size_t n) {
  const std::size_t m = h.size();
  if (m == 0) return Vector(n, 0.0);
  Columns A(n + 1, m);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < n; ++i) A(i, j) = G(j, i);
    A(n, j) = h[j];
  }
  Vector b(n + 1, 0.0);
  b[n] = 1.0;
  double residual = 0.0;
  const auto u = nonnegative_least_squares(A, b, m, residual);
  if (!u || residual <= 0.0) return std::nullopt;

  double factor = 1.0 - dot(h, *u);
  if (!((1.0 + factor) - 1.0 > 0.0)) return std::nullopt;
  factor = 1.0 / factor;
  Vector z(n);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < m; ++i) sum += G(i, j) * (*u)[i];
    z[j] = factor * sum;
  }
  return z;
}

// ------------------------------------------------------------------- the quadratic program

/// B = L D L': L unit lower triangular (its strict lower part is stored), D diagonal.
struct Factors {
  explicit Factors(std::size_t n) : L(n, n), D(n, 1.0) {}

  void reset() {
    for (std::size_t i = 0; i < D.size(); ++i)
      for (std::size_t j = 0; j < D.size(); ++j) L(i, j) = 0.0;
    std::fill(D.begin(), D.end(), 1.0);
  }

  /// B s, one factor after the other.
  Vector times(std::span<const double> s) const {
    const std::size_t n = D.size();
    Vector v(n);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t j = i + 1; j < n; ++j) sum += L(j, i) * s[j];
      v[i] = s[i] + sum;
    }
    for (std::size_t i = 0; i < n; ++i) v[i] = D[i] * v[i];
    for (std::size_t i = n; i-- > 0;) {
      double sum = 0.0;
      for (std::size_t j = 0; j < i; ++j) sum += L(i, j) * v[j];
      v[i] += sum;
    }
    return v;
  }

  /// Adds sigma z z' to B, keeping D positive (Fletcher and Powell 1974, Math. Comp. 28,
  /// 1067-1078).
  void update(Vector z, double sigma) {
    const std::size_t n = D.size();
    if (sigma == 0.0) return;
    double t = 1.0 / sigma;
    Vector w(n, 0.0);
    if (sigma < 0.0) {
      w = z;
      for (std::size_t i = 0; i < n; ++i) {
        t += w[i] * w[i] / D[i];
        for (std::size_t j = i + 1; j < n; ++j) w[j] -= w[i] * L(j, i);
      }
      if (t >= 0.0) t = kMachineEpsilon / sigma;
      for (std::size_t i = n; i-- > 0;) {
        const double u = w[i];
        w[i] = t;
        t -= u * u / D[i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double v = z[i];
      const double delta = v / D[i];
      const double next = sigma < 0.0 ? w[i] : t + delta * v;
      const double alpha = next / t;
      D[i] = alpha * D[i];
      if (i + 1 == n) break;
      const double beta = delta / next;
      if (alpha > 4.0) {
        const double gamma = t / next;
        for (std::size_t j = i + 1; j < n; ++j) {
          const double u = L(j, i);
          L(j, i) = gamma * u + beta * z[j];
          z[j] -= v * u;
        }
      } else {
        for (std::size_t j = i + 1; j < n; ++j) {
          z[j] -= v * L(j, i);
          L(j, i) += beta * z[j];
        }
      }
      t = next;
    }
  }

  Columns L;
  Vector D;
};

/// The s that minimises g's + s'Bs/2 over low <= s <= high: min ||E s - f|| with E = D^1/2 L' and
/// f = -D^-1/2 L^-1 g, turned into a least distance problem in E s - f (Lawson and Hanson
/// 1974, 23.5).
std::optional<Vector> quadratic_step(const Factors& B, std::span<const double> g,
                                     std::span<const double> low, std::span<const double> high) {
  const std::size_t n = g.size();
  Columns E(n, n);
  Vector f(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double root = std::sqrt(B.D[i]);
    E(i, i) = root;
    for (std::size_t j = i + 1; j < n; ++j) E(i, j) = B.L(j, i) * root;
    f[i] = (g[i] - dot({E.column(i), i}, {f.data(), i})) / root;
  }
  for (double& value : f) value = -value;

  // E is triangular already. The reflections of the general method only turn signs of rows, and
  // round; they stay because the rounding decides where a search in noisy differences ends.
  for (std::size_t i = 0; i < n; ++i) {
    const Reflection reflection(E.column(i), i, n);
    for (std::size_t j = i + 1; j < n; ++j) reflection.apply(E.column(i), i, n, E.column(j));
    reflection.apply(E.column(i), i, n, f.data());
    if (!(std::abs(E(i, i)) >= kMachineEpsilon)) return std::nullopt;
  }

  // Rows of G s >= h: s_i >= low_i, then -s_i >= -high_i; none for an infinite bound.
  std::vector<std::pair<std::size_t, double>> rows;
  Vector h;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(low[i])) continue;
    rows.emplace_back(i, 1.0);
    h.push_back(low[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(high[i])) continue;
    rows.emplace_back(i, -1.0);
    h.push_back(-high[i]);
  }
  Columns G(rows.size(), n);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    G(i, rows[i].first) = rows[i].second;
    double shift = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < j; ++k) sum += G(i, k) * E(k, j);
      G(i, j) = (G(i, j) - sum) / E(j, j);
      shift += G(i, j) * f[j];
    }
    h[i] -= shift;
  }

  auto s = least_distance(G, h, n);
  if (!s) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) (*s)[i] += f[i];
  for (std::size_t i = n; i-- > 0;) {
    double sum = 0.0;
    for (std::size_t k = i + 1; k < n; ++k) sum += E(i, k) * (*s)[k];
    (*s)[i] = ((*s)[i] - sum) / E(i, i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if ((*s)[i] < low[i]) {
      (*s)[i] = low[i];
    } else if ((*s)[i] > high[i]) {
      (*s)[i] = high[i];
    }
  }
  return s;
}

// ------------------------------------------------------------------- the search

class Search {
 public:
  Search(BoxObjective& objective, std::span<const double> start, std::span<const double> lower,
         std::span<const double> upper, const BoxMinimiserSettings& settings)
      : objective_(objective),
        lower_(lower),
        upper_(upper),
        settings_(settings),
        inside_(start.size()) {
    result_.x.assign(start.begin(), start.end());
    clip(result_.x);
    result_.x = inside_;
  }

  BoxMinimum run() {
    const std::size_t n = result_.x.size();
    Vector& x = result_.x;
    double& F = result_.value;
    F = value(x);
    Vector g(n), low(n), high(n);
    gradient(x, F, g);
    Factors B(n);
    int starts = 1;

    while (true) {
      if (++result_.iterations > settings_.max_iterations) {
        --result_.iterations;
        return stopped(BoxStop::iteration_limit);
      }
      for (std::size_t i = 0; i < n; ++i) {
        low[i] = lower_[i] - x[i];
        high[i] = upper_[i] - x[i];
      }
      auto step = quadratic_step(B, g, low, high);
      if (!step) return stopped(BoxStop::quadratic_failed);
      Vector& s = *step;
      double slope = dot(g, s);
      if (std::abs(slope) < settings_.tolerance) return stopped(BoxStop::converged);
      if (!(slope < 0.0)) {
        if (std::isnan(slope)) return stopped(BoxStop::quadratic_failed);
        // Uphill even with a fresh Hessian: the slope is rounding, and x as good as it gets.
        if (++starts > kMaxStarts) return stopped(BoxStop::converged);
        B.reset();
        continue;
      }

      const Vector x0 = x;
      const double F0 = F;
      double alpha = 1.0;
      for (int trial = 1;; ++trial) {
        slope = alpha * slope;
        for (std::size_t i = 0; i < n; ++i) {
          s[i] *= alpha;
          x[i] = x0[i] + s[i];
        }
        F = value(x);
        const double change = F - F0;
        if (change <= slope / 10.0 || trial >= kMaxTrials) break;
        alpha = std::max(kSmallestShrink, slope / (2.0 * (slope - change)));
      }
      if (std::isnan(F)) return stopped(BoxStop::quadratic_failed);
      if (std::abs(F - F0) < settings_.tolerance || norm(s) < settings_.tolerance)
        return stopped(BoxStop::converged);

      Vector change = g;
      gradient(x, F, g);
      for (std::size_t i = 0; i < n; ++i) change[i] = g[i] - change[i];
      Vector Bs = B.times(s);
      double curvature = dot(s, change);
      const double model = dot(s, Bs);
      const double least = 0.2 * model;
      if (curvature < least) {  // Powell's damping keeps B positive definite
        const double share = (model - least) / (model - curvature);
        curvature = least;
        for (std::size_t i = 0; i < n; ++i) {
          change[i] *= share;
          change[i] += (1.0 - share) * Bs[i];
        }
      }
      if (curvature == 0.0 || model == 0.0) {
        if (++starts > kMaxStarts) return stopped(BoxStop::no_curvature);
        B.reset();
        continue;
      }
      B.update(std::move(change), 1.0 / curvature);
      B.update(std::move(Bs), -1.0 / model);
    }
  }

 private:
  BoxMinimum stopped(BoxStop why) {
    result_.stop = why;
    return std::move(result_);
  }

  /// x moved into the bounds, in inside_: x0 + s can miss a bound by a rounding error.
  void clip(std::span<const double> x) {
    for (std::size_t i = 0; i < x.size(); ++i)
      inside_[i] = std::min(std::max(x[i], lower_[i]), upper_[i]);
  }

  double value(std::span<const double> x) {
    clip(x);
    ++result_.evaluations;
    return objective_.value(inside_);
  }

  void gradient(std::span<const double> x, double F, std::span<double> g) {
    clip(x);
    if (settings_.gradient == Gradient::analytic) {
      objective_.gradient(inside_, g);
      return;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double here = inside_[i];
      double h = kStep;
      if ((here + h) - here == 0.0)
        h = (here >= 0.0 ? kStep : -kStep) * std::max(1.0, std::abs(here));
      const double below = here - lower_[i];
      const double above = upper_[i] - here;
      if (!(std::abs(h) <= std::max(below, above))) {
        h = above >= below ? above : -below;
      } else if (here + h < lower_[i] || here + h > upper_[i]) {
        h = -h;
      }
      inside_[i] = here + h;
      ++result_.evaluations;
      g[i] = (objective_.value_moved(inside_, i) - F) / (inside_[i] - here);
      inside_[i] = here;
    }
  }

  BoxObjective& objective_;
  std::span<const double> lower_;
  std::span<const double> upper_;
  const BoxMinimiserSettings& settings_;
  Vector inside_;
  BoxMinimum result_;
};

}  // namespace

void BoxObjective::gradient(std::span<const double>, std::span<double>) {
  assert(false && "an analytic gradient was asked for, and the objective has none");
}

BoxMinimum minimise_in_box(BoxObjective& objective, std::span<const double> start,
                           std::span<const double> lower, std::span<const double> upper,
                           const BoxMinimiserSettings& settings) {
  assert(start.size() == lower.size() && start.size() == upper.size() && !start.empty());
  return Search(objective, start, lower, upper, settings).run();
}

}  // namespace tempo::toolkit
