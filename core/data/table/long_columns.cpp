#include "data/table/long_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/names.hpp"
#include "tempo/problem.hpp"

namespace tempo {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Why the header is that of another kind of table, or empty.
/// @param meant  the column that each name is or may have been meant to be, or empty
std::string why_foreign(const std::vector<std::string>& header,
                        const std::vector<std::string>& meant) {
  if (header.size() == 1)
    for (const auto& [separator, word] : {std::pair(';', "';'"), {'|', "'|'"}, {'\t', "tabs"}})
      if (header[0].find(separator) != std::string::npos)
        return fmt::format("the columns are separated by {}; expected commas", word);
  const auto unknown = std::count(meant.begin(), meant.end(), "");
  if (2 * unknown <= static_cast<std::ptrdiff_t>(header.size())) return {};
  constexpr std::size_t kShown = 6;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(header.size(), kShown));
  return fmt::format(
      "this is no long table: expected the columns {} (one row per participant and biomarker), "
      "found {}{}",
      fmt::join(required_long_columns(), ", "),
      fmt::join(header.begin(), header.begin() + shown, ", "),
      header.size() > kShown ? ", ..." : "");
}

/// Whether the header is good; complains where not.
bool check_names(const CsvRow& row, const std::vector<std::string>& header, Labels labels,
                 TableFaults& faults) {
  std::vector<std::string> meant;
  for (const auto& name : header) meant.push_back(nearest(name, long_columns()));
  if (const auto why = why_foreign(header, meant); !why.empty()) {
    faults.add(row[0].offset, why);
    return false;
  }
  bool is_good = true;
  const auto complain = [&](std::size_t offset, const std::string& message) {
    faults.add(offset, message);
    is_good = false;
  };
  const auto places = first_places(header);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto first = places.at(header[i]);
    if (first < i)
      complain(row[i].offset,
               fmt::format("column '{}' is given twice; first as column {}", header[i], first + 1));
    else if (!contains(long_columns(), header[i]))
      complain(row[i].offset,
               fmt::format("unknown column '{}'; expected {}{}", header[i], one_of(long_columns()),
                           did_you_mean(header[i], long_columns())));
  }
  const auto& diseased = long_columns()[static_cast<std::size_t>(LongColumn::diseased)];
  for (const auto& name : required_long_columns())
    if (!contains(meant, name) && (name != diseased || labels == Labels::needed))
      complain(row[0].offset, fmt::format("missing column '{}'", name));
  return is_good;
}

}  // namespace

const std::vector<std::string>& long_columns() {
  static const std::vector<std::string> names{"participant", "biomarker", "measurement", "diseased",
                                              "diagnosis"};
  return names;
}

const std::vector<std::string>& required_long_columns() {
  static const std::vector<std::string> names(long_columns().begin(), long_columns().end() - 1);
  return names;
}

std::optional<LongColumns> LongColumns::find(const CsvRow& header, Labels labels,
                                             TableFaults& faults) {
  std::vector<std::string> names;
  for (const auto& field : header) names.push_back(field.text);
  if (!check_names(header, names, labels, faults)) return std::nullopt;
  LongColumns out;
  out.count_ = names.size();
  for (std::size_t c = 0; c < out.positions_.size(); ++c)
    out.positions_[c] = static_cast<std::size_t>(
        std::find(names.begin(), names.end(), long_columns()[c]) - names.begin());
  return out;
}

}  // namespace tempo
