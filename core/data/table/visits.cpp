#include "data/table/visits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/table/faults.hpp"
#include "data/table/numbers.hpp"

namespace tempo {
namespace {

/// The quotient of a visit's cells.
double divided(const VisitTable& table, const Visit& visit, const BiomarkerSource& biomarker,
               double value, double divisor, TableFaults& faults) {
  if (divisor == 0.0) {
    faults.add(TableFault::divisor, table.offset_of_cell(visit, biomarker.over), [&] {
      return fmt::format("{} of participant '{}' is 0, and '{}' is divided by it",
                         table.sources.names[biomarker.over], table.id(visit), biomarker.name);
    });
    return value;
  }
  const auto quotient = value / divisor;
  if (std::isinf(quotient))
    faults.add(TableFault::divisor, table.offset_of_cell(visit, biomarker.column), [&] {
      return fmt::format("'{}' of participant '{}', {} divided by {}, is not finite",
                         biomarker.name, table.id(visit), value, divisor);
    });
  return quotient;
}

/// The logarithm of a visit's value.
double logarithm(const VisitTable& table, const Visit& visit, const BiomarkerSource& biomarker,
                 double value, TableFaults& faults) {
  if (value <= 0.0)
    faults.add(TableFault::logarithm, table.offset_of_cell(visit, biomarker.column), [&] {
      return fmt::format("'{}' of participant '{}' is {}, which has no logarithm", biomarker.name,
                         table.id(visit), value);
    });
  return std::log(value);
}

}  // namespace

std::size_t VisitTable::offset_of(const Visit& visit, std::size_t column) const {
  return column == kNone || !field_offset ? visit.offset : field_offset(visit.offset, column);
}

std::size_t VisitTable::offset_of_cell(const Visit& visit, std::size_t source) const {
  if (source < source_columns.size()) return offset_of(visit, source_columns[source]);
  const bool is_long = source < visit.cell_offsets.size() && visit.cell_offsets[source] != kNone;
  if (!is_long || value_column == kNone || !field_offset) return visit.offset;
  return field_offset(visit.cell_offsets[source], value_column);
}

double* claim_cell(Visit& visit, std::size_t source, std::size_t offset) {
  if (source >= visit.cells.size()) {
    visit.cells.resize(source + 1, kMissingValue);
    visit.cell_offsets.resize(source + 1, kNone);
  }
  auto& first = visit.cell_offsets[source];
  if (first != kNone) return nullptr;
  first = offset;
  return &visit.cells[source];
}

Cohort make_cohort(VisitTable& table, const Selection& selection,
                   const std::vector<BiomarkerSource>& biomarkers, TableFaults& faults) {
  Cohort cohort;
  for (const auto& biomarker : biomarkers) cohort.biomarkers.push_back(biomarker.name);
  cohort.diseased = selection.diseased;
  cohort.diagnoses = selection.diagnoses;
  cohort.measurements = Matrix(selection.visits.size(), biomarkers.size(), kMissingValue);
  for (std::size_t j = 0; j < selection.visits.size(); ++j) {
    auto& visit = table.visits[selection.visits[j]];
    cohort.participants.push_back(table.id(visit));
    const auto cell = [&](std::size_t source) {
      return source < visit.cells.size() ? visit.cells[source] : kMissingValue;
    };
    for (std::size_t b = 0; b < biomarkers.size(); ++b) {
      const auto& [name, column, over, takes_log] = biomarkers[b];
      auto value = cell(column);
      if (over != kNone) value = divided(table, visit, biomarkers[b], value, cell(over), faults);
      if (takes_log) value = logarithm(table, visit, biomarkers[b], value, faults);
      cohort.measurements(j, b) = value;
    }
    visit.cells = {};  // the matrix has them now
  }
  return cohort;
}

}  // namespace tempo
