#include "switch_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "parameter_sampler.hpp"
#include "switch_evidence.hpp"
#include "switch_traits.hpp"
#include "tempo/toolkit/order_sampler.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "whole_stage_law.hpp"

namespace tempo::bayes {
namespace {

using toolkit::OrderSampler;

class SwitchChain final : public Chain {
 public:
  /// @param parameters  of the biomarkers, where they are sampled, too
  /// @param diseased  rows of the cohort
  SwitchChain(const SwitchEvidence& evidence, const WholeStageLaw& law,
              std::span<const std::size_t> diseased, std::optional<ParameterSampler> parameters,
              const OwnTimes* own, RandomStream stream)
      : traits_(evidence, std::move(parameters)),
        law_(law),
        diseased_(diseased),
        own_(own),
        stream_(std::move(stream)),
        sampler_(evidence.log_ratios[0].participants(), evidence.size()),
        stages_(evidence.log_ratios[0].padded()),
        happened_(evidence.log_ratios[0].participants()) {
    const std::size_t B = evidence.size();
    for (std::size_t b = 0; b < B; ++b) {
      traits_.set(b, stream_.index(traits_.possible()));
      sampler_.set_evidence(b, traits_.log_ratios(b));
    }
    log_weights_ = law.log_weights;
    sampler_.set_stage_weights(log_weights_);
    sampler_.set_order(first_order(B));
  }

  void sweep(double temperature) override {
    constexpr std::size_t kTraitsEvery = 8;  // every n-th place: all participants tell of a trait
    const std::size_t B = sampler_.size();
    for (const std::size_t b : stream_.permutation(B))
      if (own_ == nullptr &&
          (traits_.possible() == 1 || (temperature == 1.0 && stream_.index(kTraitsEvery) != 0)))
        sampler_.place(b, stream_, temperature);
      else
        place_with_trait(b, temperature);
    for (std::size_t left = B; left > 0; left /= 2)
      if (own_ == nullptr)
        sampler_.move_segment(stream_, temperature);
      else
        exchange(temperature);
    if (law_.concentrations.empty() && !traits_.are_distributions_sampled()) return;
    sampler_.draw_stages(stream_, stages_);
    // While the order counts for little, distributions given stages would fit themselves to any
    // order.
    if (traits_.are_distributions_sampled() && temperature == 1.0) draw_distributions();
    if (!law_.concentrations.empty()) draw_weights();
    sampler_.refresh();
  }

  std::vector<std::size_t> order() const override { return sampler_.order(); }
  double log_likelihood() const override { return sampler_.value() + traits_.log_before(); }
  double acceptance() const override { return sampler_.acceptance(); }

  void read(Draw& draw, Matrix& stage_sums) const override {
    const std::size_t B = sampler_.size();
    read_times(draw.event_times);
    read_traits(draw.traits);
    draw.stage_probabilities.clear();
    if (!law_.concentrations.empty())
      for (std::size_t k = 1; k <= B; ++k)
        draw.stage_probabilities.push_back(std::exp(log_weights_[k]));
    draw.biomarkers = traits_.distributions();
    read_stages(draw.log_likelihoods, stage_sums);
  }

  void read_traits(std::span<int> out) const override {
    for (std::size_t b = 0; b < out.size(); ++b) out[b] = traits_.evidence().traits[traits_[b]];
  }

  void read_times(std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[sampler_.order()[i]] = static_cast<double>(i + 1);
  }

 private:
  std::vector<std::size_t> first_order(std::size_t B) {
    if (own_ == nullptr) return stream_.permutation(B);
    const auto sequence = sequence_by_score(own_->start(stream_));
    return {sequence.begin(), sequence.end()};
  }

  /// Trait and place of an event from their joint conditional distribution.
  void place_with_trait(std::size_t b, double temperature) {
    const std::size_t T = traits_.possible(), B = sampler_.size();
    const auto priors = log_priors_of_places(b);
    joint_.clear();
    for (std::size_t t = 0; t < T; ++t) {
      sampler_.set_evidence(b, traits_.log_ratios(t, b));
      const double of_parameters = traits_.log_weight(t, b);
      const auto values = sampler_.places(b);
      for (std::size_t place = 0; place < B; ++place)
        joint_.push_back((values[place] + traits_.log_before(t, b) + of_parameters) / temperature +
                         priors[place]);
    }
    const double top = *std::max_element(joint_.begin(), joint_.end());
    double total = 0.0;
    for (double& value : joint_) total += value = std::exp(value - top);
    double left = stream_.uniform() * total;
    std::size_t drawn = 0;
    while (drawn + 1 < joint_.size() && (left -= joint_[drawn]) >= 0.0) ++drawn;
    traits_.set(b, drawn / B);
    sampler_.set_evidence(b, traits_.log_ratios(b));
    sampler_.set_order(with_place(b, drawn % B));
  }

  /// The order with event b at another place among the others.
  std::vector<std::size_t> with_place(std::size_t b, std::size_t place) const {
    auto order = sampler_.order();
    order.erase(std::find(order.begin(), order.end(), b));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), b);
    return order;
  }

