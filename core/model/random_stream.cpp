#include "tempo/random_stream.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <boost/random/beta_distribution.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace tempo {
namespace {

/// Length-prefixed, so that no two lists of names give the same text.
void append_name(std::string& text, std::string_view name) {
  text += std::to_string(name.size());
  text += ':';
  text += name;
}

std::array<std::uint64_t, 2> hash(const std::string& text) {
  const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
  const auto uuid = generator(text);
  std::array<std::uint64_t, 2> words{};
  for (std::size_t i = 0; i < 16; ++i) words[i / 8] = words[i / 8] << 8 | uuid.data[i];
  return words;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose, std::string_view subject,
                           std::uint64_t index) {
  std::string text;
  append_name(text, std::to_string(seed));
  append_name(text, purpose);
  append_name(text, subject);
  append_name(text, std::to_string(index));
  name_ = hash(text);
}

RandomStream RandomStream::substream(std::string_view name, std::uint64_t index) const {
  return RandomStream(name_[0], std::to_string(name_[1]), name, index);
}

void RandomStream::refill() {
  const r123::Philox4x32 philox;
  const r123::Philox4x32::key_type key{
      {static_cast<std::uint32_t>(name_[0]), static_cast<std::uint32_t>(name_[0] >> 32)}};
  for (std::size_t i = 0; i < kWords; i += 2, ++block_) {
    const r123::Philox4x32::ctr_type counter{
        {static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32),
         static_cast<std::uint32_t>(name_[1]), static_cast<std::uint32_t>(name_[1] >> 32)}};
    const auto block = philox(counter, key);
    words_[i] = std::uint64_t{block[1]} << 32 | block[0];
    words_[i + 1] = std::uint64_t{block[3]} << 32 | block[2];
  }
  next_ = 0;
}

double RandomStream::normal() { return boost::random::normal_distribution<double>()(*this); }

void RandomStream::normals(std::span<double> out) {
  boost::random::normal_distribution<double> standard;
  for (auto& value : out) value = standard(*this);
}

double RandomStream::exponential() {
  return boost::random::exponential_distribution<double>()(*this);
}

double RandomStream::gamma(double shape) {
  return boost::random::gamma_distribution<double>(shape)(*this);
}

double RandomStream::beta(double alpha, double beta) {
  return boost::random::beta_distribution<double>(alpha, beta)(*this);
}

double RandomStream::logistic() {
  // By rejection from the exponential, so that values need no logarithm: |x| has the density
  // 2 e^-x / (1 + e^-x)^2 <= 2 e^-x.
  for (;;) {
    const double x = exponential();
    const double e = 1.0 + std::exp(-x);
    const auto word = (*this)();
    if (to_unit_interval(word) * e * e < 1.0) return (word & 1) == 0 ? x : -x;
  }
}

std::vector<double> RandomStream::dirichlet(std::span<const double> alpha) {
  // Gammas divided by their sum, as logarithms: Gamma(a) is Gamma(a + 1) U^(1/a), which for small a
  // is beyond the range of a double.
  std::vector<double> out;
  out.reserve(alpha.size());
  for (const double a : alpha) out.push_back(std::log(gamma(a + 1.0)) + std::log(uniform()) / a);
  const double largest = *std::max_element(out.begin(), out.end());
  double sum = 0.0;
  for (auto& value : out) sum += value = std::exp(value - largest);
  for (auto& value : out) value /= sum;
  return out;
}

std::size_t RandomStream::categorical(std::span<const double> probabilities) {
  double rest = uniform();
  std::size_t i = 0;
  while (i + 1 < probabilities.size() && rest >= probabilities[i]) rest -= probabilities[i++];
  return i;
}

std::size_t RandomStream::index(std::size_t n) {
  return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(*this);
}

void RandomStream::shuffle(std::span<std::size_t> values) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[index(i)]);
}

std::vector<std::size_t> RandomStream::permutation(std::size_t n) {
  std::vector<std::size_t> values(n);
  std::iota(values.begin(), values.end(), std::size_t{0});
  shuffle(values);
  return values;
}

}  // namespace tempo
