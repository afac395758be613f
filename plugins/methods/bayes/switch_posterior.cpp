#include "switch_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "order_sampler.hpp"
#include "order_traces.hpp"
#include "stage_report.hpp"

namespace tempo::bayes {
namespace {

using toolkit::OrderSampler;
using toolkit::OrderTraces;
using toolkit::ParticipantColumns;

constexpr double kLeastLogDensity = -30.0;  // relative to the other state's: what is impossible in
                                            // one state of the model may be a rounded value
constexpr double kMostEvidence = 1300.0;    // of a participant over all events, see OrderSampler

/// What the cohort says of biomarker b under each of its traits.
struct Evidence {
  std::vector<int> traits;
  std::vector<ParticipantColumns> log_ratios;   // [traits], of the diseased
  std::vector<std::vector<double>> log_before;  // [traits][B] nobody's event has happened, all sums
};

Evidence evidence_of(const MeasurementModel& model, const Cohort& cohort,
                     std::span<const std::size_t> columns, std::span<const std::size_t> diseased) {
  const std::size_t B = columns.size();
  const double most = kMostEvidence / static_cast<double>(B);
  const std::vector<double> states{-1.0, 0.0};
  std::vector<double> densities(2);
  std::vector<std::uint8_t> is_diseased(cohort.participant_count());
  std::vector<std::size_t> row(cohort.participant_count());
  for (std::size_t i = 0; i < diseased.size(); ++i) {
    is_diseased[diseased[i]] = 1;
    row[diseased[i]] = i;
  }
  Evidence out;
  out.traits = model.possible_traits();
  for (const int trait : out.traits) {
    ParticipantColumns ratios(B, diseased.size());
    std::vector<double> before(B);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
        const double x = cohort.measurements(j, columns[b]);
        if (std::isnan(x)) continue;
        model.log_density(b, trait, x, states, densities);
        const double floor = kLeastLogDensity - std::log(model.biomarkers()[b].phi.sd);
        const double pre = std::max(densities[0], floor);
        before[b] += pre;
        if (is_diseased[j] != 0)
          ratios[b][row[j]] = std::clamp(std::max(densities[1], floor) - pre, -most, most);
      }
    out.log_ratios.push_back(std::move(ratios));
    out.log_before.push_back(std::move(before));
  }
  return out;
}

/// The law of floor(k) [B + 1]: fixed, or Dirichlet with these concentrations for stages 1..B.
struct StageLaw {
  std::vector<double> log_weights;
  std::vector<double> concentrations;  // empty: fixed
};

StageLaw stage_law(const StagePrior& prior, std::size_t B) {
  StageLaw out;
  out.log_weights.assign(B + 1, -std::numeric_limits<double>::infinity());
  if (const auto alpha = prior.concentrations(B)) {
    out.concentrations = *alpha;
    const double total = std::accumulate(alpha->begin(), alpha->end(), 0.0);
    for (std::size_t k = 1; k <= B; ++k) out.log_weights[k] = std::log((*alpha)[k - 1] / total);
    return out;
  }
  std::vector<double> edges(B + 1);
  std::iota(edges.begin(), edges.end(), 0.0);
  const auto below = prior.cumulative(B, edges).value();
  for (std::size_t k = 0; k < B; ++k) out.log_weights[k] = std::log(below[k + 1] - below[k]);
  return out;
}

/// One Markov chain.
class Chain {
 public:
  Chain(const Evidence& evidence, const StageLaw& law, std::size_t diseased, std::size_t B,
        RandomStream stream)
      : evidence_(evidence),
        law_(law),
        stream_(std::move(stream)),
        sampler_(diseased, B),
        trait_(B),
        stages_(evidence.log_ratios[0].padded()) {
    for (std::size_t b = 0; b < B; ++b) {
      trait_[b] = stream_.index(evidence.traits.size());
      sampler_.set_evidence(b, evidence.log_ratios[trait_[b]][b]);
    }
    log_weights_ = law.log_weights;
    sampler_.set_stage_weights(log_weights_);
    sampler_.set_order(stream_.permutation(B));
  }

  /// @param heat  the likelihood counts to the power 1 / heat
  void sweep(double heat) {
    constexpr std::size_t kTraitsEvery = 8;  // so manieth place: all participants agree on a trait
    const std::size_t B = sampler_.size();
    for (const std::size_t b : stream_.permutation(B))
      if (evidence_.traits.size() == 1 || (heat == 1.0 && stream_.index(kTraitsEvery) != 0))
        sampler_.place(b, stream_, heat);
      else
        place_with_trait(b, heat);
    for (std::size_t left = B; left > 0; left /= 2) sampler_.move_segment(stream_, heat);
    if (!law_.concentrations.empty()) draw_weights();
  }

  double log_likelihood() const { return sampler_.value() + log_before(); }
  const OrderSampler& sampler() const { return sampler_; }
  const std::vector<double>& log_weights() const { return log_weights_; }
  const std::vector<std::size_t>& traits() const { return trait_; }

