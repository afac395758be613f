#include "subtype_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "subtypes_chain.hpp"
#include "tempo/toolkit/mcmc_diagnostics.hpp"
#include "tempo/toolkit/pointwise_likelihoods.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/subtype_chain.hpp"

namespace tempo::bayes {
namespace {

using toolkit::SubtypeState;

/// P(subtype, stage | draw) of everyone, and what it is made of.
struct Everyone {
  std::vector<Matrix> weights;          // [K][J, B + 1] proportional to it
  std::vector<double> log_likelihoods;  // [J] log p(x_j | draw)
};

Everyone everyone_under(const SubtypeDraw& draw, const SwitchEvidence& evidence,
                        std::span<const std::size_t> diseased) {
  const std::size_t K = draw.state.orders.size(), B = evidence.size(), J = evidence.row.size();
  Everyone out{std::vector<Matrix>(K, Matrix(J, B + 1)), std::vector<double>(J, 0.0)};
  for (std::size_t b = 0; b < B; ++b) {
    const auto cells = evidence.before[draw.traits[b]].row(b);
    for (std::size_t j = 0; j < J; ++j) out.log_likelihoods[j] += cells[j];
  }
  for (std::size_t s = 0; s < K; ++s)  // the healthy are before every event
    for (std::size_t j = 0; j < J; ++j)
      if (evidence.row[j] == SwitchEvidence::kHealthy)
        out.weights[s](j, 0) = toolkit::portable_exp(draw.state.log_shares[s]);
  Matrix logs(K, B + 1);
  for (std::size_t i = 0; i < diseased.size(); ++i) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < K; ++s) {
      double so_far = draw.state.log_shares[s];
      for (std::size_t k = 0; k <= B; ++k) {
        if (k > 0) {
          const auto b = draw.state.orders[s][k - 1];
          so_far += evidence.log_ratios[draw.traits[b]][b][i];
        }
        logs(s, k) = so_far + draw.state.log_pi[s][k];
        top = std::max(top, logs(s, k));
      }
    }
    double sum = 0.0;
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t k = 0; k <= B; ++k)
        sum += out.weights[s](diseased[i], k) =
            std::isinf(logs(s, k)) ? 0.0 : toolkit::portable_exp(logs(s, k) - top);
    out.log_likelihoods[diseased[i]] += top + toolkit::portable_log(sum);
  }
  return out;
}

/// Whether an attempt that is nearly as probable as the best ended at other orders: farther from
/// the reference than the chain that goes on ever is.
bool has_rival(const toolkit::AnnealedStart<SubtypesChain>& start, const SubtypeState& reference,
               std::span<const SubtypeDraw> draws) {
  constexpr double kNats = 3.0;
  const auto& height = start.log_posteriors;
  const double best = *std::max_element(height.begin(), height.end());
  double farthest = 0.0;
  for (const auto& draw : draws)
    farthest = std::max(farthest, toolkit::match_subtypes(reference, draw.state).order_distance);
  for (std::size_t i = 0; i < height.size(); ++i)
    if (height[i] > best - kNats &&
        toolkit::match_subtypes(reference, start.states[i]).order_distance > farthest)
      return true;
  return false;
}

/// The later half of a chain.
struct KeptHalf {
  explicit KeptHalf(std::span<const SubtypeDraw> all) : draws(all.subspan(all.size() / 2)) {
    likeliest = &*std::max_element(draws.begin(), draws.end(), [](const auto& a, const auto& b) {
      return a.log_likelihood < b.log_likelihood;
    });
  }
  std::span<const SubtypeDraw> draws;
  const SubtypeDraw* likeliest;  ///< subtypes are numbered as it has them
};

/// How far the orders of a chain have settled.
struct Settling {
  std::vector<double> r_hats;  ///< [K] split R-hat of the ranks of a subtype's events, the largest
  ChainAgreement chains;       ///< of all

  bool is_done() const { return chains.r_hat <= kAgreedRHat; }
};

