#include "data/table/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "model/lower_case.hpp"

namespace tempo {
namespace {

using Named = TableDescription::Named;

/// Whether clinics call a covariate, or a column that says nothing of the disease, so.
bool names_a_covariate(const std::string& column) {
  static const std::set<std::string_view> known{
      "age",       "apoe",  "apoe4",   "bmi",      "educ",
      "education", "etiv",  "eyo",     "gender",   "height",
      "icv",       "index", "month",   "ptgender", "pteducat",
      "race",      "rid",   "scanner", "sex",      "site",
      "tiv",       "visit", "weight",  "year",     "years_education"};
  return known.contains(in_lower_case(column));
}

bool has_two_values(const VisitTable& table, std::size_t source) {
  constexpr std::size_t kFewest = 10;  // rows that say anything of how many values there are
  std::set<double> values;
  for (const auto& visit : table.visits) {
    if (const double x = visit.cells[source]; !std::isnan(x)) values.insert(x);
    if (values.size() > 2) return false;
  }
  return values.size() == 2 && table.visits.size() >= kFewest;
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

std::string why_no_number(const std::string& biomarker, const std::string& text,
                          const TableInput& input, const TableNumbers& numbers) {
  const bool comma = !numbers.has_decimal_commas() && text.find(',') != std::string::npos;
  const bool point = !input.description.decimal && numbers.has_decimal_commas() &&
                     text.find('.') != std::string::npos;
  const bool all_are_biomarkers = input.description.biomarkers.empty() && !input.is_long();
  return fmt::format("{} '{}' is not a finite number{}", biomarker, text,
                     comma   ? "; a decimal comma is read with decimal = \",\""
                     : point ? "; other values have decimal commas"
                     : all_are_biomarkers
                         ? "; name its column in 'ignore' if it is no biomarker, the text in "
                           "'missing_markers' if it stands for a missing value"
                         : "; name the text in 'missing_markers' if it stands for a missing value");
}

}  // namespace

void read_odd_cells(VisitTable& table, const Selection& selection, const TableInput& input,
                    const TableNumbers& numbers, CohortTable& out) {
  using Policy = TableDescription::Censored;
  const auto policy = input.description.censored;
  std::vector<bool> is_kept(table.visits.size(), false);
  for (const auto v : selection.visits) is_kept[v] = true;
  const auto wanted = wanted_sources(table, input);
  std::map<std::pair<std::string, std::string>, CohortTable::Censored> counts;
  for (const auto& odd : table.odd) {
    if (!is_kept[odd.visit] || !wanted[odd.source]) continue;
    auto& visit = table.visits[odd.visit];
    auto& cell = visit.cells[odd.source];
    const auto& biomarker = table.sources.names[odd.source];
    // Read before the first value that showed which decimal point the file has.
    if (const auto number = numbers.read_finite(odd.text)) {
      cell = numbers.is_missing(*number) ? kMissingValue : *number;
      continue;
    }
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
      if (policy == Policy::clamp) cell = *bound;
    }
  }
  for (const auto& [key, count] : counts)
    out.censored.push_back({key.first, key.second, count.below, count.above});
}

std::vector<BiomarkerSource> biomarker_sources(const VisitTable& table, const TableInput& input) {
  std::vector<BiomarkerSource> out;
  if (input.description.biomarkers.empty()) {
    for (const auto s : order_by_name(table.sources.names))
      out.push_back({table.sources.names[s], s, kNone});
    return out;
  }
  auto asked = input.description.biomarkers;
  std::sort(asked.begin(), asked.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const auto& [name, column, over] : asked) {
    for (const auto* named : {&column, &over})
      // Only a long table may lack it: columns of a wide one were found in its header.
      if (named->given() && find_source(table, *named) == kNone)
        input.problems.add(named->place,
                           fmt::format("{} has no biomarker '{}'{}", input.name, named->text,
                                       did_you_mean(named->text, table.sources.names)));
    out.push_back({name, find_source(table, column), find_source(table, over)});
  }
  return out;
}

std::vector<std::string> doubtful_sources(const VisitTable& table) {
  std::vector<std::string> out;
  for (std::size_t s = 0; s < table.sources.names.size(); ++s)
    if (names_a_covariate(table.sources.names[s]) || has_two_values(table, s))
      out.push_back(table.sources.names[s]);
  return out;
}

}  // namespace tempo
