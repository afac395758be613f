#include "gradual_subtypes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "beta_times.hpp"
#include "node_likelihood.hpp"
#include "tempo/toolkit/draw_index.hpp"
#include "tempo/toolkit/log_sum.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "time_moves.hpp"

namespace tempo::bayes {
namespace {

class GradualSubtypesChain final : public SubtypeWalk {
 public:
  GradualSubtypesChain(const GradualSubtypes& model, const SubtypeSettings& settings,
                       RandomStream stream)
      : model_(model),
        stream_(std::move(stream)),
        share_law_(settings.share_law()),
        logs_(settings.subtypes, model.diseased()) {
    const auto K = settings.subtypes, B = nodes().biomarkers;
    for (std::size_t s = 0; s < K; ++s) {
      likelihoods_.emplace_back(model.factors(), nodes(), model.diseased());
      moves_.emplace_back(B, nodes().times());
    }
    const auto traits = draw_first_traits();
    state_.orders.resize(K);
    state_.event_times.resize(K);
    state_.log_pi.resize(K);
    state_.log_shares.assign(K, -toolkit::portable_log(static_cast<double>(K)));
    for (std::size_t s = 0; s < K; ++s) {
      likelihoods_[s].set(draw_first_times(), traits);
      read(s);
      evaluate(s);
    }
    if (settings.orders == SubtypeOrders::mallows)
      centre_.emplace(B, kLeastDispersion, kMostDispersion, stream_);
  }

  void sweep(double temperature) override {
    for (std::size_t s = 0; s < likelihoods_.size(); ++s) {
      likelihoods_[s].set_others(others_of(s));
      if (are_ranks())
        move_places(s, temperature);
      else
        move_times(s, temperature);
      likelihoods_[s].renew();
      read(s);
      evaluate(s);
    }
    if (model_.factors().traits() > 1) move_traits(temperature);
    if (centre_) centre_->sweep(state_.orders, stream_);
    draw_members();
    log_likelihood_ = total();
  }

  const toolkit::SubtypeState& state() const override { return state_; }
  double log_likelihood() const override { return log_likelihood_; }
  double log_prior() const override {
    return (centre_ ? centre_->log_probability(state_.orders) : 0.0) +
           share_law_.log_density(state_.log_shares);
  }
  SubtypeDraw draw() const override {
    return {.state = state_,
            .traits = likelihoods_.front().traits(),
            .centre = centre_,
            .log_likelihood = log_likelihood_};
  }

 private:
  const StageNodes& nodes() const { return model_.nodes(); }
  bool are_ranks() const { return model_.event_times().are_ranks(); }

  /// As if nothing else had been measured, the event at any time.
  std::vector<std::size_t> draw_first_traits() {
    const auto B = nodes().biomarkers, T = model_.factors().traits(), G = nodes().times();
    std::vector<std::size_t> out(B, 0);
    if (T == 1) return out;
    auto& likelihood = likelihoods_.front();
    for (std::size_t b = 0; b < B; ++b) {
      likelihood.alone(b);
      std::vector<double> logs;
      for (std::size_t t = 0; t < T; ++t)
        for (std::size_t g = 0; g < G; ++g)
          logs.push_back(likelihood.lifted_value(t, static_cast<double>(g)));
      out[b] = toolkit::draw_index(logs, 1.0, stream_) / G;
    }
    return out;
  }

  std::vector<double> draw_first_times() {
    const auto B = nodes().biomarkers;
    if (are_ranks()) return nodes().places(stream_.permutation(B));
    std::vector<double> out;
    for (std::size_t b = 0; b < B; ++b)
      out.push_back(nodes().last() *
                    stream_.beta(model_.event_times().alpha(), model_.event_times().beta()));
    return out;
  }

