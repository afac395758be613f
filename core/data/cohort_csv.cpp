#include "data/cohort_csv.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "data/csv_rows.hpp"
#include "data/names.hpp"
#include "data/table/faults.hpp"
#include "data/table/long_columns.hpp"
#include "data/table/long_csv_rows.hpp"
#include "data/table/visits.hpp"
#include "data/text_file.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr std::array kCsvFaults{TableFault::field_count,     TableFault::empty_participant,
                                TableFault::empty_biomarker, TableFault::measurement,
                                TableFault::label,           TableFault::repeated_row,
                                TableFault::two_labels,      TableFault::two_diagnoses};

/// All visits and all biomarkers: a long CSV leaves nothing to choose.
CohortFile make_cohort_file(LongCsvRows& rows, Labels labels, TableFaults& faults) {
  auto& table = rows.visits();
  const auto all = rows.all();
  std::vector<BiomarkerSource> biomarkers;
  for (const auto source : order_by_name(table.sources.names))
    biomarkers.push_back({table.sources.names[source], source, kNone});
  CohortFile out;
  out.rows = table.rows;
  for (const auto& visit : table.visits) {
    const auto given = std::count_if(visit.cell_offsets.begin(), visit.cell_offsets.end(),
                                     [](auto offset) { return offset != kNone; });
    out.absent_rows += biomarkers.size() - static_cast<std::size_t>(given);
  }
  out.cohort = make_cohort(table, all, biomarkers, faults);
  out.missing = count_missing(out.cohort, labels);
  return out;
}

}  // namespace

CohortFile read_cohort_csv(const std::filesystem::path& path, Problems& problems, Labels labels) {
  if (path.extension() == ".toml") {
    problems.add({path.string()},
                 "is the description of a table; 'tempo import' makes a cohort of it");
    return {};
  }
  const auto text = read_text_file(path, problems);
  return text ? read_cohort_csv_text(*text, path.string(), problems, labels) : CohortFile{};
}

CohortFile read_cohort_csv_text(std::string_view text, const std::string& name, Problems& problems,
                                Labels labels) {
  Problems found;
  CohortFile file;
  if (const auto checked = checked_text(text, name, found)) {
    TableFaults faults(*checked, name, kCsvFaults, found);
    LongCsvRows rows(labels, faults);
    Problems broken;
    for_each_csv_row(*checked, name, broken, [&](const CsvRow& row) { rows.take(row); });
    rows.finish(broken.empty());
    faults.add_the_rest();
    found.append(broken);
    if (found.empty()) file = make_cohort_file(rows, rows.labels(), faults);
  }
  problems.append(found);
  return file;
}

namespace {

/// Calls take(text) with the CSV in pieces of about a megabyte.
template <class Take>
void write_pieces(const Cohort& cohort, const Take& take) {
  check(cohort);
  if (cohort.diseased.size() != cohort.participant_count())
    throw ShapeError("a cohort without labels cannot be written: the file has a column for them");
  const auto order = order_by_name(cohort.biomarkers);
  std::vector<std::string> names;
  for (const auto b : order) names.push_back("," + csv_field(cohort.biomarkers[b]) + ",");

  constexpr std::size_t kPiece = 1 << 20;
  const bool has_diagnoses = !cohort.diagnoses.empty();
  fmt::memory_buffer piece;
  const auto add = [&](std::string_view text) {
    piece.append(text.data(), text.data() + text.size());
  };
  const auto flush = [&] {
    take(std::string_view(piece.data(), piece.size()));
    piece.clear();
  };
  add(fmt::format("{}{}\n", fmt::join(required_long_columns(), ","),
                  has_diagnoses ? ",diagnosis" : ""));
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const auto id = csv_field(cohort.participants[j]);
    auto end_of_row = std::string(cohort.diseased[j] != 0 ? ",True" : ",False");
    if (has_diagnoses) end_of_row += "," + csv_field(cohort.diagnoses[j]);
    end_of_row += '\n';
    for (std::size_t i = 0; i < order.size(); ++i) {
      add(id);
      add(names[i]);
      if (const auto value = cohort.measurements(j, order[i]); !std::isnan(value))
        fmt::format_to(std::back_inserter(piece), FMT_COMPILE("{}"), value);
      add(end_of_row);
    }
    if (piece.size() > kPiece) flush();
  }
  flush();
}

}  // namespace

std::string to_csv(const Cohort& cohort) {
  std::string text;
  write_pieces(cohort, [&](std::string_view piece) { text += piece; });
  return text;
}

void write_cohort_csv(const Cohort& cohort, const std::filesystem::path& path) {
  TextFileWriter writer(path);
  write_pieces(cohort, [&](std::string_view piece) { writer.append(piece); });
  writer.finish();
}

}  // namespace tempo
