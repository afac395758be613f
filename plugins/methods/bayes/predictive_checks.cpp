#include "predictive_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

namespace tempo::bayes {
namespace {

constexpr std::size_t kLeastValues = 3;

/// In the order in which a biomarker's are listed: those of a group's values, then the correlation.
constexpr const char* kOfValues[] = {"mean", "sd", "skewness", "lower decile", "upper decile"};
constexpr const char* kCorrelation = "correlation";

/// Ranks from 1, ties sharing their mean.
std::vector<double> ranks_of(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return values[i] < values[j]; });
  std::vector<double> out(n);
  for (std::size_t i = 0, end = 0; i < n; i = end) {
    while (end < n && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) out[order[k]] = 0.5 * static_cast<double>(i + 1 + end);
  }
  return out;
}

/// Between neighbouring values as R's default (type 7) has it.
double quantile(std::vector<double>& values, double p) {
  const double at = p * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(low);
  std::nth_element(values.begin(), middle, values.end());
  if (low + 1 == values.size()) return *middle;
  const double next = *std::min_element(middle + 1, values.end());
  return *middle + (at - static_cast<double>(low)) * (next - *middle);
}

/// Sums of squares cannot tell: the mean of equal values may be rounded to another.
bool have_spread(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

/// In the order of kOfValues.
void add_statistics(std::vector<double>& values, std::vector<double>& out) {
  if (!have_spread(values)) {
    out.insert(out.end(), {values[0], 0.0, 0.0, values[0], values[0]});
    return;
  }
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0, cubes = 0.0;
  for (const double value : values) {
    const double away = value - mean;
    squares += away * away;
    cubes += away * away * away;
  }
  const double sd = std::sqrt(squares / n);
  out.push_back(mean);
  out.push_back(std::sqrt(squares / (n - 1.0)));
  out.push_back(cubes / n / (sd * sd * sd));
  out.push_back(quantile(values, 0.1));
  out.push_back(quantile(values, 0.9));
}

}  // namespace

KeptDraws::KeptDraws(std::size_t chains, std::size_t wanted) : wanted_(wanted), chains_(chains) {}

void KeptDraws::add(const Draw& draw) {
  if (wanted_ == 0) return;
  auto& kept = chains_[draw.chain];
  if (kept.calls++ % kept.every != 0) return;
  // The first half of a chain does not count in the end, and thinning may have just halved them.
  const std::size_t capacity = 4 * (wanted_ / chains_.size() + 1);
  if (kept.draws.size() == capacity) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < kept.draws.size(); from += 2)
      kept.draws[to++] = kept.draws[from];
    kept.draws.resize(to);
    kept.every *= 2;
    if ((kept.calls - 1) % kept.every != 0) return;
  }
  kept.draws.push_back({draw.chain,
                        draw.number,
                        draw.event_times,
                        draw.traits,
                        draw.stage_probabilities,
                        draw.biomarkers,
                        {}});
}

std::vector<const Draw*> KeptDraws::after(std::size_t first) const {
  std::vector<const Draw*> all, out;
  for (const auto& chain : chains_)
    for (const auto& draw : chain.draws)
      if (draw.number > first) all.push_back(&draw);
  const std::size_t count = std::min(wanted_, all.size());
  for (std::size_t i = 0; i < count; ++i) out.push_back(all[i * all.size() / count]);
  return out;
}

CohortStatistics::CohortStatistics(const Cohort& cohort, std::span<const std::size_t> columns)
    : observed_(cohort.participant_count(), columns.size()) {
  const std::size_t B = columns.size(), J = cohort.participant_count();
  for (auto& of_group : rows_) of_group.resize(B);
  for (std::size_t b = 0; b < B; ++b) {
    std::vector<double> values;
    std::vector<std::uint8_t> diseased;
    for (std::size_t j = 0; j < J; ++j) {
      const double x = observed_(j, b) = cohort.measurements(j, columns[b]);
      if (std::isnan(x)) continue;
      rows_[cohort.diseased[j] != 0 ? 1 : 0][b].push_back(j);
      values.push_back(x);
      diseased.push_back(cohort.diseased[j]);
    }
    Scale scale;
    const double n = static_cast<double>(values.size());
    scale.mean = values.empty() ? 0.0 : std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0.0;
    for (const double x : values) squares += (x - scale.mean) * (x - scale.mean);
    const bool varies = have_spread(values);
    if (varies) scale.sd = std::sqrt(squares / n);
    const auto ranks = ranks_of(values);
    double above = 0.0;  // summed over the diseased: ranks less their mean
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (diseased[i] != 0) above += ranks[i] - 0.5 * (n + 1.0);
    scale.falls = above < 0.0;
    scales_.push_back(scale);
    if (!varies) {
      for (auto& of_group : rows_) of_group[b].clear();
      continue;
    }
    for (const bool group : {false, true}) {
      if (rows_[group][b].size() < kLeastValues) continue;
      for (const auto* name : kOfValues) checks_.push_back({columns[b], group, name});
      if (group && B > 1) checks_.push_back({columns[b], group, kCorrelation});
    }
  }
  both_.assign(B * B, 0.0);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t c = 0; c < b; ++c) {
      std::vector<std::size_t> common;
      std::set_intersection(rows_[1][b].begin(), rows_[1][b].end(), rows_[1][c].begin(),
                            rows_[1][c].end(), std::back_inserter(common));
      both_[b * B + c] = static_cast<double>(common.size());
    }
}

