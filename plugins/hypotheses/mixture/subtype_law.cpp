#include "subtype_law.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "tempo/error.hpp"

namespace tempo::mixture {
namespace {

constexpr int kMostTries = 10'000;

/// As a setting is read, so that it means the same alone and in a list.
std::optional<double> number_in(const ParameterValue& value, Bounds bounds) {
  ParameterTable table;
  table.set("number", value);
  Problems problems;
  Parameters keys(table, "", problems);
  const double number = keys.number("number", std::nullopt, bounds, "");
  return problems.empty() ? std::optional(number) : std::nullopt;
}

/// A number, or a list of them.
std::optional<std::vector<double>> numbers_in(const ParameterValue& value, Bounds bounds) {
  std::vector<double> out;
  const auto* list = std::get_if<ParameterValue::Array>(&value.value);
  for (const auto& item : list == nullptr ? ParameterValue::Array{value} : *list) {
    const auto number = number_in(item, bounds);
    if (!number) return std::nullopt;
    out.push_back(*number);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

/// A number, or the ends [low, high] of a range.
std::pair<double, double> read_range(Parameters& keys, const char* key,
                                     std::pair<double, double> fallback, Bounds bounds,
                                     bool is_whole, const char* expected, const char* help,
                                     const char* written) {
  const auto* value = keys.raw(key, expected, help, written);
  if (value == nullptr) return fallback;
  const auto ends = numbers_in(*value, bounds);
  const bool is_range = ends && ends->size() <= 2 && ends->front() <= ends->back() &&
                        (!is_whole || std::all_of(ends->begin(), ends->end(),
                                                  [](double x) { return x == std::floor(x); }));
  if (is_range) return {ends->front(), ends->back()};
  keys.complain(key, std::string("'") + key + "' must be " + expected);
  return fallback;
}

void read_sizes(Parameters& keys, SubtypeLaw& law) {
  constexpr const char* kExpected = "'equal', a number > 0 or a list of such numbers";
  const auto* value = keys.raw("sizes", kExpected, "how even shares are", "[2, 5, 20]");
  if (value == nullptr) return;
  const auto* text = std::get_if<std::string>(&value->value);
  law.equal_sizes = text != nullptr && *text == "equal";
  if (law.equal_sizes) return;
  if (auto found = numbers_in(*value, positive))
    law.concentrations = std::move(*found);
  else
    keys.complain("sizes", std::string("'sizes' must be ") + kExpected);
}

std::vector<std::size_t> equal_sizes(std::size_t subtypes, std::size_t diseased) {
  std::vector<std::size_t> out(subtypes, diseased / subtypes);
  for (std::size_t s = 0; s < diseased % subtypes; ++s) ++out[s];
  return out;
}

}  // namespace

SubtypeLaw read_subtypes(Parameters& keys) {
  SubtypeLaw law;
  const auto* value =
      keys.raw("subtypes", "table", "how many progressions there are, and how they differ",
               "{ number = 3 }");
  ParameterTable table;
  if (const auto* given = value == nullptr ? nullptr : std::get_if<ParameterTable>(&value->value)) {
    table = *given;
  } else if (value != nullptr) {
    keys.complain("subtypes",
                  "expected a table with number, orders, dispersion, sizes or least, not " +
                      std::string(kind_of(*value)));
    return law;
  }
  Parameters nested(table, keys.where() + " subtypes", keys.problems());
  const auto number = read_range(nested, "number", {3.0, 3.0}, {.low = 1, .high = 20}, true,
                                 "a whole number in [1, 20], or the ends [low, high] of a range",
                                 "how many progressions", "3");
  law.least_number = static_cast<std::int64_t>(number.first);
  law.most_number = static_cast<std::int64_t>(number.second);
  law.orders = nested.choice("orders", "mallows", {"mallows", "independent"},
                             "about a common centre, or not") == "mallows"
                   ? SubtypeLaw::Orders::mallows
                   : SubtypeLaw::Orders::independent;
  std::tie(law.least_dispersion, law.most_dispersion) = read_range(
      nested, "dispersion", {law.least_dispersion, law.most_dispersion}, {.low = 0, .high = 100},
      false, "a number in [0, 100], or the ends [low, high] of a range",
      "how near orders are to their centre", "[0.01, 0.5]");
  read_sizes(nested, law);
  law.least_size = nested.integer("least", law.least_size, {.low = 1, .high = 1e9},
                                  "diseased of a subtype, where there are enough");
  nested.report_unread();
  keys.resolve("subtypes", nested.resolved());
  return law;
}

std::vector<std::size_t> draw_mallows(const std::vector<std::size_t>& centre, double dispersion,
                                      RandomStream& stream) {
  const double ratio = std::exp(-dispersion);
  std::vector<std::size_t> order;
  std::vector<double> weights, chances;  // of going before 0, 1, ... of those that are there
  double weight = 1.0, sum = 0.0;
  for (const auto event : centre) {
    sum += weights.emplace_back(weight);
    weight *= ratio;
    chances = weights;
    for (double& chance : chances) chance /= sum;
    const auto passed = stream.categorical(chances);
    order.insert(order.end() - static_cast<std::ptrdiff_t>(passed), event);
  }
  return order;
}

std::vector<std::size_t> draw_sizes(const SubtypeLaw& law, std::size_t subtypes,
                                    std::size_t diseased, RandomStream& stream) {
  if (law.equal_sizes || diseased <= subtypes) {
    auto out = equal_sizes(subtypes, diseased);
    stream.shuffle(out);
    return out;
  }
  const auto wanted = static_cast<std::size_t>(law.least_size);
  const auto least = wanted <= diseased / subtypes ? wanted : 1;
  for (int attempt = 0; attempt < kMostTries; ++attempt) {
    const double concentration = law.concentrations[stream.index(law.concentrations.size())];
    const auto shares = stream.dirichlet(std::vector<double>(subtypes, concentration));
    std::vector<std::size_t> sizes(subtypes, 1);
    for (std::size_t i = subtypes; i < diseased; ++i) ++sizes[stream.categorical(shares)];
    if (*std::min_element(sizes.begin(), sizes.end()) >= least) return sizes;
  }
  throw Error("in " + std::to_string(kMostTries) + " draws the " + std::to_string(diseased) +
              " diseased were never shared out among " + std::to_string(subtypes) +
              " subtypes of at least " + std::to_string(least) +
              ": raise 'sizes', or lower 'least' or 'number'");
}

}  // namespace tempo::mixture