  void read(std::size_t s) {
    const auto& times = likelihoods_[s].times();
    state_.orders[s] = order_by_time(times);
    if (!are_ranks()) {
      auto& sorted = state_.event_times[s];
      sorted.clear();
      for (const auto b : state_.orders[s]) sorted.push_back(times[b] / nodes().last());
    }
    if (nodes().concentrations.empty()) return;
    constexpr double kLeast = std::numeric_limits<double>::min();
    state_.log_pi[s].assign(1, kImpossible);  // stage 0
    for (const double mass : likelihoods_[s].masses())
      state_.log_pi[s].push_back(toolkit::portable_log(std::max(mass, kLeast)));
  }

  void evaluate(std::size_t s) { likelihoods_[s].log_likelihoods(logs_.row(s)); }

  /// Of each participant, log of what the other subtypes contribute, by the share of this one.
  std::vector<double> others_of(std::size_t s) const {
    const auto K = likelihoods_.size();
    if (K == 1) return {};
    std::vector<double> out, of_others(K - 1);
    for (std::size_t j = 0; j < logs_.cols(); ++j) {
      for (std::size_t r = 0, i = 0; r < K; ++r)
        if (r != s) of_others[i++] = state_.log_shares[r] - state_.log_shares[s] + logs_(r, j);
      out.push_back(toolkit::log_sum(of_others));
    }
    return out;
  }

  /// What is known beforehand of an event's places among the others: [B].
  std::vector<double> log_priors(const std::vector<std::size_t>& others, std::size_t event) const {
    std::vector<double> out(others.size() + 1, 0.0);
    if (centre_) centre_->add_log_priors(others, event, out);
    return out;
  }

  /// Draws the place of every event among those of a segment: Gibbs steps. Segments cover all
  /// places.
  void move_places(std::size_t s, double temperature) {
    constexpr std::size_t kSegment = 12;
    auto& likelihood = likelihoods_[s];
    const auto B = nodes().biomarkers;
    const auto length = std::min(B, kSegment);
    const auto shift = B > length ? stream_.index(length) : 0;
    auto order = state_.orders[s];
    for (std::size_t end = length - shift, begin = 0; begin < B;
         begin = end, end = std::min(B, end + length)) {
      const std::vector<std::size_t> events(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                            order.begin() + static_cast<std::ptrdiff_t>(end));
      likelihood.open_segment(events, begin + 1);
      for (const auto i : stream_.permutation(events.size())) {
        const auto event = events[i], trait = likelihood.traits()[event];
        const auto values = likelihood.segment_places(event, trait);
        std::erase(order, event);
        const auto priors = log_priors(order, event);
        std::vector<double> logs;
        for (std::size_t p = 0; p < events.size(); ++p)
          logs.push_back(values[p] / temperature + priors[begin + p]);
        const auto place = toolkit::draw_index(logs, 1.0, stream_);
        likelihood.place_in_segment(event, place, trait);
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(begin + place), event);
      }
      likelihood.close_segment();
    }
  }

  /// Draws every event's time given the others', then moves all.
  void move_times(std::size_t s, double temperature) {
    auto& likelihood = likelihoods_[s];
    const auto& law = model_.event_times();
    const bool is_tuned = temperature > 1.0;
    for (const auto b : stream_.permutation(nodes().biomarkers)) {
      auto others = order_by_time(likelihood.times());
      std::erase(others, b);
      std::vector<double> earlier;
      for (const auto other : others) earlier.push_back(likelihood.times()[other]);
      const auto priors = log_priors(others, b);
      likelihood.lift(b);
      std::size_t trait = likelihood.traits()[b];
      double time = likelihood.times()[b];
      const auto target = [&](std::size_t, double at) {
        const double prior = log_beta_density(law, at / nodes().last());
        if (std::isinf(prior)) return prior;
        const auto place = std::lower_bound(earlier.begin(), earlier.end(), at) - earlier.begin();
        return likelihood.lifted_value(trait, at) / temperature + prior +
               priors[static_cast<std::size_t>(place)];
      };
      constexpr std::size_t kAnywhere = 8;  // every n-th step
      if (is_tuned || stream_.index(kAnywhere) == 0) {
        std::size_t only = 0;
        moves_[s].draw_anywhere(
            1, only, time, target, [&](double gain) { return accept(gain); }, stream_);
      }
      moves_[s].slice_twice(b, trait, time, is_tuned, target, stream_);
      likelihood.drop(trait, time);
    }
    for (int i = 0; i < 2; ++i) move_all(s, temperature);
  }

