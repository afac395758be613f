#include "model/philox.hpp"

#include "support.hpp"

namespace tempo::test {

using Words = std::array<std::uint64_t, kPhiloxWords>;

// Philox's published answers are 32-bit numbers r0 r1 r2 r3; a word holds r1:r0, the next r3:r2.
TEST_CASE("philox", "[model][random]") {
  Words words{};

  SECTION("gives the known answers that come with Random123 (kat_vectors, philox4x32, 10 rounds)") {
    philox({0, 0}, 0, words);
    REQUIRE(words[0] == 0xe169c58d6627e8d5);
    REQUIRE(words[1] == 0x9b00dbd8bc57ac4c);
    philox({~0ull, ~0ull}, ~0ull, words);
    REQUIRE(words[0] == 0x41c83b0e408f276d);
    REQUIRE(words[1] == 0x6d5451fda20bc7c6);
    philox({0x299f31d0a4093822, 0x0370734413198a2e}, 0x85a308d3243f6a88, words);
    REQUIRE(words[0] == 0x94fdccebd16cfe09);
    REQUIRE(words[1] == 0x24126ea15001e420);
  }
  SECTION("is the same on every CPU, across a carry into the upper half of the block number too") {
    for (const std::uint64_t first :
         {std::uint64_t{0}, std::uint64_t{0xfffffff0}, std::uint64_t{~0ull - 40}}) {
      Words portable{};
      philox({0x0123456789abcdef, 0xfedcba9876543210}, first, words);
      philox_portable({0x0123456789abcdef, 0xfedcba9876543210}, first, portable);
      REQUIRE(words == portable);
    }
  }
}

}  // namespace tempo::test