  double log_prior(std::span<const std::size_t> order) const {
    std::vector<double> ranks(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i + 1);
    return own_->law.log_density(ranks);
  }

  /// Of every place of event b among the others: [B].
  std::vector<double> log_priors_of_places(std::size_t b) const {
    std::vector<double> out(sampler_.size(), 0.0);
    for (std::size_t place = 0; own_ != nullptr && place < out.size(); ++place)
      out[place] = log_prior(with_place(b, place));
    return out;
  }

  /// A Metropolis step that exchanges two events, under a law of orders that is not uniform.
  void exchange(double temperature) {
    if (sampler_.size() < 2) return;
    const auto before = sampler_.order();
    const double value = sampler_.value();
    auto after = before;
    const auto pair = stream_.permutation(before.size());
    std::swap(after[pair[0]], after[pair[1]]);
    sampler_.set_order(after);
    const double gain =
        (sampler_.value() - value) / temperature + log_prior(after) - log_prior(before);
    if (!(toolkit::portable_exp(std::min(gain, 0.0)) > stream_.uniform()))
      sampler_.set_order(before);
  }

  /// The biomarkers' distributions given the participants' stages.
  void draw_distributions() {
    for (std::size_t i = 0; i < sampler_.size(); ++i) {
      const std::size_t b = sampler_.order()[i];
      for (std::size_t j = 0; j < happened_.size(); ++j)
        happened_[j] = stages_[j] > static_cast<double>(i);
      traits_.draw_distributions(b, happened_, stream_);
      sampler_.set_evidence(b, traits_.log_ratios(b));
    }
  }

  /// Probabilities of the stages given how many are at each.
  void draw_weights() {
    auto counts = law_.concentrations;
    for (std::size_t j = 0; j < sampler_.participants(); ++j)
      counts[static_cast<std::size_t>(stages_[j]) - 1] += 1.0;
    const auto pi = stream_.dirichlet(counts);
    for (std::size_t k = 0; k < pi.size(); ++k) log_weights_[k + 1] = std::log(pi[k]);
    sampler_.set_stage_weights(log_weights_);
  }

  /// @param log_likelihoods  [J] is set to log p(x_j | order, traits, weights)
  /// @param sums             [diseased, B + 1] P(stage | order, traits, weights) is added
  void read_stages(std::span<double> log_likelihoods, Matrix& sums) const {
    const std::size_t B = sampler_.size();
    std::vector<double> logs(B + 1);
    std::fill(log_likelihoods.begin(), log_likelihoods.end(), 0.0);
    for (std::size_t b = 0; b < B; ++b) {
      const auto cells = traits_.evidence().before[traits_[b]].row(b);
      for (std::size_t j = 0; j < cells.size(); ++j) log_likelihoods[j] += cells[j];
    }
    for (std::size_t j = 0; j < sums.rows(); ++j) {
      double so_far = 0.0;
      for (std::size_t k = 0; k <= B; ++k) {
        if (k > 0) {
          const std::size_t b = sampler_.order()[k - 1];
          so_far += traits_.log_ratios(b)[j];
        }
        logs[k] = so_far + log_weights_[k];
      }
      const double top = *std::max_element(logs.begin(), logs.end());
      double total = 0.0;
      for (double& value : logs) total += value = std::exp(value - top);
      for (std::size_t k = 0; k <= B; ++k) sums(j, k) += logs[k] / total;
      log_likelihoods[diseased_[j]] += top + std::log(total);
    }
  }

  SwitchTraits traits_;
  const WholeStageLaw& law_;
  std::span<const std::size_t> diseased_;
  const OwnTimes* own_;
  RandomStream stream_;
  OrderSampler sampler_;
  std::vector<double> log_weights_, stages_, joint_;
  std::vector<std::uint8_t> happened_;
};

}  // namespace

Inference sample_switch_posterior(const ProcessLaw& process, const Cohort& cohort,
                                  std::span<const std::size_t> columns,
                                  const BiomarkerEstimates& estimates, const OwnTimes* own,
                                  const ChainSettings& settings, RandomStream& stream,
                                  const Visit& visit) {
  const auto diseased = diseased_rows(cohort);
  const auto evidence =
      switch_evidence(*process.measurement_model().law(), cohort, columns, diseased);
  const auto law = whole_stage_law(process.stage_prior(), columns.size());
  const auto parameters = parameter_sampler(
      process, estimates, cohort.participant_count() - diseased.size(), diseased.size());
  std::vector<std::unique_ptr<Chain>> chains;
  for (long c = 0; c < settings.chains; ++c)
    chains.push_back(
        std::make_unique<SwitchChain>(evidence, law, diseased, parameters, own,
                                      stream.substream("chain", static_cast<std::uint64_t>(c))));
  return run_chains(chains, cohort, columns, diseased, false, settings, visit);
}

}  // namespace tempo::bayes
