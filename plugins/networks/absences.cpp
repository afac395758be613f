#include "absences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tempo/error.hpp"

namespace tempo::amortised {
namespace {

constexpr std::size_t kMostNamed = 5;

bool is_empty(const Cohort& cohort, std::size_t column) {
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (!std::isnan(cohort.measurements(j, column))) return false;
  return true;
}

/// Participants of whom nothing is known but the diagnosis.
std::vector<std::string> unmeasured(const Cohort& cohort, const std::vector<std::size_t>& columns) {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (std::ranges::all_of(columns, [&](std::size_t column) {
          return std::isnan(cohort.measurements(j, column));
        }))
      out.push_back("'" + cohort.participants[j] + "'");
  return out;
}

}  // namespace

std::string listed(const std::vector<std::string>& items, const char* separator) {
  const auto shown = std::min(items.size(), kMostNamed);
  const auto text = fmt::format("{}", fmt::join(items.begin(), items.begin() + shown, separator));
  return items.size() == shown ? text : fmt::format("{} and {} more", text, items.size() - shown);
}

std::vector<std::string> absences(const Cohort& cohort, const std::vector<std::size_t>& columns) {
  std::vector<std::string> absent, out;
  for (const auto column : columns)
    if (is_empty(cohort, column)) absent.push_back(cohort.biomarkers[column]);
  if (absent.size() == columns.size())
    throw Error(fmt::format("nobody has a value of any of the {} biomarkers", columns.size()));
  if (!absent.empty())
    out.push_back(
        fmt::format("nobody has a value of {}: {} place in the order says nothing of this cohort",
                    fmt::join(absent, ", "), absent.size() > 1 ? "their" : "its"));
  if (const auto empty = unmeasured(cohort, columns); !empty.empty())
    out.push_back(fmt::format("nothing was measured of {}: {} stage says nothing",
                              listed(empty, ", "), empty.size() > 1 ? "their" : "the"));
  if (cohort.participant_count() == 1)
    out.emplace_back("one participant says next to nothing of an order");
  else if (!cohort.diseased.empty() && std::ranges::count(cohort.diseased, 1) == 0)
    out.emplace_back("nobody is diseased: the order says nothing of this cohort");
  return out;
}

bool nobody_is_healthy(const Cohort& cohort) {
  return !cohort.diseased.empty() && std::ranges::count(cohort.diseased, 0) == 0;
}

}  // namespace tempo::amortised
