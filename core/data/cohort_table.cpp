#include "data/cohort_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "data/csv_rows.hpp"
#include "data/names.hpp"
#include "data/table/adjustment.hpp"
#include "data/table/columns.hpp"
#include "data/table/described.hpp"
#include "data/table/faults.hpp"
#include "data/table/input.hpp"
#include "data/table/label_choice.hpp"
#include "data/table/measurements.hpp"
#include "data/table/missing_policy.hpp"
#include "data/table/numbers.hpp"
#include "data/table/oddities.hpp"
#include "data/table/rows.hpp"
#include "data/table/unseen_columns.hpp"
#include "data/table/visit_choice.hpp"
#include "data/table/visits.hpp"
#include "data/table_format.hpp"
#include "data/table_header.hpp"
#include "data/text_file.hpp"
#include "data/values_by_group.hpp"
#include "model/lower_case.hpp"
#include "model/printable.hpp"
#include "tempo/quantile.hpp"

namespace tempo {
namespace {

constexpr const char* kNote = "note: ";  // begins a line of a report

constexpr std::array kTableFaults{
    TableFault::header,          TableFault::field_count,  TableFault::empty_participant,
    TableFault::empty_biomarker, TableFault::empty_visit,  TableFault::visit_time,
    TableFault::repeated_row,    TableFault::disagreement, TableFault::measurement,
    TableFault::censored,        TableFault::divisor,      TableFault::logarithm,
    TableFault::covariate};

/// A comma between fields is no decimal comma unless the description says so, nor is one that parts
/// thousands; where points do that, commas are decimal.
TableNumbers numbers_of(const TableDescription& description, const TableFormat& format) {
  auto decimal = description.decimal;
  if (!decimal && description.thousands == '.') decimal = ',';
  if (!decimal && (format.csv.separator == ',' || description.thousands == ',')) decimal = '.';
  return {decimal, description.missing_markers, description.thousands};
}

void note_format(const TableInput& input, const TableNumbers& numbers, const TableFormat& format,
                 CohortTable& out) {
  const auto remarks = format.remarks;
  if (const auto said = format.said_separator) {
    const auto in_words = [](char c) { return c == '\t' ? "tab" : std::string(1, c); };
    out.notes.push_back(fmt::format(
        "the line that says the separator ('{}') was passed over{}", in_words(*said),
        *said == format.csv.separator
            ? ""
            : fmt::format(": the description says '{}'", in_words(format.csv.separator))));
  }
  if (remarks > 0)
    out.notes.push_back(fmt::format("{} above the header that begin{} with '#' {} passed over",
                                    remarks == 1 ? "a line" : fmt::format("{} lines", remarks),
                                    remarks == 1 ? "s" : "", remarks == 1 ? "was" : "were"));
  if (const auto lines = format.comments; lines > 0)
    out.notes.push_back(fmt::format("{} that begin{} with '{}' {} passed over",
                                    counted(lines, "line"), lines == 1 ? "s" : "",
                                    format.csv.comment, lines == 1 ? "was" : "were"));
  if (format.header_is_marked)
    out.notes.push_back("the header begins with '#', and was read without it");
  if (!input.description.decimal && numbers.has_decimal_commas())
    out.notes.push_back("values have decimal commas, and were read so");
}

/// Says which columns and rows nothing was read from.
void note_unread(const VisitTable& table, CohortTable& out) {
  if (const auto& unnamed = table.unnamed; !unnamed.empty())
    out.notes.push_back(fmt::format("{} without a name, from which nothing was read: {}",
                                    counted(unnamed.size(), "column"), fmt::join(unnamed, ", ")));
  if (!table.renamed.empty())
    out.notes.push_back(
        fmt::format("columns read by other names: {}", fmt::join(table.renamed, ", ")));
  if (const auto rows = table.rows_without_visit; rows > 0)
    out.notes.push_back(fmt::format("{} without a visit, which {} no baseline{}",
                                    counted(rows, "row"), rows == 1 ? "is" : "are",
                                    rows == 1 ? "" : "s"));
  if (const auto copies = table.copies; copies > 0)
    out.notes.push_back(fmt::format("{} equal to an earlier one {} left out",
                                    counted(copies, "row"), copies == 1 ? "was" : "were"));
}

/// How many units there are, those of one size by several names counted once: ng/L is pg/mL.
std::size_t count_units(const std::set<std::string>& units) {
  static const std::map<std::string, std::string> others{
      {"ng/l", "pg/ml"},   {"ug/l", "ng/ml"}, {"\u00b5g/l", "ng/ml"}, {"mm^3", "mm3"},
      {"mm\u00b3", "mm3"}, {"cm^3", "ml"},    {"cm3", "ml"},          {"cm\u00b3", "ml"}};
  std::set<std::string> out;
  for (const auto& unit : units) {
    auto name = in_lower_case(unit);
    std::erase(name, ' ');
    const auto known = others.find(name);
    out.insert(known == others.end() ? name : known->second);
  }
  return out.size();
}

/// Says which biomarkers of a long table are in several units.
void note_units(const VisitTable& table, CohortTable& out) {
  for (std::size_t s = 0; s < table.units.size(); ++s)
    if (const auto& units = table.units[s]; count_units(units) > 1)
      out.notes.push_back(fmt::format("{} is in several units: {}; values were read as they are",
                                      table.sources.names[s],
                                      in_short({units.begin(), units.end()})));
}

/// Says which measurements of a long table are bounds, as a column of their own tells.
void note_bounds(const VisitTable& table, CohortTable& out) {
  for (const auto& [of, count] : table.bounds)
    out.notes.push_back(
        fmt::format("{}: {} beside '<' or '>' in column {}, and {}; such values are written in one "
                    "cell (<8), and censored = \"clamp\" or \"missing\" says what to do with them",
                    table.sources.names[of.second],
                    count == 1 ? "1 value stands" : fmt::format("{} values stand", count), of.first,
                    count == 1 ? "it was read as it is" : "they were read as they are"));
}

/// Says which missing markers no cell has: misspelt ones leave a code among the values.
void note_unseen_markers(const VisitTable& table, const TableInput& input, CohortTable& out) {
  static const std::set<std::string> common{"", "NA", "NaN", "nan", "N/A", "n/a", "NULL", "null"};
  std::vector<std::string> unseen;
  for (const auto& marker : table.unseen_markers)
    if (!common.contains(marker)) unseen.push_back(fmt::format("'{}'", marker));
  if (!unseen.empty() && input.earlier == nullptr)
    out.notes.push_back(
        fmt::format("no cell is {}, which 'missing_markers' names", fmt::join(unseen, " or ")));
}

/// Says what lasts a life long and yet differs between rows of a participant, by column.
void note_changes(const VisitTable& table, const TableInput& input, CohortTable& out) {
  std::map<std::string, std::pair<const Change*, std::set<std::size_t>>> by_column;
  for (const auto& change : table.changes) {
    auto& [first, participants] = by_column[change.column];
    if (first == nullptr) first = &change;
    participants.insert(change.participant);
  }
  for (const auto& [column, found] : by_column) {
    const auto& [change, participants] = found;
    out.notes.push_back(fmt::format(
        "{} differs between rows of {}, as of '{}': '{}' in line {} and '{}' in line {}; two "
        "people under one id?",
        column, counted(participants.size(), "participant"),
        table.participants.names[change->participant], change->first.text,
        input.faults.line(change->first.offset), change->here.text,
        input.faults.line(change->here.offset)));
  }
}

/// Says which columns look like no biomarkers, though they are taken for such since the description
/// names none.
void note_doubtful_columns(const VisitTable& table, const TableInput& input, CohortTable& out) {
  if (input.is_long() || !input.description.biomarkers.empty() || input.earlier != nullptr) return;
  const auto doubtful = doubtful_sources(table);
  if (!doubtful.empty())
    out.notes.push_back(fmt::format(
        "without 'biomarkers' every other column is one, also {}: 'ignore' or [adjust] takes {} "
        "out if {} none",
        in_short(doubtful), doubtful.size() == 1 ? "it" : "them",
        doubtful.size() == 1 ? "it is" : "they are"));
}

void note_empty_groups(const TableInput& input, CohortTable& out) {
  if (input.earlier != nullptr) return;
  for (const int group : {0, 1})
    if (std::count(out.cohort.diseased.begin(), out.cohort.diseased.end(), group) == 0)
      out.notes.push_back(fmt::format("no participant is {}", group == 0 ? "healthy" : "diseased"));
}

/// The first few of a kind, and how many more there are.
void note_some(const std::vector<std::string>& oddities, CohortTable& out) {
  constexpr std::size_t kShown = 5;
  const auto shown = std::min(kShown, oddities.size());
  out.notes.insert(out.notes.end(), oddities.begin(),
                   oddities.begin() + static_cast<std::ptrdiff_t>(shown));
  if (oddities.size() > shown)
    out.notes.push_back(fmt::format("and {} more of the last kind", oddities.size() - shown));
}

/// Says what a clinic seldom means.
/// @param unseen  columns whose values the cohort does not show as they are
void note_oddities(const TableInput& input, const Cohort& unseen, CohortTable& out) {
  if (input.earlier != nullptr) return;
  for (const auto* cohort : {&unseen, &std::as_const(out.cohort)}) {
    note_some(possible_codes(*cohort, kMarkersTakeCodes), out);
    note_some(odd_values(*cohort), out);
  }
  for (const auto& oddities :
       {skewed_biomarkers(out.cohort), same_biomarkers(out.cohort), same_names(out.cohort),
        same_participants(out.cohort), pasted_rows(out.cohort), odd_ids(out.cohort)})
    note_some(oddities, out);
}

/// Says where patients are not on the side on which the description has them.
void note_directions(const TableInput& input, CohortTable& out) {
  using Direction = TableDescription::Direction;
  if (input.earlier != nullptr || out.cohort.diseased.empty()) return;
  for (const auto& biomarker : input.description.biomarkers) {
    if (biomarker.direction == Direction::unknown) continue;
    const auto& names = out.cohort.biomarkers;
    const auto b = static_cast<std::size_t>(std::find(names.begin(), names.end(), biomarker.name) -
                                            names.begin());
    const auto groups = values_by_group(out.cohort, b);
    if (groups[0].empty() || groups[1].empty()) continue;
    const double healthy = quantile(groups[0], 0.5), diseased = quantile(groups[1], 0.5);
    const bool rises = biomarker.direction == Direction::rises;
    if (rises ? diseased > healthy : diseased < healthy) continue;
    out.notes.push_back(fmt::format(
        "{} {} by its description, but its median is {:.6g} of the healthy and {:.6g} of the "
        "diseased",
        biomarker.name, rises ? "rises" : "falls", healthy, diseased));
  }
}

/// The steps from visits to a cohort. Each says what it left out or changed; after a step with
/// faults those that build on it are not taken.
CohortTable make_cohort_table(VisitTable& table, const TableInput& input,
                              const TableNumbers& numbers, const TableFormat& format) {
  CohortTable out;
  out.rows = table.rows;
  out.other_columns = table.other_columns;
  note_format(input, numbers, format, out);
  note_unread(table, out);
  note_unseen_markers(table, input, out);
  note_units(table, out);
  note_bounds(table, out);
  note_changes(table, input, out);
  note_doubtful_columns(table, input, out);
  out.flow.push_back({"in the table", table.participants.names.size()});

  auto selection = choose_visits(table, input, numbers, out);
  choose_labels(table, input, selection, out);
  if (!input.problems.empty()) return {};

  const auto asked = ask_about_thousands(table, input, out);
  read_odd_cells(table, selection, input, numbers, asked, out);
  const auto sources = biomarker_sources(table, input);
  if (!input.problems.empty()) return {};
  const auto unseen = unseen_columns(table, input, numbers, selection, sources);
  out.cohort = make_cohort(table, selection, sources, input.faults);
  if (!input.problems.empty()) return {};
  note_oddities(input, unseen, out);

  handle_missing(table, input, numbers, selection, out);
  if (!input.problems.empty()) return {};
  if (!input.description.covariates.empty())
    adjust_for_covariates(table, input, numbers, selection, out);
  if (!input.problems.empty()) return {};
  if (input.earlier == nullptr && input.description.missing == TableDescription::Missing::mean)
    fill_with_means(input, out);
  if (!input.problems.empty()) return {};
  note_empty_groups(input, out);
  note_directions(input, out);
  describe_columns(table, input, numbers, selection, out);
  return out;
}

CohortTable read_text(const TableDescription& description, Labels labels, const Adjustment* earlier,
                      std::string_view text, const std::string& name, Problems& problems) {
  Problems found;
  CohortTable out;
  if (const auto checked = checked_text(text, name, found)) {
    const auto format = format_of(*checked, description);
    TableFaults faults(*checked, name, kTableFaults, found);
    const TableInput input{description, labels, earlier, name, found, faults};
    auto numbers = numbers_of(description, format);
    TableRows rows(input, *checked, format, numbers);
    Problems broken;
    for_each_table_row(
        *checked, name, broken, [&](const CsvRow& row) { rows.take(row); }, format);
    if (rows.finish(broken.empty())) out = make_cohort_table(rows.visits(), input, numbers, format);
    faults.add_the_rest();
    found.append(broken);
  }
  problems.append(found);
  return found.empty() ? std::move(out) : CohortTable{};
}

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
  if (!other_columns.empty())  // a table, whose columns had to be told apart
    text += fmt::format("biomarkers: {}\nother columns: {}\n", fmt::join(cohort.biomarkers, ", "),
                        fmt::join(other_columns, ", "));
  text += missing.report();
  for (const auto& [biomarker, diagnosis, below, above] : censored)
    text +=
        fmt::format("censored: {} of {}: {} below, {} above\n", biomarker, diagnosis, below, above);
  for (const auto& note : notes) text += fmt::format("{}{}\n", kNote, printable(note, ""));
  return printable(text);
}

std::string without_people(const std::string& report) {
  std::string out;
  std::size_t left_out = 0;
  for (std::size_t at = 0; at < report.size();) {
    const auto end = std::min(report.find('\n', at), report.size() - 1) + 1;
    const auto line = std::string_view(report).substr(at, end - at);
    if (line.starts_with(kNote) || line.starts_with(kUnmeasured))
      ++left_out;
    else
      out += line;
    at = end;
  }
  if (left_out > 0)
    out += fmt::format("{} that may name participants: intake.txt of the run folder\n",
                       counted(left_out, "more line"));
  return out;
}

void check_table_header(const TableDescription& description, Problems& problems) {
  const auto name = description.file.string();
  const auto text = read_text_file(description.file, problems);
  const auto checked = text ? checked_text(*text, name, problems) : std::nullopt;
  if (!checked) return;
  const auto format = format_of(*checked, description);
  TableFaults faults(*checked, name, kTableFaults, problems);
  const TableInput input{description, Labels::needed, nullptr, name, problems, faults};
  auto header = header_of(description);
  Problems ignored;  // faults of rows below the header
  if (header.empty())
    for_each_table_row(
        *checked, name, ignored,
        [&](const CsvRow& row) {
          if (header.empty()) header = row;
        },
        format);
  if (!header.empty()) find_table_columns(header, input, numbers_of(description, format));
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
