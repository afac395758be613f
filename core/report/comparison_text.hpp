#pragma once

#include <string>
#include <vector>

#include "analysis/cohort_doubts.hpp"
#include "analysis/comparison.hpp"

namespace tempo {

/// The end of a sentence that begins with the cohort.
std::string in_words(const CohortDoubt& doubt);

/// What a reader of the verdict has to know, a sentence or two each.
std::vector<std::string> in_sentences(const ComparisonCaveats& caveats);

}  // namespace tempo
