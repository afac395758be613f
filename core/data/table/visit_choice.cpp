#include "data/table/visit_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "data/table/codes.hpp"
#include "data/table/rows.hpp"
#include "model/lower_case.hpp"

namespace tempo {
namespace {

using Choice = TableDescription::Visit;

/// Days since 1970 of an ISO date such as 2008-02-29, or nothing.
std::optional<double> read_date(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  if (text.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (kShape[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != kShape[i])
      return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(at, digits)) value = 10 * value + (c - '0');
    return value;
  };
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// Days and months that no number tells apart: 15062010, 06.2010.
bool may_be_date(std::string_view text) {
  const auto digits = [&](std::size_t at, std::size_t count) {
    int value = 0;
    for (const char c : text.substr(at, count)) value = 10 * value + (c - '0');
    return value;
  };
  const auto is_in = [](int value, int low, int high) { return value >= low && value <= high; };
  const auto point = text.find('.');
  const auto is_digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (point != std::string_view::npos)
    return point <= 2 && is_digits(text.substr(0, point)) && text.size() == point + 5 &&
           is_digits(text.substr(point + 1)) && is_in(digits(0, point), 1, 12) &&
           is_in(digits(point + 1, 4), 1900, 2100);
  if (text.size() != 8 || !is_digits(text) || is_in(digits(0, 4), 1900, 2100)) return false;
  const int first = digits(0, 2), second = digits(2, 2);
  return is_in(digits(4, 4), 1900, 2100) && is_in(std::min(first, second), 1, 12) &&
         is_in(std::max(first, second), 1, 31);
}

/// When each visit was; absent, and a fault, where that cannot be compared with the visits above:
/// all are dates, or all are numbers, as the first is.
std::vector<std::optional<double>> read_times(const VisitTable& table, const TableInput& input,
                                              const TableNumbers& numbers) {
  std::vector<std::optional<double>> times;
  std::optional<bool> are_dates;
  for (const auto& visit : table.visits) {
    const auto date = read_date(visit.name);
    auto time = date ? date : numbers.read_finite(visit.name);
    if (!date && may_be_date(visit.name)) time.reset();
    if (!time) {
      input.faults.add(TableFault::visit_time, table.offset_of(visit, table.visit_column), [&] {
        return fmt::format(
            "visit '{}' of participant '{}' is neither a number nor a date such as 2008-02-29 "
            "(year, month, day): nobody can say which comes first",
            visit.name, table.id(visit));
      });
    } else if (are_dates.value_or(date.has_value()) != date.has_value()) {
      input.faults.add(TableFault::visit_time, table.offset_of(visit, table.visit_column), [&] {
        return fmt::format(
            "visit '{}' of participant '{}' is a {}, and visits above are {}: nobody can say "
            "which comes first",
            visit.name, table.id(visit), date ? "date" : "number", date ? "numbers" : "dates");
      });
      time.reset();
    } else {
      are_dates = date.has_value();
    }
    times.push_back(time);
  }
  return times;
}

/// @return of each participant the first or the last visit, kNone where no time could be read
std::vector<std::size_t> choose_by_time(const VisitTable& table, const TableInput& input,
                                        const TableNumbers& numbers) {
  const auto times = read_times(table, input, numbers);
  const bool is_first = input.description.visit == Choice::first;
  std::vector<std::size_t> chosen(table.participants.names.size(), kNone);
  for (std::size_t v = 0; v < times.size(); ++v) {
    auto& best = chosen[table.visits[v].participant];
    if (!times[v]) continue;
    if (best == kNone || (is_first ? *times[v] < *times[best] : *times[v] > *times[best])) best = v;
  }
  for (std::size_t v = 0; v < times.size(); ++v) {
    const auto& visit = table.visits[v];
    const auto best = chosen[visit.participant];
    if (best != kNone && v != best && times[v] && *times[v] == *times[best])
      complain_of_repeat(input, visit.offset, table.id(visit), visit.name,
                         table.visits[best].offset, "a row");
  }
  return chosen;
}

/// @return of each participant the visit that is named as a baseline, by the first of these names
/// that it has a visit of; kNone where there is none
std::vector<std::size_t> choose_baselines(const VisitTable& table, const TableInput& input) {
  const auto& names = input.description.baseline;
  std::vector<std::size_t> chosen(table.participants.names.size(), kNone);
  for (std::size_t v = 0; v < table.visits.size(); ++v) {
    const auto& visit = table.visits[v];
    auto& best = chosen[visit.participant];
    const auto place = std::find(names.begin(), names.end(), visit.name);
    if (place == names.end()) continue;
    if (best == kNone || place < std::find(names.begin(), names.end(), table.visits[best].name))
      best = v;
  }
  return chosen;
}

/// No visit is called as a baseline is: says what visits are called instead.
void complain_of_baselines(const VisitTable& table, const TableInput& input) {
  std::map<std::string, std::size_t> counts;
  for (const auto& visit : table.visits) ++counts[visit.name];
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) names.push_back(name);
  const auto& baseline = input.description.baseline;
  input.problems.add(input.description.visit_column.place,
                     fmt::format("no visit is called {}; found {}{}", one_of(baseline),
                                 in_short(names), did_you_mean(baseline.front(), names)));
}

/// Says what the visits of participants without a baseline are called, where that may mean one.
void note_other_visits(const VisitTable& table, const TableInput& input,
                       const std::vector<std::size_t>& chosen, CohortTable& out) {
  std::map<std::string, std::size_t> counts;
  for (const auto& visit : table.visits)
    if (chosen[visit.participant] == kNone) ++counts[visit.name];
  std::vector<std::string> names;
  for (const auto& [name, count] : counts)
    if (!did_you_mean(name, input.description.baseline).empty() ||
        in_lower_case(name).starts_with("base"))
      names.push_back(fmt::format("'{}' ({})", name, count));
  if (!names.empty())
    out.notes.push_back(
        fmt::format("visits of participants without a baseline are called {}: "
                    "'baseline' takes several names",
                    in_short(names)));
}

std::vector<std::size_t> choose_by_participant(const VisitTable& table, const TableInput& input,
                                               const TableNumbers& numbers) {
  switch (input.description.visit) {
    case Choice::baseline:
      return choose_baselines(table, input);
    case Choice::first:
    case Choice::last:
      return choose_by_time(table, input, numbers);
    case Choice::only:
      break;
  }
  std::vector<std::size_t> chosen;  // a visit per participant, in the same order
  for (std::size_t v = 0; v < table.visits.size(); ++v) chosen.push_back(v);
  return chosen;
}

/// Whether a number is none of a time: a code such as -4 or 888.8, or a 0 among days that
/// spreadsheets count from 1900.
bool is_no_time(double time, bool are_serial_days) {
  constexpr double kLeastCode = 500.0;  // below, it may be an age or a month
  return (is_usual_code(time) && (time < 0.0 || time >= kLeastCode)) ||
         (time == 0.0 && are_serial_days);
}

/// Whether a date is one that programs put where there is none, or is later than any visit.
bool is_no_date(const std::string& text) {
  constexpr std::string_view kLatest = "2050";
  static const std::set<std::string_view> known{"1900-01-01", "1970-01-01"};
  return read_date(text) && (known.contains(text) || text > kLatest);
}

/// Whether all visits but those at 0 are many days after it.
bool are_serial_days(const VisitTable& table, const TableNumbers& numbers) {
  constexpr double kLeast = 10'000.0;
  bool any = false;
  for (const auto& visit : table.visits) {
    const auto time = numbers.read_finite(visit.name);
    if (!time || (*time != 0.0 && *time < kLeast)) return false;
    any = any || *time != 0.0;
  }
  return any;
}

/// Says which visits may stand for none, as it decides which comes first.
void note_placeholders(const VisitTable& table, const TableNumbers& numbers,
                       const std::vector<std::size_t>& kept, CohortTable& out) {
  constexpr std::size_t kMostApart = 3;
  const bool are_days = are_serial_days(table, numbers);
  std::map<std::string, std::size_t> counts;
  std::size_t participants = 0;
  for (const auto v : kept) {
    const auto& name = table.visits[v].name;
    const auto time = numbers.read_finite(name);
    if (!is_no_date(name) && !(time && is_no_time(*time, are_days))) continue;
    ++counts[name];
    ++participants;
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) {
    names.push_back(fmt::format("'{}'", name));
    if (counts.size() <= kMostApart)
      out.notes.push_back(fmt::format("the visit of {} is '{}': does it stand for none?",
                                      counted(count, "participant"), name));
  }
  if (counts.size() > kMostApart)
    out.notes.push_back(fmt::format("the visits of {} are {}: do they stand for none?",
                                    counted(participants, "participant"), in_short(names)));
}

}  // namespace

Selection choose_visits(const VisitTable& table, const TableInput& input,
                        const TableNumbers& numbers, CohortTable& out) {
  const auto choice = input.description.visit;
  const auto chosen = choose_by_participant(table, input, numbers);
  Selection selection;
  auto& kept = selection.visits;
  const auto& ids = table.participants.names;
  for (const auto j : participant_order(ids))
    if (chosen[j] != kNone)
      kept.push_back(chosen[j]);
    else
      out.left_out.push_back({ids[j], "no baseline visit"});
  if (choice == Choice::baseline) {
    out.flow.push_back({"with a baseline visit", kept.size()});
    if (kept.empty())
      complain_of_baselines(table, input);
    else
      note_other_visits(table, input, chosen, out);
  }
  note_placeholders(table, numbers, kept, out);
  if (const auto all = table.visits.size(); all > kept.size())
    out.notes.push_back(fmt::format("{} of {} visits were left out (visit = \"{}\")",
                                    all - kept.size(), all,
                                    choice == Choice::first      ? "first"
                                    : choice == Choice::baseline ? "baseline"
                                                                 : "last"));
  return selection;
}

}  // namespace tempo
