#include "analysis/staging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "analysis/doubts.hpp"
#include "data/missing_values.hpp"
#include "data/names.hpp"
#include "data/value_range.hpp"
#include "model/told_stage.hpp"
#include "tempo/error.hpp"
#include "tempo/problem.hpp"

namespace tempo {
namespace {

/// But for the constant that both states share.
double log_density(const Normal& normal, double x) {
  const double z = (x - normal.mean) / normal.sd;
  return -0.5 * z * z - std::log(normal.sd);
}

void warn_of_unmeasured(const Cohort& patients, StagedPatients& out) {
  std::vector<std::string> unmeasured;
  for (std::size_t j = 0; j < patients.participant_count(); ++j) {
    if (is_measured(patients, j)) continue;
    unmeasured.push_back(patients.participants[j]);
    out.patients[j].note = "no biomarker was measured";
  }
  if (!unmeasured.empty())
    out.warnings.push_back(
        fmt::format("no stage, since no biomarker was measured: {}", in_short(unmeasured)));
}

void warn_of_two_peaks(const Cohort& patients, StagedPatients& out) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < out.patients.size(); ++j) {
    const auto& posterior = out.patients[j].posterior;
    if (posterior && posterior->second_mode) names.push_back(patients.participants[j]);
  }
  if (!names.empty())
    out.warnings.push_back(
        fmt::format("stages with two peaks, which one number does not describe (mode and "
                    "second_mode): {}",
                    in_short(names)));
}

/// The reference and one more participant at its end.
Cohort with_participant(const Cohort& reference, const Cohort& patients, std::size_t j) {
  Cohort out = reference;
  const auto J = reference.participant_count(), B = reference.biomarker_count();
  out.participants.push_back(patients.participants[j]);
  if (patients.diseased.empty())
    out.diseased.clear();
  else
    out.diseased.push_back(patients.diseased[j]);
  out.diagnoses.clear();
  auto values = reference.measurements.values();
  const auto row = patients.measurements.row(j);
  values.insert(values.end(), row.begin(), row.end());
  out.measurements = Matrix(J + 1, B);
  out.measurements.values() = std::move(values);
  return out;
}

}  // namespace

std::vector<Matrix> event_based_stages(const Cohort& cohort, const SharedOrders& orders,
                                       const BiomarkerTable& biomarkers) {
  const auto B = cohort.biomarker_count();
  for (const auto& order : orders.orders)
    if (order.size() != B || biomarkers.size() != B)
      throw ShapeError("stages: expected an order and distributions of B=" + std::to_string(B) +
                       " biomarkers, got " + std::to_string(order.size()) + " and " +
                       std::to_string(biomarkers.size()));
  std::vector<Matrix> out(orders.orders.size(), Matrix(cohort.participant_count(), B + 1));
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < out.size(); ++s) {
      auto stages = out[s].row(j);  // first log odds against stage 0 without shares
      stages[0] = std::log(orders.shares[s]);
      for (std::size_t k = 1; k <= B; ++k) {
        const auto b = orders.orders[s][k - 1];
        const double x = cohort.measurements(j, b);
        stages[k] = stages[k - 1];
        if (!std::isnan(x))
          stages[k] += log_density(biomarkers[b].theta, x) - log_density(biomarkers[b].phi, x);
      }
      top = std::max(top, *std::max_element(stages.begin(), stages.end()));
    }
    double sum = 0.0;
    for (auto& of_order : out)
      for (auto& stage : of_order.row(j)) sum += stage = std::exp(stage - top);
    for (auto& of_order : out)
      for (auto& stage : of_order.row(j)) stage /= sum;
  }
  return out;
}

namespace {

void warn_of_unsure_subtypes(StagedPatients& out) {
  std::size_t unsure = 0, all = 0;
  for (const auto& patient : out.patients) {
    if (patient.subtypes.empty()) continue;
    ++all;
    if (!has_sure_subtype(patient.subtypes)) ++unsure;
  }
  if (unsure > 0) out.warnings.push_back(unsure_subtypes_in_words(unsure, counted(all, "patient")));
}

}  // namespace

