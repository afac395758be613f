#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "tempo/export.hpp"

namespace tempo {

/// The only source of randomness: a counter-based stream (Philox 4x32-10, Salmon et al. 2011,
/// "Parallel random numbers: as easy as 1, 2, 3") named by what it is for.
///
/// A stream is a pure function of (seed, purpose, subject, index): the same values for any number
/// of threads and any order of work. Different names give streams that never overlap in practice (a
/// 122-bit hash selects key and high counter half; each holds 2^64 blocks).
///
/// Results depend on neither the standard library nor the CPU: values are made by arithmetic and
/// square roots, while exp and log only decide what is rejected. Two laws are exempt in the last
/// bit: gamma() and beta() with a shape below 1 and dirichlet(), which need powers.
///
/// A stream is a uniform random bit generator of 64-bit words, so Boost's distributions take it.
/// Not thread-safe: a task owns its stream.
class TEMPO_API RandomStream {
 public:
  using result_type = std::uint64_t;

  RandomStream(std::uint64_t seed, std::string_view purpose, std::string_view subject = {},
               std::uint64_t index = 0);
  /// A stream of its own for a part of the task; does not depend on what was drawn so far.
  RandomStream substream(std::string_view name, std::uint64_t index = 0) const;

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() {
    if (next_ == kWords) refill();
    return words_[next_++];
  }

  /// The middle of one of 2^52 equal cells of (0, 1): never 0 nor 1, even after rounding.
  static constexpr double to_unit_interval(result_type word) {
    return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52;
  }
  double uniform() { return to_unit_interval((*this)()); }  ///< U(0, 1), ends excluded
  double normal();                                          ///< N(0, 1)
  void normals(std::span<double> out);     ///< N(0, 1), the same values as repeated normal()
  double exponential();                    ///< Exp with mean 1
  double gamma(double shape);              ///< Gamma(shape), scale 1; shape > 0
  double beta(double alpha, double beta);  ///< Beta(alpha, beta); both > 0
  double logistic();                       ///< Logistic with location 0 and scale 1
  /// Dirichlet(alpha): probabilities [n] that sum to 1; every alpha > 0.
  std::vector<double> dirichlet(std::span<const double> alpha);
  /// Index i of 0..n-1 with chance probabilities[i], which sum to 1.
  std::size_t categorical(std::span<const double> probabilities);
  /// Uniform on 0..n-1, without modulo bias; n > 0.
  std::size_t index(std::size_t n);
  void shuffle(std::span<std::size_t> values);          ///< every order equally likely
  std::vector<std::size_t> permutation(std::size_t n);  ///< of 0..n-1

 private:
  static constexpr std::size_t kWords = 64;  // one refill: 32 Philox blocks
  void refill();
  double normal_from(result_type word);  // N(0, 1) that begins with this word

  std::array<std::uint64_t, 2> name_{};  // what distinguishes this stream: key, high counter half
  std::uint64_t block_ = 0;              // low counter half
  std::size_t next_ = kWords;
  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace tempo
