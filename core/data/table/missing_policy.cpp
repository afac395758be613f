#include "data/table/missing_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/names.hpp"

namespace tempo {
namespace {

using Policy = TableDescription::Missing;

bool lacks_covariate(const Visit& visit, std::size_t covariate, const TableNumbers& numbers) {
  return numbers.is_missing_however_written(visit.covariates[covariate]);
}

/// Who lacks a measurement or a covariate, and how often each covariate is missing.
struct Gaps {
  std::vector<bool> incomplete;         ///< [J]
  std::vector<std::size_t> covariates;  ///< participants without it, as the description lists them
};

Gaps find_gaps(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
               const Selection& selection, const Cohort& cohort) {
  const auto covariates = input.description.covariates.size();
  Gaps out{{}, std::vector<std::size_t>(covariates, 0)};
  for (std::size_t j = 0; j < selection.visits.size(); ++j) {
    const auto row = cohort.measurements.row(j);
    bool incomplete = std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
    for (std::size_t c = 0; c < covariates; ++c)
      if (lacks_covariate(table.visits[selection.visits[j]], c, numbers)) {
        incomplete = true;
        ++out.covariates[c];
      }
    out.incomplete.push_back(incomplete);
  }
  return out;
}

void complain_of_covariates(const Gaps& gaps, const TableInput& input) {
  const auto& covariates = input.description.covariates;
  for (std::size_t c = 0; c < covariates.size(); ++c)
    if (const auto count = gaps.covariates[c]; count > 0)
      input.problems.add(
          covariates[c].place,
          fmt::format("covariate '{}' is missing of {} participant{}; choose missing = "
                      "\"drop\", or do without it",
                      covariates[c].text, count, count == 1 ? "" : "s"));
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

void keep_complete(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
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
  if (policy != Policy::drop) complain_of_covariates(gaps, input);
  if (policy == Policy::refuse) complain_of_measurements(input, out);
  if (policy == Policy::drop) {
    keep_complete(table, input, numbers, gaps.incomplete, selection, out);
    out.flow.push_back({"with all values", selection.visits.size()});
    if (selection.visits.empty())
      input.problems.add({input.name}, fmt::format("no participant has a value of every {}; leave "
                                                   "some out, or choose missing = \"marginal\"",
                                                   input.description.covariates.empty()
                                                       ? "biomarker"
                                                       : "biomarker and covariate"));
  }
  if (policy == Policy::marginal && input.earlier == nullptr)
    note_left_empty(out.missing, out.notes);
}

void fill_with_means(const TableInput& input, CohortTable& out) {
  auto& x = out.cohort.measurements;
  for (std::size_t b = 0; b < x.cols(); ++b) {
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t j = 0; j < x.rows(); ++j)
      if (!std::isnan(x(j, b))) {
        sum += x(j, b);
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
