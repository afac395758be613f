#include "posteriors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tempo::amortised {
namespace {

constexpr std::size_t kOrders = 1000;  // drawn for the posterior of ranks

}  // namespace

double score_sd(double log_variance, double log_sharpness) {
  // The logistic function of x is nearest to the normal distribution's of x / 1.702.
  return 1.702 * std::sqrt(0.5) * std::exp(0.5 * log_variance - log_sharpness);
}

std::vector<double> median_stages(const std::vector<double>& posterior, std::size_t stages) {
  std::vector<double> out;
  for (auto row = posterior.begin(); row != posterior.end();
       row += static_cast<std::ptrdiff_t>(stages)) {
    std::size_t stage = 0;
    double below = 0.0;
    for (; stage + 1 < stages; ++stage) {
      below += row[static_cast<std::ptrdiff_t>(stage)];
      if (below >= 0.5) break;
    }
    out.push_back(static_cast<double>(stage));
  }
  return out;
}

Matrix rank_posterior(std::span<const double> scores, std::span<const double> sds,
                      RandomStream& stream) {
  const auto B = scores.size();
  Matrix out(B, B);
  std::vector<double> drawn(B), errors(B);
  std::vector<std::size_t> order(B);
  for (std::size_t draw = 0; draw < kOrders; ++draw) {
    stream.normals(errors);
    for (std::size_t b = 0; b < B; ++b) drawn[b] = scores[b] + sds[b] * errors[b];
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t b) { return drawn[b]; });
    for (std::size_t rank = 0; rank < B; ++rank)
      out(order[rank], rank) += 1.0 / static_cast<double>(kOrders);
  }
  return out;
}

}  // namespace tempo::amortised
