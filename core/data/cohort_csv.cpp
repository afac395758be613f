#include "data/cohort_csv.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "data/csv_rows.hpp"
#include "data/names.hpp"
#include "data/text_faults.hpp"
#include "data/text_file.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr auto kNone = std::numeric_limits<std::size_t>::max();
constexpr auto kMissing = std::numeric_limits<double>::quiet_NaN();

enum Column : std::size_t { kParticipant, kBiomarker, kMeasurement, kDiseased, kDiagnosis };
const std::vector<std::string> kColumns{"participant", "biomarker", "measurement", "diseased",
                                        "diagnosis"};
const std::vector<std::string> kRequired(kColumns.begin(), kColumns.begin() + kDiagnosis);

/// What can be wrong with a row, each kind counted on its own.
enum class Fault : std::size_t {
  kFieldCount,
  kEmptyParticipant,
  kEmptyBiomarker,
  kMeasurement,
  kLabel,
  kRepeatedRow,
  kTwoLabels,
  kTwoDiagnoses,
};
constexpr std::array<std::string_view, 8> kFaultsInWords{
    "rows with a wrong number of fields",
    "rows without a participant",
    "rows without a biomarker",
    "measurements that are no numbers",
    "values of 'diseased' that are neither True nor False",
    "repeated rows",
    "participants with two labels",
    "participants with two diagnoses"};

using Faults = TextFaults<Fault, kFaultsInWords.size()>;

std::optional<bool> label_of(std::string_view text) {
  if (text == "True" || text == "true" || text == "TRUE" || text == "1") return true;
  if (text == "False" || text == "false" || text == "FALSE" || text == "0") return false;
  return std::nullopt;
}

bool means_missing(std::string_view text) {
  return text.empty() || text == "NA" || text == "NaN" || text == "nan";
}

/// What the rows say of one participant.
struct Participant {
  struct Cell {
    double value = kMissing;
    std::size_t offset = kNone;  ///< of the row; kNone = the file has no such row
  };
  /// The value that the first row gave; later rows have to agree.
  template <class T>
  struct Agreed {
    T value{};
    std::size_t offset = kNone;  ///< of the field that says so
    bool disputed = false;       ///< a complaint has been made
  };
  std::vector<Cell> cells;  ///< by biomarker, in order of first appearance; may be short
  Agreed<bool> diseased;
  Agreed<std::string> diagnosis;
};

class LongTable {
 public:
  LongTable(std::string_view text, const std::string& name, Problems& problems, Labels labels)
      : faults_(text, name, kFaultsInWords, problems), labels_(labels) {}

  void take(const CsvRow& row) {
    if (header_.empty())
      take_header(row);
    else if (readable_)
      take_measurement(row);
  }

  CohortFile finish(bool complete) {
    if (complete && header_.empty())
      faults_.add(0, fmt::format("is empty; expected a header: {}", fmt::join(kRequired, ",")));
    if (complete && readable_ && rows_ == 0) faults_.add(0, "has a header but no rows below it");
    faults_.add_the_rest();
    return complete && readable_ ? assemble() : CohortFile{};
  }

 private:
  void take_header(const CsvRow& row) {
    for (const auto& field : row) header_.push_back(field.text);
    readable_ = check_header(row);
    for (std::size_t column = 0; column < kColumns.size(); ++column)
      where_[column] = static_cast<std::size_t>(
          std::find(header_.begin(), header_.end(), kColumns[column]) - header_.begin());
  }

  bool has_diagnoses() const {
    return labels_ == Labels::needed && where_[kDiagnosis] < header_.size();
  }

  /// Why the header is that of another kind of table, or empty.
  std::string why_foreign(const std::vector<std::string>& slips) const {
    if (header_.size() == 1)
      for (const auto& [separator, word] : {std::pair(';', "';'"), {'|', "'|'"}, {'\t', "tabs"}})
        if (header_[0].find(separator) != std::string::npos)
          return fmt::format("the columns are separated by {}; expected commas", word);
    const auto unknown = std::count(slips.begin(), slips.end(), "");
    if (2 * unknown <= static_cast<std::ptrdiff_t>(header_.size())) return {};
    const auto shown = std::min<std::size_t>(header_.size(), 6);
    return fmt::format(
        "this is no long table: expected the columns {} (one row per participant and biomarker), "
        "found {}{}",
        fmt::join(kRequired, ", "), fmt::join(header_.begin(), header_.begin() + shown, ", "),
        header_.size() > shown ? ", ..." : "");
  }

