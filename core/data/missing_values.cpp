#include "data/missing_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/names.hpp"
#include "tempo/error.hpp"

namespace tempo {

std::size_t MissingValues::total() const {
  std::size_t sum = 0;
  for (const auto& column : columns) sum += column.healthy + column.diseased;
  return sum;
}

std::string MissingValues::report() const {
  if (total() == 0) return {};
  constexpr std::string_view kTitle = "missing";
  auto width = kTitle.size();
  for (const auto& column : columns) width = std::max(width, column.biomarker.size());
  const auto of_healthy = fmt::format("healthy (of {})", healthy);
  const auto of_diseased = fmt::format("diseased (of {})", diseased);
  auto text = fmt::format("{:<{}}  {}  {}\n", kTitle, width, of_healthy, of_diseased);
  for (const auto& column : columns)
    if (column.healthy + column.diseased > 0)
      text += fmt::format("{:<{}}  {:>{}}  {:>{}}\n", column.biomarker, width, column.healthy,
                          of_healthy.size(), column.diseased, of_diseased.size());
  if (!empty_participants.empty())
    text += fmt::format("{}{}\n", kUnmeasured, in_short(empty_participants));
  return text;
}

MissingValues count_missing(const Cohort& cohort, Labels labels) {
  const auto J = cohort.participant_count();
  const bool is_labelled = labels != Labels::ignored;
  if (is_labelled && cohort.diseased.size() != J)
    throw ShapeError(
        fmt::format("diseased: expected {} labels, got {}", J, cohort.diseased.size()));
  MissingValues missing;
  for (const auto& name : cohort.biomarkers) missing.columns.push_back({name});
  for (std::size_t j = 0; j < J; ++j) {
    const bool diseased = !is_labelled || cohort.diseased[j] != 0;
    ++(diseased ? missing.diseased : missing.healthy);
    std::size_t lacking = 0;
    for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
      if (!std::isnan(cohort.measurements(j, b))) continue;
      ++lacking;
      ++(diseased ? missing.columns[b].diseased : missing.columns[b].healthy);
    }
    if (lacking == cohort.biomarker_count())
      missing.empty_participants.push_back(cohort.participants[j]);
  }
  return missing;
}

bool is_measured(const Cohort& cohort, std::size_t participant) {
  const auto row = cohort.measurements.row(participant);
  return std::any_of(row.begin(), row.end(), [](double x) { return !std::isnan(x); });
}

}  // namespace tempo
