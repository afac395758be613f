#include "tempo/cohort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "tempo/error.hpp"

namespace tempo {
namespace {

void expect_size(const char* name, std::size_t found, std::size_t expected) {
  if (found != expected)
    throw ShapeError(std::string(name) + ": expected " + std::to_string(expected) +
                     " values, got " + std::to_string(found));
}

void expect_unique(const char* what, const std::vector<std::string>& names) {
  // A hash table at most half full: i + 1 in the first free slot from the hash of name i on.
  std::vector<std::size_t> slots(std::bit_ceil(2 * names.size()), 0);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) throw NumericError(std::string(what) + ": a name is empty");
    auto slot = std::hash<std::string>()(names[i]) & (slots.size() - 1);
    for (; slots[slot] != 0; slot = (slot + 1) & (slots.size() - 1))
      if (names[slots[slot] - 1] == names[i])
        throw NumericError(std::string(what) + ": '" + names[i] + "' occurs twice");
    slots[slot] = i + 1;
  }
}

}  // namespace

bool Cohort::operator==(const Cohort& other) const {
  const auto same_cell = [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
  };
  return participants == other.participants && biomarkers == other.biomarkers &&
         diseased == other.diseased && diagnoses == other.diagnoses &&
         std::equal(measurements.values().begin(), measurements.values().end(),
                    other.measurements.values().begin(), other.measurements.values().end(),
                    same_cell);
}

void check(const Cohort& cohort) {
  const auto J = cohort.participant_count();
  const auto B = cohort.biomarker_count();
  if (cohort.measurements.rows() != J || cohort.measurements.cols() != B)
    throw ShapeError("measurements: expected [J=" + std::to_string(J) + ", B=" + std::to_string(B) +
                     "], got [" + std::to_string(cohort.measurements.rows()) + ", " +
                     std::to_string(cohort.measurements.cols()) + "]");
  if (!cohort.diseased.empty()) expect_size("diseased", cohort.diseased.size(), J);
  if (!cohort.diagnoses.empty()) expect_size("diagnoses", cohort.diagnoses.size(), J);
  for (const auto label : cohort.diseased)
    if (label > 1) throw NumericError("diseased: expected 0 or 1, found " + std::to_string(label));
  expect_unique("participants", cohort.participants);
  expect_unique("biomarkers", cohort.biomarkers);
  const auto& values = cohort.measurements.values();
  const auto infinite =
      std::find_if(values.begin(), values.end(), [](double x) { return std::isinf(x); });
  if (infinite != values.end()) {
    const auto cell = static_cast<std::size_t>(infinite - values.begin());
    throw NumericError("measurements: participant '" + cohort.participants[cell / B] +
                       "', biomarker '" + cohort.biomarkers[cell % B] + "' is infinite");
  }
}

int event_count(std::span<const double> event_times, double stage) {
  return static_cast<int>(std::count_if(event_times.begin(), event_times.end(),
                                        [=](double time) { return time <= stage; }));
}

Cohort with_columns(const Cohort& cohort, const std::vector<std::size_t>& order) {
  const Sequence columns(order);
  expect_size("column order", columns.size(), cohort.biomarker_count());
  Cohort out{cohort.participants,
             {},
             Matrix(cohort.participant_count(), cohort.biomarker_count()),
             cohort.diseased,
             cohort.diagnoses};
  for (const auto column : columns) out.biomarkers.push_back(cohort.biomarkers[column]);
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    for (std::size_t b = 0; b < columns.size(); ++b)
      out.measurements(j, b) = cohort.measurements(j, columns[b]);
  return out;
}

FoundColumns find_columns(const Cohort& cohort, const std::vector<std::string>& biomarkers) {
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) place[cohort.biomarkers[b]] = b;
  FoundColumns out;
  for (const auto& name : biomarkers) {
    const auto found = place.find(name);
    if (found == place.end())
      out.missing.push_back(name);
    else
      out.columns.push_back(found->second);
  }
  const std::unordered_set<std::string_view> known(biomarkers.begin(), biomarkers.end());
  for (const auto& name : cohort.biomarkers)
    if (!known.contains(name)) out.unknown.push_back(name);
  return out;
}

