#include "data/cohort_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "data/covariates.hpp"
#include "data/csv_rows.hpp"
#include "data/names.hpp"
#include "data/table_format.hpp"
#include "data/table_header.hpp"
#include "data/text_faults.hpp"
#include "data/text_file.hpp"
#include "data/value_range.hpp"
#include "model/lower_case.hpp"
#include "model/printable.hpp"

namespace tempo {
namespace {

using Named = TableDescription::Named;
constexpr auto kNone = std::numeric_limits<std::size_t>::max();
constexpr auto kMissing = std::numeric_limits<double>::quiet_NaN();

enum class Fault : std::size_t {
  kHeader,
  kFieldCount,
  kEmptyParticipant,
  kEmptyBiomarker,
  kEmptyVisit,
  kVisit,
  kRepeated,
  kDisagreement,
  kMeasurement,
  kCensored,
  kDivisor,
  kCovariate,
};
constexpr std::array<std::string_view, 12> kFaultsInWords{"columns without a name of their own",
                                                          "rows with a wrong number of fields",
                                                          "rows without a participant",
                                                          "rows without a biomarker",
                                                          "rows without a visit",
                                                          "visits that are no times",
                                                          "repeated rows",
                                                          "rows that disagree",
                                                          "measurements that are no numbers",
                                                          "measurements beyond what is measured",
                                                          "quotients that are not finite",
                                                          "covariates that cannot be read"};
using Faults = TextFaults<Fault, kFaultsInWords.size()>;

/// Whether clinics call a covariate, or nothing of the disease, so.
bool names_a_covariate(const std::string& column) {
  static const std::set<std::string_view> known{
      "age",       "apoe",  "apoe4",   "bmi",      "educ",
      "education", "etiv",  "eyo",     "gender",   "height",
      "icv",       "index", "month",   "ptgender", "pteducat",
      "race",      "rid",   "scanner", "sex",      "site",
      "tiv",       "visit", "weight",  "year",     "years_education"};
  return known.contains(in_lower_case(column));
}

/// Days since 1970 of an ISO date such as 2008-02-29, or nothing.
std::optional<double> read_date(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  if (text.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (kShape[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != kShape[i])
      return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(at, digits)) value = 10 * value + (c - '0');
    return value;
  };
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// What stands in a cell that is no number.
struct OddCell {
  std::size_t record, source, offset;
  std::string text;
};

/// One visit of a participant, as the file has it.
struct Record {
  std::size_t participant = 0;
  std::size_t offset = 0;  ///< of its first row
  std::string visit;
  std::string diagnosis;
  std::vector<std::string> covariates;
  std::vector<double> cells;              ///< by source; may be short
  std::vector<std::size_t> cell_offsets;  ///< long tables: where each was given, kNone if nowhere
};

class Table {
 public:
  /// @param earlier  of a table of later participants: how those they are compared with were
  /// adjusted; or null
  Table(const TableDescription& description, Labels labels, const Adjustment* earlier,
        const TableFormat& format, std::string_view text, const std::string& name,
        Problems& problems)
      : is_(description),
        labels_(labels),
        earlier_(earlier),
        format_(format),
        decimal_(format.csv.separator == ',' ? description.decimal.value_or('.')
                                             : description.decimal),
        name_(name),
        problems_(problems),
        faults_(text, name, kFaultsInWords, problems) {
    read_markers();
    if (!is_.header.empty()) set_header(is_.header, std::vector<std::size_t>(is_.header.size(), 0));
  }

  void take(const CsvRow& row) {
    if (header_.empty()) {
      std::vector<std::string> names;
      std::vector<std::size_t> offsets;
      for (const auto& field : row) {
        names.push_back(field.text);
        offsets.push_back(field.offset);
      }
      first_row_is_header_ = true;
      set_header(names, offsets);
    } else if (readable_) {
      take_row(row);
    }
  }

  CohortTable finish(bool complete) {
    if (complete && header_.empty()) faults_.add(0, "is empty; expected a header and rows");
    if (complete && readable_ && rows_ == 0)
      faults_.add(0, first_row_is_header_ ? "has a header but no rows below it" : "has no rows");
    CohortTable out;
    if (complete && readable_ && rows_ > 0) out = assemble();
    faults_.add_the_rest();
    return out;
  }

 private:
  bool tall() const { return is_.layout == TableDescription::Layout::tall; }

  // ---- The header ----

  /// @param offsets  where each name stands; 0 of a header that the description gives
  void set_header(const std::vector<std::string>& names, const std::vector<std::size_t>& offsets) {
    header_ = names;
    const auto before = problems_.size();
    const bool only_numbers =
        first_row_is_header_ && std::all_of(names.begin(), names.end(), [&](const auto& field) {
          return read_number(field).has_value();
        });
    if (only_numbers) {
      faults_.add(
          offsets.front(),
          "the header holds numbers only; a line of counts is passed over with skip = 1, and "
          "header = [...] names the columns of a file that does not");
      readable_ = false;
      return;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto first = std::find(names.begin(), names.end(), names[i]) - names.begin();
      if (names[i].empty())
        faults_.add(Fault::kHeader, offsets[i], [&] {
          return fmt::format("column {} has no name; give all of them with skip and header = [...]",
                             i + 1);
        });
      else if (static_cast<std::size_t>(first) < i)
        faults_.add(Fault::kHeader, offsets[i], [&] {
          return fmt::format("column {} is named '{}' as column {} is", i + 1, names[i], first + 1);
        });
    }
    participant_ = column(is_.participant);
    visit_ = column(is_.visit_column);
    const bool has_diagnosis =
        std::find(names.begin(), names.end(), is_.diagnosis.text) != names.end();
    if (labels_ == Labels::needed || has_diagnosis) diagnosis_ = column(is_.diagnosis);
    biomarker_ = column(is_.biomarker);
    value_ = column(is_.value);
    for (const auto& covariate : is_.covariates) covariates_.push_back(column(covariate));
    std::vector<std::size_t> ignored;
    for (const auto& name : is_.ignore) ignored.push_back(column(name));
    if (!tall()) find_sources(ignored);
    readable_ = problems_.size() == before;
  }

  /// Where a column stands; complains if it does not.
  std::size_t column(const Named& asked) {
    if (!asked.given()) return kNone;
    const auto at = std::find(header_.begin(), header_.end(), asked.text);
    if (at != header_.end()) return static_cast<std::size_t>(at - header_.begin());
    constexpr std::size_t kShown = 8;
    const auto shown = std::min(kShown, header_.size());
    problems_.add(
        asked.place,
        fmt::format(
            "{} has no column '{}'{} (it has {}{})", name_, asked.text,
            did_you_mean(asked.text, header_),
            fmt::join(header_.begin(), header_.begin() + shown, ", "),
            header_.size() > shown ? fmt::format(" and {} more", header_.size() - shown) : ""));
    return kNone;
  }

  /// Which fields of a wide row are measurements.
  void find_sources(const std::vector<std::size_t>& ignored) {
    for (const auto& biomarker : is_.biomarkers)
      for (const auto* named : {&biomarker.column, &biomarker.over})
        if (const auto at = column(*named); at != kNone) add_source(at);
    if (!is_.biomarkers.empty()) return;
    std::vector<bool> taken(header_.size(), false);
    for (const auto at : {participant_, visit_, diagnosis_})
      if (at != kNone) taken[at] = true;
    for (const auto& columns : {covariates_, ignored})
      for (const auto at : columns)
        if (at != kNone) taken[at] = true;
    for (std::size_t i = 0; i < header_.size(); ++i)
      if (!taken[i]) add_source(i);
    if (sources_.names.empty())
      problems_.add(is_.place, fmt::format("{} has no column left for a biomarker", name_));
  }

  void add_source(std::size_t at) {
    const auto known = sources_.names.size();
    if (sources_.index(header_[at]) == known) source_columns_.push_back(at);
  }

  // ---- The rows ----

  void take_row(const CsvRow& row) {
    ++rows_;
    if (row.size() != header_.size()) {
      faults_.add(Fault::kFieldCount, row[0].offset, [&] {
        return fmt::format("found {} {}, expected {} as in the header", row.size(),
                           row.size() == 1 ? "field" : "fields", header_.size());
      });
      return;
    }
    const auto id = participant_ == kNone ? std::to_string(rows_) : row[participant_].text;
    const auto visit = visit_ == kNone ? std::string() : row[visit_].text;
    if (id.empty()) {
      faults_.add(Fault::kEmptyParticipant, row[participant_].offset,
                  [] { return "the participant is empty"; });
      return;
    }
    if (is_.visit != TableDescription::Visit::only && visit.empty()) {
      faults_.add(Fault::kEmptyVisit, row[visit_].offset,
                  [&] { return fmt::format("the visit of participant '{}' is empty", id); });
      return;
    }
    if (tall())
      take_tall(row, id, visit);
    else
      take_wide(row, id, visit);
  }

  void take_wide(const CsvRow& row, const std::string& id, const std::string& visit) {
    const auto [at, is_new] = find_record(row, id, visit);
    if (!is_new) {
      complain_of_repeat(row[0].offset, id, visit, records_[at].offset, "a row");
      return;
    }
    auto& cells = records_[at].cells;
    cells.reserve(source_columns_.size());
    for (std::size_t s = 0; s < source_columns_.size(); ++s)
      cells.push_back(read_cell(row[source_columns_[s]], at, s));
  }

  void take_tall(const CsvRow& row, const std::string& id, const std::string& visit) {
    const auto& biomarker = row[biomarker_];
    if (biomarker.text.empty()) {
      faults_.add(Fault::kEmptyBiomarker, biomarker.offset,
                  [] { return "the biomarker is empty"; });
      return;
    }
    const auto [at, is_new] = find_record(row, id, visit);
    auto& record = records_[at];
    if (!is_new) check_agreement(record, row, id);
    const auto s = sources_.index(biomarker.text);
    if (s >= record.cells.size()) {
      record.cells.resize(s + 1, kMissing);
      record.cell_offsets.resize(s + 1, kNone);
    }
    if (record.cell_offsets[s] != kNone) {
      complain_of_repeat(row[0].offset, id, visit, record.cell_offsets[s],
                         fmt::format("biomarker '{}'", biomarker.text));
      return;
    }
    record.cell_offsets[s] = row[0].offset;
    record.cells[s] = read_cell(row[value_], at, s);
  }

  void complain_of_repeat(std::size_t offset, const std::string& id, const std::string& visit,
                          std::size_t first, const std::string& what) {
    faults_.add(Fault::kRepeated, offset, [&] {
      const bool one_visit = is_.visit == TableDescription::Visit::only;
      return fmt::format("participant '{}' has {} {}already in line {}{}", id, what,
                         one_visit ? "" : fmt::format("of visit '{}' ", visit), faults_.line(first),
                         one_visit ? "; a cohort is one visit per participant: say which with "
                                     "visit_column and visit"
                                   : "");
    });
  }

  /// The record of a row, and whether this is its first. Without a choice of visits there is one
  /// record per participant.
  std::pair<std::size_t, bool> find_record(const CsvRow& row, const std::string& id,
                                           const std::string& visit) {
    auto key = id;
    if (is_.visit != TableDescription::Visit::only) key += '\0' + visit;  // no field holds a NUL
    const auto [at, is_new] = by_key_.emplace(std::move(key), records_.size());
    if (!is_new) return {at->second, false};
    Record record;
    record.participant = ids_.index(id);
    record.offset = row[0].offset;
    record.visit = visit;
    if (diagnosis_ != kNone) record.diagnosis = row[diagnosis_].text;
    for (const auto column : covariates_) record.covariates.push_back(row[column].text);
    if (!decimal_) note_decimal(visit);
    for (const auto& covariate : record.covariates)
      if (!decimal_) note_decimal(covariate);
    records_.push_back(std::move(record));
    return {at->second, true};
  }

  void check_agreement(const Record& record, const CsvRow& row, const std::string& id) {
    const auto compare = [&](std::size_t column, const std::string& before) {
      if (row[column].text == before) return;
      faults_.add(Fault::kDisagreement, row[column].offset, [&] {
        return fmt::format("participant '{}' has {} '{}' here but '{}' in line {}", id,
                           header_[column], row[column].text, before, faults_.line(record.offset));
      });
    };
    if (diagnosis_ != kNone) compare(diagnosis_, record.diagnosis);
    for (std::size_t c = 0; c < covariates_.size(); ++c)
      compare(covariates_[c], record.covariates[c]);
  }

  // ---- The cells ----

  /// Settles which decimal point the file has, where that is open: by a value with a point, or with
  /// a comma that does not part thousands (1,234 may).
  void note_decimal(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-') || text.starts_with('<') ||
        text.starts_with('>'))
      text.remove_prefix(1);
    const auto at = text.find_first_of(".,");
    if (at == std::string_view::npos) return;
    const auto is_digits = [](std::string_view part) {
      return std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const auto whole = text.substr(0, at), rest = text.substr(at + 1);
    constexpr std::size_t kThousands = 3;
    if (text[at] == '.') {
      double ignored = 0.0;
      if (parse_number(text, ignored) == std::errc()) decimal_ = '.';
    } else if (!whole.empty() && !rest.empty() && rest.size() != kThousands && is_digits(whole) &&
               is_digits(rest)) {
      decimal_ = ',';
    }
  }

  /// A number as the file writes it.
  std::optional<double> read_number(std::string_view text) const {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0.0;
    if (decimal_.value_or('.') == '.')
      return parse_number(text, value) == std::errc() ? std::optional(value) : std::nullopt;
    if (text.find('.') != std::string_view::npos) return std::nullopt;
    std::string with_point(text);
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    return parse_number(std::string_view(with_point), value) == std::errc() ? std::optional(value)
                                                                            : std::nullopt;
  }

  /// As the decimals known so far have them.
  void read_markers() {
    missing_numbers_.clear();
    for (const auto& marker : is_.missing_markers)
      if (const auto number = read_number(marker)) missing_numbers_.push_back(*number);
  }

  bool is_missing(const std::string& text) const {
    return text.empty() || std::find(is_.missing_markers.begin(), is_.missing_markers.end(),
                                     text) != is_.missing_markers.end();
  }

  /// Of a covariate, once all values have shown which decimals the file has.
  bool is_missing_covariate(const std::string& text) const {
    const auto number = read_number(text);
    return is_missing(text) || (number && marks_missing(*number));
  }

  bool marks_missing(double number) const {
    return std::find(missing_numbers_.begin(), missing_numbers_.end(), number) !=
           missing_numbers_.end();
  }

  /// The number in a field, NaN if missing. What is neither is put aside: whether it matters is not
  /// known before participants and visits have been chosen.
  double read_cell(const CsvField& field, std::size_t record, std::size_t source) {
    if (is_missing(field.text)) return kMissing;
    if (!decimal_) {
      note_decimal(field.text);
      if (decimal_) read_markers();
    }
    if (const auto number = read_number(field.text); number && std::isfinite(*number))
      return marks_missing(*number) ? kMissing : *number;
    odd_.push_back({record, source, field.offset, field.text});
    return kMissing;
  }

  // ---- The cohort ----

  CohortTable assemble() {
    CohortTable out;
    out.rows = rows_;
    if (format_.remarks > 0)
      out.notes.push_back(
          fmt::format("{} above the header that begin{} with '#' {} passed over",
                      format_.remarks == 1 ? "a line" : fmt::format("{} lines", format_.remarks),
                      format_.remarks == 1 ? "s" : "", format_.remarks == 1 ? "was" : "were"));
    if (!is_.decimal && decimal_ == ',')
      out.notes.push_back("values have decimal commas, and were read so");
    note_columns(out);
    out.flow.push_back({"in the table", ids_.names.size()});
    auto kept = choose_visits(out);
    choose_diagnoses(kept, out);
    if (!problems_.empty()) return {};
    read_odd_cells(kept, out);
    make_measurements(kept, out);
    if (!problems_.empty()) return {};
    handle_missing(kept, out);
    if (problems_.empty() && !is_.covariates.empty()) adjust(kept, out);
    if (problems_.empty() && earlier_ == nullptr && is_.missing == TableDescription::Missing::mean)
      fill_means(out);
    if (!problems_.empty()) return {};
    if (earlier_ != nullptr) return out;
    for (const int group : {0, 1})
      if (std::count(out.cohort.diseased.begin(), out.cohort.diseased.end(), group) == 0)
        out.notes.push_back(
            fmt::format("no participant is {}", group == 0 ? "healthy" : "diseased"));
    return out;
  }

  /// Says which columns look like no biomarkers, though they are taken for such since the
  /// description names none.
  void note_columns(CohortTable& out) const {
    if (tall() || !is_.biomarkers.empty() || earlier_ != nullptr) return;
    std::vector<std::string> odd;
    for (std::size_t s = 0; s < sources_.names.size(); ++s)
      if (names_a_covariate(sources_.names[s]) || has_two_values(s))
        odd.push_back(sources_.names[s]);
    if (!odd.empty())
      out.notes.push_back(
          fmt::format("without 'biomarkers' every other column is one, also {}, which look{} like "
                      "none (by name, or with two values only): 'ignore' or [adjust] takes {} out",
                      in_short(odd), odd.size() == 1 ? "s" : "", odd.size() == 1 ? "it" : "them"));
  }

  /// No visit is called as a baseline is: says what visits are called instead.
  void complain_of_baselines() {
    std::map<std::string, std::size_t> counts;
    for (const auto& record : records_) ++counts[record.visit];
    std::vector<std::string> names;
    for (const auto& [name, count] : counts) names.push_back(name);
    problems_.add(is_.visit_column.place,
                  fmt::format("no visit is called {}; found {}{}", one_of(is_.baseline),
                              in_short(names), did_you_mean(is_.baseline.front(), names)));
  }

  bool has_two_values(std::size_t s) const {
    constexpr std::size_t kFewest = 10;  // rows that say anything of how many values there are
    std::set<double> values;
    for (const auto& record : records_) {
      if (const double x = record.cells[s]; !std::isnan(x)) values.insert(x);
      if (values.size() > 2) return false;
    }
    return values.size() == 2 && records_.size() >= kFewest;
  }

  /// Of each participant, in the cohort's order, the record that counts.
  std::vector<std::size_t> choose_visits(CohortTable& out) {
    using Visit = TableDescription::Visit;
    std::vector<std::size_t> chosen(ids_.names.size(), kNone);
    std::vector<double> times(records_.size(), 0.0);
    std::vector<bool> are_times(records_.size(), false);
    std::optional<bool> are_dates;  // or numbers: of the first visit
    for (std::size_t r = 0; r < records_.size(); ++r) {
      const auto& record = records_[r];
      auto& best = chosen[record.participant];
      if (is_.visit == Visit::baseline) {
        if (std::find(is_.baseline.begin(), is_.baseline.end(), record.visit) == is_.baseline.end())
          continue;
        if (best != kNone)
          complain_of_repeat(record.offset, ids_.names[record.participant], record.visit,
                             records_[best].offset, "a baseline");
        best = best == kNone ? r : best;
        continue;
      }
      if (is_.visit != Visit::only) {
        const auto date = read_date(record.visit);
        const auto time = date ? date : read_number(record.visit);
        if (!time || !std::isfinite(*time)) {
          faults_.add(Fault::kVisit, record.offset, [&] {
            return fmt::format(
                "visit '{}' of participant '{}' is neither a number nor a date such as 2008-02-29, "
                "so that nobody can say which comes first; visit = \"baseline\" goes by name",
                record.visit, ids_.names[record.participant]);
          });
          continue;
        }
        if (!are_dates) are_dates = date.has_value();
        if (*are_dates != date.has_value()) {
          faults_.add(Fault::kVisit, record.offset, [&] {
            return fmt::format(
                "visit '{}' of participant '{}' is a {}, and visits above are {}: nobody can say "
                "which comes first",
                record.visit, ids_.names[record.participant], date ? "date" : "number",
                date ? "numbers" : "dates");
          });
          continue;
        }
        times[r] = *time;
        are_times[r] = true;
      }
      if (best == kNone ||
          (is_.visit == Visit::first ? times[r] < times[best] : times[r] > times[best]))
        best = r;
    }
    if (is_.visit == Visit::first || is_.visit == Visit::last)
      for (std::size_t r = 0; r < records_.size(); ++r) {
        const auto best = chosen[records_[r].participant];
        if (best != kNone && r != best && times[r] == times[best] && are_times[r])
          complain_of_repeat(records_[r].offset, ids_.names[records_[r].participant],
                             records_[r].visit, records_[best].offset, "a row");
      }
    std::vector<std::size_t> kept;
    for (const auto j : participant_order(ids_.names))
      if (chosen[j] != kNone)
        kept.push_back(chosen[j]);
      else
        out.left_out.push_back({ids_.names[j], "no baseline visit"});
    if (is_.visit == Visit::baseline) {
      out.flow.push_back({"with a baseline visit", kept.size()});
      if (kept.empty()) complain_of_baselines();
    }
    if (records_.size() > kept.size())
      out.notes.push_back(fmt::format("{} of {} visits were left out (visit = \"{}\")",
                                      records_.size() - kept.size(), records_.size(),
                                      is_.visit == Visit::first      ? "first"
                                      : is_.visit == Visit::baseline ? "baseline"
                                                                     : "last"));
    return kept;
  }

  /// Each label that nothing names, the most frequent first.
  /// @param known  labels of the description
  void complain_of_labels(const std::map<std::string, std::size_t>& counts,
                          const std::vector<std::string>& known) {
    std::vector<std::pair<std::string, std::size_t>> unknown;
    for (const auto& [label, count] : counts)
      if (!roles_.contains(label)) unknown.emplace_back(label, count);
    std::stable_sort(unknown.begin(), unknown.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    constexpr std::size_t kShown = 20;  // more are no diagnoses, but another column
    for (std::size_t i = 0; i < std::min(kShown, unknown.size()); ++i)
      problems_.add(
          is_.diagnosis_place,
          fmt::format("diagnosis '{}' ({} participant{}) is in none of 'healthy', "
                      "'diseased' and 'drop'{}",
                      unknown[i].first, unknown[i].second, unknown[i].second == 1 ? "" : "s",
                      did_you_mean(unknown[i].first, known)));
    if (unknown.size() > kShown)
      problems_.add(
          is_.diagnosis_place,
          fmt::format(
              "and {} more diagnoses that none of these names: is '{}' the column of diagnoses?",
              unknown.size() - kShown, is_.diagnosis.text));
  }

  /// Leaves out whom `drop` names; complains about labels that nothing names, where they are
  /// needed.
  void choose_diagnoses(std::vector<std::size_t>& kept, CohortTable& out) {
    std::map<std::string, std::size_t> counts;
    for (const auto r : kept) ++counts[records_[r].diagnosis];
    std::vector<std::string> known;
    std::vector<std::string> unseen;  // a label of the description that no participant has
    for (const auto& [labels, role] :
         {std::pair(&is_.healthy, 0), {&is_.diseased, 1}, {&is_.drop, 2}})
      for (const auto& label : *labels) {
        const bool is_none = label.text.empty() && labels_ == Labels::ignored;
        if (!is_none) roles_[label.text] = role;
        if (!label.text.empty()) known.push_back(label.text);
        if (!counts.contains(label.text) && !label.text.empty()) unseen.push_back(label.text);
      }
    if (labels_ == Labels::needed) complain_of_labels(counts, known);
    if (!problems_.empty()) return;
    if (!unseen.empty() && earlier_ == nullptr)
      out.notes.push_back(fmt::format("no participant has diagnosis {}", fmt::join(unseen, ", ")));
    std::vector<std::size_t> rest;
    std::map<std::string, std::size_t> dropped;
    for (const auto r : kept) {
      const auto role = roles_.find(records_[r].diagnosis);
      if (role == roles_.end() || role->second != 2) {
        rest.push_back(r);
        continue;
      }
      ++dropped[records_[r].diagnosis];
      out.left_out.push_back(
          {ids_.names[records_[r].participant],
           fmt::format("diagnosis '{}', which 'drop' names", records_[r].diagnosis)});
    }
    kept = std::move(rest);
    std::string words;
    for (const auto& [label, count] : dropped)
      words += fmt::format("{}'{}': {}", words.empty() ? "" : ", ", label, count);
    if (!dropped.empty())
      out.flow.push_back(
          {fmt::format("{} (left out: {})",
                       labels_ == Labels::needed ? "healthy or diseased" : "to be staged", words),
           kept.size()});
    if (kept.empty() && problems_.empty())
      problems_.add(is_.diagnosis_place, fmt::format("no participant of {} is left", name_));
  }

  /// Reads what looks censored among those kept, and complains about the rest.
  void read_odd_cells(const std::vector<std::size_t>& kept, CohortTable& out) {
    using Policy = TableDescription::Censored;
    std::vector<bool> is_kept(records_.size(), false);
    for (const auto r : kept) is_kept[r] = true;
    const auto wanted = wanted_sources();
    std::map<std::pair<std::string, std::string>, CohortTable::Censored> counts;
    for (const auto& cell : odd_) {
      if (!is_kept[cell.record] || !wanted[cell.source]) continue;
      auto& record = records_[cell.record];
      const auto& biomarker = sources_.names[cell.source];
      // Read before the first that showed which decimal point the file has.
      if (const auto number = read_number(cell.text); number && std::isfinite(*number)) {
        record.cells[cell.source] = marks_missing(*number) ? kMissing : *number;
        continue;
      }
      const char sign = cell.text.front();
      const auto bound = sign == '<' || sign == '>' ? read_bound(cell.text) : std::nullopt;
      if (!bound) {
        faults_.add(Fault::kMeasurement, cell.offset, [&] {
          const bool comma =
              decimal_.value_or('.') == '.' && cell.text.find(',') != std::string::npos;
          const bool point =
              !is_.decimal && decimal_ == ',' && cell.text.find('.') != std::string::npos;
          return fmt::format(
              "{} '{}' is not a finite number{}", biomarker, cell.text,
              comma   ? "; a decimal comma is read with decimal = \",\""
              : point ? "; other values have decimal commas"
              : is_.biomarkers.empty() && !tall()
                  ? "; name its column in 'ignore' if it is no biomarker, the text in "
                    "'missing_markers' if it stands for a missing value"
                  : "; name the text in 'missing_markers' if it stands for a missing value");
        });
      } else if (is_.censored == Policy::error) {
        faults_.add(Fault::kCensored, cell.offset, [&] {
          return fmt::format(
              "{} '{}' is beyond what is measured; choose censored = \"clamp\" (take "
              "the bound) or \"missing\"",
              biomarker, cell.text);
        });
      } else {
        auto& count = counts[{biomarker, record.diagnosis}];
        ++(sign == '<' ? count.below : count.above);
        if (is_.censored == Policy::clamp) record.cells[cell.source] = *bound;
      }
    }
    for (auto& [key, count] : counts)
      out.censored.push_back({key.first, key.second, count.below, count.above});
  }

  std::optional<double> read_bound(std::string_view text) const {
    text.remove_prefix(text.size() > 1 && text[1] == '=' ? 2 : 1);
    while (text.starts_with(' ')) text.remove_prefix(1);
    const auto number = read_number(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
  }

  /// The biomarkers asked for, or one of each source; by name.
  std::vector<TableDescription::Biomarker> biomarkers() const {
    auto out = is_.biomarkers;
    if (out.empty())
      for (const auto& name : sources_.names) out.push_back({name, {name, is_.place}, {}});
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
  }

  std::size_t source(const Named& named) const {
    const auto at = std::find(sources_.names.begin(), sources_.names.end(), named.text);
    return at == sources_.names.end() ? kNone
                                      : static_cast<std::size_t>(at - sources_.names.begin());
  }

  std::vector<bool> wanted_sources() const {
    std::vector<bool> wanted(sources_.names.size(), is_.biomarkers.empty());
    for (const auto& biomarker : is_.biomarkers)
      for (const auto* named : {&biomarker.column, &biomarker.over})
        if (const auto at = source(*named); at != kNone) wanted[at] = true;
    return wanted;
  }

  void make_measurements(const std::vector<std::size_t>& kept, CohortTable& out) {
    auto& cohort = out.cohort;
    const auto wanted = biomarkers();
    std::vector<std::pair<std::size_t, std::size_t>> columns;  // and divisors
    for (const auto& biomarker : wanted) {
      cohort.biomarkers.push_back(biomarker.name);
      for (const auto* named : {&biomarker.column, &biomarker.over})
        if (named->given() && source(*named) == kNone)  // a long table's: columns were found before
          problems_.add(named->place, fmt::format("{} has no biomarker '{}'{}", name_, named->text,
                                                  did_you_mean(named->text, sources_.names)));
      columns.emplace_back(source(biomarker.column), source(biomarker.over));
    }
    if (!problems_.empty()) return;
    cohort.measurements = Matrix(kept.size(), wanted.size(), kMissing);
    for (std::size_t j = 0; j < kept.size(); ++j) {
      auto& record = records_[kept[j]];
      cohort.participants.push_back(ids_.names[record.participant]);
      if (labels_ == Labels::needed) {
        cohort.diseased.push_back(roles_.at(record.diagnosis) == 1 ? 1 : 0);
        cohort.diagnoses.push_back(record.diagnosis);
      }
      const auto cell = [&](std::size_t s) {
        return s < record.cells.size() ? record.cells[s] : kMissing;
      };
      for (std::size_t b = 0; b < columns.size(); ++b) {
        const auto [over, under] = columns[b];
        auto value = cell(over);
        if (under != kNone && cell(under) == 0.0)
          faults_.add(Fault::kDivisor, record.offset, [&] {
            return fmt::format("{} of participant '{}' is 0, and '{}' is divided by it",
                               sources_.names[under], cohort.participants[j], wanted[b].name);
          });
        else if (under != kNone)
          value /= cell(under);
        if (std::isinf(value))
          faults_.add(Fault::kDivisor, record.offset, [&] {
            return fmt::format("'{}' of participant '{}', {} divided by {}, is not finite",
                               wanted[b].name, cohort.participants[j], cell(over), cell(under));
          });
        cohort.measurements(j, b) = value;
      }
      record.cells = {};  // the matrix has them now
    }
  }

  // ---- Missing values ----

  void handle_missing(std::vector<std::size_t>& kept, CohortTable& out) {
    using Policy = TableDescription::Missing;
    auto& cohort = out.cohort;
    out.missing = count_missing(cohort, labels_);
    std::vector<bool> incomplete(kept.size(), false);
    std::map<std::string, std::size_t> without_covariate;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const auto row = std::as_const(cohort.measurements).row(j);
      incomplete[j] = std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
      for (std::size_t c = 0; c < covariates_.size(); ++c) {
        if (!is_missing_covariate(records_[kept[j]].covariates[c])) continue;
        incomplete[j] = true;
        ++without_covariate[is_.covariates[c].text];
      }
    }
    if (is_.missing != Policy::drop)
      for (const auto& covariate : is_.covariates)
        if (const auto count = without_covariate[covariate.text]; count > 0)
          problems_.add(
              covariate.place,
              fmt::format("covariate '{}' is missing of {} participant{}; choose missing = "
                          "\"drop\", or do without it",
                          covariate.text, count, count == 1 ? "" : "s"));
    const auto total = out.missing.total();
    if (is_.missing == Policy::refuse && total > 0) {
      auto table = out.missing.report();
      table.pop_back();
      problems_.add({name_}, fmt::format("{} of {} measurements are missing; choose missing = "
                                         "\"drop\" (participants), \"marginal\" (leave them to the "
                                         "methods) or \"mean\"\n{}",
                                         total, cohort.measurements.values().size(), table));
    }
    if (is_.missing == Policy::drop) {
      keep_complete(kept, incomplete, out);
      out.flow.push_back({"with all values", kept.size()});
      if (kept.empty())
        problems_.add({name_},
                      fmt::format("no participant has a value of every {}; leave "
                                  "some out, or choose missing = \"marginal\"",
                                  covariates_.empty() ? "biomarker" : "biomarker and covariate"));
    }
    if (is_.missing == Policy::marginal && total > 0 && earlier_ == nullptr)
      out.notes.push_back(fmt::format("{} {} left empty", counted(total, "missing measurement"),
                                      total == 1 ? "was" : "were"));
  }

  /// `lacks ABETA, AGE`: the first few of what a participant lacks, and how much more.
  std::string what_lacks(const Cohort& cohort, std::size_t j, const Record& record) const {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
      if (std::isnan(cohort.measurements(j, b))) names.push_back(cohort.biomarkers[b]);
    for (std::size_t c = 0; c < covariates_.size(); ++c)
      if (is_missing_covariate(record.covariates[c])) names.push_back(is_.covariates[c].text);
    return "lacks " + in_short(names);
  }

  void keep_complete(std::vector<std::size_t>& kept, const std::vector<bool>& incomplete,
                     CohortTable& out) {
    const Cohort all = std::move(out.cohort);
    const auto count =
        static_cast<std::size_t>(std::count(incomplete.begin(), incomplete.end(), false));
    Cohort rest;
    rest.biomarkers = all.biomarkers;
    rest.measurements = Matrix(count, all.biomarker_count());
    std::vector<std::size_t> records;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (incomplete[j]) {
        out.left_out.push_back({all.participants[j], what_lacks(all, j, records_[kept[j]])});
        continue;
      }
      const auto row = all.measurements.row(j);
      std::copy(row.begin(), row.end(), rest.measurements.row(records.size()).begin());
      rest.participants.push_back(all.participants[j]);
      if (labels_ == Labels::needed) {
        rest.diseased.push_back(all.diseased[j]);
        rest.diagnoses.push_back(all.diagnoses[j]);
      }
      records.push_back(kept[j]);
    }
    kept = std::move(records);
    out.cohort = std::move(rest);
  }

  void fill_means(CohortTable& out) {
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
        problems_.add({name_}, fmt::format("biomarker '{}' has no value at all, and no mean",
                                           out.cohort.biomarkers[b]));
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

  // ---- Covariates ----

  /// Takes what covariates explained earlier, and doubts values that the regression has not seen
  /// the like of.
  void adjust_later(const Covariates& covariates, CohortTable& out) {
    tempo::adjust(out.cohort, covariates, *earlier_);
    for (std::size_t p = 0; p < earlier_->lows.size(); ++p) {
      const ValueRange range{earlier_->lows[p], earlier_->highs[p]};
      std::vector<std::string> far;
      for (std::size_t j = 0; j < covariates.values.rows(); ++j)
        if (const double z = covariates.values(j, p); range.is_far(z))
          far.push_back(fmt::format("{:.6g} of {}", z, out.cohort.participants[j]));
      if (!far.empty())
        out.doubts.push_back(
            fmt::format("covariate '{}' is far from that of the healthy whom biomarkers were "
                        "adjusted by ({:.6g} to {:.6g}): {}",
                        covariates.names[p], range.low, range.high, in_short(far)));
    }
  }

  /// @param names  those of the covariates
  static Covariates in_order(const Covariates& covariates, const std::vector<std::string>& names) {
    Covariates out{names, Matrix(covariates.values.rows(), names.size())};
    for (std::size_t p = 0; p < names.size(); ++p) {
      const auto at = std::find(covariates.names.begin(), covariates.names.end(), names[p]);
      const auto column = static_cast<std::size_t>(at - covariates.names.begin());
      for (std::size_t j = 0; j < out.values.rows(); ++j)
        out.values(j, p) = covariates.values(j, column);
    }
    return out;
  }

  void adjust(const std::vector<std::size_t>& kept, CohortTable& out) {
    Covariates covariates;
    std::vector<std::vector<double>> columns;
    for (std::size_t c = 0; c < covariates_.size(); ++c) {
      const auto& name = is_.covariates[c].text;
      const auto levels = is_.levels.find(name);
      const auto first = columns.size();
      if (levels == is_.levels.end()) {
        covariates.names.push_back(name);
        columns.emplace_back();
      } else {
        for (std::size_t l = 1; l < levels->second.size(); ++l) {
          covariates.names.push_back(fmt::format("{} = {}", name, levels->second[l]));
          columns.emplace_back();
        }
      }
      for (const auto r : kept) {
        const auto& text = records_[r].covariates[c];
        const auto complain = [&](const std::string& expected) {
          faults_.add(Fault::kCovariate, records_[r].offset, [&] {
            return fmt::format("covariate {} of participant '{}' is '{}'; expected {}", name,
                               ids_.names[records_[r].participant], text, expected);
          });
        };
        if (levels == is_.levels.end()) {
          const auto number = read_number(text);
          if (!number || !std::isfinite(*number))
            complain("a finite number, or levels in [adjust.levels]");
          columns[first].push_back(number.value_or(0.0));
        } else {
          const auto at = std::find(levels->second.begin(), levels->second.end(), text);
          if (at == levels->second.end())
            complain(one_of(levels->second) + did_you_mean(text, levels->second));
          for (std::size_t l = 1; l < levels->second.size(); ++l)
            columns[first + l - 1].push_back(
                at == levels->second.begin() + static_cast<std::ptrdiff_t>(l) ? 1.0 : 0.0);
        }
      }
    }
    if (!problems_.empty()) return;
    covariates.values = Matrix(kept.size(), columns.size());
    for (std::size_t p = 0; p < columns.size(); ++p)
      for (std::size_t j = 0; j < kept.size(); ++j) covariates.values(j, p) = columns[p][j];
    if (earlier_ != nullptr) {
      if (!std::is_permutation(covariates.names.begin(), covariates.names.end(),
                               earlier_->covariates.begin(), earlier_->covariates.end()))
        problems_.add(
            is_.covariates.front().place,
            fmt::format("the cohort that they are compared with was adjusted for {}, not for {}",
                        earlier_->covariates.empty()
                            ? std::string("nothing")
                            : fmt::format("{}", fmt::join(earlier_->covariates, ", ")),
                        fmt::join(covariates.names, ", ")));
      else
        adjust_later(in_order(covariates, earlier_->covariates), out);
      return;
    }
    std::vector<std::string> faults;
    out.adjustment = fit_adjustment(out.cohort, covariates, faults);
    for (const auto& fault : faults) problems_.add(is_.covariates.front().place, fault);
    if (faults.empty()) tempo::adjust(out.cohort, covariates, out.adjustment);
    out.notes.push_back(fmt::format("biomarkers were adjusted for {}, by regression on the healthy",
                                    fmt::join(covariates.names, ", ")));
  }

  const TableDescription& is_;
  const Labels labels_;
  const Adjustment* earlier_;
  const TableFormat format_;
  std::optional<char> decimal_;  ///< absent until a value with one of the two has been read
  const std::string& name_;
  Problems& problems_;
  Faults faults_;
  std::vector<double> missing_numbers_;  ///< markers such as -4, however they are written

  std::vector<std::string> header_;
  bool first_row_is_header_ = false;
  bool readable_ = false;
  std::size_t participant_ = kNone, visit_ = kNone, diagnosis_ = kNone;
  std::size_t biomarker_ = kNone, value_ = kNone;
  std::vector<std::size_t> covariates_;      ///< columns
  Names sources_;                            ///< of measurements: columns, or names in a long table
  std::vector<std::size_t> source_columns_;  ///< of a wide table

  std::size_t rows_ = 0;
  Names ids_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::vector<Record> records_;
  std::vector<OddCell> odd_;
  std::map<std::string, int> roles_;  ///< of a label: 0 healthy, 1 diseased, 2 left out
};

}  // namespace

std::string CohortTable::report() const {
  std::size_t width = 0;
  for (const auto& step : flow) width = std::max(width, std::to_string(step.participants).size());
  std::string text = "participants\n";
  for (const auto& [what, participants] : flow)
    text += fmt::format("  {:>{}}  {}\n", participants, width, what);
  std::map<std::pair<int, std::string>, std::size_t> groups;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (!cohort.diagnoses.empty()) ++groups[{cohort.diseased[j], cohort.diagnoses[j]}];
  for (const int diseased : {0, 1}) {
    std::string labels;
    for (const auto& [group, count] : groups)
      if (group.first == diseased)
        labels += fmt::format("{}{}: {}", labels.empty() ? "" : ", ", group.second, count);
    const auto total = std::count(cohort.diseased.begin(), cohort.diseased.end(), diseased);
    text += fmt::format("  {:>{}}  {}{}\n", total, width, diseased != 0 ? "diseased" : "healthy",
                        labels.empty() ? "" : fmt::format(" ({})", labels));
  }
  text += missing.report();
  for (const auto& [biomarker, diagnosis, below, above] : censored)
    text +=
        fmt::format("censored: {} of {}: {} below, {} above\n", biomarker, diagnosis, below, above);
  for (const auto& note : notes) text += fmt::format("note: {}\n", note);
  return printable(text);
}

namespace {

CohortTable read_text(const TableDescription& description, Labels labels, const Adjustment* earlier,
                      std::string_view text, const std::string& name, Problems& problems) {
  Problems found;
  CohortTable out;
  if (const auto checked = checked_text(text, name, found)) {
    const auto format = format_of(*checked, description);
    Table table(description, labels, earlier, format, *checked, name, found);
    Problems broken;
    for_each_csv_row(
        *checked, name, broken, [&](const CsvRow& row) { table.take(row); }, format.csv);
    out = table.finish(broken.empty());
    found.append(broken);
  }
  problems.append(found);
  return found.empty() ? std::move(out) : CohortTable{};
}

}  // namespace

void check_table_header(const TableDescription& description, Problems& problems) {
  const auto name = description.file.string();
  const auto text = read_text_file(description.file, problems);
  const auto checked = text ? checked_text(*text, name, problems) : std::nullopt;
  if (!checked) return;
  const auto format = format_of(*checked, description);
  Table table(description, Labels::needed, nullptr, format, *checked, name, problems);
  bool is_first = description.header.empty();
  Problems ignored;  // of rows that nobody looks at
  for_each_csv_row(
      *checked, name, ignored,
      [&](const CsvRow& row) {
        if (std::exchange(is_first, false)) table.take(row);
      },
      format.csv);
}

CohortTable read_cohort_table(const TableDescription& description, Problems& problems) {
  const auto text = read_text_file(description.file, problems);
  return text ? read_cohort_table_text(description, *text, description.file.string(), problems)
              : CohortTable{};
}

CohortTable read_cohort_table_text(const TableDescription& description, std::string_view text,
                                   const std::string& name, Problems& problems) {
  return read_text(description, Labels::needed, nullptr, text, name, problems);
}

CohortTable read_later_table(const TableDescription& description, Labels labels,
                             const Adjustment& adjustment, Problems& problems) {
  const auto text = read_text_file(description.file, problems);
  return text ? read_text(description, labels, &adjustment, *text, description.file.string(),
                          problems)
              : CohortTable{};
}

}  // namespace tempo
