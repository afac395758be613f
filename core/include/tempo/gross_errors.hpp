#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/export.hpp"

namespace tempo {

// Values that are no measurements of the disease: a slipped decimal point, another unit, a swapped
// column, a lost sign.

/// The values of one biomarker that can be believed, ends included.
struct Believable {
  double low = 0.0;
  double high = 0.0;
  bool holds(double x) const { return x >= low && x <= high; }
};
struct BelievableValues {
  Believable healthy;
  Believable diseased;
};

/// Of a group the values that lie no more than nine robust standard deviations beyond its outer
/// tenth, and those within the middle nine tenths of the other group: a healthy participant may be
/// ill and not know it. The robust standard deviation of a side follows from how far the outer
/// tenth is from the outer three tenths; it is at least a quarter of that of all values, by their
/// median absolute deviation. Of a normal distribution the bounds are 10.3 sd from the mean. Where
/// tenths coincide, all values decide, and without any spread everything is believed.
///
/// Far values of the diseased are believed if they are more than 4 % of them and more than twice
/// the share of such values among the healthy, since they may be those whose event has happened.
/// One far value alone is never believed, however few diseased there are. Without healthy values
/// the same holds of all values.
///
/// Scaled, shifted or negated values have scaled, shifted or negated bounds; the order of values
/// does not matter. Cost: O(n log n).
/// @param healthy, diseased  none NaN; fewer than kFewestForSpread of a group are all believed
TEMPO_API BelievableValues believable_values(std::span<const double> healthy,
                                             std::span<const double> diseased);
inline constexpr std::size_t kFewestForSpread = 10;

/// A cell of a cohort whose value cannot be believed.
struct GrossError {
  std::size_t participant = 0;  ///< row
  std::size_t biomarker = 0;    ///< column
  bool operator==(const GrossError&) const = default;
};

/// The cells of a cohort that believable_values leaves out, by column, then by row. Without labels
/// all participants are one group.
TEMPO_API std::vector<GrossError> gross_errors(const Cohort& cohort);

/// The same cohort with these cells missing.
TEMPO_API Cohort without(Cohort cohort, std::span<const GrossError> errors);

/// For each biomarker that has any, how many and whose: the beginning of a sentence. Sorted.
TEMPO_API std::vector<std::string> described(const Cohort& cohort,
                                             std::span<const GrossError> errors);

}  // namespace tempo
