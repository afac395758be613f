// Biomarkers and participants that a table seems to give twice, and ids that nobody can tell apart.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "data/missing_values.hpp"
#include "data/names.hpp"
#include "data/table/oddities.hpp"
#include "data/table/value_counts.hpp"
#include "model/look_alike.hpp"
#include "model/lower_case.hpp"
#include "model/printable.hpp"

namespace tempo {
namespace {

/// A biomarker's values and what a comparison with others needs of them.
struct ComparedColumn {
  std::vector<double> values;     ///< [J]
  std::size_t low = 0, high = 0;  ///< participants with the least and the greatest
  std::size_t distinct = 0;       ///< values
  double spread = 0.0;            ///< of the inner eight tenths: codes far out do not count
};

ComparedColumn column_of(const Cohort& cohort, std::size_t b) {
  ComparedColumn out;
  std::vector<std::pair<double, std::size_t>> sorted;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    out.values.push_back(cohort.measurements(j, b));
    if (!std::isnan(out.values[j])) sorted.emplace_back(out.values[j], j);
  }
  if (sorted.empty()) return out;
  std::sort(sorted.begin(), sorted.end());
  out.low = sorted.front().second;
  out.high = sorted.back().second;
  const auto at = [&](double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))].first;
  };
  out.spread = at(0.9) - at(0.1);
  out.distinct = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].first != sorted[i - 1].first) ++out.distinct;
  return out;
}

/// The factor between two columns of which one is the other in another unit, with another origin:
/// up to a thousandth of its spread, for units are rounded.
std::optional<double> factor_between(const ComparedColumn& x, const ComparedColumn& y) {
  const double most = 1e-3 * y.spread;
  const double x_low = x.values[x.low], y_low = y.values[x.low];
  const double factor = (y.values[x.high] - y_low) / (x.values[x.high] - x_low);
  if (!(most > 0.0) || !std::isfinite(factor) || factor == 0.0) return std::nullopt;
  for (std::size_t j = 0; j < x.values.size(); ++j) {
    const double from = x.values[j], to = y.values[j];
    if (std::isnan(from) != std::isnan(to)) return std::nullopt;
    if (!std::isnan(from) && !(std::abs(y_low + factor * (from - x_low) - to) <= most))
      return std::nullopt;
  }
  return factor;
}

bool are_equal(const std::vector<double>& x, const std::vector<double>& y) {
  return std::equal(x.begin(), x.end(), y.begin(),
                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

/// A text without blanks, and without `-` and `_` unless these part two numbers: 1-12 is not 11-2.
std::string without_signs(const std::string& text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_sign = text[i] == '-' || text[i] == '_';
    const bool parts_numbers = is_sign && i > 0 && is_digit(i - 1) && is_digit(i + 1);
    if (parts_numbers)
      out += '-';
    else if (!is_sign && text[i] != ' ' && text[i] != '\t')
      out += text[i];
  }
  return out;
}

/// An id in lower case, without blanks, be they visible or not, and without what spreadsheets take
/// away or add: leading zeros, `.0` and signs between its parts.
std::string plain_id(const std::string& id) {
  auto out = in_lower_case(without_hidden(id));
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  out = without_signs(out);
  const auto first = out.find_first_not_of('0');
  return first == std::string::npos ? out : out.substr(first);
}

/// How probable it is that two participants have equal values of each biomarker.
std::vector<double> chances_of_equal(const Cohort& cohort) {
  std::vector<double> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    double all = 0.0, equal = 0.0;
    for (const auto& [value, count] : counts_of(cohort, b)) {
      const auto n = static_cast<double>(count);
      all += n;
      equal += n * (n - 1.0);
    }
    out.push_back(all > 1.0 ? equal / (all * (all - 1.0)) : 1.0);
  }
  return out;
}

using Groups = std::vector<std::vector<std::size_t>>;

/// Participants by what they have in common, those with a common key together.
template <class Key, class Of>
Groups groups_by(std::size_t count, const Of& key_of) {
  std::map<Key, std::vector<std::size_t>> groups;
  for (std::size_t j = 0; j < count; ++j)
    if (auto key = key_of(j)) groups[std::move(*key)].push_back(j);
  Groups out;
  for (auto& [key, members] : groups)
    if (members.size() > 1) out.push_back(std::move(members));
  std::sort(out.begin(), out.end());
  return out;
}

/// `'p3', 'P3'`, the first of them.
std::string named(const Cohort& cohort, const std::vector<std::size_t>& participants) {
  std::vector<std::string> ids;
  for (const auto j : participants)
    ids.push_back(fmt::format("'{}'", showing_hidden(cohort.participants[j])));
  return in_short(ids);
}

