#include "data/table/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/lower_case.hpp"

namespace tempo {
void complain_of_repeat(const TableInput& input, std::size_t offset, const std::string& id,
                        const std::string& visit, std::size_t first, const std::string& what,
                        bool is_copy) {
  input.faults.add(TableFault::repeated_row, offset, [&] {
    const bool one_visit = input.description.visit == TableDescription::Visit::only;
    return fmt::format("participant '{}' has {} {}already in line {}{}", id, what,
                       one_visit ? "" : fmt::format("of visit '{}' ", visit),
                       input.faults.line(first),
                       is_copy ? ", and the two rows are equal; repeated_rows = \"drop\" leaves "
                                 "such copies out"
                       : one_visit ? "; a cohort is one visit per participant: say which with "
                                     "visit_column and visit"
                                   : "");
  });
}

namespace {

/// Whether a text says of the number beside it that the measurement is beyond it.
bool says_beyond(std::string_view text) {
  return text == "<" || text == ">" || text == "<=" || text == ">=";
}

/// Whether a row holds the names of the columns, in whatever order.
bool repeats_header(const CsvRow& row, const std::vector<std::string>& header) {
  if (std::find(header.begin(), header.end(), row[0].text) == header.end()) return false;
  std::vector<std::string> texts;
  for (const auto& field : row) texts.push_back(field.text);
  return std::is_permutation(texts.begin(), texts.end(), header.begin(), header.end());
}

/// Whether two texts are one word, spelled in two ways: `F` and `female`, `1` and `1.0`.
bool are_one_word(const std::string& a, const std::string& b, const TableNumbers& numbers) {
  const auto x = numbers.read(a), y = numbers.read(b);
  const auto lower_a = in_lower_case(a), lower_b = in_lower_case(b);
  return x && y ? *x == *y : lower_a.starts_with(lower_b) || lower_b.starts_with(lower_a);
}

}  // namespace

TableRows::TableRows(const TableInput& input, std::string_view text, const TableFormat& format,
                     TableNumbers& numbers)
    : input_(input), text_(text), format_(format), numbers_(numbers) {
  if (input_.description.has_own_markers)
    table_.unseen_markers = input_.description.missing_markers;
  if (!input_.description.header.empty()) take_header(header_of(input_.description));
}

void TableRows::take(const CsvRow& row) {
  if (!has_header_)
    take_header(row);
  else if (columns_)
    take_row(row);
}

bool TableRows::finish(bool is_whole) {
  if (is_whole && !has_header_) input_.faults.add(0, "is empty; expected a header and rows");
  if (is_whole && columns_ && table_.rows == 0)
    input_.faults.add(
        0, input_.description.header.empty() ? "has a header but no rows below it" : "has no rows");
  return is_whole && columns_ && table_.rows > 0;
}

void TableRows::take_header(const CsvRow& header) {
  has_header_ = true;
  columns_ = find_table_columns(header, input_, numbers_);
  if (!columns_) return;
  for (const auto column : columns_->sources) table_.sources.index(columns_->header[column]);
  for (std::size_t i = 0; i < columns_->header.size(); ++i)
    if (columns_->header[i].empty()) table_.unnamed.push_back(i + 1);
  table_.visit_column = columns_->visit;
  table_.value_column = columns_->value;
  table_.covariate_columns = columns_->covariates;
  table_.source_columns = columns_->sources;
  table_.field_offset = [this](std::size_t row, std::size_t column) {
    const auto fields = table_row_at(text_, row, format_);
    return column < fields.size() ? row + fields[column].offset : row;
  };
  table_.other_columns = other_columns(*columns_);
  table_.renamed = columns_->renamed;
}

void TableRows::take_row(const CsvRow& row) {
  ++table_.rows;
  const auto& columns = *columns_;
  if (row.size() != columns.header.size()) {
    input_.faults.add(TableFault::field_count, row[0].offset, [&] {
      return fmt::format("found {} {}, expected {} as in the header", row.size(),
                         row.size() == 1 ? "field" : "fields", columns.header.size());
    });
    return;
  }
  std::erase_if(table_.unseen_markers, [&](const std::string& marker) {
    return std::any_of(row.begin(), row.end(),
                       [&](const CsvField& field) { return field.text == marker; });
  });
  if (repeats_header(row, columns.header)) {
    input_.faults.add(row[0].offset,
                      "the row repeats the header: two tables, one below the other?");
    return;
  }
  const auto id =
      columns.participant == kNone ? std::to_string(table_.rows) : row[columns.participant].text;
  const auto visit = columns.visit == kNone ? std::string() : visit_of(row[columns.visit].text);
  if (id.empty()) {
    input_.faults.add(TableFault::empty_participant, row[columns.participant].offset,
                      [] { return "the participant is empty"; });
    return;
  }
  if (input_.description.visit == TableDescription::Visit::baseline && visit.empty()) {
    ++table_.rows_without_visit;
    table_.participants.index(id);  // who may have no other
    return;
  }
  if (input_.description.visit != TableDescription::Visit::only && visit.empty()) {
    input_.faults.add(TableFault::empty_visit, row[columns.visit].offset,
                      [&] { return fmt::format("the visit of participant '{}' is empty", id); });
    return;
  }
  if (input_.is_long())
    take_long(row, id, visit);
  else
    take_wide(row, id, visit);
}

/// What a cell of the column of visits says; empty for a missing value.
std::string TableRows::visit_of(const std::string& text) const {
  const auto& baseline = input_.description.baseline;
  const bool is_named = std::find(baseline.begin(), baseline.end(), text) != baseline.end();
  return numbers_.is_missing(text) && !is_named ? std::string() : text;
}

/// What a cell of the column of diagnoses says; empty for a missing value.
std::string TableRows::diagnosis_of(const std::string& text) const {
  if (!numbers_.is_missing(text)) return text;
  const auto& description = input_.description;
  for (const auto* labels :
       {&description.healthy, &description.diseased, &description.drop, &description.staged})
    for (const auto& label : *labels)
      if (label.text == text) return text;
  return {};
}

void TableRows::take_wide(const CsvRow& row, const std::string& id, const std::string& visit) {
  const auto [at, is_new] = find_visit(row, id, visit);
  if (!is_new) {
    take_repeat(row, id, visit, table_.visits[at].offset, "a row");
    return;
  }
  const auto& sources = columns_->sources;
  auto& cells = table_.visits[at].cells;
  cells.reserve(sources.size());
  for (std::size_t s = 0; s < sources.size(); ++s)
    cells.push_back(read_cell(row[sources[s]], at, s));
}

void TableRows::take_long(const CsvRow& row, const std::string& id, const std::string& visit) {
  const auto& biomarker = row[columns_->biomarker];
  if (biomarker.text.empty()) {
    input_.faults.add(TableFault::empty_biomarker, biomarker.offset,
                      [] { return "the biomarker is empty"; });
    return;
  }
  const auto [at, is_new] = find_visit(row, id, visit);
  auto& known = table_.visits[at];
  if (!is_new) check_agreement(known, row, id);
  const auto source = table_.sources.index(biomarker.text);
  if (columns_->unit != kNone && !row[columns_->unit].text.empty()) {
    if (source >= table_.units.size()) table_.units.resize(source + 1);
    table_.units[source].insert(row[columns_->unit].text);
  }
  for (const auto column : columns_->unused)
    if (says_beyond(row[column].text)) ++table_.bounds[{columns_->header[column], source}];
  if (auto* cell = claim_cell(known, source, row[0].offset))
    *cell = read_cell(row[columns_->value], at, source);
  else
    take_repeat(row, id, visit, known.cell_offsets[source],
                fmt::format("biomarker '{}'", biomarker.text));
}

/// A participant has something a second time: the row is left out if it is a copy and copies may
/// be.
void TableRows::take_repeat(const CsvRow& row, const std::string& id, const std::string& visit,
                            std::size_t first, const std::string& what) {
  const bool is_equal = is_copy(row, first);
  if (is_equal && input_.description.drop_copies)
    ++table_.copies;
  else
    complain_of_repeat(input_, row[0].offset, id, visit, first, what, is_equal);
}

/// Whether a row is equal to that at `first`, field by field.
bool TableRows::is_copy(const CsvRow& row, std::size_t first) const {
  const auto earlier = table_row_at(text_, first, format_);
  return std::equal(row.begin(), row.end(), earlier.begin(), earlier.end(),
                    [](const CsvField& a, const CsvField& b) { return a.text == b.text; });
}

/// Finds participants whose sex or other lasting trait is not what an earlier row says.
void TableRows::compare_unchanging(const CsvRow& row, std::size_t participant) {
  const auto& columns = columns_->unchanging;
  if (columns.empty()) return;
  if (participant >= unchanging_.size())
    unchanging_.resize(participant + 1, std::vector<CsvField>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    auto& first = unchanging_[participant][c];
    const auto& here = row[columns[c]];
    if (numbers_.is_missing(here.text)) continue;
    if (first.text.empty())
      first = here;
    else if (first.text != here.text && !are_one_word(first.text, here.text, numbers_))
      table_.changes.push_back({participant, columns_->header[columns[c]], first, here});
  }
}

/// The visit of a row, and whether this is its first row.
std::pair<std::size_t, bool> TableRows::find_visit(const CsvRow& row, const std::string& id,
                                                   const std::string& visit) {
  const auto participant = table_.participants.index(id);
  compare_unchanging(row, participant);
  const auto at = index_of_visit(participant, id, visit);
  if (at < table_.visits.size()) return {at, false};
  Visit found;
  found.participant = participant;
  found.offset = row[0].offset;
  found.name = visit;
  if (columns_->diagnosis != kNone) found.diagnosis = diagnosis_of(row[columns_->diagnosis].text);
  for (const auto column : columns_->covariates) found.covariates.push_back(row[column].text);
  for (const auto column : columns_->described) found.described.push_back(row[column].text);
  numbers_.settle(visit);
  for (const auto& covariate : found.covariates) numbers_.settle(covariate);
  table_.visits.push_back(std::move(found));
  return {at, true};
}

/// The number of visits if this one is new. Without a choice of visits a participant has one.
std::size_t TableRows::index_of_visit(std::size_t participant, const std::string& id,
                                      const std::string& visit) {
  if (input_.description.visit == TableDescription::Visit::only) return participant;
  auto key = id + '\0' + visit;  // no field holds a NUL
  return by_key_.emplace(std::move(key), table_.visits.size()).first->second;
}

void TableRows::check_agreement(const Visit& visit, const CsvRow& row, const std::string& id) {
  const auto compare = [&](std::size_t column, const std::string& here, const std::string& before) {
    if (here == before) return;
    input_.faults.add(TableFault::disagreement, row[column].offset, [&] {
      return fmt::format("participant '{}' has {} '{}' here but '{}' in line {}", id,
                         columns_->header[column], here, before, input_.faults.line(visit.offset));
    });
  };
  if (const auto column = columns_->diagnosis; column != kNone)
    compare(column, diagnosis_of(row[column].text), visit.diagnosis);
  for (std::size_t c = 0; c < columns_->covariates.size(); ++c)
    compare(columns_->covariates[c], row[columns_->covariates[c]].text, visit.covariates[c]);
}

void TableRows::note_writing(const CsvField& field, std::size_t source, bool is_number) {
  if (source >= table_.writing.size()) table_.writing.resize(source + 1);
  auto& writing = table_.writing[source];
  if (field.text.find_first_of(".,") == std::string::npos) {
    writing.plain += is_number;
  } else if (!may_part_thousands(field.text)) {
    ++writing.marked;
  } else if (writing.thousands++ == 0) {
    writing.offset = field.offset;
    writing.example = field.text;
  }
}

/// The number in a field, NaN if missing. What is neither is put aside: whether it matters is not
/// known before participants and visits have been chosen.
double TableRows::read_cell(const CsvField& field, std::size_t visit, std::size_t source) {
  if (numbers_.is_missing(field.text)) return kMissingValue;
  numbers_.settle(field.text);
  const auto number = numbers_.read_finite(field.text);
  note_writing(field, source, number.has_value());
  if (number && !numbers_.is_missing(*number)) return *number;
  if (number) {  // a marker that is written otherwise: -4.0
    std::erase_if(table_.unseen_markers,
                  [&](const std::string& marker) { return numbers_.read(marker) == number; });
    return kMissingValue;
  }
  table_.odd.push_back({visit, source, field.offset, field.text});
  return kMissingValue;
}

}  // namespace tempo
