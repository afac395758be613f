#include "data/table/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "model/look_alike.hpp"
#include "model/lower_case.hpp"

namespace tempo {
namespace {

using Named = TableDescription::Named;

/// Whether clinics call a covariate, an outcome, an id, a simulation's truth or another column that
/// is no biomarker so.
bool is_named_as_none(const std::string& column) {
  static const std::set<std::string_view> known{"age",        "apoe",       "apoe4",
                                                "bmi",        "censored",   "censoring",
                                                "date",       "death",      "educ",
                                                "education",  "etiv",       "event",
                                                "event_time", "examdate",   "eyo",
                                                "followup",   "follow_up",  "gender",
                                                "gt_stage",   "height",     "icv",
                                                "id",         "index",      "k_j",
                                                "month",      "outcome",    "patient",
                                                "patient_id", "ptgender",   "ptid",
                                                "pteducat",   "race",       "rid",
                                                "row",        "rownames",   "scanner",
                                                "sex",        "site",       "stage",
                                                "status",     "subject",    "subject_id",
                                                "survival",   "time",       "tiv",
                                                "true_stage", "unnamed: 0", "visit",
                                                "weight",     "year",       "years_education"};
  return known.contains(in_lower_case(column));
}

/// The eight digits of a day: 20080229.
bool is_day(double x) {
  if (!(x >= 19000101.0 && x <= 21001231.0) || x != std::round(x)) return false;
  const auto digits = static_cast<unsigned>(x);
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(digits / 10000)),
                                     std::chrono::month(digits / 100 % 100),
                                     std::chrono::day(digits % 100))
      .ok();
}

/// Why the values of a source look like no measurements; empty if they do not.
std::string why_no_measurements(const VisitTable& table, std::size_t source) {
  constexpr std::size_t kFewest = 10;  // rows that say anything
  if (table.visits.size() < kFewest) return {};
  std::set<double> values;
  bool are_whole = true, are_days = true, rises = true, falls = true;
  double before = kMissingValue;
  std::size_t measured = 0;
  for (const auto& visit : table.visits) {
    const double x = visit.cells[source];
    if (std::isnan(x)) continue;
    ++measured;
    if (values.size() <= 2 || are_whole) values.insert(x);
    are_whole = are_whole && x == std::round(x);
    are_days = are_days && is_day(x);
    rises = rises && !(x <= before);
    falls = falls && !(x >= before);
    before = x;
    if (values.size() > 2 && !are_whole && !rises && !falls) return {};
  }
  if (values.size() == 2) return "two values only";
  if (measured < kFewest) return {};
  if (are_days) return "days as numbers";
  if (rises || falls) return "runs with the rows";
  if (are_whole && values.size() == measured) return "whole numbers, all different";
  return {};
}

std::size_t find_source(const VisitTable& table, const Named& named) {
  const auto& names = table.sources.names;
  const auto at = std::find(names.begin(), names.end(), named.text);
  return at == names.end() ? kNone : static_cast<std::size_t>(at - names.begin());
}

/// Whether a biomarker is made of a source.
std::vector<bool> wanted_sources(const VisitTable& table, const TableInput& input) {
  const auto& asked = input.description.biomarkers;
  std::vector<bool> wanted(table.sources.names.size(), asked.empty());
  for (const auto& biomarker : asked)
    for (const auto* named : {&biomarker.column, &biomarker.over})
      if (const auto at = find_source(table, *named); at != kNone) wanted[at] = true;
  return wanted;
}

