#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tempo/cohort.hpp"

namespace tempo {

/// Values of participants, ascending, without codes for missing ones.
using Measured = std::vector<std::pair<double, std::size_t>>;

Measured measured_values(const Cohort& cohort, std::size_t b);

/// Fewer values do not say what others of a biomarker should be.
inline constexpr std::size_t kFewestValues = 10;

/// A number in six digits, as people write it.
std::string in_six_digits(double x);

/// `'p7' (12), 'p9' (0.5)`, the participants of values.
std::string whose(const Cohort& cohort, const Measured& values);

bool are_positive(const Measured& values);

bool are_whole(const Measured& values);

// What is odd about a biomarker's values, a sentence; empty if nothing is.

/// Values below 0 that would be among the others without their sign, where nothing is near 0.
std::string lost_signs(const Cohort& cohort, std::size_t b, const Measured& values);

/// Values above 0 in two ranges, at least five times apart and farther than either is wide, with
/// patients or healthy participants in both; or, if these are the groups, a hundred times apart.
std::string two_units(const Cohort& cohort, std::size_t b, const Measured& values);

/// Values around 0 with a sd near 1, and others far above: z-scores of one site among raw values.
std::string two_scales(const Cohort& cohort, std::size_t b, const Measured& values);

/// Values between the ends of the range that more participants share than chance gives: a mean put
/// in, cells that were filled down.
std::string filled_in(const Cohort& cohort, std::size_t b, const Measured& values);

/// One value in more participants one after the other than chance gives.
std::string filled_down(const Cohort& cohort, std::size_t b);

}  // namespace tempo
