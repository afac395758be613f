#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::toolkit {

// For methods that draw something of each participant: neither the rows of a file nor its ids may
// decide which draw is whose.

/// Rows in an order that follows from their values: the healthy first, each group by its values in
/// these columns, the first of which decides most; missing values come first. Rows with the same
/// values stay as they are: they are alike. Without labels there is one group. Neither unit nor
/// sign of a biomarker matters.
std::vector<std::size_t> rows_by_values(const Cohort& cohort, std::span<const std::size_t> columns);

/// Row i taken from row rows[i].
Cohort with_rows(const Cohort& cohort, std::span<const std::size_t> rows);

/// Stages, their posterior and log scores as found of `with_rows`, in the rows of the cohort.
void put_back(std::span<const std::size_t> rows, Inference& inference);

}  // namespace tempo::toolkit