/// The bound of a censored value such as `>1700` or `<= 8.5`, or nothing.
std::optional<double> read_bound(std::string_view text, const TableNumbers& numbers) {
  if (!text.starts_with('<') && !text.starts_with('>')) return std::nullopt;
  text.remove_prefix(text.size() > 1 && text[1] == '=' ? 2 : 1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  return numbers.read_finite(text);
}

/// Whether a text is a number whose thousands such a mark parts.
bool parts_thousands_by(char mark, const std::string& text) {
  const auto plain = with_plain_marks(text);
  return plain.find(mark) != std::string::npos &&
         TableNumbers('.', {}, mark).read_finite(plain).has_value();
}

std::string why_no_number(const std::string& biomarker, const std::string& text,
                          const TableInput& input, const TableNumbers& numbers) {
  const bool blank = parts_thousands_by(' ', text), apostrophe = parts_thousands_by('\'', text);
  const bool has_comma = !numbers.has_decimal_commas() && text.find(',') != std::string::npos;
  const bool either = has_comma && may_part_thousands(text);
  const bool comma = has_comma && !either;
  const bool point = !input.description.decimal && numbers.has_decimal_commas() &&
                     text.find('.') != std::string::npos;
  const bool all_are_biomarkers = input.description.biomarkers.empty() && !input.is_long();
  return fmt::format("{} '{}' is not a finite number{}", biomarker, showing_hidden(text),
                     blank        ? "; a blank that parts thousands is read with thousands = "
                                    "\"space\""
                     : apostrophe ? "; an apostrophe that parts thousands is read with thousands = "
                                    "\"'\""
                     : either ? "; a comma that parts thousands is read with thousands = \",\", a "
                                "decimal one with decimal = \",\""
                     : comma  ? "; a decimal comma is read with decimal = \",\""
                     : point  ? "; other values have decimal commas"
                     : text.find_first_of("0123456789") != std::string::npos
                         ? "; it has more than a number in it: correct it in the table"
                     : all_are_biomarkers
                         ? "; name its column in 'ignore' if it is no biomarker, the text in "
                           "'missing_markers' if it stands for a missing value"
                         : "; name the text in 'missing_markers' if it stands for a missing value");
}

}  // namespace

std::vector<bool> ask_about_thousands(const VisitTable& table, const TableInput& input,
                                      CohortTable& out) {
  std::vector<bool> asked(table.sources.names.size(), false);
  if (input.description.thousands) return asked;
  const auto wanted = wanted_sources(table, input);
  for (std::size_t s = 0; s < table.writing.size(); ++s) {
    const auto& [thousands, marked, plain, offset, example] = table.writing[s];
    if (!wanted[s] || thousands == 0 || marked > 0 || plain == 0) continue;
    const bool is_comma = example.find(',') != std::string::npos;
    const auto found =
        fmt::format("{}: {} such as '{}' {} three digits behind the {}, and {} {} no {}",
                    table.sources.names[s], counted(thousands, "value"), example,
                    thousands == 1 ? "has" : "have", is_comma ? "comma" : "point", plain,
                    plain == 1 ? "has" : "have", is_comma ? "comma" : "point");
    if (input.description.decimal == (is_comma ? ',' : '.')) {
      out.notes.push_back(found + "; it was read as the decimal one");
      continue;
    }
    asked[s] = true;
    input.faults.add(offset,
                     fmt::format("{1}: if it parts thousands, say thousands = \"{0}\"; if it is "
                                 "the decimal one, decimal = \"{0}\"",
                                 is_comma ? ',' : '.', found));
  }
  return asked;
}

namespace {

/// Whether a text that is no number may have been meant as one: `1.234,5`, `>`.
bool is_written_as_number(const std::string& cell) {
  constexpr std::string_view kSigns = "+-<>= ", kBody = "0123456789., '";
  const auto plain = with_plain_marks(cell);
  std::string_view text = plain;
  text.remove_prefix(std::min(text.find_first_not_of(kSigns), text.size()));
  return text.find_first_not_of(kBody) == std::string_view::npos;
}

/// The sources whose selected cells hold text and no number at all, which is one fault of each.
std::vector<bool> complain_of_text(const VisitTable& table, const std::vector<bool>& is_kept,
                                   const std::vector<bool>& wanted, const TableInput& input,
                                   const TableNumbers& numbers) {
  constexpr std::size_t kFewest = 3;  // cells
  const auto count = table.sources.names.size();
  std::vector<std::vector<const OddCell*>> texts(count);
  std::vector<bool> is_text(count, false);
  for (const auto& odd : table.odd)
    if (is_kept[odd.visit] && wanted[odd.source]) texts[odd.source].push_back(&odd);
  for (std::size_t s = 0; s < count; ++s) {
    if (texts[s].size() < kFewest) continue;
    bool any_number = std::any_of(texts[s].begin(), texts[s].end(), [&](const OddCell* odd) {
      return is_written_as_number(odd->text) || numbers.read_finite(odd->text);
    });
    for (std::size_t v = 0; v < table.visits.size() && !any_number; ++v) {
      const auto& cells = table.visits[v].cells;
      any_number = is_kept[v] && s < cells.size() && !std::isnan(cells[s]);
    }
    if (any_number) continue;
    is_text[s] = true;
    std::set<std::string> different;
    for (const auto* odd : texts[s]) different.insert(fmt::format("'{}'", odd->text));
    input.faults.add(texts[s].front()->offset,
                     fmt::format("{} is text in all of {} ({}), and no number; {}",
                                 table.sources.names[s], counted(texts[s].size(), "value"),
                                 in_short({different.begin(), different.end()}),
                                 input.description.biomarkers.empty() && !input.is_long()
                                     ? "name it in 'ignore' if it is no biomarker"
                                     : "is it the biomarker that was meant?"));
  }
  return is_text;
}

}  // namespace

