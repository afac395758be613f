#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mixture_likelihood.hpp"
#include "order_placement.hpp"
#include "order_search.hpp"
#include "share_law.hpp"
#include "subtype_answer.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// A Markov chain over the orders of K subtypes, their shares and the probabilities of stages in
/// each, given what every measurement tells of its event:
///
///   prod_j sum_s w_s sum_k pi_sk prod_{b of the first k events of order s} e^{r_jb}
///
/// An event's place is drawn from its conditional distribution over all places, stages and subtypes
/// summed out: OrderPlacement. Everything else is drawn given a subtype and a stage that are drawn
/// for everybody; shares by their ShareLaw. O(K J B^2) a sweep. Not thread-safe (scratch).
class SubtypeChain {
 public:
  /// Draws log pi [B + 1] of a subtype given the numbers [B + 1] of its participants by stage.
  /// `event_times` are the subtype's, empty before the first draw; whoever draws them puts them
  /// there.
  using DrawStages = std::function<std::vector<double>(
      const std::vector<double>& counts, std::vector<double>& event_times, RandomStream& stream)>;

  /// Adds what is known beforehand of every place of an event among the others, in nats: [B].
  using AddPriors = std::function<void(const std::vector<std::size_t>& others, std::size_t event,
                                       std::span<double> of_places)>;

  /// Orders are random, shares equal; log ratios are those of no evidence until set.
  /// @param values  [B, n] of the participants who are of a subtype, NaN where missing
  /// @param shares  what is known of them beforehand; by default all are equally likely
  SubtypeChain(const ParticipantColumns& values, std::size_t subtypes, DrawStages draw_stages,
               RandomStream stream, ShareLaw shares = ShareLaw());

  const SubtypeState& state() const { return state_; }
  std::size_t participants() const { return likelihood_.participants(); }
  const MixtureLikelihood& likelihood() const { return likelihood_; }
  RandomStream& stream() { return stream_; }

  /// Takes over log p(x | after) - log p(x | before) of every cell, 0 where missing.
  void set_log_ratios(const ParticipantColumns& log_ratios);
  /// The same of one event, [padded]; nothing is evaluated.
  void set_log_ratios(std::size_t event, std::span<const double> log_ratios);
  /// Goes there. @param state  as many subtypes and events as the chain has
  void go_to(SubtypeState state);
  /// Draws the place of every event of every subtype, one after the other.
  /// @param temperature  the target is the likelihood to the power of 1 / temperature
  /// @param add_priors   null: all orders are equally likely beforehand
  void place_events(double temperature = 1.0, const AddPriors& add_priors = {});
  /// log of likelihood and prior of all places of one event in one subtype's order, [B], after the
  /// others' log ratios have changed.
  /// @param temperature  of the likelihood
  std::vector<double> values_of_places(std::size_t subtype, std::size_t event,
                                       double temperature = 1.0, const AddPriors& add_priors = {});
  /// Puts an event there among the others; nothing is evaluated.
  void move(std::size_t subtype, std::size_t event, std::size_t place);
  /// Draws a subtype and a stage for everybody, then shares and probabilities of stages given
  /// these. The terms of the likelihood are those from before until `set_log_ratios` or `refresh`.
  /// @return the log-likelihood as above, from before shares and stages were drawn
  double draw_members();
  /// Evaluates shares and stages that have changed.
  void refresh();
  /// The log-likelihood as above, as last evaluated.
  double log_likelihood() { return likelihood_.log_likelihood(terms_, state_.log_shares); }
  /// Log density of the shares beforehand, in nats.
  double log_density_of_shares() const { return share_law_.log_density(state_.log_shares); }
  /// The last draw of `draw_members`.
  const SubtypeAssignment& members() const { return members_; }

 private:
  MixtureLikelihood likelihood_;
  OrderPlacement placement_;
  DrawStages draw_stages_;
  RandomStream stream_;
  ShareLaw share_law_;
  ParticipantColumns log_ratios_;
  SubtypeState state_;
  std::vector<SubtypeTerms> terms_;
  SubtypeAssignment members_;
};

/// The most probable of several annealed attempts: the posterior has many modes, and a chain that
/// has settled in one does not leave it.
template <class Chain>
struct AnnealedStart {
  std::optional<Chain> best;
  std::vector<double>
      log_posteriors;                ///< [attempts] means of the last quarters, but for a constant
  std::vector<SubtypeState> states;  ///< [attempts] where each ended
};

/// @param make   the chain of an attempt, from its number
/// @param sweep  a sweep of a chain at a temperature; is told the attempt, and whether its first
///   half is on. A chain has `participants()`, `state()` and, of the last sweep,
///   `log_likelihood()`; also `log_prior()`, unless what it is at is always equally likely
///   beforehand. Both in nats.
template <class Chain, class Make, class Sweep>
AnnealedStart<Chain> likeliest_attempt(std::int64_t attempts, std::int64_t length, Make make,
                                       Sweep sweep) {
  AnnealedStart<Chain> out;
  for (std::int64_t attempt = 0; attempt < attempts; ++attempt) {
    Chain chain = make(attempt);
    double sum = 0.0;
    std::int64_t counted = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      sweep(chain, annealing_temperature(i, length / 2, chain.participants()), attempt,
            i < length / 2);
      if (4 * i < 3 * length) continue;
      sum += chain.log_likelihood();
      if constexpr (requires { chain.log_prior(); }) sum += chain.log_prior();
      ++counted;
    }
    const double mean = sum / static_cast<double>(counted);
    const auto& means = out.log_posteriors;
    out.states.push_back(chain.state());
    if (means.empty() || mean > *std::max_element(means.begin(), means.end()))
      out.best.emplace(std::move(chain));
    out.log_posteriors.push_back(mean);
  }
  return out;
}

/// A hundred draws at most, evenly spread, for means over them. Not for what hangs on the rarest
/// draws, as leave-one-out scores do.
template <class Draw>
std::vector<const Draw*> spread_out(std::span<const Draw> draws) {
  constexpr std::size_t kMost = 100;
  const std::size_t step = (draws.size() + kMost - 1) / kMost;
  std::vector<const Draw*> out;
  for (std::size_t i = 0; i < draws.size(); i += step) out.push_back(&draws[i]);
  return out;
}

/// Reports `attempts` and, of several, by how much the second-best is behind.
void report_attempts(std::vector<double> log_posteriors, Inference& inference);

}  // namespace tempo::toolkit
