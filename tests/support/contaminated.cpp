#include "contaminated.hpp"

#include <algorithm>
#include <cmath>

namespace tempo::test {
namespace {

/// Of the values of a column that were measured.
double standard_deviation(const Cohort& cohort, std::size_t b) {
  double n = 0.0, mean = 0.0, squares = 0.0;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const double x = cohort.measurements(j, b);
    if (std::isnan(x)) continue;
    n += 1.0;
    const double change = x - mean;
    mean += change / n;
    squares += change * (x - mean);
  }
  return std::sqrt(squares / n);
}

void hit(std::span<double> row, const std::vector<double>& sds, RandomStream& stream) {
  const auto kind = static_cast<GrossError>(stream.index(3));
  const auto order = stream.permutation(row.size());
  for (const auto b : {order[0], order[1]}) {
    const double sign = stream.index(2) == 0 ? 1.0 : -1.0;
    const double far = 10.0 + 90.0 * stream.uniform();
    if (kind == GrossError::far_off) row[b] += sign * far * sds[b];
    if (kind == GrossError::sign_flip) row[b] = -row[b];
  }
  if (kind == GrossError::swapped) std::swap(row[order[0]], row[order[1]]);
}

}  // namespace

ContaminatedCohort contaminated(const Cohort& cohort, double share, const RandomStream& stream) {
  const auto J = cohort.participant_count();
  std::vector<double> sds;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    sds.push_back(standard_deviation(cohort, b));
  auto order = stream.substream("participants").permutation(J);
  order.resize(static_cast<std::size_t>(std::lround(share * static_cast<double>(J))));
  ContaminatedCohort out{cohort, std::move(order)};
  for (const auto j : out.participants) {
    auto of_participant = stream.substream("errors", j);
    hit(out.cohort.measurements.row(j), sds, of_participant);
  }
  std::sort(out.participants.begin(), out.participants.end());
  return out;
}

}  // namespace tempo::test
