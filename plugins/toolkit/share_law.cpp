#include "tempo/toolkit/share_law.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tempo/error.hpp"
#include "tempo/toolkit/draw_index.hpp"
#include "tempo/toolkit/log_sum.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/simplex.hpp"

namespace tempo::toolkit {
namespace {

/// log (n - 1)!, the same bits on every CPU.
double log_gamma(std::size_t n) {
  double sum = 0.0;
  for (std::size_t i = 2; i < n; ++i) sum += portable_log(static_cast<double>(i));
  return sum;
}

/// log w, w ~ Dirichlet(concentration + counts).
std::vector<double> draw_log_dirichlet(std::size_t concentration, std::vector<double> counts,
                                       RandomStream& stream) {
  for (double& count : counts) count += static_cast<double>(concentration - 1);
  return toolkit::draw_log_shares(counts, stream);
}

}  // namespace

ShareLaw::ShareLaw(std::vector<std::size_t> concentrations)
    : concentrations_(std::move(concentrations)) {
  if (concentrations_.empty() || *std::ranges::min_element(concentrations_) == 0)
    throw NumericError("concentrations of shares must be at least 1, and there must be one");
}

std::vector<double> ShareLaw::draw_log_shares(std::size_t subtypes, RandomStream& stream) const {
  const auto i = concentrations_.size() == 1 ? 0 : stream.index(concentrations_.size());
  return draw_log_dirichlet(concentrations_[i], std::vector<double>(subtypes, 0.0), stream);
}

std::vector<double> ShareLaw::draw_log_shares(std::span<const double> log_shares,
                                              std::vector<double> participants,
                                              RandomStream& stream) const {
  const auto i =
      concentrations_.size() == 1 ? 0 : draw_index(log_densities(log_shares), 1.0, stream);
  return draw_log_dirichlet(concentrations_[i], std::move(participants), stream);
}

double ShareLaw::log_density(std::span<const double> log_shares) const {
  return log_mean(log_densities(log_shares));
}

std::vector<double> ShareLaw::log_densities(std::span<const double> log_shares) const {
  const auto K = log_shares.size();
  const double sum = std::accumulate(log_shares.begin(), log_shares.end(), 0.0);
  std::vector<double> out;
  for (const auto a : concentrations_)
    out.push_back(log_gamma(K * a) - static_cast<double>(K) * log_gamma(a) +
                  static_cast<double>(a - 1) * sum);
  return out;
}

}  // namespace tempo::toolkit
