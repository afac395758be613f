#include "data/table/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/names.hpp"
#include "data/table/codes.hpp"
#include "data/table/value_counts.hpp"
#include "model/look_alike.hpp"

namespace tempo {

Measured measured_values(const Cohort& cohort, std::size_t b) {
  const auto codes = without_codes(counts_of(cohort, b)).codes;
  Measured out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (const double x = cohort.measurements(j, b);
        !std::isnan(x) && !std::binary_search(codes.begin(), codes.end(), x))
      out.emplace_back(x, j);
  std::sort(out.begin(), out.end());
  return out;
}

std::string in_six_digits(double x) {
  const auto text = fmt::format("{:.6g}", x);
  return text.find('e') != std::string::npos && std::abs(x) >= 1.0 && std::abs(x) < 1e15
             ? fmt::format("{:.0f}", x)
             : text;
}

std::string whose(const Cohort& cohort, const Measured& values) {
  std::vector<std::string> ids;
  for (const auto& [x, j] : values)
    ids.push_back(
        fmt::format("'{}' ({})", showing_hidden(cohort.participants[j]), in_six_digits(x)));
  return in_short(ids);
}

bool are_positive(const Measured& values) {
  return values.front().first > 0.0 && values.back().first > 0.0;
}

bool are_whole(const Measured& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const auto& value) { return value.first == std::round(value.first); });
}

}  // namespace tempo
