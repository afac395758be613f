#include "data/table/described.hpp"

#include <algorithm>
#include <utility>

namespace tempo {
namespace {

/// The texts of the selected visits [J]; empty where missing.
std::vector<std::string> texts_of(std::size_t column, const VisitTable& table,
                                  const TableNumbers& numbers, const Selection& selection) {
  std::vector<std::string> out;
  for (const auto v : selection.visits) {
    const auto& text = table.visits[v].described[column];
    out.push_back(numbers.is_missing_however_written(text) ? std::string() : text);
  }
  return out;
}

/// The same as numbers; absent if a text is none.
std::optional<std::vector<std::optional<double>>> as_numbers(const std::vector<std::string>& texts,
                                                             const TableNumbers& numbers) {
  std::vector<std::optional<double>> out;
  for (const auto& text : texts) {
    out.push_back(text.empty() ? std::nullopt : numbers.read_finite(text));
    if (!text.empty() && !out.back()) return std::nullopt;
  }
  return out;
}

}  // namespace

void describe_columns(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                      const Selection& selection, CohortTable& out) {
  const auto& described = input.description.described;
  for (std::size_t column = 0; column < described.size(); ++column) {
    auto& found = out.described.emplace_back();
    found.name = described[column].text;
    auto texts = texts_of(column, table, numbers, selection);
    if (auto read = as_numbers(texts, numbers))
      found.values = std::move(*read);
    else
      found.values = std::move(texts);
  }
}

}  // namespace tempo
