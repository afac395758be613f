#include "tempo/toolkit/share_law.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tempo/toolkit/draw_index.hpp"
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

/// Log shares ~ Dirichlet(concentration + participants).
std::vector<double> drawn(std::size_t concentration, std::vector<double> participants,
                          RandomStream& stream) {
  for (double& count : participants) count += static_cast<double>(concentration - 1);
  return toolkit::draw_log_shares(participants, stream);
}

}  // namespace

ShareLaw::ShareLaw(std::vector<std::size_t> concentrations)
    : concentrations_(std::move(concentrations)) {}

std::vector<double> ShareLaw::draw_log_shares(std::size_t subtypes, RandomStream& stream) const {
  const auto i = concentrations_.size() == 1 ? 0 : stream.index(concentrations_.size());
  return drawn(concentrations_[i], std::vector<double>(subtypes, 0.0), stream);
}

std::vector<double> ShareLaw::draw_log_shares(std::span<const double> log_shares,
                                              std::vector<double> participants,
                                              RandomStream& stream) const {
  const auto i =
      concentrations_.size() == 1 ? 0 : draw_index(log_densities(log_shares), 1.0, stream);
  return drawn(concentrations_[i], std::move(participants), stream);
}

double ShareLaw::log_density(std::span<const double> log_shares) const {
  const auto logs = log_densities(log_shares);
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  for (const double log : logs) sum += portable_exp(log - top);
  return top + portable_log(sum / static_cast<double>(logs.size()));
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
