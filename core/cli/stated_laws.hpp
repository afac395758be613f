#pragma once

#include "registry.hpp"
#include "study/plan.hpp"

namespace tempo::cli {

/// Refuses hypotheses that methods of a plan infer under, if the law they state is not that of what
/// they draw: stages, orders and evidence would be wrong without a word. Looks at hypotheses with a
/// part that does not come with tempo; the tests of tempo look at the others.
/// @throws InputError with all that is wrong with each
void expect_right_laws(const Study& study, const Plan& plan, const Registry& registry);

}  // namespace tempo::cli
