#include "tempo/order.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "tempo/error.hpp"

namespace tempo {
namespace {

void check_permutation(const std::vector<std::size_t>& values, std::size_t first,
                       const char* name) {
  std::vector<bool> seen(values.size(), false);
  for (const auto value : values) {
    if (value < first || value - first >= values.size() || seen[value - first])
      throw NumericError(std::string(name) + ": expected each of " + std::to_string(first) + ".." +
                         std::to_string(values.size() + first - 1) + " once, found " +
                         std::to_string(value) + " out of range or twice");
    seen[value - first] = true;
  }
}

}  // namespace

Sequence::Sequence(std::vector<std::size_t> biomarkers) : biomarkers_(std::move(biomarkers)) {
  check_permutation(biomarkers_, 0, "sequence");
}

Ranks::Ranks(std::vector<std::size_t> ranks) : ranks_(std::move(ranks)) {
  check_permutation(ranks_, 1, "ranks");
}

Ranks ranks_of(const Sequence& sequence) {
  std::vector<std::size_t> ranks(sequence.size());
  for (std::size_t position = 0; position < sequence.size(); ++position)
    ranks[sequence[position]] = position + 1;
  return Ranks(std::move(ranks));
}

Sequence sequence_of(const Ranks& ranks) {
  std::vector<std::size_t> biomarkers(ranks.size());
  for (std::size_t biomarker = 0; biomarker < ranks.size(); ++biomarker)
    biomarkers[ranks[biomarker] - 1] = biomarker;
  return Sequence(std::move(biomarkers));
}

Sequence sequence_by_score(std::span<const double> scores) {
  std::vector<std::size_t> biomarkers(scores.size());
  std::iota(biomarkers.begin(), biomarkers.end(), std::size_t{0});
  std::stable_sort(biomarkers.begin(), biomarkers.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  return Sequence(std::move(biomarkers));
}

}  // namespace tempo
