// Cells that were filled in: one value in many participants, or a block of rows pasted once more.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "data/names.hpp"
#include "data/table/measured.hpp"
#include "data/table/oddities.hpp"
#include "data/table/value_counts.hpp"
#include "model/look_alike.hpp"

namespace tempo {
namespace {

/// Decimals that a number has, at most kMostDecimals.
constexpr int kMostDecimals = 12;

int decimals_of(double x) {
  double power = 1.0;
  for (int n = 0; n < kMostDecimals; ++n, power *= 10.0) {
    const double scaled = std::abs(x) * power;
    if (std::abs(scaled - std::round(scaled)) <= 1e-9 * std::max(1.0, scaled)) return n;
  }
  return kMostDecimals;
}

/// The step of the grid that values are written on, 0 if they are on none.
double step_of(const std::vector<Count>& values) {
  constexpr double kMostExact = 1e15;
  int decimals = 0;
  for (const auto& [x, count] : values) decimals = std::max(decimals, decimals_of(x));
  const double power = std::pow(10.0, decimals);
  if (decimals == kMostDecimals ||
      std::max(std::abs(values.front().first), std::abs(values.back().first)) * power > kMostExact)
    return 0.0;
  std::int64_t step = 0;
  for (const auto& [x, count] : values)
    step = std::gcd(step, std::llround((x - values.front().first) * power));
  return static_cast<double>(step) / power;
}

/// How many participants would have this value if its neighbours were spread evenly.
double expected_at(const std::vector<Count>& values, std::size_t i, double step) {
  constexpr std::size_t kNeighbours = 5;  // on either side
  const auto first = i > kNeighbours ? i - kNeighbours : 0;
  const auto last = std::min(i + kNeighbours, values.size() - 1);
  double count = 0.0;
  for (auto k = first; k <= last; ++k)
    if (k != i) count += static_cast<double>(values[k].second);
  return count * step / (values[last].first - values[first].first);
}

/// Values inside the range that are shared beyond chance, the most frequent first.
std::vector<Count> shared_beyond_chance(const std::vector<Count>& values) {
  constexpr std::size_t kFewestShared = 3;
  constexpr double kMostByChance = 1e-3;  // values expected to be shared so
  const double step = step_of(values);
  std::vector<Count> out;
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const auto count = values[i].second;
    if (count < kFewestShared) continue;
    const auto n = static_cast<double>(count);
    const double chance = std::pow(expected_at(values, i, step), n) / std::tgamma(n + 1.0);
    if (chance * static_cast<double>(values.size()) < kMostByChance) out.push_back(values[i]);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Count& a, const Count& b) { return a.second > b.second; });
  return out;
}

std::vector<Count> counted_values(const Measured& values) {
  std::vector<Count> out;
  for (const auto& [x, j] : values)
    if (out.empty() || out.back().first != x)
      out.emplace_back(x, 1);
    else
      ++out.back().second;
  return out;
}

}  // namespace

std::string filled_in(const Cohort& cohort, std::size_t b, const Measured& values) {
  constexpr double kLeastUnshared = 0.7;  // of the others
  constexpr std::size_t kFewestOfOne = 4;
  if (values.size() < kFewestValues) return {};
  const auto counts = counted_values(values);
  const auto shared = shared_beyond_chance(counts);
  if (shared.empty() || (shared.size() == 1 && shared.front().second < kFewestOfOne)) return {};
  std::size_t others = values.size(), unshared = 0, most = 0;
  std::set<double> filled;
  std::vector<std::string> in_words;
  for (const auto& [x, count] : shared) {
    filled.insert(x);
    others -= count;
    in_words.push_back(fmt::format("{} in {}{}", in_six_digits(x), count,
                                   in_words.empty() ? " participants" : ""));
  }
  for (const auto& [x, count] : counts)
    if (!filled.contains(x)) {
      unshared += count == 1 ? 1 : 0;
      most = std::max(most, count);
    }
  if (static_cast<double>(unshared) < kLeastUnshared * static_cast<double>(others)) return {};
  return fmt::format("{} is {}, and no other value is in more than {}: filled in?",
                     cohort.biomarkers[b], in_short(in_words), most);
}

namespace {

/// Participants one after the other that have one value.
struct EqualRun {
  std::size_t first = 0, length = 0;
};

/// The longest one, and how many participants have the value of the one before them otherwise.
std::pair<EqualRun, std::size_t> longest_run(const std::vector<double>& values) {
  EqualRun best, run;
  std::size_t repeats = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const bool goes_on = j > 0 && values[j] == values[j - 1];
    repeats += goes_on ? 1 : 0;
    run = goes_on ? EqualRun{run.first, run.length + 1} : EqualRun{j, 1};
    if (run.length > best.length) best = run;
  }
  return {best, best.length == 0 ? 0 : repeats - (best.length - 1)};
}

