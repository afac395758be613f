#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tempo {

/// Random words come this many at a time: 32 blocks of Philox 4x32-10, two 64-bit words each.
inline constexpr std::size_t kPhiloxWords = 64;

/// What distinguishes streams: the key (first word) and the high half of the counter (second word).
using PhiloxName = std::array<std::uint64_t, 2>;

/// Words of the blocks `first_block`, `first_block` + 1, ...: the low half of the counter.
///
/// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). Integers only,
/// so every CPU gives the same words; those with AVX2 compute four blocks at a time.
void philox(const PhiloxName& name, std::uint64_t first_block,
            std::array<std::uint64_t, kPhiloxWords>& words);

/// The same by Random123's own code, for any CPU.
void philox_portable(const PhiloxName& name, std::uint64_t first_block,
                     std::array<std::uint64_t, kPhiloxWords>& words);

}  // namespace tempo