  void move_all(std::size_t s, double temperature) {
    auto& likelihood = likelihoods_[s];
    const auto kind = stream_.index(3);
    double& width = all_widths_[kind];
    const auto [to, log_scale] =
        move_all_times(likelihood.times(), kind, width * stream_.normal(), nodes().last());
    double gain = log_scale;  // the order stays as it is
    for (std::size_t b = 0; b < to.size(); ++b) {
      gain -= log_beta_density(model_.event_times(), likelihood.times()[b] / nodes().last());
      gain += log_beta_density(model_.event_times(), to[b] / nodes().last());
    }
    const bool is_taken =
        gain > kImpossible && accept(gain + likelihood.propose_times(to) / temperature);
    if (is_taken) likelihood.accept_times(to);
    if (temperature > 1.0) width *= is_taken ? 1.15 : 0.93;
  }

  bool accept(double gain) {
    return toolkit::portable_exp(std::min(gain, 0.0)) > stream_.uniform();
  }

  /// The traits of some events given their times in all subtypes.
  void move_traits(double temperature) {
    constexpr std::size_t kEvery = 6;  // n-th event
    const auto K = likelihoods_.size(), T = model_.factors().traits(), J = logs_.cols();
    for (std::size_t b = 0; b < nodes().biomarkers; ++b) {
      if (stream_.index(kEvery) != 0) continue;
      for (auto& likelihood : likelihoods_) likelihood.lift(b);
      std::vector<double> values, of_subtypes(K);
      for (std::size_t t = 0; t < T; ++t) {
        Matrix logs(K, J);
        for (std::size_t s = 0; s < K; ++s)
          likelihoods_[s].lifted_logs(t, likelihoods_[s].times()[b], logs.row(s));
        double sum = model_.factors().log_scale(b, t);
        for (std::size_t j = 0; j < J; ++j) {
          for (std::size_t s = 0; s < K; ++s) of_subtypes[s] = state_.log_shares[s] + logs(s, j);
          sum += toolkit::log_sum(of_subtypes);
        }
        values.push_back(sum);
      }
      const auto trait = toolkit::draw_index(values, temperature, stream_);
      for (auto& likelihood : likelihoods_) likelihood.drop(trait, likelihood.times()[b]);
    }
    for (std::size_t s = 0; s < K; ++s) {  // other nodes may count under other traits
      likelihoods_[s].renew();
      evaluate(s);
    }
  }

  /// Draws everyone's subtype, then shares given these, and likewise probabilities of stages where
  /// they are not fixed.
  void draw_members() {
    const auto K = likelihoods_.size(), J = logs_.cols();
    std::vector<double> counts(K, 0.0);
    std::vector<std::size_t> members;
    for (std::size_t j = 0; j < J; ++j) {
      members.push_back(toolkit::draw_index(logs_of(j), 1.0, stream_));
      counts[members[j]] += 1.0;
    }
    state_.log_shares = share_law_.draw_log_shares(state_.log_shares, std::move(counts), stream_);
    if (nodes().concentrations.empty()) return;
    std::vector<std::size_t> node(J);
    for (std::size_t s = 0; s < K; ++s) {
      likelihoods_[s].draw_nodes(stream_, node);
      auto shapes = nodes().concentrations;
      for (std::size_t j = 0; j < J; ++j)
        if (members[j] == s) shapes[node[j]] += 1.0;
      likelihoods_[s].set_masses(stream_.dirichlet(shapes));
      read(s);
      evaluate(s);
    }
  }

  /// Of one of the diseased, by subtype: log of the share times the likelihood.
  std::span<const double> logs_of(std::size_t j) {
    of_subtypes_.clear();
    for (std::size_t s = 0; s < likelihoods_.size(); ++s)
      of_subtypes_.push_back(state_.log_shares[s] + logs_(s, j));
    return of_subtypes_;
  }

