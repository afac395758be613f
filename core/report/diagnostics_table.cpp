#include "report/diagnostics_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/append.hpp"

namespace tempo {
namespace {

/// Over the fits that give it.
struct OverFits {
  std::size_t fits = 0;
  double sum = 0.0, least = 0.0, largest = 0.0;

  void add(double value) {
    least = fits == 0 ? value : std::min(least, value);
    largest = fits == 0 ? value : std::max(largest, value);
    sum += value;
    ++fits;
  }
};

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

}  // namespace

Table diagnostics_table(Store& store, const std::vector<std::string>& axes) {
  Table out;
  out.axes = axes.size();
  out.columns = axes;
  append(out.columns, {"hypothesis", "cohort", "method", "diagnostic", "value"});
  std::vector<std::vector<std::string>> order;  // rows for people, as they come
  std::map<std::vector<std::string>, OverFits> spreads;
  store.visit([&](const StoredFit& fit) {
    const auto id = fit.id();
    for (const auto& [name, value] : fit.details({DetailPart::diagnostics}).diagnostics) {
      auto& row = out.rows.emplace_back(id.axis_values.begin(), id.axis_values.end());
      append(row, {generated_by(id), id.cohort, id.method, name, value});
      auto key = id.axis_values;
      append(key, {generated_by(id), id.method, name});
      const auto [at, is_new] = spreads.try_emplace(key);
      if (is_new) order.push_back(key);
      at->second.add(value);
    }
  });
  if (order.empty()) return out;
  Rows rows{axes};
  append(rows[0], {"cohorts of", "method", "diagnostic", "fits", "mean", "least", "largest"});
  for (auto& key : order) {
    const auto& spread = spreads.at(key);
    auto& row = rows.emplace_back(key);
    append(row, {std::to_string(spread.fits),
                 short_number(spread.sum / static_cast<double>(spread.fits)),
                 short_number(spread.least), short_number(spread.largest)});
  }
  out.blocks = {{.heading = "what methods say in numbers of how they worked",
                 .rows = std::move(rows),
                 .name_columns = axes.size() + 3}};
  return out;
}

}  // namespace tempo
