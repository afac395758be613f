#include "subtype_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tempo/toolkit/pointwise_likelihoods.hpp"
#include "tempo/toolkit/subtype_agreement.hpp"
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

struct SettledDraws {
  std::vector<SubtypeDraw> all;
  toolkit::SubtypeAgreement agreement;
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
    const KeptHalf kept(out.all);
    out.agreement = agreement_of(kept.likeliest->state, toolkit::trace_of(kept.draws));
    if (next == most || out.agreement.is_done()) return out;
  }
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
  // Quarters stand for chains: how far they lie apart tells the Monte Carlo error of scores.
  constexpr std::size_t kQuarters = 4;
  toolkit::PointwiseLikelihoods pointwise(kQuarters, model.participants());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto& draw = kept[i];
    const auto everyone = model.everyone_under(draw);
    pointwise.add(i * kQuarters / kept.size(), i + 1, everyone.log_likelihoods);
    if (std::find(averaged.begin(), averaged.end(), &draw) == averaged.end()) continue;
    mean.add(draw.state, everyone.weights);
    if (visit) visit(draw, everyone);
  }
  auto out = mean.answer(columns);
  pointwise.report(0, out);
  out.diagnostics["iterations"] = static_cast<double>(draws.all.size());
  out.diagnostics["log_likelihood"] = best->log_likelihood;
  toolkit::warn_of_too_many_subtypes(settings.subtypes, model.diseased(), columns.size(), out);
  report(draws.agreement, out);
  toolkit::report_attempts(start.log_posteriors, out);
  const bool are_others = warn_of_other_orders(start.log_posteriors, start.states, best->state,
                                               toolkit::trace_of(kept), "starts", out);
  // Quarters of one chain do not see what scores are there.
  if (are_others && out.evidence) out.evidence->elpd_mcse = std::nan("");
  return out;
}

}  // namespace tempo::bayes
