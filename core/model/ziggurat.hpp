#pragma once

#include <array>
#include <cstddef>

namespace tempo {

/// The curve f(x) = exp(-x^2 / 2), x >= 0, under 256 layers of equal area: layer i >= 1 is the
/// rectangle of width x[i] between the heights f[i] and f[i + 1], layer 0 the strip below f[1] with
/// the tail beyond x[1]; its x[0] is the width at which a rectangle would have that area.
///
/// Made at compile time with additions, multiplications and divisions only, so that every CPU and C
/// library has the same numbers. Source: Marsaglia & Tsang, "The ziggurat method for generating
/// random variables", Journal of Statistical Software 5(8), 2000.
class NormalLayers {
 public:
  static constexpr std::size_t kLayers = 256;

  constexpr NormalLayers() {
    constexpr double kTailStart = 3.6541528853610088;  // makes the top layer end at f = 1
    constexpr double kArea = 0.0049286732339746554;    // of each layer, for that start
    x[0] = kArea / curve(kTailStart);
    x[1] = kTailStart;
    for (std::size_t i = 1; i + 1 < kLayers; ++i)
      x[i + 1] = square_root(-2.0 * logarithm(kArea / x[i] + curve(x[i])));
    x[kLayers] = 0.0;
    for (std::size_t i = 0; i <= kLayers; ++i) f[i] = curve(x[i]);
  }

  std::array<double, kLayers + 1> x{};
  std::array<double, kLayers + 1> f{};

 private:
  static constexpr double curve(double at) { return exponential(-at * at / 2.0); }

  static constexpr double exponential(double at) {
    // The Taylor series at a 64th, squared six times.
    double sum = 1.0;
    double term = 1.0;
    for (int i = 1; i <= 20; ++i) sum += term *= at / 64.0 / i;
    for (int i = 0; i < 6; ++i) sum *= sum;
    return sum;
  }
  static constexpr double logarithm(double at) {
    double y = 0.0;
    for (int i = 0; i < 60; ++i) y += at * exponential(-y) - 1.0;  // Newton
    return y;
  }
  static constexpr double square_root(double at) {
    double y = at < 1.0 ? 1.0 : at;
    for (int i = 0; i < 60; ++i) y = (y + at / y) / 2.0;  // Heron
    return y;
  }
};

inline constexpr NormalLayers kNormalLayers;

}  // namespace tempo
