#include "density_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "tempo/toolkit/event_based_model.hpp"
#include "tempo/toolkit/for_each_cpu.hpp"
#include "tempo/toolkit/lane_products.hpp"

namespace tempo::sustain {
namespace {

using toolkit::kLanes;
using toolkit::kPublishedFloor;
using toolkit::Lanes;
using toolkit::lanes;
using toolkit::UnsignedLanes;

constexpr std::size_t kBlock = toolkit::ParticipantColumns::kBlock;
constexpr std::size_t kGroups = kBlock / kLanes;

/// Of each place of an event a product over participants.
struct PlaceProducts {
  double* mantissas;         // [B, kLanes]
  std::uint64_t* exponents;  // [B, kLanes]
};

/// Columns in the order of events.
TEMPO_FOR_EACH_CPU void weigh_all(const double* const* y, const double* const* n,
                                  std::size_t events, std::size_t padded, double* out) {
  const double stages = static_cast<double>(events + 1);
  for (std::size_t first = 0; first < padded; first += kBlock) {
    Lanes after[kGroups], sum[kGroups];
    for (std::size_t g = 0; g < kGroups; ++g) after[g] = sum[g] = Lanes{} + 1.0;
    for (std::size_t i = 0; i < events; ++i)
      for (std::size_t g = 0; g < kGroups; ++g) {
        after[g] *= lanes(y[i] + first + g * kLanes);
        sum[g] = sum[g] * lanes(n[i] + first + g * kLanes) + after[g];
      }
    for (std::size_t g = 0; g < kGroups; ++g) lanes(out + first + g * kLanes) = sum[g] / stages;
  }
}

/// The other events have the likelihoods F_k = prod_{i < k} y prod_{i >= k} n at stages k = 0..B-1;
/// with the event after p of them it is n sum_{k <= p} F_k + y sum_{k >= p} F_k.
/// @param event_y, event_n  of the event
/// @param scale    f_s / (B + 1)
/// @param scratch  [2 events, kLanes]
TEMPO_FOR_EACH_CPU void multiply_all_places(const double* const* y, const double* const* n,
                                            const double* event_y, const double* event_n,
                                            std::size_t events, std::size_t padded, double scale,
                                            const double* rest, double* scratch,
                                            const PlaceProducts& out) {
  double* const from_here = scratch + events * kLanes;
  for (std::size_t j = 0; j < padded; j += kLanes) {
    Lanes after = Lanes{} + 1.0;
    lanes(scratch) = after;
    for (std::size_t k = 1; k < events; ++k) {
      after *= lanes(y[k - 1] + j);
      lanes(scratch + k * kLanes) = after;
    }
    Lanes before = Lanes{} + 1.0, sum{};
    const Lanes y_event = lanes(event_y + j) * scale, n_event = lanes(event_n + j) * scale;
    for (std::size_t k = events; k-- > 0;) {
      Lanes& cell = lanes(scratch + k * kLanes);
      cell *= before;
      sum += cell;
      lanes(from_here + k * kLanes) = y_event * sum;
      if (k > 0) before *= lanes(n[k - 1] + j);
    }
    sum = Lanes{};
    for (std::size_t p = 0; p < events; ++p) {
      sum += lanes(scratch + p * kLanes);
      toolkit::multiply(lanes(out.mantissas + p * kLanes),
                        *reinterpret_cast<UnsignedLanes*>(out.exponents + p * kLanes),
                        n_event * sum + lanes(from_here + p * kLanes) + lanes(rest + j));
    }
  }
}

/// rest + sum_s f_s T_js, multiplied up.
TEMPO_FOR_EACH_CPU void multiply_all(std::span<const std::vector<double>> terms,
                                     std::span<const double> shares, const double* floor,
                                     std::size_t padded, double* mantissa,
                                     std::uint64_t* exponent) {
  for (std::size_t j = 0; j < padded; j += kLanes) {
    Lanes sum = lanes(floor + j);
    for (std::size_t s = 0; s < shares.size(); ++s) sum += shares[s] * lanes(&terms[s][j]);
    toolkit::multiply(lanes(mantissa), *reinterpret_cast<UnsignedLanes*>(exponent), sum);
  }
}

}  // namespace

DensityMixture::DensityMixture(const CellDensities& densities, std::span<const std::size_t> rows)
    : y_(densities.post.cols(), rows.size()),
      n_(densities.post.cols(), rows.size()),
      floor_(y_.padded(), 1.0),
      rest_(y_.padded()),
      scratch_(2 * y_.biomarkers() * kLanes),
      mantissas_(y_.biomarkers() * kLanes),
      places_(y_.biomarkers()),
      exponents_(y_.biomarkers() * kLanes) {
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t b = 0; b < y_.biomarkers(); ++b) {
      y_[b][j] = densities.post(rows[j], b);
      n_[b][j] = densities.pre(rows[j], b);
    }
    floor_[j] = kPublishedFloor;
  }
}