/// Participants with the same values, where chance would hardly do that if biomarkers did not
/// depend on each other.
Groups with_equal_values(const Cohort& cohort) {
  constexpr double kMostByChance = 0.05;  // pairs expected
  const auto chances = chances_of_equal(cohort);
  const auto J = static_cast<double>(cohort.participant_count());
  auto groups = groups_by<std::vector<double>>(
      cohort.participant_count(), [&](std::size_t j) -> std::optional<std::vector<double>> {
        if (!is_measured(cohort, j)) return std::nullopt;
        std::vector<double> values;
        for (const double x : cohort.measurements.row(j))
          values.push_back(std::isnan(x) ? std::numeric_limits<double>::infinity() : x);
        return values;
      });
  std::erase_if(groups, [&](const std::vector<std::size_t>& group) {
    const auto row = cohort.measurements.row(group.front());
    double pairs = 0.5 * J * J;
    for (std::size_t b = 0; b < row.size(); ++b)
      if (!std::isnan(row[b])) pairs *= chances[b];
    return pairs > kMostByChance;
  });
  return groups;
}
}  // namespace

std::vector<std::string> same_biomarkers(const Cohort& cohort) {
  constexpr std::size_t kFewestDistinct = 3;
  std::vector<ComparedColumn> columns;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    columns.push_back(column_of(cohort, b));
  std::vector<std::string> out;
  for (std::size_t a = 0; a < columns.size(); ++a)
    for (auto b = a + 1; b < columns.size(); ++b) {
      if (columns[a].distinct < kFewestDistinct || columns[b].distinct < kFewestDistinct) continue;
      const auto& x = cohort.biomarkers[a];
      const auto& y = cohort.biomarkers[b];
      if (are_equal(columns[a].values, columns[b].values))
        out.push_back(
            fmt::format("{} and {} are equal throughout: one biomarker, given twice?", x, y));
      else if (const auto factor = factor_between(columns[a], columns[b]);
               factor && std::abs(*factor - 1.0) < 1e-9)
        out.push_back(
            fmt::format("{} and {} differ by the same throughout: one biomarker, given "
                        "twice?",
                        x, y));
      else if (factor)
        out.push_back(fmt::format(
            "{} and {} are the same but for a unit ({:.6g} of {} for each of {}): one biomarker, "
            "given twice?",
            x, y, *factor, y, x));
    }
  return out;
}

std::vector<std::string> same_participants(const Cohort& cohort) {
  std::vector<std::string> out;
  const auto equal = with_equal_values(cohort);
  const auto alike = groups_by<std::string>(cohort.participant_count(), [&](std::size_t j) {
    return std::optional(plain_id(cohort.participants[j]));
  });
  const auto has = [](const Groups& groups, const std::vector<std::size_t>& group) {
    return std::binary_search(groups.begin(), groups.end(), group);  // they are sorted
  };
  for (const auto& group : alike)
    out.push_back(fmt::format(
        "participants {} have ids that differ by case, blanks, signs or leading zeros only{}: one "
        "participant?",
        named(cohort, group), has(equal, group) ? ", and equal values throughout" : ""));
  for (const auto& group : equal)
    if (!has(alike, group))
      out.push_back(fmt::format("participants {} have equal values throughout: one participant?",
                                named(cohort, group)));
  return out;
}

std::vector<std::string> same_names(const Cohort& cohort) {
  const auto alike = groups_by<std::string>(cohort.biomarker_count(), [&](std::size_t b) {
    return std::optional(without_signs(in_lower_case(without_hidden(cohort.biomarkers[b]))));
  });
  std::vector<std::string> out;
  for (const auto& group : alike) {
    std::vector<std::string> names;
    for (const auto b : group) names.push_back(fmt::format("'{}'", cohort.biomarkers[b]));
    out.push_back(
        fmt::format("biomarkers {} have names that differ by case, blanks or signs only: "
                    "one biomarker?",
                    in_short(names)));
  }
  return out;
}

std::vector<std::string> odd_ids(const Cohort& cohort) {
  std::vector<std::string> hidden, absent;
  for (const auto& id : cohort.participants) {
    const auto shown = printable(showing_hidden(id), "");
    if (shown != id) hidden.push_back(fmt::format("'{}'", shown));
    static const std::set<std::string_view> no_ids{
        "-",  "?",   ".",    "#ref!", "average", "mean", "mittelwert", "n",     "n/a",
        "na", "nan", "none", "null",  "sd",      "sum",  "summe",      "total", "unknown"};
    if (no_ids.contains(in_lower_case(id))) absent.push_back(fmt::format("'{}'", id));
  }
  std::vector<std::string> out;
  if (!hidden.empty())
    out.push_back(fmt::format("ids with characters that nobody sees: {}", in_short(hidden)));
  if (!absent.empty())
    out.push_back(fmt::format("ids that may stand for nobody: {}", in_short(absent)));
  return out;
}

}  // namespace tempo
