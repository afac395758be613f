#pragma once

// Tests of distributions: those by which plugins are checked.

#include "conformance/statistics.hpp"

namespace tempo::test {

using conformance::chi_square_p_value;
using conformance::kRarely;
using conformance::ks_p_value;
using conformance::mean;
using conformance::mean_p_value;
using conformance::variance;
using conformance::welch_p_value;

}  // namespace tempo::test
