#pragma once

#include <cstddef>

#include "tempo/cohort.hpp"
#include "tempo/method_abilities.hpp"

namespace tempo {

/// Whether a participant is at stage 0 because of the label, whatever was measured: healthy, for a
/// method that looks at labels when it stages.
/// @param use  of this cohort's labels (use_of_cohort)
inline bool is_told_stage(LabelUse use, const Cohort& cohort, std::size_t participant) {
  return use == LabelUse::infer && cohort.diseased[participant] == 0;
}

}  // namespace tempo
