#include "data/wide_cohort_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "data/csv_rows.hpp"
#include "data/names.hpp"
#include "data/table/cohort_csv_values.hpp"
#include "data/table/faults.hpp"
#include "data/table/long_columns.hpp"
#include "data/text_file.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr std::array kWideFaults{TableFault::field_count, TableFault::empty_participant,
                                 TableFault::measurement, TableFault::label,
                                 TableFault::repeated_row};
constexpr const char* kParticipantColumn = "participant";
constexpr const char* kLabelColumn = "diseased";

/// Where the columns of a wide CSV stand.
struct WideColumns {
  std::size_t count = 0;
  std::size_t participant = 0, label = 0;
  std::vector<std::size_t> biomarkers;
};

/// Turns the rows of a wide CSV into a cohort.
class WideCsvRows {
 public:
  explicit WideCsvRows(TableFaults& faults) : faults_(faults), values_(faults) {}

  /// The header, then the rows below it.
  void take(const CsvRow& row) {
    if (!has_header_) {
      has_header_ = true;
      columns_ = find_columns(row);
    } else if (columns_) {
      take_row(row);
    }
  }

  /// Complains of a file without header or rows.
  /// @param is_whole  no fault of quotes ended the reading
  void finish(bool is_whole) {
    if (is_whole && !has_header_)
      faults_.add(0, fmt::format("is empty; expected a header: {}, biomarkers, {}",
                                 kParticipantColumn, kLabelColumn));
    if (is_whole && columns_ && rows_ == 0) faults_.add(0, "has a header but no rows below it");
  }

  /// What was read, in a cohort's order. Call if there was no fault.
  CohortFile file() const {
    CohortFile out;
    out.rows = rows_;
    const auto columns = order_by_name(biomarkers_);
    for (const auto b : columns) out.cohort.biomarkers.push_back(biomarkers_[b]);
    out.cohort.measurements = Matrix(ids_.size(), biomarkers_.size());
    for (const auto row : participant_order(ids_)) {
      const auto j = out.cohort.participants.size();
      out.cohort.participants.push_back(ids_[row]);
      out.cohort.diseased.push_back(diseased_[row]);
      for (std::size_t b = 0; b < columns.size(); ++b)
        out.cohort.measurements(j, b) = cells_[row * columns.size() + columns[b]];
    }
    out.missing = count_missing(out.cohort);
    return out;
  }

 private:
  std::optional<WideColumns> find_columns(const CsvRow& header) {
    WideColumns out{.count = header.size(), .biomarkers = {}};
    std::unordered_map<std::string, std::size_t> first;
    bool is_good = true;
    const auto complain = [&](std::size_t offset, const std::string& message) {
      faults_.add(offset, message);
      is_good = false;
    };
    for (std::size_t i = 0; i < header.size(); ++i) {
      const auto& [name, offset] = header[i];
      const auto [at, is_new] = first.emplace(name, i);
      if (name.empty())
        complain(offset, fmt::format("column {} has no name", i + 1));
      else if (!is_new)
        complain(offset, fmt::format("column '{}' is given twice; first as column {}", name,
                                     at->second + 1));
      else if (name == kParticipantColumn)
        out.participant = i;
      else if (name == kLabelColumn)
        out.label = i;
      else
        out.biomarkers.push_back(i);
    }
    if (std::all_of(required_long_columns().begin(), required_long_columns().end(),
                    [&](const std::string& name) { return first.contains(name); })) {
      complain(header[0].offset,
               "this is a long table; expected a wide one, a row per participant with a column "
               "for each biomarker");
      return std::nullopt;
    }
    for (const auto* name : {kParticipantColumn, kLabelColumn})
      if (!first.contains(name))
        complain(header[0].offset, fmt::format("missing column '{}'", name));
    if (is_good && out.biomarkers.empty()) complain(header[0].offset, "there is no biomarker");
    if (!is_good) return std::nullopt;
    for (const auto column : out.biomarkers) biomarkers_.push_back(header[column].text);
    return out;
  }

  void take_row(const CsvRow& row) {
    ++rows_;
    if (!values_.has_fields(row, columns_->count)) return;
    const auto& id = row[columns_->participant];
    if (id.text.empty())
      values_.complain_of_no_participant(id);
    else if (const auto [known, is_new] = offsets_.emplace(id.text, row[0].offset); !is_new)
      faults_.add(TableFault::repeated_row, row[0].offset, [&, first = known->second] {
        return fmt::format("participant '{}' is given already in line {}", id.text,
                           faults_.line(first));
      });
    ids_.push_back(id.text);
    for (const auto column : columns_->biomarkers)
      cells_.push_back(values_.measurement(row[column]));
    diseased_.push_back(values_.label(row[columns_->label]).value_or(false) ? 1 : 0);
  }

  TableFaults& faults_;
  CohortCsvValues values_;
  bool has_header_ = false;
  std::optional<WideColumns> columns_;  // absent: no header, or a faulty one
  std::size_t rows_ = 0;
  std::vector<std::string> biomarkers_;  // as the header has them
  std::vector<std::string> ids_;
  std::vector<std::uint8_t> diseased_;
  std::vector<double> cells_;                             // by row
  std::unordered_map<std::string, std::size_t> offsets_;  // of participants' rows
};

}  // namespace

CohortFile read_wide_cohort_csv_text(std::string_view text, const std::string& name,
                                     Problems& problems) {
  Problems found;
  CohortFile file;
  if (const auto checked = checked_text(text, name, found)) {
    TableFaults faults(*checked, name, kWideFaults, found);
    WideCsvRows rows(faults);
    Problems broken;
    for_each_csv_row(*checked, name, broken, [&](const CsvRow& row) { rows.take(row); });
    rows.finish(broken.empty());
    faults.add_the_rest();
    found.append(broken);
    if (found.empty()) file = rows.file();
  }
  problems.append(found);
  return file;
}

void write_wide_cohort_csv(const Cohort& cohort, const std::filesystem::path& path) {
  check(cohort);
  if (cohort.diseased.size() != cohort.participant_count())
    throw ShapeError("a cohort without labels cannot be written: the file has a column for them");
  for (const auto* name : {kParticipantColumn, kLabelColumn})
    if (std::find(cohort.biomarkers.begin(), cohort.biomarkers.end(), name) !=
        cohort.biomarkers.end())
      throw ShapeError(
          fmt::format("biomarker '{}' is called like another column of the file", name));
  const auto order = order_by_name(cohort.biomarkers);
  std::string text = kParticipantColumn;
  for (const auto b : order) text += "," + csv_field(cohort.biomarkers[b]);
  text += fmt::format(",{}\n", kLabelColumn);
  TextFileWriter writer(path);
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    text += csv_field(cohort.participants[j]);
    for (const auto b : order) {
      const auto value = cohort.measurements(j, b);
      text += std::isnan(value) ? "," : fmt::format(",{}", value);
    }
    text += cohort.diseased[j] != 0 ? ",True\n" : ",False\n";
    writer.append(text);
    text.clear();
  }
  writer.append(text);  // a header alone
  writer.finish();
}

}  // namespace tempo
