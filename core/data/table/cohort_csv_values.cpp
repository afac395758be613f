#include "data/table/cohort_csv_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tempo {
namespace {

std::optional<bool> label_of(std::string_view text) {
  if (text == "True" || text == "true" || text == "TRUE" || text == "1") return true;
  if (text == "False" || text == "false" || text == "FALSE" || text == "0") return false;
  return std::nullopt;
}

}  // namespace

CohortCsvValues::CohortCsvValues(TableFaults& faults)
    : faults_(faults), numbers_('.', {"NA", "NaN", "nan"}) {}

bool CohortCsvValues::has_fields(const CsvRow& row, std::size_t count) {
  if (row.size() == count) return true;
  faults_.add(TableFault::field_count, row[0].offset, [&] {
    return fmt::format(
        "found {} {}, expected {} as in the header{}", row.size(),
        row.size() == 1 ? "field" : "fields", count,
        row.size() == count + 1 ? " (a decimal comma? numbers are written 3.14)" : "");
  });
  return false;
}

double CohortCsvValues::measurement(const CsvField& field) {
  if (numbers_.is_missing(field.text)) return kMissingValue;
  double value = kMissingValue;
  const auto fault = numbers_.read(field.text, value);
  if (fault == std::errc() && std::isfinite(value)) return value;
  faults_.add(TableFault::measurement, field.offset, [&] {
    return fault == std::errc::result_out_of_range
               ? fmt::format("measurement '{}' is beyond the range of numbers", field.text)
               : fmt::format(
                     "measurement '{}' is not a finite number; where it is missing, leave "
                     "it empty or write NA",
                     field.text);
  });
  return kMissingValue;
}

std::optional<bool> CohortCsvValues::label(const CsvField& field) {
  const auto label = label_of(field.text);
  if (!label)
    faults_.add(TableFault::label, field.offset, [&] {
      return fmt::format(
          "diseased is '{}'; expected True or False (or 1 or 0){}", field.text,
          field.text.empty() ? "; a cohort without diagnosis has no such column" : "");
    });
  return label;
}

void CohortCsvValues::complain_of_no_participant(const CsvField& field) {
  faults_.add(TableFault::empty_participant, field.offset,
              [] { return "the participant is empty"; });
}

}  // namespace tempo
