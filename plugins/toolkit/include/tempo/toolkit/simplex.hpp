#pragma once

#include <vector>

#include "portable_math.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// Shares ~ Dirichlet(1 + counts). Unlike RandomStream::dirichlet, whose shapes may be below 1, the
/// same bits on every CPU.
inline std::vector<double> draw_shares(const std::vector<double>& counts, RandomStream& stream) {
  std::vector<double> shares;
  double sum = 0.0;
  for (const double count : counts) sum += shares.emplace_back(stream.gamma(1.0 + count));
  for (double& share : shares) share /= sum;
  return shares;
}

inline std::vector<double> draw_log_shares(const std::vector<double>& counts,
                                           RandomStream& stream) {
  auto shares = draw_shares(counts, stream);
  for (double& share : shares) share = portable_log(share);
  return shares;
}

/// Participants at stages 1..B from the numbers `happened` [B] of those at or beyond them.
inline std::vector<double> stage_counts(std::vector<double> happened) {
  for (std::size_t i = 0; i + 1 < happened.size(); ++i)
    happened[i] = happened[i] > happened[i + 1] ? happened[i] - happened[i + 1] : 0.0;
  return happened;
}

}  // namespace tempo::toolkit