  double total() {
    double sum = 0.0;
    const auto& traits = likelihoods_.front().traits();
    for (std::size_t b = 0; b < traits.size(); ++b) sum += model_.factors().log_scale(b, traits[b]);
    for (std::size_t j = 0; j < logs_.cols(); ++j) sum += toolkit::log_sum(logs_of(j));
    return sum;
  }

  const GradualSubtypes& model_;
  RandomStream stream_;
  toolkit::ShareLaw share_law_;
  std::vector<NodeLikelihood> likelihoods_;  // [K]
  std::vector<TimeMoves> moves_;             // [K]
  double all_widths_[3] = {0.02, 0.02, 0.02};
  Matrix logs_;                      // [K, diseased] log-likelihoods
  std::vector<double> of_subtypes_;  // [K] scratch
  toolkit::SubtypeState state_;
  std::optional<OrderCentre> centre_;
  double log_likelihood_ = 0.0;
};

}  // namespace

GradualSubtypes::GradualSubtypes(const ProcessLaw& process, const Cohort& cohort,
                                 std::span<const std::size_t> columns,
                                 std::span<const std::size_t> diseased)
    : process_(process),
      participants_(cohort.participant_count()),
      nodes_(stage_nodes(process)),
      diseased_(diseased.begin(), diseased.end()),
      factors_(process, nodes_, cohort, columns, diseased_) {}

std::unique_ptr<SubtypeWalk> GradualSubtypes::start(const SubtypeSettings& settings,
                                                    RandomStream stream) const {
  return std::make_unique<GradualSubtypesChain>(*this, settings, std::move(stream));
}

SubtypesOfEveryone GradualSubtypes::everyone_under(const SubtypeDraw& draw) const {
  const auto& state = draw.state;
  const auto K = state.orders.size(), B = nodes_.biomarkers, n = diseased_.size();
  SubtypesOfEveryone out{std::vector<Matrix>(K, Matrix(participants_, B + 1)),
                         std::vector<double>(participants_, 0.0)};
  for (std::size_t b = 0; b < B; ++b) {
    const auto scales = factors_.log_scales(b, draw.traits[b]);
    for (std::size_t j = 0; j < participants_; ++j) out.log_likelihoods[j] += scales[j];
  }
  for (std::size_t s = 0; s < K; ++s)  // the healthy are before every event
    for (std::size_t j = 0; j < participants_; ++j)
      out.weights[s](j, 0) = toolkit::portable_exp(state.log_shares[s]);
  NodeLikelihood likelihood(factors_, nodes_, n);
  Matrix logs(n, K);
  std::vector<double> times(B), of_subtype(n);
  for (std::size_t s = 0; s < K; ++s) {
    if (process_.event_times().are_ranks())
      times = nodes_.places(state.orders[s]);
    else
      for (std::size_t i = 0; i < B; ++i)
        times[state.orders[s][i]] = state.event_times[s][i] * nodes_.last();
    if (!state.log_pi[s].empty()) {
      std::vector<double> masses;
      for (std::size_t k = 1; k <= B; ++k)
        masses.push_back(toolkit::portable_exp(state.log_pi[s][k]));
      likelihood.set_masses(masses);
    }
    likelihood.set(times, draw.traits);
    likelihood.log_likelihoods(of_subtype);
    Matrix stages(n, B + 1);
    likelihood.add_stage_posteriors(nodes_.shares(times), stages);
    for (std::size_t i = 0; i < n; ++i) {
      logs(i, s) = state.log_shares[s] + of_subtype[i];
      std::copy_n(std::as_const(stages).row(i).begin(), B + 1,
                  out.weights[s].row(diseased_[i]).begin());
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double all = toolkit::log_sum(std::as_const(logs).row(i));
    out.log_likelihoods[diseased_[i]] += all;
    for (std::size_t s = 0; s < K; ++s)
      for (double& weight : out.weights[s].row(diseased_[i]))
        weight *= toolkit::portable_exp(logs(i, s) - all);
  }
  return out;
}

}  // namespace tempo::bayes
