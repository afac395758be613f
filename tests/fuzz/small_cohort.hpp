#pragma once

#include "tempo/cohort.hpp"

namespace tempo::fuzz {

/// Two biomarkers; two of three participants are diseased. Truths and answers of the corpora are of
/// it.
inline Cohort small_cohort() {
  Cohort out;
  out.participants = {"0", "1", "2"};
  out.biomarkers = {"a", "b"};
  out.measurements = Matrix(3, 2);
  out.diseased = {1, 0, 1};
  return out;
}

}  // namespace tempo::fuzz
