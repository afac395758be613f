#pragma once

#include <vector>

namespace tempo::test {

/// Numbers out of every function of the toolkit that is compiled for several processors: by the
/// version that the loader takes here, and by the one for any processor.
std::vector<double> digest_for_this_processor();
std::vector<double> digest_for_any_processor();

}  // namespace tempo::test
