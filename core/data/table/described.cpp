#include "data/table/described.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "data/names.hpp"
#include "data/table/categories.hpp"
#include "model/lower_case.hpp"

namespace tempo {
namespace {

/// A column as the selected visits have it.
struct Cells {
  std::vector<std::string> texts;              ///< [J], empty where missing
  std::vector<std::optional<double>> numbers;  ///< [J], absent where missing or no number
  std::vector<std::string> no_numbers;         ///< texts that are none, each once
  std::size_t no_number_count = 0;             ///< participants
};

Cells cells_of(std::size_t column, const VisitTable& table, const TableNumbers& numbers,
               const Selection& selection) {
  Cells out;
  for (const auto v : selection.visits) {
    const auto& text = table.visits[v].described[column];
    const bool is_missing = numbers.is_missing_however_written(text);
    out.texts.push_back(is_missing ? std::string() : text);
    out.numbers.push_back(is_missing ? std::nullopt : numbers.read_finite(text));
    if (is_missing || out.numbers.back()) continue;
    ++out.no_number_count;
    auto quoted = fmt::format("'{}'", text);
    if (std::find(out.no_numbers.begin(), out.no_numbers.end(), quoted) == out.no_numbers.end())
      out.no_numbers.push_back(std::move(quoted));
  }
  return out;
}

/// Whether a column is one of numbers, though a few of its cells hold something else.
bool are_numbers(const Cells& cells) {
  constexpr std::size_t kNumbersPerText = 4;
  const auto numbers = static_cast<std::size_t>(
      std::count_if(cells.numbers.begin(), cells.numbers.end(),
                    [](const auto& number) { return number.has_value(); }));
  return cells.no_number_count == 0 || numbers >= kNumbersPerText * cells.no_number_count;
}

/// Says what is odd about a column of numbers.
void doubt_numbers(const std::string& name, const Cells& cells, CohortTable& out) {
  if (const auto count = cells.no_number_count; count > 0)
    out.notes.push_back(
        fmt::format("{} of {} {} no number and {} as missing where {} is described: {}",
                    counted(count, "value"), name, count == 1 ? "is" : "are",
                    count == 1 ? "counts" : "count", name, in_short(cells.no_numbers)));
  std::vector<double> values;
  for (const auto& number : cells.numbers) values.push_back(number.value_or(kMissingValue));
  if (const auto doubt = looks_like_categories(name, values))
    out.notes.push_back(fmt::format("described as numbers: {}; are these categories?", *doubt));
}

/// Says which levels may be one, spelled in several ways: `F`, `f`, `female`.
void doubt_levels(const std::string& name, const std::vector<std::string>& texts,
                  CohortTable& out) {
  std::map<std::string, std::set<std::string>> alike;
  std::set<std::string> lower;
  for (const auto& text : texts)
    if (!text.empty()) lower.insert(in_lower_case(text));
  for (const auto& text : texts) {
    if (text.empty()) continue;
    // The shortest level that it begins with, if that is a letter.
    const auto letter = in_lower_case(text).substr(0, 1);
    alike[lower.contains(letter) ? letter : in_lower_case(text)].insert(fmt::format("'{}'", text));
  }
  for (const auto& [level, spellings] : alike)
    if (spellings.size() > 1)
      out.notes.push_back(fmt::format("levels of {} may be one: {}", name,
                                      in_short({spellings.begin(), spellings.end()})));
}

}  // namespace

void describe_columns(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                      const Selection& selection, CohortTable& out) {
  const auto& described = input.description.described;
  for (std::size_t column = 0; column < described.size(); ++column) {
    auto& found = out.described.emplace_back();
    found.name = described[column].text;
    auto cells = cells_of(column, table, numbers, selection);
    if (!are_numbers(cells)) {
      doubt_levels(found.name, cells.texts, out);
      found.values = std::move(cells.texts);
      continue;
    }
    doubt_numbers(found.name, cells, out);
    found.values = std::move(cells.numbers);
  }
}

}  // namespace tempo
