#include "conformance/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tempo::conformance {

bool Apart::same() const {
  constexpr double kOnTheEdge = 0.02;
  return order == 0.0 && stages <= kOnTheEdge;
}

Apart apart(const Inference& found, const Inference& other) {
  const auto& a = found.event_scores;
  const auto& b = other.event_scores;
  const auto width = [](const std::vector<double>& scores) {
    const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
    return *most - *least;
  };
  constexpr double kRounding = 1e-7;  // of the range of scores
  const double tie_a = kRounding * width(a), tie_b = kRounding * width(b);
  Apart out;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double in_a = a[i] - a[j], in_b = b[i] - b[j];
      ++pairs;
      const bool is_tie_a = std::abs(in_a) <= tie_a, is_tie_b = std::abs(in_b) <= tie_b;
      if (is_tie_a != is_tie_b)
        out.order += 0.5;
      else if (!is_tie_a && (in_a < 0.0) != (in_b < 0.0))
        out.order += 1.0;
    }
  if (pairs > 0) out.order /= static_cast<double>(pairs);
  for (std::size_t j = 0; j < found.stages.size(); ++j)
    out.stages += std::abs(found.stages[j] - other.stages[j]);
  out.stages /= static_cast<double>(found.stages.size());
  return out;
}

std::string in_words(const Apart& apart) {
  return fmt::format(
      "{:.0f} % of pairs of events are in the other order, and stages differ by "
      "{:.2f} on average",
      100.0 * apart.order, apart.stages);
}

Inference columns_restored(const Inference& found, const std::vector<std::size_t>& order) {
  auto out = found;
  for (std::size_t i = 0; i < order.size(); ++i) out.event_scores[order[i]] = found.event_scores[i];
  return out;
}

Inference rows_restored(const Inference& found, const std::vector<std::size_t>& order) {
  auto out = found;
  for (std::size_t i = 0; i < order.size(); ++i) out.stages[order[i]] = found.stages[i];
  return out;
}

Ranks ranks_found(const Inference& found) {
  return ranks_of(sequence_by_score(found.event_scores));
}

}  // namespace tempo::conformance
