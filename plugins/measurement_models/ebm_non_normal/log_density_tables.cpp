#include "log_density_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "tempo/measurement_law.hpp"

namespace tempo {
namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double exponential_cdf(double x) { return x > 0.0 ? -std::expm1(-x) : 0.0; }
double logistic_cdf(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double cauchy_cdf(double x) { return 0.5 + std::atan(x) / std::numbers::pi; }

double triangular_cdf(double x) {  // left -2, mode -1.5, right 0
  if (x <= -2.0) return 0.0;
  if (x >= 0.0) return 1.0;
  return x < -1.5 ? (x + 2.0) * (x + 2.0) : 1.0 - x * x / 3.0;
}

double lomax_cdf(double x) { return x > 0.0 ? 1.0 - std::pow(1.0 + x, -1.5) : 0.0; }

double arcsine_cdf(double x) {  // on 0..1
  return 2.0 / std::numbers::pi * std::asin(std::sqrt(std::clamp(x, 0.0, 1.0)));
}

double laplace_cdf(double x) { return x < 0.0 ? 0.5 * std::exp(x) : 1.0 - 0.5 * std::exp(-x); }

double gamma_2_cdf(double x) { return x > 0.0 ? 1.0 - (1.0 + x) * std::exp(-x) : 0.0; }

/// Of a family before noise and clipping; family 5 without its own noise and clips.
double family_cdf(int family, double z) {
  switch (family) {
    case 1:
      return (triangular_cdf(z) + normal_cdf((z - 1.0) / 0.3) + exponential_cdf((z + 0.5) / 0.7)) /
             3.0;
    case 2:
      return (lomax_cdf(z + 2.0) + std::clamp((z + 1.5) / 3.0, 0.0, 1.0) + logistic_cdf(z)) / 3.0;
    case 3:
      return (arcsine_cdf((z + 2.0) / 4.0) + laplace_cdf(z / 0.4) +
              0.5 * (normal_cdf(z / 0.5) + normal_cdf((z - 2.0) / 0.5))) /
             3.0;
    case 4:
      return (gamma_2_cdf((z + 1.0) / 0.5) + exponential_cdf(z + 1.0) +
              0.5 * (normal_cdf((z - 1.0) / 0.5) + normal_cdf((z + 1.0) / 0.5))) /
             3.0;
    case 5:
      return cauchy_cdf(z);
    default:
      return 0.1 * normal_cdf(z / 0.2) + 0.9 * logistic_cdf((z - 1.0) / 2.0);
  }
}

/// Probability masses of cells of equal width that cover -edge..edge; what lies beyond is in the
/// first and last cell.
struct Masses {
  double edge;
  double width;
  std::vector<double> cells;

  double centre(std::size_t i) const { return -edge + (static_cast<double>(i) + 0.5) * width; }
};

constexpr double kCell =
    1e-3;  // of a standard deviation; a power of ten meets the families' corners
constexpr double kReach = 8.0;  // standard deviations of a noise that count

Masses masses_of(int family, double edge) {
  const auto half = static_cast<std::size_t>(std::ceil(edge / kCell));
  Masses out{static_cast<double>(half) * kCell, kCell, std::vector<double>(2 * half)};
  double below = 0.0;
  for (std::size_t i = 0; i < out.cells.size(); ++i) {
    const double edge_above =
        out.edge * (static_cast<double>(i + 1) / static_cast<double>(half) - 1.0);
    // Far out it may fall by a rounding error, and no mass is below 0.
    const double up_to =
        i + 1 == out.cells.size() ? 1.0 : std::max(below, family_cdf(family, edge_above));
    out.cells[i] = up_to - below;
    below = up_to;
  }
  return out;
}

/// The same law after N(0, sd) was added and the sum clipped to +-clip; on the same cells.
Masses blurred(const Masses& from, double sd, double clip) {
  Masses out = from;
  if (sd > 0.0) {
    const auto reach = static_cast<std::size_t>(std::ceil(kReach * sd / from.width)) + 1;
    std::vector<double> kernel(reach +
                               1);  // mass that goes d cells away, from a point in the middle
    for (std::size_t d = 0; d <= reach; ++d) {
      const double far = (static_cast<double>(d) + 0.5) * from.width / sd;
      const double near = (static_cast<double>(d) - 0.5) * from.width / sd;
      kernel[d] = normal_cdf(-near) - normal_cdf(-far);
    }
    std::fill(out.cells.begin(), out.cells.end(), 0.0);
    const auto last = from.cells.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
      const double mass = from.cells[i];
      if (mass == 0.0) continue;
      out.cells[i] += mass * kernel[0];
      for (std::size_t d = 1; d <= reach; ++d) {
        out.cells[i >= d ? i - d : 0] += mass * kernel[d];
        out.cells[std::min(i + d, last)] += mass * kernel[d];
      }
    }
  }
  const auto beyond = [&](std::size_t i) { return std::abs(out.centre(i)) > clip; };
  double low = 0.0, high = 0.0;
  std::size_t first = out.cells.size(), last_inside = 0;
  for (std::size_t i = 0; i < out.cells.size(); ++i) {
    if (!beyond(i)) {
      first = std::min(first, i);
      last_inside = i;
      continue;
    }
    (out.centre(i) < 0.0 ? low : high) += out.cells[i];
    out.cells[i] = 0.0;
  }
  if (first > 0) out.cells[first - 1] += low;  // the atoms lie just outside of the clips
  if (last_inside + 1 < out.cells.size()) out.cells[last_inside + 1] += high;
  return out;
}

}  // namespace

