// What happens to tables on their way from a clinic is read as it was meant, doubted by name, or
// refused: no cohort changes without a word.

#include "mutated_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "data/cohort_table.hpp"
#include "data/toml_table.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

/// How a table came out, the worst last.
enum class Fate { equal, counted, doubted, refused, silent };

struct Reading {
  CohortTable table;
  std::string complaints;
  bool are_named = false;  ///< biomarkers, in the description
};

const std::string kDescription =
    "file = \"t.csv\"\nparticipant = \"ID\"\nmissing = \"marginal\"\n"
    "diagnosis = { column = \"DX\", healthy = \"CN\", diseased = \"AD\" }\n";

/// Whoever describes a table names its biomarkers, or what is none.
const std::vector<std::string> kDescriptions{
    kDescription + "biomarkers = [\"MMSE\", \"ABETA\", \"TAU\", \"HIPPO\", \"ADAS\"]\n",
    kDescription + "ignore = [\"SEX\", \"AGE\"]\n"};

Reading read_mutated(const std::string& description, const std::string& text) {
  Problems problems;
  const auto described =
      table_description_from(read_toml_text(description, "t.toml", problems), "", problems);
  REQUIRE(problems.report() == "");
  Reading out;
  out.table = read_cohort_table_text(described, text, "t.csv", problems);
  out.complaints = problems.report();
  out.are_named = !described.biomarkers.empty();
  return out;
}

/// Values of the clean cohort's participants, NaN for one that the cohort lacks.
std::vector<double> in_order(const Cohort& cohort, const Cohort& clean,
                             const std::function<double(std::size_t)>& value) {
  std::vector<double> out;
  for (const auto& id : clean.participants) {
    const auto at = std::find(cohort.participants.begin(), cohort.participants.end(), id);
    out.push_back(at == cohort.participants.end()
                      ? kMissing
                      : value(static_cast<std::size_t>(at - cohort.participants.begin())));
  }
  return out;
}

std::vector<double> biomarker(const Cohort& cohort, const Cohort& clean, std::size_t b) {
  return in_order(cohort, clean, [&](std::size_t j) { return cohort.measurements(j, b); });
}

/// Whether one column is the other where it has values, in its own unit: results do not depend on
/// units.
bool are_equal(const std::vector<double>& clean, const std::vector<double>& found) {
  double factor = kMissing;
  for (std::size_t j = 0; j < clean.size(); ++j) {
    if (std::isnan(found[j])) continue;
    if (std::isnan(factor)) factor = found[j] / clean[j];
    if (!(factor > 0.0) || !(std::abs(found[j] / clean[j] - factor) <= 1e-12 * factor))
      return false;
  }
  return true;
}

/// Whether the cohorts are the same but for values that the second lacks and counts, and names of
/// biomarkers where the description leaves these to the header.
bool are_equal(const Cohort& clean, const CohortTable& table, bool are_named) {
  const auto& found = table.cohort;
  if (found.participant_count() != clean.participant_count() ||
      found.biomarker_count() != clean.biomarker_count() ||
      in_order(found, clean, [&](std::size_t j) { return double(found.diseased[j]); }) !=
          in_order(clean, clean, [&](std::size_t j) { return double(clean.diseased[j]); }))
    return false;
  std::size_t missing = 0;
  for (std::size_t b = 0; b < clean.biomarker_count(); ++b) {
    const auto expected = biomarker(clean, clean, b);
    bool is_there = false;
    for (std::size_t other = 0; other < found.biomarker_count() && !is_there; ++other) {
      const auto values = biomarker(found, clean, other);
      is_there = (!are_named || found.biomarkers[other] == clean.biomarkers[b]) &&
                 are_equal(expected, values);
      if (is_there)
        missing += static_cast<std::size_t>(
            std::count_if(values.begin(), values.end(), [](double x) { return std::isnan(x); }));
    }
    if (!is_there) return false;
  }
  return missing == table.missing.total();
}

bool has_one_of(const std::string& text, const std::vector<std::string>& words) {
  return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
           return text.find(word) != std::string::npos;
         });
}