  bool check_header(const CsvRow& row) {
    const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<std::string> slips;  // what each column is or may have been meant to be
    for (const auto& name : header_) slips.push_back(nearest(name, kColumns));
    if (const auto why = why_foreign(slips); !why.empty()) {
      faults_.add(row[0].offset, why);
      return false;
    }
    bool good = true;
    const auto complain = [&](std::size_t offset, const std::string& message) {
      faults_.add(offset, message);
      good = false;
    };
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto first = std::find(header_.begin(), header_.end(), header_[i]) - header_.begin();
      if (static_cast<std::size_t>(first) < i)
        complain(row[i].offset, fmt::format("column '{}' is given twice; first as column {}",
                                            header_[i], first + 1));
      else if (!contains(kColumns, header_[i]))
        complain(row[i].offset, fmt::format("unknown column '{}'; expected {}{}", header_[i],
                                            one_of(kColumns), did_you_mean(header_[i], kColumns)));
    }
    for (const auto& name : kRequired)
      if (!contains(slips, name) && (name != kColumns[kDiseased] || labels_ == Labels::needed))
        complain(row[0].offset, fmt::format("missing column '{}'", name));
    return good;
  }

  void take_measurement(const CsvRow& row) {
    ++rows_;
    if (row.size() != header_.size()) {
      faults_.add(Fault::kFieldCount, row[0].offset, [&] {
        return fmt::format(
            "found {} {}, expected {} as in the header{}", row.size(),
            row.size() == 1 ? "field" : "fields", header_.size(),
            row.size() == header_.size() + 1 ? " (a decimal comma? numbers are written 3.14)" : "");
      });
      return;
    }
    const auto& participant = row[where_[kParticipant]];
    const auto& biomarker = row[where_[kBiomarker]];
    if (participant.text.empty())
      faults_.add(Fault::kEmptyParticipant, participant.offset,
                  [] { return "the participant is empty"; });
    if (biomarker.text.empty())
      faults_.add(Fault::kEmptyBiomarker, biomarker.offset,
                  [] { return "the biomarker is empty"; });
    auto* about = participant.text.empty() ? nullptr : &participant_of(participant.text);
    auto* cell = about == nullptr || biomarker.text.empty() ? nullptr : new_cell(*about, row);
    const auto value = read_measurement(row[where_[kMeasurement]]);
    if (cell != nullptr) cell->value = value;
    const auto label =
        labels_ == Labels::needed ? read_label(row[where_[kDiseased]]) : std::nullopt;
    if (about == nullptr) return;
    if (label) set_label(*about, *label, row, participant.text);
    if (has_diagnoses()) set_diagnosis(*about, row, participant.text);
  }

  Participant& participant_of(const std::string& id) {
    const auto index = ids_.index(id);
    if (index == participants_.size()) participants_.emplace_back();
    return participants_[index];
  }

  /// The cell of a row, or null and a problem if an earlier row has filled it.
  Participant::Cell* new_cell(Participant& participant, const CsvRow& row) {
    const auto& biomarker = row[where_[kBiomarker]];
    const auto index = biomarkers_.index(biomarker.text);
    if (index >= participant.cells.size()) participant.cells.resize(index + 1);
    auto& cell = participant.cells[index];
    if (cell.offset == kNone) {
      cell.offset = row[0].offset;
      return &cell;
    }
    faults_.add(Fault::kRepeatedRow, row[0].offset, [&] {
      return fmt::format(
          "participant '{}' has biomarker '{}' already in line {}; a cohort is one "
          "visit per participant: keep one of them, such as the first visit",
          row[where_[kParticipant]].text, biomarker.text, faults_.line(cell.offset));
    });
    return nullptr;
  }

  double read_measurement(const CsvField& field) {
    if (means_missing(field.text)) return kMissing;
    double value = kMissing;
    std::string_view digits = field.text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto fault = parse_number(digits, value);
    if (fault == std::errc::result_out_of_range)
      faults_.add(Fault::kMeasurement, field.offset, [&] {
        return fmt::format("measurement '{}' is beyond the range of numbers", field.text);
      });
    else if (fault != std::errc() || !std::isfinite(value))
      faults_.add(Fault::kMeasurement, field.offset, [&] {
        return fmt::format(
            "measurement '{}' is not a finite number; where it is missing, leave it "
            "empty or write NA",
            field.text);
      });
    return value;
  }

  std::optional<bool> read_label(const CsvField& field) {
    const auto label = label_of(field.text);
    if (!label)
      faults_.add(Fault::kLabel, field.offset, [&] {
        return fmt::format("diseased is '{}'; expected True or False (or 1 or 0)", field.text);
      });
    return label;
  }

  template <class T, class Words>
  void agree(Participant::Agreed<T>& known, const T& found, const CsvField& field, Fault kind,
             const Words& words) {
    if (known.offset == kNone) {
      known = {found, field.offset, false};
    } else if (known.value != found && !known.disputed) {
      known.disputed = true;
      faults_.add(kind, field.offset, words);
    }
  }

  void set_label(Participant& about, bool found, const CsvRow& row, const std::string& id) {
    agree(about.diseased, found, row[where_[kDiseased]], Fault::kTwoLabels, [&] {
      return fmt::format("participant '{}' is {} here but {} in line {}", id,
                         found ? "diseased" : "healthy", found ? "healthy" : "diseased",
                         faults_.line(about.diseased.offset));
    });
  }

  void set_diagnosis(Participant& about, const CsvRow& row, const std::string& id) {
    const auto& field = row[where_[kDiagnosis]];
    agree(about.diagnosis, field.text, field, Fault::kTwoDiagnoses, [&] {
      return fmt::format("participant '{}' has diagnosis '{}' here but '{}' in line {}", id,
                         field.text, about.diagnosis.value, faults_.line(about.diagnosis.offset));
    });
  }

  CohortFile assemble() const {
    CohortFile file;
    file.rows = rows_;
    auto& cohort = file.cohort;
    const auto participants = participant_order(ids_.names);
    const auto biomarkers = order_by_name(biomarkers_.names);
    for (const auto b : biomarkers) cohort.biomarkers.push_back(biomarkers_.names[b]);
    cohort.measurements = Matrix(participants.size(), biomarkers.size(), kMissing);
    for (std::size_t j = 0; j < participants.size(); ++j) {
      const auto& participant = participants_[participants[j]];
      cohort.participants.push_back(ids_.names[participants[j]]);
      if (labels_ == Labels::needed) cohort.diseased.push_back(participant.diseased.value ? 1 : 0);
      if (has_diagnoses()) cohort.diagnoses.push_back(participant.diagnosis.value);
      for (std::size_t b = 0; b < biomarkers.size(); ++b) {
        const bool absent = biomarkers[b] >= participant.cells.size() ||
                            participant.cells[biomarkers[b]].offset == kNone;
        if (absent)
          ++file.absent_rows;
        else
          cohort.measurements(j, b) = participant.cells[biomarkers[b]].value;
      }
    }
    file.missing = count_missing(cohort, labels_);
    return file;
  }

  Faults faults_;
  const Labels labels_;
  std::vector<std::string> header_;
  std::array<std::size_t, 5> where_{};  ///< field of each Column; the header's size if absent
  bool readable_ = false;               ///< the header is good
  std::size_t rows_ = 0;
  Names ids_;
  Names biomarkers_;
  std::vector<Participant> participants_;
};

}  // namespace

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
    text += fmt::format("no measurement at all: {}\n", in_short(empty_participants));
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
    LongTable table(*checked, name, found, labels);
    Problems broken;
    for_each_csv_row(*checked, name, broken, [&](const CsvRow& row) { table.take(row); });
    file = table.finish(broken.empty());
    found.append(broken);
  }
  problems.append(found);
  return found.empty() ? file : CohortFile{};
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
  add(fmt::format("{}{}\n", fmt::join(kRequired, ","), has_diagnoses ? ",diagnosis" : ""));
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
