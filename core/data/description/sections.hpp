#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/labels.hpp"
#include "data/table_description.hpp"
#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// The sections of a table's description. Each reads its keys and adds its faults to
// keys.problems().

/// How the table is written: layout, separator, decimal point, comments, header.
void read_format(Parameters& keys, const ParameterTable& table, TableDescription& out);

/// The columns of participants, biomarkers and values, and those to ignore.
void read_columns(Parameters& keys, TableDescription& out);

/// Which visit of a participant is kept.
void read_visits(Parameters& keys, const ParameterTable& table, TableDescription& out);

/// The column of labels, and which of them are healthy, diseased or left out.
void read_diagnosis(Parameters& keys, Labels labels, TableDescription& out);

/// The covariates, and the levels of those that are categories.
void read_adjustment(Parameters& keys, TableDescription& out);

/// Complains of columns that have two uses.
void check_roles(const TableDescription& description, Problems& problems);

// ---- Kinds of keys that several sections have ----

/// A choice whose options are in the order of an enumeration, the first if it is absent.
template <class Enum>
Enum read_enum(Parameters& keys, std::string_view key, const std::vector<std::string>& options,
               std::string_view help) {
  const auto chosen = keys.choice(key, options.front(), options, help);
  for (std::size_t i = 0; i < options.size(); ++i)
    if (options[i] == chosen) return static_cast<Enum>(i);
  return static_cast<Enum>(0);  // choice has complained
}

/// A text with its place.
TableDescription::Named read_named(Parameters& keys, std::string_view key,
                                   std::optional<std::string> fallback, std::string_view help);

/// A list of texts that are not empty, each with its place.
std::vector<TableDescription::Named> read_named_list(Parameters& keys, std::string_view key,
                                                     std::string_view help);

}  // namespace tempo
