#pragma once

// How results are written as JSON: the only file that names the keys, and the one that understands
// what earlier versions wrote. Shapes and meanings: docs/reference/formats.md.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/fit_result.hpp"
#include "results/run_description.hpp"
#include "results/stored_cohort.hpp"

namespace tempo::codec {

std::string to_text(const FitDetails& details);
/// @param parts  what is read; a text that has none of them is not even parsed
FitDetails details_from(const std::string& text, DetailParts parts);

/// A record on its way from one process to another, on one line.
std::string to_text(const FitRecord& record);
FitRecord record_from(const std::string& text);

std::string to_text(const std::vector<Warning>& warnings);
/// Texts of earlier versions have no kind: it is told from their words.
std::vector<Warning> warnings_from(const std::string& text);

/// With the keys that pages of reports read, too.
nlohmann::ordered_json to_json(const RunDescription& description);
std::string to_text(const RunDescription& description);
/// Absent for an empty text: runs of versions that kept none.
std::optional<RunDescription> description_from(const std::string& text);

/// Texts of plugins may be anything; those of a store are UTF-8.
std::string to_text(const std::vector<std::string>& items);
std::vector<std::string> texts_from(const std::string& text);
std::string to_text(const std::vector<std::uint8_t>& flags);
std::vector<std::uint8_t> flags_from(const std::string& text);
std::string to_text(const std::vector<int>& numbers);
std::vector<int> integers_from(const std::string& text);

std::string to_text(const TrueSubtypes& subtypes);
TrueSubtypes true_subtypes_from(const std::string& text);

std::string to_text(const Adjustment& adjustment);
Adjustment adjustment_from(const std::string& text);
std::string to_text(const BiomarkerTable& table);
BiomarkerTable biomarkers_from(const std::string& text);

std::string to_text(const Libraries& libraries);
Libraries libraries_from(const std::string& text);

/// What the recipe of a fit says of the hypothesis behind it: stores of version 1 do not tell one
/// that was learned from from one that was assumed, nor which model was applied.
struct RecipeOfVersion1 {
  bool is_trained = false;
  std::string model;  ///< key of the model; empty for none
};
RecipeOfVersion1 recipe_of_version_1(const std::string& text);

}  // namespace tempo::codec