void DensityMixture::weigh(std::span<const std::size_t> order, std::vector<double>& out) const {
  out.resize(y_.padded());
  std::vector<const double*> y, n;
  for (const auto b : order) {
    y.push_back(y_[b].data());
    n.push_back(n_[b].data());
  }
  weigh_all(y.data(), n.data(), order.size(), y_.padded(), out.data());
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(participants()), out.end(), 0.0);
}

double DensityMixture::log_likelihood(std::span<const std::vector<double>> terms,
                                      std::span<const double> shares) const {
  double mantissas[kLanes] = {1.0, 1.0, 1.0, 1.0};
  std::uint64_t exponents[kLanes] = {};
  multiply_all(terms, shares, floor_.data(), y_.padded(), mantissas, exponents);
  return toolkit::log_product(mantissas, exponents, y_.padded() / kLanes);
}

Matrix DensityMixture::responsibilities(std::span<const std::vector<double>> terms,
                                        std::span<const double> shares) const {
  Matrix out(participants(), shares.size());
  for (std::size_t j = 0; j < participants(); ++j) {
    double sum = 0.0;
    for (std::size_t s = 0; s < shares.size(); ++s) sum += out(j, s) = shares[s] * terms[s][j];
    const bool is_number = sum > 0.0 && std::isfinite(sum);
    for (std::size_t s = 0; s < shares.size(); ++s)
      out(j, s) = is_number ? out(j, s) / sum : shares[s];
  }
  return out;
}

void DensityMixture::set_others(std::span<const std::vector<double>> terms,
                                std::span<const double> shares, std::size_t subtype) {
  rest_ = floor_;
  for (std::size_t s = 0; s < shares.size(); ++s)
    for (std::size_t j = 0; s != subtype && j < rest_.size(); ++j)
      rest_[j] += shares[s] * terms[s][j];
}

std::span<const double> DensityMixture::places(std::span<const std::size_t> others,
                                               std::size_t event, double share) {
  std::vector<const double*> y, n;
  for (const auto b : others) {
    y.push_back(y_[b].data());
    n.push_back(n_[b].data());
  }
  std::fill(mantissas_.begin(), mantissas_.end(), 1.0);
  std::fill(exponents_.begin(), exponents_.end(), std::uint64_t{0});
  const std::size_t B = biomarkers();
  multiply_all_places(y.data(), n.data(), y_[event].data(), n_[event].data(), B, y_.padded(),
                      share / static_cast<double>(B + 1), rest_.data(), scratch_.data(),
                      {mantissas_.data(), exponents_.data()});
  for (std::size_t p = 0; p < B; ++p)
    places_[p] = toolkit::log_product(&mantissas_[p * kLanes], &exponents_[p * kLanes],
                                      y_.padded() / kLanes);
  return places_;
}

std::vector<Matrix> subtype_and_stage(const CellDensities& densities, const OrderSet& orders,
                                      std::span<const double> shares) {
  const std::size_t K = orders.size(), J = densities.post.rows(), B = densities.post.cols();
  std::vector<Matrix> out(K, Matrix(J, B + 1));
  for (std::size_t j = 0; j < J; ++j) {
    double sum = 0.0;
    for (std::size_t s = 0; s < K; ++s) {
      double after = shares[s], before = 1.0;
      for (std::size_t k = 0; k <= B; ++k) {
        out[s](j, k) = after;
        if (k < B) after *= densities.post(j, orders[s][k]);
      }
      for (std::size_t k = B + 1; k-- > 0;) {
        sum += out[s](j, k) *= before;
        if (k > 0) before *= densities.pre(j, orders[s][k - 1]);
      }
    }
    const bool is_number = sum > 0.0 && std::isfinite(sum);
    for (std::size_t s = 0; s < K; ++s)
      for (double& value : out[s].row(j))
        value = is_number ? value / sum : shares[s] / static_cast<double>(B + 1);
  }
  return out;
}

}  // namespace tempo::sustain
