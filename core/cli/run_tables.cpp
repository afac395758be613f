#include "cli/run_tables.hpp"

#include <iostream>

#include "report/tables.hpp"

namespace tempo::cli {
namespace {

/// Prints a table, if it has anything to show, under a heading.
void print(const Table& table, const std::string& heading = {}) {
  if (!table.empty()) std::cout << "\n" << heading << render(table, TableFormat::table);
}

void print_scores(const RunResults& results, const std::string& limit) {
  for (const auto* name : {"tau_distance", "stage_mae", "seconds"}) {
    const auto& metric = *find_metric(name);
    print(summary_table(summarise(results, metric), metric));
  }
  for (const auto* name : {"tau_distance", "stage_mae"})
    if (!limit.empty()) {
      const auto& metric = *find_metric(name);
      print(summary_table(summarise_against(limit, results, metric), metric));
    }
  for (const auto* name : {"tau_distance", "sequence_mae", "stage_mae"}) {
    const auto& metric = *find_metric(name);
    print(cross_table(cross_tables(results, metric), results.axes, metric));
  }
}

}  // namespace

void print_tables(const RunResults& results, const std::vector<ModelRecord>& trained,
                  const std::string& limit) {
  if (const auto fits = real_fit_table(results); !fits.empty())  // nothing to score against
    print(fits, "fits of the real cohort\n");
  else
    print_scores(results, limit);
  print(model_table(trained), "models\n");
  print(warning_table(results), "warnings\n");
  print(failure_table(results), "failed fits\n");
}

}  // namespace tempo::cli
