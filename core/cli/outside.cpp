#include "cli/outside.hpp"

#include <fmt/format.h>

#include <iostream>

#include "analysis/outside_scores.hpp"
#include "data/names.hpp"
#include "model/printable.hpp"
#include "results/shown_names.hpp"

namespace tempo::cli {

void add_outside_option(Options& options) {
  options.texts("with", "FILE",
                "scores that other programs got on these cohorts, as CSV (repeatable)");
}

void add_outside(const Options& options, Store& store, RunResults& results,
                 const std::optional<Metric>& asked) {
  Problems problems;
  for (const auto& path : options.list("with")) {
    const auto [rows, columns] = add_outside_scores(path, results, problems, asked);
    if (rows > 0)
      std::cerr << printable(fmt::format("{}: {} left out: of cohorts that are not in this run\n",
                                         path, counted(rows, "row")));
    if (!columns.empty())
      std::cerr << printable(fmt::format("{}: {} left out, which no score is in: {}\n", path,
                                         counted(columns.size(), "column"), in_short(columns)));
  }
  const auto named = ShownNames(store.description().value_or(RunDescription())).methods_by_name();
  for (const auto& method : results.outside)
    if (const auto found = named.find(method); found != named.end())
      problems.add({"--with"},
                   fmt::format("'{}' is what tables call the run's own method '{}'; give "
                               "the one from outside another name",
                               method, found->second));
  problems.throw_if_any();
}

}  // namespace tempo::cli
