#pragma once

#include <optional>
#include <string>
#include <vector>

#include "normal_mixture.hpp"
#include "tempo/cohort.hpp"
#include "tempo/parameters.hpp"

namespace tempo::toolkit {

/// Which version of a published method: with the quirks its published numbers contain, or as meant.
enum class Fidelity { paper, repaired };

/// Reads the key `fidelity`.
Fidelity read_fidelity(Parameters& keys);

/// One biomarker's values, missing ones left out.
struct BiomarkerValues {
  std::string name;
  std::vector<double> controls;
  std::vector<double> diseased;
  std::vector<double> pooled;  ///< both, in the order of participants
};

/// Column b of a cohort with labels.
/// @throws NumericError naming the biomarker if a group has fewer than two values or all values of
///   both are equal: no mixture can be fitted; or if values are beyond 1e150, or all closer than
///   1e-150.
BiomarkerValues values_of(const Cohort& cohort, std::size_t b);
/// The same; absent where that would throw.
std::optional<BiomarkerValues> comparable_values(const Cohort& cohort, std::size_t b);

/// The values of one biomarker without their units: z = (x - centre) / scale, with the sign of
/// scale such that the diseased have the larger mean. Sorted, so that no sum depends on the order
/// of participants.
struct Standardised {
  explicit Standardised(const BiomarkerValues& raw);

  std::vector<double> transformed(std::vector<double> x) const;
  /// The distribution of x if z has this one.
  Normal back(const Normal& z) const;
  NormalMixture back(const NormalMixture& z) const { return {back(z.pre), back(z.post), z.mix}; }

  BiomarkerValues values;
  double centre = 0.0;
  double scale = 1.0;
  double least_sd = 0.0;  ///< least_sd_of(values)
};

/// No sd of a standardised distribution is smaller: a group of equal values has one, too, and where
/// values come in steps it is as wide as they allow (value_steps.hpp).
/// @param values  standardised
double least_sd_of(const BiomarkerValues& values);

}  // namespace tempo::toolkit