std::vector<double> CohortStatistics::of(const Matrix& x) const {
  const std::size_t B = x.cols();
  std::vector<double> out, values;
  const auto correlations = median_correlations(x);
  for (std::size_t b = 0; b < B; ++b)
    for (const bool group : {false, true}) {
      const auto& rows = rows_[group][b];
      if (rows.size() < kLeastValues) continue;
      values.clear();
      for (const auto j : rows) values.push_back((x(j, b) - scales_[b].mean) / scales_[b].sd);
      add_statistics(values, out);
      if (group && B > 1) out.push_back(correlations[b]);
    }
  return out;
}

std::vector<double> CohortStatistics::median_correlations(const Matrix& x) const {
  const std::size_t J = x.rows(), B = x.cols();
  Matrix ranks(B, J);  // of the diseased, towards disease, standardised; 0 where missing
  std::vector<double> values;
  for (std::size_t b = 0; b < B; ++b) {
    const auto& rows = rows_[1][b];
    if (rows.size() < kLeastValues) continue;
    values.clear();
    for (const auto j : rows) values.push_back(scales_[b].falls ? -x(j, b) : x(j, b));
    values = ranks_of(values);
    const double n = static_cast<double>(values.size());
    double squares = 0.0;
    for (double& rank : values) {
      rank -= 0.5 * (n + 1.0);
      squares += rank * rank;
    }
    const double sd = squares > 0.0 ? std::sqrt(squares / n) : 1.0;
    for (std::size_t i = 0; i < rows.size(); ++i) ranks(b, rows[i]) = values[i] / sd;
  }
  Matrix pairs(B, B);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t c = 0; c < b; ++c) {
      const auto one = std::as_const(ranks).row(b), other = std::as_const(ranks).row(c);
      const double sum = std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
      pairs(b, c) = pairs(c, b) = both_[b * B + c] > 0.0 ? sum / both_[b * B + c] : 0.0;
    }
  std::vector<double> out(B);
  for (std::size_t b = 0; b < B && B > 1; ++b) {
    values.clear();
    for (std::size_t c = 0; c < B; ++c)
      if (c != b) values.push_back(pairs(b, c));
    out[b] = quantile(values, 0.5);
  }
  return out;
}

void check_predictions(const ProcessLaw& process, const Cohort& cohort,
                       std::span<const std::size_t> columns, const std::vector<const Draw*>& draws,
                       const RandomStream& stream, Inference& inference) {
  if (draws.size() < kLeastReplications) {
    inference.warnings.push_back(
        fmt::format("no predictive checks: only {} draws were kept, and {} are needed",
                    draws.size(), kLeastReplications));
    return;
  }
  const std::size_t B = columns.size(), J = cohort.participant_count();
  const CohortStatistics statistics(cohort, columns);
  const auto observed = statistics.of(statistics.observed());
  std::vector<std::size_t> diseased = diseased_rows(cohort);
  std::vector<double> stages(diseased.size());
  Matrix replicated(observed.size(), draws.size());
  for (std::size_t r = 0; r < draws.size(); ++r) {
    const auto& draw = *draws[r];
    auto own = stream.substream("replication", r);
    if (draw.stage_probabilities.empty())
      process.stage_prior().draw(B, own, stages);
    else
      for (double& stage : stages)
        stage = 1.0 + static_cast<double>(own.categorical(draw.stage_probabilities));
    Truth truth;
    truth.event_times = draw.event_times;
    truth.traits = draw.traits;
    truth.stages.assign(J, 0.0);
    for (std::size_t i = 0; i < diseased.size(); ++i) truth.stages[diseased[i]] = stages[i];
    const auto measured =
        draw.biomarkers.empty()
            ? process.measure(truth, cohort.diseased, own)
            : process.make_with(process.make_measurement_model(BiomarkerTable(draw.biomarkers)))
                  .measure(truth, cohort.diseased, own);
    const auto numbers = statistics.of(measured);
    for (std::size_t i = 0; i < numbers.size(); ++i) replicated(i, r) = numbers[i];
  }
  inference.checks = statistics.checks();
  for (std::size_t i = 0; i < observed.size(); ++i) {
    auto& check = inference.checks[i];
    const auto row = std::as_const(replicated).row(i);
    const double R = static_cast<double>(row.size());
    check.observed = observed[i];
    check.mean = std::accumulate(row.begin(), row.end(), 0.0) / R;
    double squares = 0.0, below = 0.0, above = 0.0;
    for (const double value : row) {
      squares += (value - check.mean) * (value - check.mean);
      below += value <= check.observed;
      above += value >= check.observed;
    }
    check.sd = std::sqrt(squares / (R - 1.0));
    check.p = std::min(1.0, 2.0 * (1.0 + std::min(below, above)) / (R + 1.0));
  }
}

}  // namespace tempo::bayes