Fate fate_of(const Reading& reading, const Reading& clean, const std::vector<std::string>& words) {
  if (!reading.complaints.empty())
    return has_one_of(reading.complaints, words) ? Fate::refused : Fate::silent;
  if (are_equal(clean.table.cohort, reading.table, reading.are_named))
    return reading.table.missing.total() > 0 ? Fate::counted : Fate::equal;
  const auto& before = clean.table.notes;
  for (const auto& note : reading.table.notes)
    if (std::find(before.begin(), before.end(), note) == before.end() && has_one_of(note, words))
      return Fate::doubted;
  return Fate::silent;
}

std::string with_encoding(const std::string& text, const std::string& encoding) {
  if (encoding == "utf-16") {
    std::string out = "\xFF\xFE";
    for (const char c : text) out += {c, '\0'};
    return out;
  }
  if (encoding == "accents apart") {
    auto out = text;
    const std::string one = "\u00e9";
    return out.replace(out.find(one), one.size(), "e\u0301");
  }
  return text;
}

}  // namespace

TEST_CASE("the campaign tells a silent error from others", "[data][mutated_tables]") {
  const auto clean = read_mutated(kDescriptions[0], clean_sheet().text());
  REQUIRE(clean.complaints == "");
  REQUIRE(clean.table.notes.empty());
  auto sheet = clean_sheet();
  REQUIRE(fate_of(read_mutated(kDescriptions[0], sheet.text()), clean, {}) == Fate::equal);
  SECTION("a value that nobody could doubt") {
    sheet.rows[3][sheet.column("AGE") + 1] = "27";
    REQUIRE(fate_of(read_mutated(kDescriptions[0], sheet.text()), clean, {}) == Fate::silent);
  }
  SECTION("a message about something else") {
    sheet.rows[3].pop_back();
    const auto reading = read_mutated(kDescriptions[0], sheet.text());
    REQUIRE(fate_of(reading, clean, {"fields"}) == Fate::refused);
    REQUIRE(fate_of(reading, clean, {"quote"}) == Fate::silent);
  }
  SECTION("a participant more") {
    sheet.rows.push_back(sheet.rows[5]);
    sheet.rows.back()[0] = "other";
    sheet.rows.back()[sheet.column("TAU")] = "250.5";
    REQUIRE(fate_of(read_mutated(kDescriptions[0], sheet.text()), clean, {}) == Fate::silent);
  }
}

TEST_CASE("no table changes a cohort without a word", "[data][mutated_tables]") {
  constexpr std::size_t kDraws = 2;
  std::map<Fate, std::size_t> counts;
  std::size_t tables = 0;
  std::string silent;
  for (const auto& description : kDescriptions) {
    const auto clean = read_mutated(description, clean_sheet().text());
    for (const auto& mutation : mutations())
      for (std::size_t draw = 0; draw < kDraws; ++draw) {
        auto sheet = clean_sheet();
        RandomStream stream(5, "mutated table", mutation.name, draw);
        mutation.apply(sheet, stream);
        const auto reading =
            read_mutated(description, with_encoding(sheet.text(), mutation.encoding));
        const auto fate = fate_of(reading, clean, mutation.words);
        ++counts[fate];
        ++tables;
        if (fate == Fate::silent)
          silent +=
              fmt::format("\n{} ({}): {}{}", mutation.name,
                          &description == &kDescriptions[0] ? "named" : "all others",
                          reading.complaints.substr(0, 200), fmt::join(reading.table.notes, "; "));
      }
  }
  INFO(fmt::format("{} tables: {} equal, {} counted, {} doubted, {} refused", tables,
                   counts[Fate::equal], counts[Fate::counted], counts[Fate::doubted],
                   counts[Fate::refused]));
  REQUIRE(silent == "");
  REQUIRE(tables >= 300);
  REQUIRE(counts[Fate::equal] >= 50);
  REQUIRE(counts[Fate::doubted] >= 50);
  REQUIRE(counts[Fate::refused] >= 50);
}

}  // namespace tempo::test
