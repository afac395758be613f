#pragma once

#include <cstdint>

#include "components.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::sa_ebm {

/// The published chain, with its quirks: order and parameters move together, the prior is
/// re-centred on the chain's state, the likelihood of the state is not refreshed when pi changes,
/// and the best order met is the result. Event scores and stages are in the columns and rows of the
/// cohort.
Inference published_chain(const Study& study, Variant variant, std::int64_t iterations,
                          RandomStream& stream);

}  // namespace tempo::sa_ebm