Settling settling_of(const KeptHalf& kept) {
  const auto& reference = kept.likeliest->state;
  const auto K = reference.orders.size(), B = reference.orders.front().size();
  std::vector<Matrix> ranks(K * B, Matrix(1, kept.draws.size()));
  Matrix log_likelihoods(1, kept.draws.size());
  for (std::size_t i = 0; i < kept.draws.size(); ++i) {
    const auto& state = kept.draws[i].state;
    const auto label = toolkit::match_subtypes(reference, state).of_reference;
    const auto of_draw = toolkit::ranks_of_orders(state.orders);
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t b = 0; b < B; ++b) ranks[s * B + b](0, i) = of_draw(label[s], b);
    log_likelihoods(0, i) = kept.draws[i].log_likelihood;
  }
  Settling out{std::vector<double>(K, 1.0), {}};
  auto& chains = out.chains;
  chains.r_hat_log_likelihood = toolkit::split_r_hat(log_likelihoods);
  chains.effective_samples_log_likelihood = toolkit::effective_sample_size(log_likelihoods);
  chains.effective_samples = toolkit::effective_sample_size(ranks.front());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    out.r_hats[i / B] = std::max(out.r_hats[i / B], toolkit::split_r_hat(ranks[i]));
    chains.effective_samples =
        std::min(chains.effective_samples, toolkit::effective_sample_size(ranks[i]));
  }
  chains.r_hat = *std::max_element(out.r_hats.begin(), out.r_hats.end());
  return out;
}

struct SettledDraws {
  std::vector<SubtypeDraw> all;
  Settling settling;
};

/// Goes on until the orders of all subtypes have settled: that is looked at after `kLeast` sweeps,
/// and whenever the chain is half as long again.
SettledDraws sweep_until_settled(SubtypesChain& chain, std::int64_t most) {
  constexpr std::int64_t kLeast = 400;
  SettledDraws out;
  for (auto next = std::min(kLeast, most);; next = std::min(next + next / 2, most)) {
    while (static_cast<std::int64_t>(out.all.size()) < next) {
      chain.sweep();
      out.all.push_back(chain.draw());
    }
    out.settling = settling_of(KeptHalf(out.all));
    if (next == most || out.settling.is_done()) return out;
  }
}

void report(const Settling& settling, Inference& out) {
  out.chains = settling.chains;
  for (std::size_t s = 0; s < settling.r_hats.size(); ++s)
    out.diagnostics[fmt::format("r_hat_of_subtype_{}", s + 1)] = settling.r_hats[s];
  if (!settling.is_done())
    out.warnings.push_back(
        fmt::format("orders of subtypes had not settled after 'iterations' sweeps (split R-hat > "
                    "{}): they are less sure than they look; raise 'iterations'",
                    kAgreedRHat));
}

}  // namespace

Inference sample_subtypes(const SwitchEvidence& evidence, const DrawStages& draw_stages,
                          std::span<const std::size_t> columns,
                          std::span<const std::size_t> diseased, const SubtypeSettings& settings,
                          const RandomStream& stream, const VisitSubtypes& visit) {
  const auto start = toolkit::likeliest_attempt<SubtypesChain>(
      settings.starts, settings.start_sweeps,
      [&](std::int64_t attempt) {
        return SubtypesChain(evidence, draw_stages, settings,
                             stream.substream("attempt", static_cast<std::uint64_t>(attempt)));
      },
      [](SubtypesChain& chain, double temperature, std::int64_t, bool) {
        chain.sweep(temperature);
      });
  auto chain = *start.best;
  const auto draws = sweep_until_settled(chain, settings.sweeps);
  const KeptHalf half(draws.all);
  const auto kept = half.draws;
  const auto* best = half.likeliest;
  const auto averaged = toolkit::spread_out(kept);
  toolkit::SubtypeMean mean(best->state, evidence.row.size());
  toolkit::PointwiseLikelihoods pointwise(1, evidence.row.size());
  std::size_t number = 0;
  for (const auto& draw : kept) {
    const auto everyone = everyone_under(draw, evidence, diseased);
    pointwise.add(0, ++number, everyone.log_likelihoods);
    if (std::find(averaged.begin(), averaged.end(), &draw) == averaged.end()) continue;
    mean.add(draw.state, everyone.weights);
    if (visit) visit(draw, everyone.weights);
  }
  auto out = mean.answer(columns);
  pointwise.report(0, out);
  out.diagnostics["iterations"] = static_cast<double>(draws.all.size());
  out.diagnostics["log_likelihood"] = best->log_likelihood;
  report(draws.settling, out);
  toolkit::report_attempts(start.log_posteriors, out);
  if (has_rival(start, best->state, kept))
    out.warnings.push_back(
        "other orders are about as probable as these (another start ended there, less than 3 nats "
        "behind), and the chain did not visit them: orders are less sure than they look; raise "
        "'starts', and compare seeds");
  return out;
}

}  // namespace tempo::bayes
