#include "cli/run_tables.hpp"

#include <iostream>

#include "report/tables.hpp"

namespace tempo::cli {
namespace {

void print_scores(const RunResults& results, const std::string& limit) {
  for (const auto* name : {"tau_distance", "stage_mae", "seconds"}) {
    const auto& metric = *find_metric(name);
    std::cout << "\n" << render(summarise(results, metric), metric, "table");
  }
  for (const auto* name : {"tau_distance", "stage_mae"})
    if (!limit.empty()) {
      const auto& metric = *find_metric(name);
      std::cout << "\n" << render(summarise_against(limit, results, metric), metric, "table");
    }
  for (const auto* name : {"tau_distance", "sequence_mae", "stage_mae"}) {
    const auto& metric = *find_metric(name);
    if (const auto cross = cross_tables(results, metric); !cross.empty())
      std::cout << "\n" << render(cross, results.axes, metric, "table");
  }
}

/// A table under its heading, if it has any rows.
void print(const std::string& heading, const std::string& table) {
  if (!table.empty()) std::cout << "\n" << heading << "\n" << table;
}

}  // namespace

void print_tables(const RunResults& results, const std::vector<ModelRecord>& trained,
                  const std::string& limit) {
  if (const auto fits = real_fit_table(results); !fits.empty())  // nothing to score against
    print("fits of the real cohort", fits);
  else
    print_scores(results, limit);
  print("models", model_table(trained));
  print("warnings", warning_table(results));
  print("failed fits", failure_table(results));
}

}  // namespace tempo::cli
