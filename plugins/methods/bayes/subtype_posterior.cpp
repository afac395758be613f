#include "subtype_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "order_centre.hpp"
#include "tempo/toolkit/pointwise_likelihoods.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/simplex.hpp"
#include "tempo/toolkit/subtype_chain.hpp"

namespace tempo::bayes {
namespace {

using toolkit::ParticipantColumns;
using toolkit::SubtypeState;

constexpr double kLeastDispersion = 0.01, kMostDispersion = 0.5;

struct SubtypeDraw {
  SubtypeState state;
  std::vector<std::size_t> traits;  // [B]
  double log_likelihood = 0.0;
};

class SubtypesChain {
 public:
  SubtypesChain(const SwitchEvidence& evidence, const WholeStageLaw& law,
                const SubtypeSettings& settings, RandomStream stream)
      : evidence_(&evidence),
        chain_(ParticipantColumns(evidence.size(), evidence.log_ratios[0].participants()),
               settings.subtypes, draw_stages(law), std::move(stream)),
        traits_(evidence.size()) {
    for (std::size_t b = 0; b < traits_.size(); ++b) set_trait(b, draw_first_trait(b));
    chain_.refresh();
    if (settings.orders == SubtypeOrders::mallows)
      centre_.emplace(evidence.size(), kLeastDispersion, kMostDispersion, draws());
  }

  void sweep(double temperature = 1.0) {
    toolkit::SubtypeChain::AddPriors add_priors;
    if (centre_)
      add_priors = [this](const std::vector<std::size_t>& others, std::size_t event,
                          std::span<double> of_places) {
        centre_->add_log_priors(others, event, of_places);
      };
    chain_.place_events(temperature, add_priors);
    if (traits() > 1) move_traits(temperature, add_priors);
    if (centre_) centre_->sweep(chain_.state().orders, draws());
    log_likelihood_ = chain_.draw_members() + log_before();
    chain_.refresh();
  }

  std::size_t participants() const { return chain_.participants(); }
  const SubtypeState& state() const { return chain_.state(); }
  double log_likelihood() const { return log_likelihood_; }
  double log_prior() const { return centre_ ? centre_->log_probability(state().orders) : 0.0; }
  SubtypeDraw draw() const { return {chain_.state(), traits_, log_likelihood_}; }

 private:
  static toolkit::SubtypeChain::DrawStages draw_stages(const WholeStageLaw& law) {
    if (law.concentrations.empty())
      return [weights = law.log_weights](const std::vector<double>&, RandomStream&) {
        return weights;
      };
    return [alpha = law.concentrations](const std::vector<double>& counts, RandomStream& stream) {
      auto shapes = alpha;
      for (std::size_t k = 0; k < shapes.size(); ++k) shapes[k] += counts[k + 1];
      auto out = stream.dirichlet(shapes);
      constexpr double kLeast = std::numeric_limits<double>::min();
      for (double& share : out) share = toolkit::portable_log(std::max(share, kLeast));
      out.insert(out.begin(), -std::numeric_limits<double>::infinity());
      return out;
    };
  }

  RandomStream& draws() { return chain_.stream(); }
  std::size_t traits() const { return evidence_->traits.size(); }

  void set_trait(std::size_t b, std::size_t t) {
    traits_[b] = t;
    chain_.set_log_ratios(b, evidence_->log_ratios[t][b]);
  }

  /// As if the event had happened in any half of the diseased: orders do not count yet.
  std::size_t draw_first_trait(std::size_t b) {
    if (traits() == 1) return 0;
    std::vector<double> logs;
    for (std::size_t t = 0; t < traits(); ++t) {
      double sum = evidence_->all_before[t][b];
      for (std::size_t i = 0; i < chain_.participants(); ++i)
        sum += toolkit::portable_log(0.5 *
                                     (1.0 + toolkit::portable_exp(evidence_->log_ratios[t][b][i])));
      logs.push_back(sum);
    }
    return draw_from(std::move(logs));
  }

