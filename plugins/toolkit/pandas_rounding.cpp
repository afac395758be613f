#include "pandas_rounding.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace tempo::toolkit {
namespace {

constexpr int kDigits = 17;

/// The double nearest to 10^exponent, exponent >= 0.
double power_of_ten(int exponent) {
  char text[8] = {'1', 'e'};
  const auto end = std::to_chars(text + 2, text + sizeof text, exponent).ptr;
  double power = 0.0;
  std::from_chars(text, end, power);
  return power;
}

}  // namespace

double as_pandas_reads(double value) {
  if (!std::isfinite(value) || value == 0.0) return value;
  const double size = std::abs(value);
  // Python writes an exponent below 1e-4 and from 1e16 on, else all digits.
  const bool scientific = size < 1e-4 || size >= 1e16;
  char buffer[64];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, size,
                            scientific ? std::chars_format::scientific : std::chars_format::fixed)
                  .ptr;
  if (!scientific && std::find(buffer, end, '.') == end) {  // 40 is written 40.0
    *end++ = '.';
    *end++ = '0';
  }
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));

  double number = 0.0;
  int digits = 0, exponent = 0;
  bool decimals = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e'; ++i) {
    if (text[i] == '.') {
      decimals = true;
    } else if (digits < kDigits) {
      number = number * 10.0 + (text[i] - '0');
      ++digits;
      if (decimals) --exponent;
    } else if (!decimals) {
      ++exponent;
    }
  }
  if (i < text.size()) {
    int written = 0;
    std::from_chars(buffer + i + (text[i + 1] == '+' ? 2 : 1), end, written);
    exponent += written;
  }
  if (std::abs(exponent) > 308) return value;  // next to the limits of double precision
  const double power = power_of_ten(std::abs(exponent));
  number = exponent > 0 ? number * power : number / power;
  return std::copysign(number, value);
}

}  // namespace tempo::toolkit
