#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/further_scores.hpp"
#include "cli/command.hpp"

namespace tempo::cli {

/// A metric that somebody asks for.
struct AskedMetric {
  Metric metric;
  std::optional<FurtherScore> further;  ///< how it is worked out; absent: it is kept
  bool is_of_plugin = false;
};

/// The metrics that tempo has without a plugin.
std::vector<std::string> known_metrics();
/// Adds --metric, --set for a metric of a plugin, and --plugin-path.
/// @param help  of --metric, in front of the names
void add_metric_options(Options& options, const std::string& help);
/// What --metric names: a metric that runs keep, one of posteriors, or that of a plugin.
/// @param fallback  named where the option is not given
/// @return nothing, and a problem, if there is no such metric or its settings have faults
std::optional<AskedMetric> asked_metric(const Options& options, const std::string& fallback,
                                        Problems& problems);

}  // namespace tempo::cli