namespace {

/// @pre as many times and ranks as biomarkers
void check_progression(const std::vector<double>& event_times, const Ranks& event_ranks,
                       const Cohort& cohort) {
  const auto B = cohort.biomarker_count();
  for (const auto time : event_times)
    if (!(time >= 0.0 && time <= static_cast<double>(B)))
      throw NumericError("event times: expected values in [0, B=" + std::to_string(B) +
                         "], found " + std::to_string(time));
  const auto sequence = sequence_of(event_ranks);
  for (std::size_t i = 1; i < B; ++i)
    if (event_times[sequence[i - 1]] > event_times[sequence[i]])
      throw NumericError("event ranks: '" + cohort.biomarkers[sequence[i - 1]] +
                         "' ranks before '" + cohort.biomarkers[sequence[i]] +
                         "' although its event time is later");
}

void check_subtypes(const TrueSubtypes& subtypes, const Cohort& cohort) {
  const auto K = subtypes.progressions.size();
  if (K == 0) throw ShapeError("subtypes: expected at least 1 progression, got none");
  for (const auto& progression : subtypes.progressions) {
    expect_size("event times of a subtype", progression.event_times.size(),
                cohort.biomarker_count());
    expect_size("event ranks of a subtype", progression.event_ranks.size(),
                cohort.biomarker_count());
    check_progression(progression.event_times, progression.event_ranks, cohort);
  }
  expect_size("subtypes", subtypes.subtype.size(), cohort.participant_count());
  for (std::size_t j = 0; j < subtypes.subtype.size(); ++j) {
    const bool diseased = cohort.diseased.empty() || cohort.diseased[j] != 0;
    const int subtype = subtypes.subtype[j];
    if (diseased ? subtype < 0 || subtype >= static_cast<int>(K) : subtype != -1)
      throw NumericError(
          "subtypes: participant '" + cohort.participants[j] + "' has " + std::to_string(subtype) +
          ", expected " +
          (diseased ? "one of 0.." + std::to_string(K - 1) : "-1, as it is healthy"));
  }
}

/// Those that count for the ordinal stage of a diseased participant.
std::span<const double> event_times_of(const Truth& truth, std::size_t j) {
  if (!truth.subtypes) return truth.event_times;
  const auto subtype = static_cast<std::size_t>(truth.subtypes->subtype[j]);
  return truth.subtypes->progressions[subtype].event_times;
}

}  // namespace

void check(const Truth& truth, const Cohort& cohort) {
  const auto J = cohort.participant_count();
  const auto B = cohort.biomarker_count();
  expect_size("event times", truth.event_times.size(), B);
  expect_size("event ranks", truth.event_ranks.size(), B);
  expect_size("stages", truth.stages.size(), J);
  expect_size("ordinal stages", truth.ordinal_stages.size(), J);
  if (!truth.traits.empty()) expect_size("traits", truth.traits.size(), B);

  check_progression(truth.event_times, truth.event_ranks, cohort);
  if (truth.subtypes) check_subtypes(*truth.subtypes, cohort);

  for (std::size_t j = 0; j < J; ++j) {
    const bool diseased = cohort.diseased.empty() || cohort.diseased[j] != 0;
    if (!diseased) {
      if (truth.stages[j] != 0.0 || truth.ordinal_stages[j] != 0)
        throw NumericError("stages: healthy participant '" + cohort.participants[j] +
                           "' is not at stage 0");
      continue;
    }
    const auto events = event_count(event_times_of(truth, j), truth.stages[j]);
    if (truth.ordinal_stages[j] != events)
      throw NumericError("ordinal stages: participant '" + cohort.participants[j] + "' has " +
                         std::to_string(events) + " events behind it, but stage " +
                         std::to_string(truth.ordinal_stages[j]));
  }
}

}  // namespace tempo
