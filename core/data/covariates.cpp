#include "data/covariates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/value_range.hpp"

namespace tempo {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double centre(std::vector<double>& values) {
  double mean = 0.0;
  for (const auto value : values) mean += value / static_cast<double>(values.size());
  for (auto& value : values) value -= mean;
  return mean;
}

/// Coefficients and means of the covariates among some participants.
struct Regression {
  std::vector<double> slopes;  ///< [P]
  std::vector<double> means;   ///< [P]
  std::string fault;           ///< why there are none
};

Regression regress(std::vector<double> y, const std::vector<std::size_t>& rows,
                   const Covariates& covariates) {
  // Rounding leaves about 1e-16 of a column that others determine. Covariates that are as collinear
  // as the limit (r > 1 - 1e-16 / 2) would have meaningless slopes in any case.
  constexpr double kDependent = 1e-8;
  const auto P = covariates.names.size();
  Regression out;
  std::vector<std::vector<double>> q(P, std::vector<double>(rows.size()));
  std::vector<std::vector<double>> r(P, std::vector<double>(P, 0.0));  // r[i][p], i <= p
  std::vector<double> qy(P);
  centre(y);
  for (std::size_t p = 0; p < P; ++p) {
    auto& column = q[p];
    double largest = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      column[i] = covariates.values(rows[i], p);
      largest = std::max(largest, std::abs(column[i]));
    }
    out.means.push_back(centre(column));
    const auto length = std::sqrt(dot(column, column));
    if (!(length > 1e-12 * largest * std::sqrt(static_cast<double>(rows.size())))) {
      out.fault = fmt::format("'{}' is constant among them", covariates.names[p]);
      return out;
    }
    for (int pass = 0; pass < 2; ++pass)  // two passes suffice: Giraud et al. 2005
      for (std::size_t i = 0; i < p; ++i) {
        const auto along = dot(q[i], column);
        r[i][p] += along;
        for (std::size_t j = 0; j < rows.size(); ++j) column[j] -= along * q[i][j];
      }
    const auto rest = std::sqrt(dot(column, column));
    if (!(rest > kDependent * length)) {
      out.fault =
          fmt::format("'{}' is determined by the covariates before it", covariates.names[p]);
      return out;
    }
    r[p][p] = rest;
    for (auto& value : column) value /= rest;
    qy[p] = dot(column, y);
    for (std::size_t j = 0; j < rows.size(); ++j) y[j] -= qy[p] * column[j];
  }
  out.slopes = qy;
  for (auto p = P; p-- > 0;) {
    for (auto k = p + 1; k < P; ++k) out.slopes[p] -= r[p][k] * out.slopes[k];
    out.slopes[p] /= r[p][p];
  }
  return out;
}

}  // namespace

Adjustment fit_adjustment(const Cohort& cohort, const Covariates& covariates,
                          std::vector<std::string>& faults) {
  const auto P = covariates.names.size(), B = cohort.biomarker_count();
  Adjustment out{covariates.names, cohort.biomarkers, Matrix(B, P), Matrix(B, P)};
  std::vector<ValueRange> ranges(P);
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    for (std::size_t p = 0; p < P && cohort.diseased[j] == 0; ++p)
      ranges[p].add(covariates.values(j, p));
  for (const auto& range : ranges) {
    out.lows.push_back(range.low);
    out.highs.push_back(range.high);
  }
  for (std::size_t b = 0; b < B; ++b) {
    std::vector<std::size_t> rows;
    std::vector<double> y;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      const auto value = cohort.measurements(j, b);
      if (cohort.diseased[j] != 0 || std::isnan(value)) continue;
      rows.push_back(j);
      y.push_back(value);
    }
    if (rows.size() < P + 2) {
      faults.push_back(fmt::format(
          "biomarker '{}' has {} healthy participants, too few to adjust it for {}; expected {} or "
          "more",
          cohort.biomarkers[b], rows.size(), fmt::join(covariates.names, ", "), P + 2));
      continue;
    }
    const auto fit = regress(std::move(y), rows, covariates);
    if (!fit.fault.empty()) {
      faults.push_back(
          fmt::format("biomarker '{}' cannot be adjusted: of its {} healthy participants "
                      "covariate {}",
                      cohort.biomarkers[b], rows.size(), fit.fault));
      continue;
    }
    std::copy(fit.slopes.begin(), fit.slopes.end(), out.slopes.row(b).begin());
    std::copy(fit.means.begin(), fit.means.end(), out.means.row(b).begin());
  }
  return out;
}

void adjust(Cohort& cohort, const Covariates& covariates, const Adjustment& adjustment) {
  for (std::size_t i = 0; i < adjustment.biomarkers.size(); ++i) {
    const auto& names = cohort.biomarkers;
    const auto at = std::find(names.begin(), names.end(), adjustment.biomarkers[i]);
    if (at == names.end()) continue;
    const auto b = static_cast<std::size_t>(at - names.begin());
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      for (std::size_t p = 0; p < covariates.names.size(); ++p)
        if (const double z = covariates.values(j, p); !std::isnan(z))
          cohort.measurements(j, b) -= (z - adjustment.means(i, p)) * adjustment.slopes(i, p);
  }
}

}  // namespace tempo