 private:
  /// Trait and place of an event from their joint conditional distribution.
  void place_with_trait(std::size_t b, double heat) {
    const std::size_t T = evidence_.traits.size(), B = sampler_.size();
    joint_.clear();
    for (std::size_t t = 0; t < T; ++t) {
      sampler_.set_evidence(b, evidence_.log_ratios[t][b]);
      for (const double value : sampler_.places(b))
        joint_.push_back((value + evidence_.log_before[t][b]) / heat);
    }
    const double top = *std::max_element(joint_.begin(), joint_.end());
    double total = 0.0;
    for (double& value : joint_) total += value = std::exp(value - top);
    double left = stream_.uniform() * total;
    std::size_t drawn = 0;
    while (drawn + 1 < joint_.size() && (left -= joint_[drawn]) >= 0.0) ++drawn;
    trait_[b] = drawn / B;
    sampler_.set_evidence(b, evidence_.log_ratios[trait_[b]][b]);
    auto order = sampler_.order();
    order.erase(std::find(order.begin(), order.end(), b));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(drawn % B), b);
    sampler_.set_order(order);
  }

  /// Stages of everybody, then their probabilities given how many are at each.
  void draw_weights() {
    auto counts = law_.concentrations;
    sampler_.draw_stages(stream_, stages_);
    for (std::size_t j = 0; j < sampler_.participants(); ++j)
      counts[static_cast<std::size_t>(stages_[j]) - 1] += 1.0;
    const auto pi = stream_.dirichlet(counts);
    for (std::size_t k = 0; k < pi.size(); ++k) log_weights_[k + 1] = std::log(pi[k]);
    sampler_.set_stage_weights(log_weights_);
    sampler_.refresh();
  }

  double log_before() const {
    double sum = 0.0;
    for (std::size_t b = 0; b < trait_.size(); ++b) sum += evidence_.log_before[trait_[b]][b];
    return sum;
  }

  const Evidence& evidence_;
  const StageLaw& law_;
  RandomStream stream_;
  OrderSampler sampler_;
  std::vector<std::size_t> trait_;  // [B] index into Evidence::traits
  std::vector<double> log_weights_, stages_, joint_;
};

/// Adds P(stage | order, traits, weights) of everybody to `sums` [diseased, B + 1].
void add_stage_posteriors(const Chain& chain, const Evidence& evidence, Matrix& sums) {
  const std::size_t B = sums.cols() - 1;
  std::vector<double> logs(B + 1);
  for (std::size_t j = 0; j < sums.rows(); ++j) {
    double so_far = 0.0;
    for (std::size_t k = 0; k <= B; ++k) {
      if (k > 0) {
        const std::size_t b = chain.sampler().order()[k - 1];
        so_far += evidence.log_ratios[chain.traits()[b]][b][j];
      }
      logs[k] = so_far + chain.log_weights()[k];
    }
    const double top = *std::max_element(logs.begin(), logs.end());
    double total = 0.0;
    for (double& value : logs) total += value = std::exp(value - top);
    for (std::size_t k = 0; k <= B; ++k) sums(j, k) += logs[k] / total;
  }
}

}  // namespace

Inference sample_switch_posterior(const ComposedProcess& process, const Cohort& cohort,
                                  std::span<const std::size_t> columns,
                                  const ChainSettings& settings, RandomStream& stream) {
  const std::size_t B = columns.size(), J = cohort.participant_count();
  std::vector<std::size_t> diseased;
  for (std::size_t j = 0; j < J; ++j)
    if (cohort.diseased[j] != 0) diseased.push_back(j);
  const auto evidence = evidence_of(process.measurement_model(), cohort, columns, diseased);
  const auto law = stage_law(process.stage_prior(), B);

  std::vector<Chain> chains;
  for (long c = 0; c < settings.chains; ++c)
    chains.emplace_back(evidence, law, diseased.size(), B,
                        stream.substream("chain", static_cast<std::uint64_t>(c)));
  constexpr long kAnnealing = 30;  // sweeps
  for (auto& chain : chains)
    for (long i = 0; i < kAnnealing; ++i)
      chain.sweep(std::pow(0.1 * static_cast<double>(diseased.size()) + 1.0,
                           1.0 - static_cast<double>(i + 1) / kAnnealing));

  OrderTraces traces(chains.size(), B, static_cast<std::size_t>(settings.burn_in));
  Matrix sums(diseased.size(), B + 1);
  constexpr long kStagesEvery = 5;  // sweeps: neighbouring ones say little new
  long sweeps = 0;
  toolkit::run_until_agreed(
      traces, 4 * static_cast<std::size_t>(settings.burn_in),
      static_cast<std::size_t>(settings.iterations), [&](std::size_t c) {
        chains[c].sweep(1.0);
        traces.add(c, chains[c].sampler().order(), chains[c].log_likelihood());
        if (static_cast<long>(traces.length_of(c)) > settings.burn_in && ++sweeps % kStagesEvery == 0)
          add_stage_posteriors(chains[c], evidence, sums);
      });

  Inference out;
  traces.report(columns, out);
  double acceptance = 0.0;
  for (const auto& chain : chains)
    acceptance += chain.sampler().acceptance() / static_cast<double>(chains.size());
  out.diagnostics["acceptance"] = acceptance;
  out.diagnostics["iterations"] = static_cast<double>(traces.length());
  report_stages(sums, diseased, J, out);
  return out;
}

}  // namespace tempo::bayes
