#include "philox.hpp"

#include <Random123/philox.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tempo {
namespace {

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] __m256i in_all_lanes(std::uint64_t value) {
  return _mm256_set1_epi64x(static_cast<long long>(value));
}

/// Twice four blocks side by side, a 32-bit number in the low half of each 64-bit lane. What is
/// left in the high halves does no harm: the multiplication does not read it, and it is cut off at
/// the end. Two groups of four keep the arithmetic units busy while each waits for its own last
/// product.
[[gnu::target("avx2")]] void philox_avx2(const PhiloxName& name, std::uint64_t first_block,
                                         std::array<std::uint64_t, kPhiloxWords>& words) {
  constexpr std::size_t kGroups = 2;
  constexpr std::size_t kLanes = 4;
  const __m256i factor0 = in_all_lanes(PHILOX_M4x32_0);
  const __m256i factor1 = in_all_lanes(PHILOX_M4x32_1);
  const __m256i step0 = in_all_lanes(PHILOX_W32_0);
  const __m256i step1 = in_all_lanes(PHILOX_W32_1);
  auto* out = reinterpret_cast<__m256i*>(words.data());
  for (std::size_t block = 0; block < kPhiloxWords / 2; block += kGroups * kLanes) {
    __m256i x0[kGroups], x1[kGroups], x2[kGroups], x3[kGroups];
    for (std::size_t g = 0; g < kGroups; ++g) {
      x0[g] = _mm256_add_epi64(in_all_lanes(first_block + block + g * kLanes),
                               _mm256_set_epi64x(3, 2, 1, 0));
      x1[g] = _mm256_srli_epi64(x0[g], 32);
      x2[g] = in_all_lanes(low(name[1]));
      x3[g] = in_all_lanes(high(name[1]));
    }
    __m256i key0 = in_all_lanes(low(name[0]));
    __m256i key1 = in_all_lanes(high(name[0]));
    for (int round = 0; round < 10; ++round) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        const __m256i product0 = _mm256_mul_epu32(x0[g], factor0);
        const __m256i product1 = _mm256_mul_epu32(x2[g], factor1);
        x0[g] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), x1[g]), key0);
        x1[g] = product1;
        x2[g] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), x3[g]), key1);
        x3[g] = product0;
      }
      key0 = _mm256_add_epi32(key0, step0);
      key1 = _mm256_add_epi32(key1, step1);
    }
    constexpr int kHighHalves = 0b10101010;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const __m256i first = _mm256_blend_epi32(x0[g], _mm256_slli_epi64(x1[g], 32), kHighHalves);
      const __m256i second = _mm256_blend_epi32(x2[g], _mm256_slli_epi64(x3[g], 32), kHighHalves);
      const __m256i blocks02 = _mm256_unpacklo_epi64(first, second);
      const __m256i blocks13 = _mm256_unpackhi_epi64(first, second);
      _mm256_storeu_si256(out++, _mm256_permute2x128_si256(blocks02, blocks13, 0x20));
      _mm256_storeu_si256(out++, _mm256_permute2x128_si256(blocks02, blocks13, 0x31));
    }
  }
}
#endif

}  // namespace

void philox_portable(const PhiloxName& name, std::uint64_t first_block,
                     std::array<std::uint64_t, kPhiloxWords>& words) {
  const r123::Philox4x32 philox;
  const r123::Philox4x32::key_type key{{low(name[0]), high(name[0])}};
  for (std::size_t i = 0; i < kPhiloxWords; i += 2, ++first_block) {
    const r123::Philox4x32::ctr_type counter{
        {low(first_block), high(first_block), low(name[1]), high(name[1])}};
    const auto block = philox(counter, key);
    words[i] = std::uint64_t{block[1]} << 32 | block[0];
    words[i + 1] = std::uint64_t{block[3]} << 32 | block[2];
  }
}

void philox(const PhiloxName& name, std::uint64_t first_block,
            std::array<std::uint64_t, kPhiloxWords>& words) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return philox_avx2(name, first_block, words);
#endif
  philox_portable(name, first_block, words);
}

}  // namespace tempo
