#include "tempo/toolkit/subtype_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tempo/matrix.hpp"
#include "tempo/toolkit/mcmc_diagnostics.hpp"

namespace tempo::toolkit {

SubtypeAgreement agreement_of(const SubtypeState& reference, const SubtypeTrace& draws) {
  const auto& [states, log_likelihoods] = draws;
  const auto K = reference.orders.size(), B = reference.orders.front().size();
  std::vector<Matrix> ranks(K * B, Matrix(1, states.size()));
  Matrix likelihoods(1, states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto label = match_subtypes(reference, *states[i]).of_reference;
    const auto of_draw = ranks_of_orders(states[i]->orders);
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t b = 0; b < B; ++b) ranks[s * B + b](0, i) = of_draw(label[s], b);
    likelihoods(0, i) = log_likelihoods[i];
  }
  SubtypeAgreement out{std::vector<double>(K, 1.0), {}};
  auto& chains = out.chains;
  chains.r_hat_log_likelihood = split_r_hat(likelihoods);
  chains.effective_samples_log_likelihood = effective_sample_size(likelihoods);
  chains.effective_samples = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    out.r_hats[i / B] = std::max(out.r_hats[i / B], split_r_hat(ranks[i]));
    chains.effective_samples = std::min(chains.effective_samples, effective_sample_size(ranks[i]));
  }
  chains.r_hat = *std::max_element(out.r_hats.begin(), out.r_hats.end());
  return out;
}

void report(const SubtypeAgreement& agreement, Inference& inference) {
  inference.chains = agreement.chains;
  for (std::size_t s = 0; s < agreement.r_hats.size(); ++s)
    inference.diagnostics[fmt::format("r_hat_of_subtype_{}", s + 1)] = agreement.r_hats[s];
  if (!agreement.has_settled())
    inference.warnings.push_back(
        fmt::format("orders of subtypes had not settled after 'iterations' sweeps (split R-hat > "
                    "{}): they are less sure than they look; raise 'iterations'",
                    kAgreedRHat));
  else if (!agreement.has_enough_draws())
    inference.warnings.push_back(
        fmt::format("orders of subtypes rest on {:.0f} independent draws after 'iterations' sweeps "
                    "(expected {} at least): they are less sure than they look; raise 'iterations'",
                    agreement.chains.effective_samples, SubtypeAgreement::kLeastEffective));
}

void report_agreement(const SubtypeState& reference, const SubtypeTrace& draws,
                      Inference& inference) {
  constexpr std::size_t kLeastDraws = 4;
  if (draws.states.size() >= kLeastDraws) report(agreement_of(reference, draws), inference);
}

bool warn_of_other_orders(std::span<const double> log_posteriors,
                          std::span<const SubtypeState> ends, const SubtypeState& reference,
                          const SubtypeTrace& draws, std::string_view setting,
                          Inference& inference) {
  constexpr double kNats = 3.0;
  const auto best = std::max_element(log_posteriors.begin(), log_posteriors.end());
  const auto goes_on = static_cast<std::size_t>(best - log_posteriors.begin());
  double farthest = 0.0;
  for (const auto* draw : draws.states)
    farthest = std::max(farthest, match_subtypes(reference, *draw).order_distance);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == goes_on || log_posteriors[i] <= *best - kNats ||
        match_subtypes(reference, ends[i]).order_distance <= farthest)
      continue;
    inference.warnings.push_back(fmt::format(
        "other orders are about as probable as these (another start ended there, less than {} nats "
        "behind), and no draw that counts has them: orders are less sure than they look; raise '{}', "
        "and compare seeds",
        kNats, setting));
    return true;
  }
  return false;
}

}  // namespace tempo::toolkit
