// Participants that a table seems to give twice, and ids that nobody can tell apart.

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
constexpr std::string_view kDigitsOfIds = "0123456789";

/// Whether a part of an id is what clinics call visits: `bl`, `m12`, `d0129`, `MR1`.
bool is_visit(std::string_view part) {
  static const std::set<std::string_view> known{
      "base", "baseline", "bl",  "d",     "day", "followup", "fu",        "m",   "month",
      "mr",   "mri",      "pet", "run",   "sc",  "scan",     "screening", "ses", "session",
      "t",    "tp",       "v",   "visit", "w",   "wave",     "week",      "y",   "year"};
  const auto end = part.find_first_of(kDigitsOfIds);
  return known.contains(part.substr(0, end)) &&
         (end == std::string_view::npos ||
          part.find_first_not_of(kDigitsOfIds, end) == std::string_view::npos);
}

/// The parts of an id between signs.
std::vector<std::string> parts_of_id(const std::string& id) {
  std::vector<std::string> out(1);
  for (const char c : in_lower_case(id)) {
    if (std::string_view("_-./: ").find(c) == std::string_view::npos)
      out.back() += c;
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// What an id is made of.
struct PartedId {
  std::string whose;  ///< without visits; where there are none, without its last part
  std::string copy;   ///< the last part, where there are no visits and it is not the first
  bool has_visit = false;
};

PartedId parted(const std::string& id) {
  PartedId out;
  const auto parts = parts_of_id(id);
  bool was_word = false;  // of a visit, whose number may follow
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_number = parts[i].find_first_not_of(kDigitsOfIds) == std::string::npos;
    const bool drops = i > 0 && (is_visit(parts[i]) || (was_word && is_number));
    was_word = drops && !is_number;
    out.has_visit = out.has_visit || drops;
    const bool is_last = i > 0 && i + 1 == parts.size();
    if (is_last && !out.has_visit)
      out.copy = parts[i];
    else if (!drops)
      out.whose += parts[i] + "_";
  }
  return out;
}

/// Says that participants have several ids, which name a visit or end in the number of a copy.
std::string visits_in_ids(const Cohort& cohort) {
  constexpr std::size_t kFewest = 3;      // participants with several ids
  constexpr std::size_t kMostCopies = 3;  // 1 to 3
  std::map<std::string, std::vector<std::size_t>> members;
  std::set<std::string> copies;
  std::size_t visits = 0;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const auto [whose, copy, has_visit] = parted(cohort.participants[j]);
    members[whose].push_back(j);
    visits += has_visit ? 1 : 0;
    if (!copy.empty()) copies.insert(copy);
  }
  std::size_t several = 0, ids = 0;
  const std::vector<std::size_t>* example = nullptr;
  for (const auto& [whose, who] : members) {
    if (who.size() < 2) continue;
    ++several;
    ids += who.size();
    if (example == nullptr) example = &who;
  }
  const bool are_visits = 2 * visits > cohort.participant_count();
  const bool are_copies = copies.size() <= kMostCopies && several > 2 * kMostCopies &&
                          2 * ids > cohort.participant_count();
  if (several < kFewest || (!are_visits && !are_copies)) return {};
  return fmt::format("{} ids differ from another by {} only, such as {}: one participant {}?", ids,
                     are_visits ? "a visit" : "their last part", named(cohort, *example),
                     are_visits ? "at several visits" : "entered twice");
}
}  // namespace

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
  if (auto visits = visits_in_ids(cohort); !visits.empty()) out.push_back(std::move(visits));
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
