#pragma once

// What a cohort has none of.

#include <cstddef>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"

namespace tempo::amortised {

/// Biomarkers and participants without a value, one participant or none diseased: a sentence each.
/// @param columns those that a network reads
/// @throws Error if there is no value at all
std::vector<std::string> absences(const Cohort& cohort, const std::vector<std::size_t>& columns);

/// Whether all participants are labelled diseased.
bool nobody_is_healthy(const Cohort& cohort);

/// The first few of a list, and how many more there are.
std::string listed(const std::vector<std::string>& items, const char* separator);

}  // namespace tempo::amortised
