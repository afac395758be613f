#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// A biomarker table as TOML, biomarkers in column order, means and standard deviations in the units
// of each biomarker:
//
//   schema = 1
//   name   = "two-scores"
//   description = "optional: where the numbers come from"
//
//   [[biomarker]]
//   name       = "MMSE"
//   pre_event  = { mean = 29.2, sd = 0.8 }  # phi: before the event
//   post_event = { mean = 25.3, sd = 2.4 }  # theta: after it; may equal pre_event
//
// A few tables are shipped. They are compiled into the program, so that a copy of it has them too.

/// Reads a biomarker table. All faults of the file are reported at once, in the order of its lines;
/// the table is empty if there was any.
BiomarkerTable read_biomarkers(const std::filesystem::path& path, Problems& problems);

/// The same from a table that has been read already.
BiomarkerTable biomarkers_from(const ParameterTable& table, Problems& problems);

/// Makes the text of a file that reads back as the same table, to the bit.
std::string biomarkers_to_toml(const BiomarkerTable& table, const std::string& name,
                               const std::string& description = {});

/// Writes that text to a file.
/// @throws Error if the file cannot be written.
void write_biomarkers(const BiomarkerTable& table, const std::string& name,
                      const std::filesystem::path& path, const std::string& description = {});

/// Names of the shipped tables, sorted.
std::vector<std::string> shipped_biomarkers();

/// The file behind a shipped table; empty if none has the name.
std::string_view shipped_biomarkers_text(std::string_view name);

/// Finds what an experiment's `biomarkers = "..."` names: a shipped table, else a file, whose path
/// is relative to `base_folder`. Text with a `/` or ending in `.toml` is a path.
/// @param asked  where the name stands, for messages about an unknown one
BiomarkerTable find_biomarkers(const std::string& name_or_path,
                               const std::filesystem::path& base_folder, const Place& asked,
                               Problems& problems);

}  // namespace tempo
