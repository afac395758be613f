#pragma once

#include <string>

#include "study/plan.hpp"

namespace tempo {

/// The method that infers under the hypothesis of the cohorts at hand with distributions that are
/// known, so that the others' scores show how far they are from what can be had; empty if there is
/// none, or no other.
std::string limit_of(const Study& study, const Registry& registry);

/// What a report says of a run beside its numbers, as JSON: `tempo` and `build` (versions),
/// `description`, `seed`, `cohorts` (where they come from), `limit` (limit_of), `hypotheses` (id,
/// plugin, and what they assume), `methods` (id, plugin, settings), `plugins` (id, kind, version,
/// file, content key of its bytes). Of a sweep, the first point's.
/// @throws InputError if the library of a plugin cannot be read any more.
std::string about_run(const Study& study, const Plan& plan, const Registry& registry);

}  // namespace tempo
