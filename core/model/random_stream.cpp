#include "tempo/random_stream.hpp"

#include <algorithm>
#include <bit>
#include <boost/random/exponential_distribution.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "philox.hpp"
#include "ziggurat.hpp"

namespace tempo {
namespace {

/// Length-prefixed, so that no two lists of names give the same text.
void append_name(std::string& text, std::string_view name) {
  text += std::to_string(name.size());
  text += ':';
  text += name;
}

/// A point under the ziggurat, drawn with one word: 8 bits choose the layer, one the side, 53 the
/// distance from the middle.
struct NormalCandidate {
  explicit NormalCandidate(std::uint64_t word)
      : layer(word & 0xff),
        side((word & 0x100) << 55),
        distance(static_cast<double>(word >> 11) * 0x1p-53 * kNormalLayers.x[layer]) {}
  /// The whole height of the layer is below the curve at this distance.
  bool inside() const { return distance < kNormalLayers.x[layer + 1]; }
  /// The distance with the sign of its side; a branch would be mispredicted every other time.
  double value() const { return signed_by_side(distance); }
  double signed_by_side(double magnitude) const {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | side);
  }

  std::size_t layer;
  std::uint64_t side;  // the sign bit of a double
  double distance;
};

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
  philox(name_, block_, words_);
  block_ += kPhiloxWords / 2;
  next_ = 0;
}

double RandomStream::normal() {
  const auto word = (*this)();
  const NormalCandidate candidate(word);
  return candidate.inside() ? candidate.value() : normal_from(word);
}

void RandomStream::normals(std::span<double> out) {
  auto next = next_;  // in a register: through memory it would take longer than a word does
  for (auto& value : out) {
    if (next == kWords) {
      refill();
      next = 0;
    }
    const auto word = words_[next++];
    const NormalCandidate candidate(word);
    if (candidate.inside()) {
      value = candidate.value();
    } else {
      next_ = next;
      value = normal_from(word);
      next = next_;
    }
  }
  next_ = next;
}

double RandomStream::normal_from(result_type word) {
  const auto& [x, f] = kNormalLayers;
  for (;; word = (*this)()) {
    const NormalCandidate candidate(word);
    if (candidate.inside()) return candidate.value();
    if (candidate.layer == 0) {  // the tail, by rejection from an exponential
      for (;;) {
        const double beyond = exponential() / x[1];
        if (2.0 * exponential() > beyond * beyond) return candidate.signed_by_side(x[1] + beyond);
      }
    }
    const double height =
        f[candidate.layer] + uniform() * (f[candidate.layer + 1] - f[candidate.layer]);
    if (height < std::exp(-candidate.distance * candidate.distance / 2.0)) return candidate.value();
  }
}

double RandomStream::exponential() {
  return boost::random::exponential_distribution<double>()(*this);
}

double RandomStream::gamma(double shape) {
  // Gamma(a) is Gamma(a + 1) U^(1/a).
  if (shape < 1.0) {
    const double larger = gamma(shape + 1.0);
    return larger * std::pow(uniform(), 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / (3.0 * std::sqrt(d));
  for (;;) {
    const double x = normal();
    const double root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    const double u = uniform();
    const double squeeze =
        1.0 - 0.0331 * (x * x) * (x * x);  // settles most draws without a logarithm
    if (u < squeeze || std::log(u) < 0.5 * x * x + d * (1.0 - v + std::log(v))) return d * v;
  }
}

double RandomStream::beta(double alpha, double beta) {
  const std::array shapes{alpha, beta};
  if (alpha < 1.0 && beta < 1.0) return dirichlet(shapes)[0];  // both gammas may underflow
  const double first = gamma(alpha);
  return first / (first + gamma(beta));
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
  for (const double a : alpha) {
    const double log_larger = std::log(gamma(a + 1.0));
    out.push_back(log_larger + std::log(uniform()) / a);
  }
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
  // The high half of a word times n; the first 2^64 mod n of each interval's low halves are one too
  // many and drawn again.
  __extension__ typedef unsigned __int128 Product;
  auto product = static_cast<Product>((*this)()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t surplus = (0 - std::uint64_t{n}) % n;
    while (static_cast<std::uint64_t>(product) < surplus)
      product = static_cast<Product>((*this)()) * n;
  }
  return static_cast<std::size_t>(product >> 64);
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
