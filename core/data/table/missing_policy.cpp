#include "data/table/missing_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/names.hpp"
#include "data/table/label_choice.hpp"
#include "tempo/gross_errors.hpp"

namespace tempo {
namespace {

using Policy = TableDescription::Missing;
using MissingCovariate = TableDescription::MissingCovariate;

bool lacks_covariate(const Visit& visit, std::size_t covariate, const TableNumbers& numbers) {
  return numbers.is_missing_however_written(visit.covariates[covariate]);
}

/// Who lacks a measurement or a covariate, and how often each covariate is missing.
struct Gaps {
  std::vector<bool> lacks_measurement, lacks_covariate;  ///< [J]
  std::vector<std::size_t> covariates;  ///< participants without it, as the description lists them
};

Gaps find_gaps(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
               const Selection& selection, const Cohort& cohort) {
  const auto covariates = input.description.covariates.size();
  Gaps out{{}, {}, std::vector<std::size_t>(covariates, 0)};
  for (std::size_t j = 0; j < selection.visits.size(); ++j) {
    const auto row = cohort.measurements.row(j);
    out.lacks_measurement.push_back(
        std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }));
    out.lacks_covariate.push_back(false);
    for (std::size_t c = 0; c < covariates; ++c)
      if (lacks_covariate(table.visits[selection.visits[j]], c, numbers)) {
        out.lacks_covariate[j] = true;
        ++out.covariates[c];
      }
  }
  return out;
}

void complain_of_covariates(const Gaps& gaps, const TableInput& input) {
  const auto& covariates = input.description.covariates;
  for (std::size_t c = 0; c < covariates.size(); ++c)
    if (const auto count = gaps.covariates[c]; count > 0)
      input.problems.add(
          covariates[c].place,
          fmt::format("{} lack{} covariate '{}'; [adjust] missing = \"drop\" leaves them out, "
                      "\"mean\" takes that of the healthy",
                      counted(count, "participant"), count == 1 ? "s" : "", covariates[c].text));
}

void complain_of_measurements(const TableInput& input, const CohortTable& out) {
  const auto total = out.missing.total();
  if (total == 0) return;
  auto table = out.missing.report();
  table.pop_back();
  input.problems.add({input.name},
                     fmt::format("{} of {} measurements are missing; choose missing = "
                                 "\"drop\" (participants), \"marginal\" (leave them to the "
                                 "methods) or \"mean\"\n{}",
                                 total, out.cohort.measurements.values().size(), table));
}

/// `lacks ABETA, AGE`: the first few of what a participant lacks, and how much more.
std::string what_lacks(const Cohort& cohort, std::size_t j, const Visit& visit,
                       const TableInput& input, const TableNumbers& numbers) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    if (std::isnan(cohort.measurements(j, b))) names.push_back(cohort.biomarkers[b]);
  const auto& covariates = input.description.covariates;
  for (std::size_t c = 0; c < covariates.size(); ++c)
    if (lacks_covariate(visit, c, numbers)) names.push_back(covariates[c].text);
  return "lacks " + in_short(names);
}

/// `with all values (left out: 'AD': 4, 'CN': 1; 3 of them only for values beyond what is
/// measured)`.
std::string what_it_cost(const VisitTable& table, const std::vector<bool>& incomplete,
                         const Gaps& gaps, const Selection& selection, const Cohort& cohort) {
  LabelCounts dropped;
  std::size_t censored = 0;
  for (std::size_t j = 0; j < incomplete.size(); ++j) {
    if (!incomplete[j]) continue;
    const auto& visit = table.visits[selection.visits[j]];
    ++dropped[selection.diagnoses.empty() ? std::string() : visit.diagnosis];
    const auto row = cohort.measurements.row(j);
    const auto missing =
        std::count_if(row.begin(), row.end(), [](double x) { return std::isnan(x); });
    if (!gaps.lacks_covariate[j] && static_cast<std::size_t>(missing) == visit.censored) ++censored;
  }
  if (dropped.empty()) return {};
  const bool are_labelled = !selection.diagnoses.empty();
  return fmt::format(" (left out: {}{})",
                     are_labelled ? in_words(dropped) : std::to_string(dropped.begin()->second),
                     censored == 0 ? ""
                                   : fmt::format("; {} of them only for values beyond what is "
                                                 "measured",
                                                 censored));
}

