#include "data/table/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "data/table/number_hints.hpp"
#include "model/lower_case.hpp"

namespace tempo {
namespace {

using Named = TableDescription::Named;

/// Words of a column's name in lower case, between signs: `age`, `at`, `visit` of `Age_at.visit`.
std::vector<std::string> words_of(const std::string& column) {
  std::vector<std::string> out(1);
  for (const char c : in_lower_case(column)) {
    const bool is_sign = c == '_' || c == '.' || c == '-' || c == ' ' || c == ':' || c == '/';
    if (!is_sign)
      out.back() += c;
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// Whether clinics call a covariate, an outcome, an id, a simulation's truth or another column that
/// is no biomarker so.
bool is_named_as_none(const std::string& column) {
  static const std::set<std::string_view> known{
      "apoe",        "apoe4",    "bildungsjahre", "bmi",      "censored",       "censoring",
      "death",       "event",    "event_time",    "examdate", "examdays",       "eyo",
      "follow_up",   "followup", "fu_years",      "gt_stage", "height",         "icv",
      "etiv",        "index",    "interval",      "k_j",      "month",          "month_bl",
      "naccalzd",    "outcome",  "patient",       "ptgender", "ptid",           "pteducat",
      "rid",         "row",      "rownames",      "stage",    "status",         "subject",
      "survival",    "time",     "time_to_event", "tiv",      "true_stage",     "unnamed: 0",
      "untersucher", "weight",   "year",          "years_bl", "years_education"};
  // What tells such a column wherever it stands in its name, and what does so at its end.
  static const std::set<std::string_view> anywhere{
      "age",   "alter", "batch", "birth",   "birthdate", "birthyear", "center",  "centre",
      "date",  "dob",   "dx",    "dxn",     "educ",      "education", "gender",  "geburtsjahr",
      "group", "phone", "plate", "race",    "rater",     "redcap",    "scanner", "sex",
      "site",  "visit", "yob",   "zentrum", "zip"};
  static const std::set<std::string_view> at_the_end{"complete", "id", "timestamp"};
  const auto words = words_of(column);
  return known.contains(in_lower_case(column)) ||
         std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return anywhere.contains(word); }) ||
         (!words.empty() && at_the_end.contains(words.back()));
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

/// The six digits of a month: 200802.
bool is_month(double x) {
  const double month = std::fmod(x, 100.0);
  return x == std::round(x) && x >= 190001.0 && x <= 210012.0 && month >= 1.0 && month <= 12.0;
}

/// What points in time look like as numbers.
struct TimesAsNumbers {
  bool days = true;         ///< 20080229
  bool months = true;       ///< 200802
  bool years = true;        ///< 1936, 1936.5
  bool serial_days = true;  ///< days with fractions that spreadsheets count from 1900: 2000 to 2040

  void take(double x) {
    constexpr double kFirst = 36526.0, kLast = 51136.0;
    days = days && is_day(x);
    months = months && is_month(x);
    years = years && x >= 1890.0 && x <= 2060.0;
    serial_days = serial_days && x >= kFirst && x < kLast;
  }
  bool any() const { return days || months || years || serial_days; }
};

/// Why the values of a source look like no measurements; empty if they do not.
std::string why_no_measurements(const VisitTable& table, std::size_t source) {
  constexpr std::size_t kFewest = 10;  // rows that say anything
  if (table.visits.size() < kFewest) return {};
  std::set<double> values;
  bool are_whole = true, rises = true, falls = true;
  TimesAsNumbers times;
  double before = kMissingValue;
  std::size_t measured = 0;
  for (const auto& visit : table.visits) {
    const double x = visit.cells[source];
    if (std::isnan(x)) continue;
    ++measured;
    if (values.size() <= 2 || are_whole) values.insert(x);
    are_whole = are_whole && x == std::round(x);
    times.take(x);
    rises = rises && !(x <= before);
    falls = falls && !(x >= before);
    before = x;
    if (values.size() > 2 && !are_whole && !rises && !falls && !times.any()) return {};
  }
  if (values.size() == 2) return "two values only";
  if (measured < kFewest) return {};
  if (times.days) return "days as numbers";
  if (times.months) return "months as numbers";
  if (times.years) return "years";
  if (times.serial_days && !are_whole) return "days of a spreadsheet";
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
  const auto is_read = [&](const OddCell& odd) {
    return is_kept[odd.visit] && wanted[odd.source] && !is_text[odd.source];
  };
  std::map<std::pair<std::size_t, std::string>, std::size_t> alike;
  for (const auto& odd : table.odd)
    if (is_read(odd)) ++alike[{odd.source, odd.text}];
  for (const auto& odd : table.odd) {
    if (!is_read(odd)) continue;
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
    if (!bound || policy == Policy::error) {
      // Equal cells are one fault, where they stand first.
      const auto count = std::exchange(alike[{odd.source, odd.text}], 0);
      if (count == 0) continue;
      const auto such = count == 1 ? std::string() : fmt::format(" ({} such cells)", count);
      if (!bound)
        input.faults.add(TableFault::measurement, odd.offset,
                         [&] { return why_no_number(biomarker, odd.text, input, numbers) + such; });
      else
        input.faults.add(TableFault::censored, odd.offset, [&] {
          return fmt::format(
              "{} '{}' is beyond what is measured; choose censored = \"clamp\" (take "
              "the bound) or \"missing\"{}",
              biomarker, odd.text, such);
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
