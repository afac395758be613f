#pragma once

#include <string>
#include <vector>

#include "results/run_description.hpp"

namespace tempo {

/// A line for each method and reason: `6 fits not applicable: bayes under h8, h9: ...`
std::vector<std::string> misfit_lines(const std::vector<RunDescription::Misfit>& misfits);

}  // namespace tempo
