#pragma once

#include <filesystem>

#include "cli/command.hpp"
#include "run/runner.hpp"

namespace tempo::cli {

/// Adds the options that ask tempo plan for a cost.
void add_cost_options(Options& options);
/// Whether one of them was given.
bool asks_for_cost(const Options& options);
/// Prints what is to be done costs: seconds of fits, time by the clock, memory; and how it is
/// known. What nobody knows is tried, a few fits of each method. @throws InputError for
/// numbers that say nothing
/// @param shard   the part that is asked about
/// @param fate    of each fit of the plan
/// @param folder  of the run
void print_cost(const Options& options, const Study& study, const Plan& plan, const Shard& shard,
                const std::vector<Fate>& fate, const std::filesystem::path& folder);

}  // namespace tempo::cli
