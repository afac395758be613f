#include "subtype_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tempo/toolkit/mcmc_diagnostics.hpp"
#include "tempo/toolkit/pointwise_likelihoods.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/subtype_chain.hpp"

namespace tempo::bayes {
namespace {

using toolkit::SubtypeState;

/// A chain as `toolkit::likeliest_attempt` takes it.
class Attempt {
 public:
  Attempt(std::unique_ptr<SubtypeWalk> walk, std::size_t participants)
      : walk_(std::move(walk)), participants_(participants) {}

  SubtypeWalk& walk() { return *walk_; }
  std::size_t participants() const { return participants_; }
  const SubtypeState& state() const { return walk_->state(); }
  double log_likelihood() const { return walk_->log_likelihood(); }
  double log_prior() const { return walk_->log_prior(); }

 private:
  std::unique_ptr<SubtypeWalk> walk_;
  std::size_t participants_;  // the diseased
};

/// Whether an attempt that is nearly as probable as the best ended at other orders: farther from
/// the reference than the chain that goes on ever is.
bool has_rival(const toolkit::AnnealedStart<Attempt>& start, const SubtypeState& reference,
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

  /// With fewer independent draws, probabilities look surer than they are.
  static constexpr double kLeastEffective = 100.0;

  bool has_settled() const { return chains.r_hat <= kAgreedRHat; }
  bool has_enough_draws() const { return chains.effective_samples >= kLeastEffective; }
  bool is_done() const { return has_settled() && has_enough_draws(); }
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

/// Goes on until the orders of all subtypes have settled and enough draws of them are independent:
/// that is looked at after `kLeast` sweeps, and whenever the chain is half as long again.
SettledDraws sweep_until_settled(SubtypeWalk& chain, std::int64_t most) {
  constexpr std::int64_t kLeast = 400;
  SettledDraws out;
  for (auto next = std::min(kLeast, most);; next = std::min(next + next / 2, most)) {
    while (static_cast<std::int64_t>(out.all.size()) < next) {
      chain.sweep(1.0);
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
  if (!settling.has_settled())
    out.warnings.push_back(
        fmt::format("orders of subtypes had not settled after 'iterations' sweeps (split R-hat > "
                    "{}): they are less sure than they look; raise 'iterations'",
                    kAgreedRHat));
  else if (!settling.has_enough_draws())
    out.warnings.push_back(
        fmt::format("orders of subtypes rest on {:.0f} independent draws after 'iterations' sweeps "
                    "(expected {} at least): they are less sure than they look; raise 'iterations'",
                    settling.chains.effective_samples, Settling::kLeastEffective));
}

}  // namespace

Inference sample_subtypes(const SubtypeModel& model, std::span<const std::size_t> columns,
                          const SubtypeSettings& settings, const RandomStream& stream,
                          const VisitSubtypes& visit) {
  auto start = toolkit::likeliest_attempt<Attempt>(
      settings.starts, settings.start_sweeps,
      [&](std::int64_t attempt) {
        auto own = stream.substream("attempt", static_cast<std::uint64_t>(attempt));
        return Attempt(model.start(settings, std::move(own)), model.diseased());
      },
      [](Attempt& attempt, double temperature, std::int64_t, bool) {
        attempt.walk().sweep(temperature);
      });
  const auto draws = sweep_until_settled(start.best->walk(), settings.sweeps);
  const KeptHalf half(draws.all);
  const auto kept = half.draws;
  const auto* best = half.likeliest;
  const auto averaged = toolkit::spread_out(kept);
  toolkit::SubtypeMean mean(best->state, model.participants());
  toolkit::PointwiseLikelihoods pointwise(1, model.participants());
  std::size_t number = 0;
  for (const auto& draw : kept) {
    const auto everyone = model.everyone_under(draw);
    pointwise.add(0, ++number, everyone.log_likelihoods);
    if (std::find(averaged.begin(), averaged.end(), &draw) == averaged.end()) continue;
    mean.add(draw.state, everyone.weights);
    if (visit) visit(draw, everyone);
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
