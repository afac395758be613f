#pragma once

#include <cstdint>
#include <string_view>

#include "tempo/export.hpp"

namespace tempo {

/// What a method does with the diagnosis (diseased or not). Printed in every table of results.
enum class LabelUse : std::uint32_t {
  none = 1,      ///< never sees it: the cohort it gets has no labels
  fit = 2,       ///< to fit (mixtures, initial values); staging does not look at it
  infer = 3,     ///< also when stages are inferred
  optional = 4,  ///< as `infer` where the cohort has labels; it does without elsewhere
};
TEMPO_API std::string_view to_string(LabelUse use);
/// Whether a cohort without labels is refused.
constexpr bool needs_labels(LabelUse use) { return use == LabelUse::fit || use == LabelUse::infer; }
/// What is done with a cohort's labels: `optional` becomes `infer` or `none`.
constexpr LabelUse use_of_cohort(LabelUse use, bool has_labels) {
  return use != LabelUse::optional ? use : has_labels ? LabelUse::infer : LabelUse::none;
}

/// What a method does with missing cells (NaN).
enum class MissingData : std::uint32_t {
  refused = 1,   ///< a cohort with missing cells is an error that counts them
  marginal = 2,  ///< a missing cell adds nothing to the likelihood
  imputed = 3,   ///< a missing cell takes a value that stands for it; the method's page says which
};
TEMPO_API std::string_view to_string(MissingData ability);

}  // namespace tempo
