#include "analysis/baseline.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "analysis/spread.hpp"
#include "tempo/quantile.hpp"

namespace tempo {
namespace {

using Numbers = std::vector<std::optional<double>>;
using Levels = std::vector<std::string>;
using Members = std::vector<std::size_t>;  // participants

/// The participants of each group in the order of the groups, then all.
std::vector<std::pair<std::string, Members>> members_of(const Cohort& cohort,
                                                        const std::vector<std::string>& order) {
  std::map<std::string, Members> by_name;
  Members all;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    all.push_back(j);
    by_name[!cohort.diagnoses.empty() ? cohort.diagnoses[j]
            : cohort.diseased[j] != 0 ? "diseased"
                                      : "healthy"]
        .push_back(j);
  }
  std::vector<std::pair<std::string, Members>> out;
  const auto take = [&](const std::string& name) {
    if (auto group = by_name.extract(name)) out.emplace_back(name, std::move(group.mapped()));
  };
  for (const auto& name : order) take(name);
  if (cohort.diagnoses.empty()) take("healthy");
  while (!by_name.empty()) take(by_name.begin()->first);
  out.emplace_back("all", std::move(all));
  return out;
}

BaselineCell cell_of_numbers(const Numbers& values, const Members& members) {
  BaselineCell out;
  std::vector<double> known;
  for (const auto j : members) {
    if (values[j])
      known.push_back(*values[j]);
    else
      ++out.missing;
  }
  if (known.empty()) return out;
  std::sort(known.begin(), known.end());
  const auto found = spread(known);
  out.numbers = {found->mean, found->sd, quantile(known, 0.25), quantile(known, 0.5),
                 quantile(known, 0.75)};
  return out;
}

BaselineCell cell_of_levels(const Levels& values, const Members& members, const Levels& levels) {
  BaselineCell out;
  out.levels.resize(levels.size());
  for (const auto j : members) {
    const auto at = std::find(levels.begin(), levels.end(), values[j]);
    if (values[j].empty())
      ++out.missing;
    else
      ++out.levels[static_cast<std::size_t>(at - levels.begin())].count;
  }
  const auto known = static_cast<double>(members.size() - out.missing);
  for (auto& level : out.levels)
    if (known > 0.0) level.share = static_cast<double>(level.count) / known;
  return out;
}

std::string text_of(double number) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
  return {text, end};
}

/// Few different numbers are levels. @return the numbers as levels, and which there are, by size;
/// absent if there are too many
std::optional<std::pair<Levels, Levels>> as_levels(const Numbers& numbers) {
  std::set<double> distinct;
  for (const auto& number : numbers)
    if (number) distinct.insert(*number);
  if (distinct.empty() || distinct.size() >= kLeastNumbers) return std::nullopt;
  std::pair<Levels, Levels> out;
  for (const auto& number : numbers) out.first.push_back(number ? text_of(*number) : std::string());
  for (const double number : distinct) out.second.push_back(text_of(number));
  return out;
}

Levels distinct_levels(const Levels& values) {
  std::set<std::string> distinct(values.begin(), values.end());
  distinct.erase("");
  return {distinct.begin(), distinct.end()};
}

}  // namespace

BaselineTable baseline_table(const CohortTable& table, const std::vector<std::string>& groups) {
  const auto members = members_of(table.cohort, groups);
  BaselineTable out;
  for (const auto& [name, some] : members) out.groups.push_back({name, some.size()});
  for (const auto& column : table.described) {
    auto& found = out.columns.emplace_back();
    found.name = column.name;
    const auto add_levels = [&](const Levels& values) {
      for (const auto& [name, some] : members)
        found.groups.push_back(cell_of_levels(values, some, found.levels));
    };
    const auto* numbers = std::get_if<Numbers>(&column.values);
    if (numbers == nullptr) {
      const auto& values = std::get<Levels>(column.values);
      found.levels = distinct_levels(values);
      add_levels(values);
    } else if (const auto few = as_levels(*numbers)) {
      found.levels = few->second;
      add_levels(few->first);
    } else {
      for (const auto& [name, some] : members)
        found.groups.push_back(cell_of_numbers(*numbers, some));
    }
  }
  return out;
}

}  // namespace tempo