/// The greatest share of a value among the other participants of a group.
double share_outside(const Cohort& cohort, const std::vector<double>& values, const EqualRun& run) {
  std::array<double, 2> all{}, equal{};
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (j >= run.first && j < run.first + run.length) continue;
    const std::size_t group = cohort.diseased.empty() ? 0 : cohort.diseased[j];
    all[group] += 1.0;
    equal[group] += values[j] == values[run.first] ? 1.0 : 0.0;
  }
  return std::max((equal[0] + 1.0) / (all[0] + 2.0), (equal[1] + 1.0) / (all[1] + 2.0));
}

}  // namespace

std::string filled_down(const Cohort& cohort, std::size_t b) {
  constexpr std::size_t kFewest = 6;      // of a run
  constexpr double kMostByChance = 1e-3;  // runs
  constexpr double kMostOtherwise = 0.5;  // of the others: beyond, rows are sorted by the values
  std::vector<double> values;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    values.push_back(cohort.measurements(j, b));
  const auto [run, repeats] = longest_run(values);
  const auto J = static_cast<double>(values.size());
  if (run.length < kFewest || 2 * run.length > values.size() ||
      static_cast<double>(repeats) > kMostOtherwise * (J - static_cast<double>(run.length)))
    return {};
  const double chance =
      J * std::pow(share_outside(cohort, values, run), static_cast<double>(run.length - 1));
  if (chance > kMostByChance) return {};
  return fmt::format("{} is {} in {} participants one after the other, '{}' to '{}': filled down?",
                     cohort.biomarkers[b], in_six_digits(values[run.first]), run.length,
                     showing_hidden(cohort.participants[run.first]),
                     showing_hidden(cohort.participants[run.first + run.length - 1]));
}

namespace {

using Pair = std::pair<std::size_t, std::size_t>;  // of participants, the first is above

/// Biomarkers that two participants share although hardly anybody shares a value of these.
std::map<Pair, std::vector<std::size_t>> rarely_shared(const Cohort& cohort) {
  constexpr std::size_t kMostSharing = 3;  // one value
  constexpr double kMostShared = 0.02;     // of all pairs
  std::map<Pair, std::vector<std::size_t>> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    std::map<double, std::vector<std::size_t>> having;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (const double x = cohort.measurements(j, b); !std::isnan(x)) having[x].push_back(j);
    double measured = 0.0, pairs = 0.0;
    for (const auto& [x, who] : having) {
      const auto n = static_cast<double>(who.size());
      measured += n;
      pairs += n * (n - 1.0);
    }
    if (pairs > kMostShared * measured * (measured - 1.0)) continue;
    for (const auto& [x, who] : having)
      if (who.size() <= kMostSharing)
        for (std::size_t i = 0; i < who.size(); ++i)
          for (auto k = i + 1; k < who.size(); ++k) out[{who[i], who[k]}].push_back(b);
  }
  return out;
}

bool are_equal_throughout(const Cohort& cohort, const Pair& pair) {
  const auto x = cohort.measurements.row(pair.first), y = cohort.measurements.row(pair.second);
  return std::equal(x.begin(), x.end(), y.begin(),
                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

}  // namespace

std::vector<std::string> pasted_rows(const Cohort& cohort) {
  constexpr std::size_t kFewest = 3;  // rows
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::vector<Pair>> blocks;
  for (const auto& [pair, biomarkers] : rarely_shared(cohort))
    if (biomarkers.size() > 1 && !are_equal_throughout(cohort, pair))
      blocks[{pair.second - pair.first, biomarkers}].push_back(pair);
  std::vector<std::string> out;
  for (const auto& [key, pairs] : blocks) {
    if (pairs.size() < kFewest) continue;
    std::vector<std::string> names, from, to;
    for (const auto b : key.second) names.push_back(cohort.biomarkers[b]);
    for (const auto& [above, below] : pairs) {
      from.push_back(fmt::format("'{}'", showing_hidden(cohort.participants[above])));
      to.push_back(fmt::format("'{}'", showing_hidden(cohort.participants[below])));
    }
    out.push_back(fmt::format("{} have the {} of {}, in the same order: a block pasted twice?",
                              in_short(to), in_short(names), in_short(from)));
  }
  return out;
}

}  // namespace tempo
