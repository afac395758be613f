#include "tempo/toolkit/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tempo/error.hpp"
#include "tempo/toolkit/central_order.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/normal_mixture.hpp"
#include "tempo/toolkit/row_order.hpp"
#include "tempo/value_steps.hpp"

namespace tempo::toolkit {
namespace {

constexpr double kLeastSd = 0.001;

struct Standard {
  double mean, sd;    // of all values
  double separation;  // mean of the diseased minus mean of the controls, in sd
};

/// @param is_sorted  so that no sum depends on the order of participants
Standard standard_of(BiomarkerValues values, bool is_sorted) {
  for (auto* group : {&values.pooled, &values.controls, &values.diseased})
    if (is_sorted) std::sort(group->begin(), group->end());
  const Normal all = population_moments(values.pooled);
  const double difference =
      population_moments(values.diseased).mean - population_moments(values.controls).mean;
  return {all.mean, all.sd, difference / all.sd};
}

void refuse_missing(const Cohort& cohort) {
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (std::isnan(cohort.measurements(j, b)))
        throw NumericError(
            fmt::format("biomarker '{}' is missing for participant '{}'; fidelity = \"paper\" is "
                        "not defined for "
                        "missing cells, fidelity = \"repaired\" leaves them out of the likelihood",
                        cohort.biomarkers[b], cohort.participants[j]));
}

}  // namespace

double Moments::squares() const { return n > 0.0 ? std::max(xx - x * x / n, 0.0) : 0.0; }

Study study_of(const Cohort& cohort, const StudySettings& settings, RandomStream& stream) {
  const std::size_t J = cohort.participant_count(), B = cohort.biomarker_count();
  const bool paper = settings.fidelity == Fidelity::paper;
  if (paper) refuse_missing(cohort);

  std::vector<Standard> standards;
  std::vector<double> keys(B);
  for (std::size_t b = 0; b < B; ++b) {
    standards.push_back(standard_of(values_of(cohort, b), !paper));
    if (!paper) keys[b] = std::abs(standards[b].separation);
  }
  Study study;
  std::vector<std::size_t> ties;
  if (!paper) ties = stream.permutation(B);
  study.columns = order_by(keys, ties);

  study.rows.resize(J);
  std::iota(study.rows.begin(), study.rows.end(), std::size_t{0});
  if (!paper) study.rows = rows_by_values(cohort, study.columns);
  study.everyone = ParticipantColumns(B, J);
  for (std::size_t b = 0; b < B; ++b) {
    const auto& standard = standards[study.columns[b]];
    const double sign = !paper && standard.separation < 0.0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < J; ++i)
      study.everyone[b][i] =
          sign *
          ((cohort.measurements(study.rows[i], study.columns[b]) - standard.mean) / standard.sd);
  }
  for (std::size_t i = 0; i < J; ++i)
    if (cohort.diseased[study.rows[i]] != 0) study.diseased_rows.push_back(i);
  study.diseased = ParticipantColumns(B, study.diseased_rows.size());
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t column = study.columns[b];
    const auto& standard = standards[column];
    std::vector<double> present;
    std::vector<bool> diseased;
    Moments moments;
    for (std::size_t i = 0; i < J; ++i) {
      const double x = study.everyone[b][i];
      if (std::isnan(x)) continue;
      present.push_back(x);
      diseased.push_back(cohort.diseased[study.rows[i]] != 0);
      moments.n += 1.0;
      moments.x += x;
      moments.xx += x * x;
    }
    for (std::size_t i = 0; i < study.diseased_rows.size(); ++i)
      study.diseased[b][i] = study.everyone[b][study.diseased_rows[i]];
    study.moments.push_back(moments);
    study.scale.push_back(standard.sd);
    study.least_sd.push_back(!paper ? std::max(kLeastSd, least_sd_of_steps(present))
                             : settings.published_least_sd
                                 ? *settings.published_least_sd / standard.sd
                                 : kLeastSd);
    study.clusters.push_back(two_means(present, diseased, study.least_sd[b], stream));
    if (study.clusters[b].by_diagnosis)
      study.warnings.push_back(
          fmt::format("biomarker '{}': its values do not fall into two clusters of at least two; "
                      "it starts from its controls and a random half of its diseased",
                      cohort.biomarkers[column]));
  }
  return study;
}

Inference fit_to_study(const Cohort& given, const StudySettings& settings, RandomStream& stream,
                       const std::function<Inference(const Study&)>& fit) {
  const auto study = study_of(believed(given, settings.fidelity), settings, stream);
  auto out = fit(study);
  put_back(study.rows, out);
  out.warnings.insert(out.warnings.begin(), study.warnings.begin(), study.warnings.end());
  warn_of_doubtful_values(given, far_values_with(settings.fidelity), out);
  return out;
}

}  // namespace tempo::toolkit