/// Leaves participants out of the cohort, and says what they lack.
void leave_out(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
               const std::vector<bool>& incomplete, Selection& selection, CohortTable& out) {
  const Cohort all = std::move(out.cohort);
  const auto count =
      static_cast<std::size_t>(std::count(incomplete.begin(), incomplete.end(), false));
  Cohort rest;
  rest.biomarkers = all.biomarkers;
  rest.measurements = Matrix(count, all.biomarker_count());
  std::vector<std::size_t> visits;
  for (std::size_t j = 0; j < incomplete.size(); ++j) {
    if (incomplete[j]) {
      const auto& visit = table.visits[selection.visits[j]];
      out.left_out.push_back({all.participants[j], what_lacks(all, j, visit, input, numbers)});
      continue;
    }
    const auto row = all.measurements.row(j);
    std::copy(row.begin(), row.end(), rest.measurements.row(visits.size()).begin());
    rest.participants.push_back(all.participants[j]);
    if (!all.diseased.empty()) rest.diseased.push_back(all.diseased[j]);
    if (!all.diagnoses.empty()) rest.diagnoses.push_back(all.diagnoses[j]);
    visits.push_back(selection.visits[j]);
  }
  selection = {std::move(visits), rest.diseased, rest.diagnoses};
  out.cohort = std::move(rest);
}

}  // namespace

void handle_missing(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                    Selection& selection, CohortTable& out) {
  const auto policy = input.description.missing;
  out.missing = count_missing(out.cohort, input.labels);
  const auto gaps = find_gaps(table, input, numbers, selection, out.cohort);
  // Later participants are measured by the regression of others: who lacks a covariate is no fault.
  const auto of_covariates =
      policy == Policy::drop || (input.earlier != nullptr &&
                                 input.description.missing_covariates == MissingCovariate::refuse)
          ? MissingCovariate::drop
          : input.description.missing_covariates;
  if (of_covariates == MissingCovariate::refuse) complain_of_covariates(gaps, input);
  if (policy == Policy::refuse) complain_of_measurements(input, out);
  if (!input.problems.empty()) return;
  std::vector<bool> incomplete(selection.visits.size(), false);
  for (std::size_t j = 0; j < incomplete.size(); ++j)
    incomplete[j] = (policy == Policy::drop && gaps.lacks_measurement[j]) ||
                    (of_covariates == MissingCovariate::drop && gaps.lacks_covariate[j]);
  const bool any = std::find(incomplete.begin(), incomplete.end(), true) != incomplete.end();
  if (policy == Policy::drop || any) {
    const auto cost = what_it_cost(table, incomplete, gaps, selection, out.cohort);
    leave_out(table, input, numbers, incomplete, selection, out);
    out.flow.push_back({(policy == Policy::drop ? "with all values" : "with all covariates") + cost,
                        selection.visits.size()});
    if (selection.visits.empty())
      input.problems.add(
          {input.name},
          fmt::format(
              "no participant has a value of every {}; leave some out, or "
              "choose missing = \"marginal\"",
              input.description.covariates.empty() ? "biomarker" : "biomarker and covariate"));
  }
  if (policy == Policy::marginal && input.earlier == nullptr)
    note_left_empty(out.missing, out.notes);
}

void fill_with_means(const TableInput& input, CohortTable& out) {
  const auto believed = without(out.cohort, gross_errors(out.cohort)).measurements;
  auto& x = out.cohort.measurements;
  for (std::size_t b = 0; b < x.cols(); ++b) {
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t j = 0; j < x.rows(); ++j)
      if (!std::isnan(believed(j, b))) {
        sum += believed(j, b);
        ++count;
      }
    if (count == 0) {
      input.problems.add(
          {input.name},
          fmt::format("biomarker '{}' has no value at all, and no mean", out.cohort.biomarkers[b]));
      continue;
    }
    for (std::size_t j = 0; j < x.rows(); ++j)
      if (std::isnan(x(j, b))) x(j, b) = sum / static_cast<double>(count);
  }
  if (const auto total = out.missing.total(); total > 0)
    out.notes.push_back(fmt::format("{} {} set to the biomarker's mean",
                                    counted(total, "missing measurement"),
                                    total == 1 ? "was" : "were"));
}

void note_left_empty(const MissingValues& missing, std::vector<std::string>& notes) {
  if (const auto total = missing.total(); total > 0)
    notes.push_back(fmt::format("{} {} left empty", counted(total, "missing measurement"),
                                total == 1 ? "was" : "were"));
}

}  // namespace tempo