void read_odd_cells(VisitTable& table, const Selection& selection, const TableInput& input,
                    const TableNumbers& numbers, const std::vector<bool>& asked, CohortTable& out) {
  using Policy = TableDescription::Censored;
  const auto policy = input.description.censored;
  std::vector<bool> is_kept(table.visits.size(), false);
  for (const auto v : selection.visits) is_kept[v] = true;
  const auto wanted = wanted_sources(table, input);
  const auto is_text = complain_of_text(table, is_kept, wanted, input, numbers);
  std::map<std::pair<std::string, std::string>, CohortTable::Censored> counts;
  for (const auto& odd : table.odd) {
    if (!is_kept[odd.visit] || !wanted[odd.source] || is_text[odd.source]) continue;
    auto& visit = table.visits[odd.visit];
    auto& cell = visit.cells[odd.source];
    const auto& biomarker = table.sources.names[odd.source];
    // Read before the first value that showed which decimal point the file has.
    if (const auto number = numbers.read_finite(odd.text)) {
      cell = numbers.is_missing(*number) ? kMissingValue : *number;
      continue;
    }
    if (asked[odd.source] && may_part_thousands(odd.text)) continue;
    const auto bound = read_bound(odd.text, numbers);
    if (!bound) {
      input.faults.add(TableFault::measurement, odd.offset,
                       [&] { return why_no_number(biomarker, odd.text, input, numbers); });
    } else if (policy == Policy::error) {
      input.faults.add(TableFault::censored, odd.offset, [&] {
        return fmt::format(
            "{} '{}' is beyond what is measured; choose censored = \"clamp\" (take "
            "the bound) or \"missing\"",
            biomarker, odd.text);
      });
    } else {
      auto& count = counts[{biomarker, visit.diagnosis}];
      ++(odd.text.front() == '<' ? count.below : count.above);
      if (policy == Policy::clamp)
        cell = *bound;
      else
        ++visit.censored;
    }
  }
  for (const auto& [key, count] : counts)
    out.censored.push_back({key.first, key.second, count.below, count.above});
}

std::vector<BiomarkerSource> biomarker_sources(const VisitTable& table, const TableInput& input) {
  std::vector<BiomarkerSource> out;
  if (input.description.biomarkers.empty()) {
    for (const auto s : order_by_name(table.sources.names))
      out.push_back({table.sources.names[s], s});
    return out;
  }
  auto asked = input.description.biomarkers;
  std::sort(asked.begin(), asked.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const auto& biomarker : asked) {
    for (const auto* named : {&biomarker.column, &biomarker.over})
      // Only a long table may lack it: columns of a wide one were found in its header.
      if (named->given() && find_source(table, *named) == kNone)
        input.problems.add(named->place,
                           fmt::format("{} has no biomarker '{}'{}", input.name, named->text,
                                       did_you_mean(named->text, table.sources.names)));
    out.push_back({biomarker.name, find_source(table, biomarker.column),
                   find_source(table, biomarker.over),
                   biomarker.transform == TableDescription::Transform::log});
  }
  return out;
}

std::vector<std::string> doubtful_sources(const VisitTable& table) {
  std::vector<std::string> out;
  for (std::size_t s = 0; s < table.sources.names.size(); ++s) {
    const auto& name = table.sources.names[s];
    const auto why =
        is_named_as_none(name) ? std::string("by name") : why_no_measurements(table, s);
    if (!why.empty()) out.push_back(fmt::format("{} ({})", name, why));
  }
  return out;
}

}  // namespace tempo
