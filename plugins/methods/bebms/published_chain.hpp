#pragma once

#include <cstddef>
#include <cstdint>

#include "components.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::bebms {

/// The published chain, with its quirks: orders and normals move together, the prior of the normals
/// is re-centred on the chain's state, responsibilities of subtypes that are not proposed are those
/// of earlier states, the likelihood of the state is not refreshed when shares change, and the best
/// state met is the result. Blind chains keep the responsibilities of what they rejected. Columns
/// and rows are those of the cohort that the study was made of.
Inference published_chain(const Study& study, Variant variant, std::size_t subtypes,
                          std::int64_t iterations, RandomStream& stream);

}  // namespace tempo::bebms