StagedPatients stage_by_orders(const SharedOrders& orders, const BiomarkerTable& biomarkers,
                               const Cohort& patients) {
  StagedPatients out;
  out.has_subtypes = orders.orders.size() > 1;
  const auto posterior = event_based_stages(patients, orders, biomarkers);
  for (std::size_t j = 0; j < patients.participant_count(); ++j) {
    auto& staged = out.patients.emplace_back();
    if (!is_measured(patients, j)) continue;
    std::vector<double> stages(patients.biomarker_count() + 1, 0.0);
    for (const auto& of_order : posterior) {
      const auto row = of_order.row(j);
      std::transform(row.begin(), row.end(), stages.begin(), stages.begin(), std::plus<>());
      if (out.has_subtypes) staged.subtypes.push_back(std::accumulate(row.begin(), row.end(), 0.0));
    }
    staged.posterior = stage_posterior(stages);
    staged.stage = staged.posterior->mode;
  }
  warn_of_two_peaks(patients, out);
  warn_of_unmeasured(patients, out);
  warn_of_unsure_subtypes(out);
  return out;
}

namespace {

/// Stages patients of a cohort a few at a time.
class StagingAmong {
 public:
  StagingAmong(const InferenceMethod& method, const Cohort& reference, const Cohort& patients,
               const std::string& file)
      : method_(method), reference_(reference), patients_(patients), file_(file) {
    out_.patients.resize(patients.participant_count());
  }

  /// @param some  places of patients, few enough for one call of the method
  void stage(std::span<const std::size_t> some) {
    std::vector<Cohort> cohorts;
    for (const auto j : some) cohorts.push_back(with_participant(reference_, patients_, j));
    std::vector<RandomStream> streams(cohorts.size(), RandomStream(/*seed=*/0, "infer"));
    try {
      const auto found = method_.fit_all(cohorts, streams);
      for (std::size_t i = 0; i < found.size(); ++i)
        take(found[i], cohorts[i], out_.patients[some[i]]);
    } catch (const Error&) {
      if (!find_culprits(cohorts, some)) throw;
    }
  }

  /// @throws InputError naming the patients whom the method cannot stage
  StagedPatients finish() {
    problems_.throw_if_any();
    out_.warnings.assign(warnings_.begin(), warnings_.end());
    if (by_label_ > 0)
      out_.warnings.push_back(fmt::format(
          "{} of {} patients are labelled healthy, and the method takes the label for their "
          "stage: their measurements do not count",
          by_label_, patients_.participant_count()));
    warn_of_two_peaks(patients_, out_);
    warn_of_unmeasured(patients_, out_);
    return std::move(out_);
  }

 private:
  /// @param cohort  the reference, the patient at its end
  void take(const Inference& found, const Cohort& cohort, Staged& staged) {
    staged.stage = found.stages.back();
    const auto use = use_of_cohort(method_.label_use(), !cohort.diseased.empty());
    if (is_told_stage(use, cohort, reference_.participant_count()) && staged.stage == 0.0) {
      staged.note = "labelled healthy, and therefore at this stage whatever was measured";
      ++by_label_;
    } else if (const auto& posterior = found.stage_posterior) {
      staged.posterior = stage_posterior(posterior->row(reference_.participant_count()));
    }
    warnings_.insert(found.warnings.begin(), found.warnings.end());
  }

  /// What one patient lacks fails all that are staged with it: fits each by itself, so that a
  /// complaint names the patient. @return whether any failed by itself
  bool find_culprits(const std::vector<Cohort>& cohorts, std::span<const std::size_t> some) {
    const auto before = problems_.size();
    for (std::size_t i = 0; i < cohorts.size(); ++i) {
      try {
        RandomStream stream(/*seed=*/0, "infer");
        method_.fit(cohorts[i], stream);
      } catch (const Error& error) {
        problems_.add({file_}, patients_.participants[some[i]] + ": " + error.what());
      }
    }
    return problems_.size() > before;
  }

  const InferenceMethod& method_;
  const Cohort& reference_;
  const Cohort& patients_;
  const std::string& file_;
  StagedPatients out_;
  std::set<std::string> warnings_;
  std::size_t by_label_ = 0;
  Problems problems_;  // of single patients
};

}  // namespace

