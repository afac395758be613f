#pragma once

#include <string>

#include "study/plan.hpp"

namespace tempo {

/// The text of experiment.lock.toml: the experiment as Study::lock has it, and the versions that
/// make the numbers.
std::string lock_file(const Study& study, const Plan& plan);

}  // namespace tempo
