#pragma once

// Cohorts with gross errors, for tests and for the page of contamination.

#include <cstddef>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::test {

/// What goes wrong with two values of a participant.
enum class GrossError {
  far_off,    ///< 10 to 100 sd of the biomarker are added to each or taken away
  sign_flip,  ///< both have the other sign
  swapped,    ///< each stands in the column of the other
};

struct ContaminatedCohort {
  Cohort cohort;
  std::vector<std::size_t> participants;  ///< rows that were hit, ascending
};

/// The cohort with gross errors in a share of its participants, rounded to the next whole number.
/// Each of them is hit in two biomarkers by an error of one kind; participants, kinds and
/// biomarkers are drawn evenly. A larger share hits the same participants and more.
/// @param stream  read through substreams: the same stream gives the same errors
ContaminatedCohort contaminated(const Cohort& cohort, double share, const RandomStream& stream);

}  // namespace tempo::test
