#pragma once

#include <string>
#include <vector>

#include "tempo/generative_process.hpp"

namespace tempo::conformance {

/// What is wrong with the laws that a hypothesis states, as checks H13 to H17, H28 and H29 find it,
/// with fewer draws: a sentence each. With a wrong law a comparison of hypotheses says nothing.
/// Laws that are not stated are no fault.
std::vector<std::string> law_faults(const GenerativeProcess& process);

}  // namespace tempo::conformance
