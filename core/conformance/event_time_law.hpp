#pragma once

#include <cstddef>

#include "conformance/check.hpp"
#include "tempo/generative_process.hpp"

namespace tempo::conformance {

/// Whether the law of event times that a hypothesis states is that of what it draws. Draws have to
/// be possible and on the scale that the law says. Then half of them take Metropolis steps, which
/// leave a distribution as it is that follows the law: the moved half has to look like the other.
/// Not applicable where no law is stated.
/// @param draws  cohorts; fewer see less
Finding event_times_follow_their_law(const GenerativeProcess& process, std::size_t draws);

}  // namespace tempo::conformance
