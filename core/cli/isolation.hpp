#pragma once

#include <filesystem>

#include "cli/command.hpp"
#include "run/isolated_fits.hpp"

namespace tempo::cli {

/// Adds --isolate and --serve-fits.
void add_isolation_options(Options& options);
/// Which fits get processes of their own, as --isolate says.
Isolate isolate_of(const Options& options, Problems& problems);
/// The fits of a run that get processes of their own.
/// @param folder  of the run: its experiment.lock.toml is what their server reads
Isolation isolation_of(const Options& options, Isolate which, const Study& study, const Plan& plan,
                       const Registry& registry, const std::filesystem::path& folder);
/// --serve-fits: answers until standard input ends. @return an exit code
int serve_fits_of(const Study& study, const Plan& plan, const std::filesystem::path& folder);

}  // namespace tempo::cli
