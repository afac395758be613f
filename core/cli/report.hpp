#pragma once

#include <filesystem>

#include "results/store.hpp"

namespace tempo::cli {

/// Writes report.html into a run folder and says where it is, or why there is none: a run is no
/// worse for that.
/// @param results  of the store, with ids
void show_report(Store& store, const std::filesystem::path& run_folder, const RunResults& results);

}  // namespace tempo::cli