bool LogDensityTable::can_be_made(double noise, double clip) {
  constexpr double kMostReach = 100.0, kMostWork = 50.0;  // in sd, and its square
  const double reach = clip + kReach * noise;
  return reach <= kMostReach && noise * reach <= kMostWork && clip >= 10.0 * kCell;
}

LogDensityTable::LogDensityTable(int family, double noise, double clip) : clip_(clip) {
  const double margin = kReach * noise + 2.0 * kCell;
  auto masses = masses_of(family, std::max(clip, family == 5 ? 4.0 + kReach * 0.2 : 0.0) + margin);
  if (family == 5) masses = blurred(masses, 0.2, 4.0);
  masses = blurred(masses, noise, clip);

  std::vector<double> inside;  // densities at the centres of the cells within the clips
  double first_centre = 0.0, low = 0.0, high = 0.0;
  for (std::size_t i = 0; i < masses.cells.size(); ++i) {
    const double centre = masses.centre(i);
    if (std::abs(centre) > clip) {
      (centre < 0.0 ? low : high) += masses.cells[i];
      continue;
    }
    if (inside.empty()) first_centre = centre;
    inside.push_back(masses.cells[i] / masses.width);
  }
  at_low_ = std::log(low) + MeasurementLaw::kAtomPrecision;
  at_high_ = std::log(high) + MeasurementLaw::kAtomPrecision;
  step_ = masses.width;
  first_ = first_centre;
  for (const double density : inside) logs_.push_back(std::log(density));
}

double LogDensityTable::operator()(double z) const {
  constexpr double kSlack = 1e-9;  // of the clip: a file may have rounded what lies on it
  if (std::abs(z) > clip_ * (1.0 + kSlack)) return -std::numeric_limits<double>::infinity();
  if (z <= -clip_ * (1.0 - kSlack)) return at_low_;
  if (z >= clip_ * (1.0 - kSlack)) return at_high_;
  const double place = std::clamp((z - first_) / step_, 0.0, static_cast<double>(logs_.size() - 1));
  const auto left = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(left);
  // At a point its neighbour has no part, where its density may be 0; the last point has none.
  return share == 0.0 ? logs_[left] : (1.0 - share) * logs_[left] + share * logs_[left + 1];
}

}  // namespace tempo
