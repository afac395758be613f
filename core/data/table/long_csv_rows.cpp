#include "data/table/long_csv_rows.hpp"

#include <fmt/format.h>

namespace tempo {

LongCsvRows::LongCsvRows(Labels labels, TableFaults& faults)
    : labels_(labels), faults_(faults), values_(faults) {}

void LongCsvRows::take(const CsvRow& row) {
  if (!has_header_) {
    has_header_ = true;
    columns_ = LongColumns::find(row, labels_, faults_);
    if (columns_ && labels_ == Labels::optional)
      labels_ = columns_->has(LongColumn::diseased) ? Labels::needed : Labels::ignored;
  } else if (columns_) {
    take_row(row);
  }
}

void LongCsvRows::finish(bool is_whole) {
  if (is_whole && !has_header_)
    faults_.add(
        0, fmt::format("is empty; expected a header: {}", fmt::join(required_long_columns(), ",")));
  if (is_whole && columns_ && table_.rows == 0) faults_.add(0, "has a header but no rows below it");
}

Selection LongCsvRows::all() const {
  Selection out;
  out.visits = participant_order(table_.participants.names);
  for (const auto v : out.visits) {
    const auto& [diseased, diagnosis] = labellings_[v];
    if (labels_ == Labels::needed) out.diseased.push_back(diseased.value ? 1 : 0);
    if (has_diagnoses()) out.diagnoses.push_back(diagnosis.value);
  }
  return out;
}

bool LongCsvRows::has_diagnoses() const {
  return labels_ == Labels::needed && columns_ && columns_->has(LongColumn::diagnosis);
}

void LongCsvRows::take_row(const CsvRow& row) {
  ++table_.rows;
  if (!values_.has_fields(row, columns_->count())) return;
  const auto& participant = columns_->of(row, LongColumn::participant);
  const auto& biomarker = columns_->of(row, LongColumn::biomarker);
  check_not_empty(participant, biomarker);
  const bool has_id = !participant.text.empty();
  const auto at = has_id ? table_.participants.index(participant.text) : kNone;
  if (has_id && at == table_.visits.size()) {
    table_.visits.emplace_back();
    table_.visits.back().participant = at;
    table_.visits.back().offset = row[0].offset;
    labellings_.emplace_back();
  }
  auto* cell = has_id && !biomarker.text.empty() ? new_cell(table_.visits[at], row) : nullptr;
  const auto value = values_.measurement(columns_->of(row, LongColumn::measurement));
  if (cell != nullptr) *cell = value;
  if (labels_ == Labels::ignored) return;
  const auto label = values_.label(columns_->of(row, LongColumn::diseased));
  if (!has_id) return;
  if (label) agree_on_label(labellings_[at], *label, row);
  if (has_diagnoses()) agree_on_diagnosis(labellings_[at], row);
}

void LongCsvRows::check_not_empty(const CsvField& participant, const CsvField& biomarker) {
  if (participant.text.empty()) values_.complain_of_no_participant(participant);
  if (biomarker.text.empty())
    faults_.add(TableFault::empty_biomarker, biomarker.offset,
                [] { return "the biomarker is empty"; });
}

/// The cell of a row, or null and a fault if an earlier row has filled it.
double* LongCsvRows::new_cell(Visit& visit, const CsvRow& row) {
  const auto& biomarker = columns_->of(row, LongColumn::biomarker).text;
  const auto source = table_.sources.index(biomarker);
  auto* cell = claim_cell(visit, source, row[0].offset);
  if (cell == nullptr)
    faults_.add(TableFault::repeated_row, row[0].offset, [&] {
      return fmt::format(
          "participant '{}' has biomarker '{}' already in line {}; a cohort is one "
          "visit per participant: keep one of them, such as the first visit",
          table_.id(visit), biomarker, faults_.line(visit.cell_offsets[source]));
    });
  return cell;
}

template <class T, class Words>
void LongCsvRows::agree(Agreed<T>& known, const T& found, const CsvField& field, TableFault kind,
                        const Words& words) {
  if (known.offset == kNone) {
    known = {found, field.offset, false};
  } else if (known.value != found && !known.is_disputed) {
    known.is_disputed = true;
    faults_.add(kind, field.offset, words);
  }
}

void LongCsvRows::agree_on_label(Labelling& known, bool found, const CsvRow& row) {
  agree(known.diseased, found, columns_->of(row, LongColumn::diseased), TableFault::two_labels,
        [&] {
          return fmt::format("participant '{}' is {} here but {} in line {}",
                             columns_->of(row, LongColumn::participant).text,
                             found ? "diseased" : "healthy", found ? "healthy" : "diseased",
                             faults_.line(known.diseased.offset));
        });
}

void LongCsvRows::agree_on_diagnosis(Labelling& known, const CsvRow& row) {
  const auto& field = columns_->of(row, LongColumn::diagnosis);
  agree(known.diagnosis, field.text, field, TableFault::two_diagnoses, [&] {
    return fmt::format("participant '{}' has diagnosis '{}' here but '{}' in line {}",
                       columns_->of(row, LongColumn::participant).text, field.text,
                       known.diagnosis.value, faults_.line(known.diagnosis.offset));
  });
}

}  // namespace tempo