StagedPatients stage_among(const InferenceMethod& method, const Cohort& reference,
                           const Cohort& patients, const std::string& file) {
  constexpr std::size_t kAtATime = 32;
  std::vector<std::size_t> measured;
  for (std::size_t j = 0; j < patients.participant_count(); ++j)
    if (is_measured(patients, j)) measured.push_back(j);
  StagingAmong staging(method, reference, patients, file);
  for (std::size_t begin = 0; begin < measured.size(); begin += kAtATime)
    staging.stage(std::span(measured).subspan(begin, std::min(kAtATime, measured.size() - begin)));
  return staging.finish();
}

std::size_t fill_means(const Cohort& reference, Cohort& patients) {
  std::size_t filled = 0;
  std::vector<bool> measured;
  for (std::size_t j = 0; j < patients.participant_count(); ++j)
    measured.push_back(is_measured(patients, j));
  for (std::size_t b = 0; b < reference.biomarker_count(); ++b) {
    double sum = 0.0, count = 0.0;
    for (std::size_t j = 0; j < reference.participant_count(); ++j)
      if (const double x = reference.measurements(j, b); !std::isnan(x)) {
        sum += x;
        count += 1.0;
      }
    for (std::size_t j = 0; j < patients.participant_count(); ++j)
      if (auto& x = patients.measurements(j, b); measured[j] && std::isnan(x) && count > 0.0) {
        x = sum / count;
        ++filled;
      }
  }
  return filled;
}

namespace {

/// Values of patients beside the range of the reference's.
struct Beside {
  std::size_t count = 0, far = 0, below = 0, above = 0;
  std::string example;  ///< of the far ones

  void add(double x, const ValueRange& range, const std::string& patient) {
    ++count;
    below += x < range.low;
    above += x > range.high;
    if (range.is_far(x) && far++ == 0) example = fmt::format("{:.6g} of {}", x, patient);
  }
  /// More than half of at least three on one side: of patients like the reference's, few are.
  bool are_mostly_outside() const {
    constexpr std::size_t kFewest = 3;
    return count >= kFewest && 2 * std::max(below, above) > count;
  }
};

/// Empty if nothing is to be said.
std::string sentence_of(const Beside& beside, const ValueRange& range, const std::string& biomarker,
                        std::string_view what) {
  if (beside.far > 0)
    return fmt::format(
        "'{}': {} of {} {} are far from all of the cohort's ({:.6g} to {:.6g}), "
        "such as {}{}",
        biomarker, beside.far, beside.count, what, range.low, range.high, beside.example,
        beside.are_mostly_outside() ? ": another unit?" : "");
  if (!beside.are_mostly_outside()) return {};
  return fmt::format(
      "'{}': {} of {} {} are {} all of the cohort's ({:.6g} to {:.6g}): another "
      "unit, or other patients?",
      biomarker, std::max(beside.below, beside.above), beside.count, what,
      beside.below > beside.above ? "below" : "above", range.low, range.high);
}

}  // namespace

FarValues far_values(const Cohort& reference, const Cohort& patients, ValuesAre values_are) {
  const std::string_view what =
      values_are == ValuesAre::adjusted ? "values, as adjusted," : "values";
  FarValues out;
  out.biomarkers.resize(patients.participant_count());
  for (std::size_t b = 0; b < reference.biomarker_count(); ++b) {
    const auto& biomarker = reference.biomarkers[b];
    ValueRange range;
    for (std::size_t j = 0; j < reference.participant_count(); ++j)
      if (const double x = reference.measurements(j, b); !std::isnan(x)) range.add(x);
    Beside beside;
    for (std::size_t j = 0; j < patients.participant_count(); ++j) {
      const double x = patients.measurements(j, b);
      if (std::isnan(x)) continue;
      beside.add(x, range, patients.participants[j]);
      if (range.is_far(x)) out.biomarkers[j].push_back(biomarker);
    }
    if (auto sentence = sentence_of(beside, range, biomarker, what); !sentence.empty())
      out.warnings.push_back(std::move(sentence));
  }
  return out;
}

}  // namespace tempo