  std::size_t draw_from(std::vector<double> logs) {
    const double top = *std::max_element(logs.begin(), logs.end());
    double sum = 0.0;
    for (double& value : logs) sum += value = toolkit::portable_exp(value - top);
    for (double& value : logs) value /= sum;
    return draws().categorical(logs);
  }

  /// The traits of some events, each jointly with its place in one of the orders.
  void move_traits(double temperature, const toolkit::SubtypeChain::AddPriors& add_priors) {
    constexpr std::size_t kEvery = 6;  // n-th event: all participants tell of a trait
    for (std::size_t b = 0; b < traits_.size(); ++b) {
      if (draws().index(kEvery) != 0) continue;
      const auto s = draws().index(chain_.state().orders.size());
      std::vector<double> joint;
      for (std::size_t t = 0; t < traits(); ++t) {
        set_trait(b, t);
        for (const double value : chain_.values_of_places(s, b, temperature, add_priors))
          joint.push_back(value + evidence_->all_before[t][b] / temperature);
      }
      const auto drawn = draw_from(std::move(joint));
      set_trait(b, drawn / traits_.size());
      chain_.move(s, b, drawn % traits_.size());
    }
  }

  double log_before() const {
    double sum = 0.0;
    for (std::size_t b = 0; b < traits_.size(); ++b) sum += evidence_->all_before[traits_[b]][b];
    return sum;
  }

  const SwitchEvidence* evidence_;
  toolkit::SubtypeChain chain_;
  std::vector<std::size_t> traits_;  // [B] index into SwitchEvidence::traits
  std::optional<OrderCentre> centre_;
  double log_likelihood_ = 0.0;
};

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

}  // namespace

Inference sample_subtypes(const SwitchEvidence& evidence, const WholeStageLaw& law,
                          std::span<const std::size_t> columns,
                          std::span<const std::size_t> diseased, const SubtypeSettings& settings,
                          const RandomStream& stream) {
  const auto start = toolkit::likeliest_attempt<SubtypesChain>(
      settings.starts, settings.start_sweeps,
      [&](std::int64_t attempt) {
        return SubtypesChain(evidence, law, settings,
                             stream.substream("attempt", static_cast<std::uint64_t>(attempt)));
      },
      [](SubtypesChain& chain, double temperature, std::int64_t, bool) {
        chain.sweep(temperature);
      });
  auto chain = *start.best;
  std::vector<SubtypeDraw> draws;
  for (std::int64_t i = 0; i < settings.sweeps; ++i) {
    chain.sweep();
    draws.push_back(chain.draw());
  }
  const auto first = draws.begin() + static_cast<std::ptrdiff_t>(draws.size() / 2);
  const auto best =
      std::max_element(first, draws.end(), [](const SubtypeDraw& a, const SubtypeDraw& b) {
        return a.log_likelihood < b.log_likelihood;
      });
  const std::span<const SubtypeDraw> kept(first, draws.end());
  const auto averaged = toolkit::spread_out(kept);
  toolkit::SubtypeMean mean(best->state, evidence.row.size());
  toolkit::PointwiseLikelihoods pointwise(1, evidence.row.size());
  std::size_t number = 0;
  for (const auto& draw : kept) {
    const auto everyone = everyone_under(draw, evidence, diseased);
    pointwise.add(0, ++number, everyone.log_likelihoods);
    if (std::find(averaged.begin(), averaged.end(), &draw) != averaged.end())
      mean.add(draw.state, everyone.weights);
  }
  auto out = mean.answer(columns);
  pointwise.report(0, out);
  out.diagnostics["iterations"] = static_cast<double>(draws.size());
  out.diagnostics["log_likelihood"] = best->log_likelihood;
  toolkit::report_attempts(start.log_posteriors, out);
  if (has_rival(start, best->state, kept))
    out.warnings.push_back(
        "other orders are about as probable as these (another start ended there, less than 3 nats "
        "behind), and the chain did not visit them: orders are less sure than they look; raise "
        "'starts', and compare seeds");
  return out;
}

}  // namespace tempo::bayes
