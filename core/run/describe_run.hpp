#pragma once

#include "results/run_description.hpp"
#include "results/store.hpp"
#include "study/plan.hpp"

namespace tempo {

/// What a report says of a run beside its numbers. Of a sweep, the first point's.
/// @throws InputError if the library of a plugin cannot be read any more.
RunDescription describe_run(const Study& study, const Plan& plan, const Registry& registry);

/// What a store keeps of a plan, real cohorts and libraries included.
/// @param description  describe_run of the same plan
StoredPlan stored_plan(const Study& study, const Plan& plan, const RunDescription& description);

}  // namespace tempo
