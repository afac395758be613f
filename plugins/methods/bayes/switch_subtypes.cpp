#include "switch_subtypes.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "tempo/toolkit/draw_index.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo::bayes {

SwitchSubtypesChain::SwitchSubtypesChain(const SwitchEvidence& evidence,
                                         const std::optional<ParameterSampler>& parameters,
                                         const DrawStages& draw_stages,
                                         const SubtypeSettings& settings, RandomStream stream)
    : traits_(evidence, parameters),
      chain_(toolkit::ParticipantColumns(evidence.size(), evidence.log_ratios[0].participants()),
             settings.subtypes, draw_stages, std::move(stream), settings.share_law()),
      happened_(chain_.participants()) {
  for (std::size_t b = 0; b < traits_.size(); ++b) set_trait(b, draw_first_trait(b));
  chain_.refresh();
  if (settings.orders == SubtypeOrders::mallows)
    centre_.emplace(evidence.size(), kLeastDispersion, kMostDispersion, draws());
}

void SwitchSubtypesChain::sweep(double temperature) {
  toolkit::SubtypeChain::AddPriors add_priors;
  if (centre_)
    add_priors = [this](const std::vector<std::size_t>& others, std::size_t event,
                        std::span<double> of_places) {
      centre_->add_log_priors(others, event, of_places);
    };
  chain_.place_events(temperature, add_priors);
  if (traits_.possible() > 1) move_traits(temperature, add_priors);
  if (centre_) centre_->sweep(chain_.state().orders, draws());
  log_likelihood_ = chain_.draw_members() + traits_.log_before();
  // While orders count for little, distributions given stages would fit themselves to any order.
  const bool are_drawn = traits_.are_distributions_sampled() && temperature == 1.0;
  if (are_drawn) draw_distributions();
  chain_.refresh();
  if (are_drawn) log_likelihood_ = chain_.log_likelihood() + traits_.log_before();
}

double SwitchSubtypesChain::log_prior() const {
  return (centre_ ? centre_->log_probability(state().orders) : 0.0) +
         chain_.log_density_of_shares() + traits_.log_weight();
}

SubtypeDraw SwitchSubtypesChain::draw() const {
  return {.state = chain_.state(),
          .traits = traits_.all(),
          .centre = centre_,
          .biomarkers = traits_.distributions(),
          .log_likelihood = log_likelihood_};
}

void SwitchSubtypesChain::go_to(const SubtypeDraw& draw) {
  assert(!traits_.are_distributions_sampled());
  for (std::size_t b = 0; b < traits_.size(); ++b) set_trait(b, draw.traits[b]);
  centre_ = draw.centre;
  chain_.go_to(draw.state);
  log_likelihood_ = chain_.log_likelihood() + traits_.log_before();
}

void SwitchSubtypesChain::set_trait(std::size_t b, std::size_t t) {
  traits_.set(b, t);
  chain_.set_log_ratios(b, traits_.log_ratios(b));
}

/// As if the event had happened in any half of the diseased: orders do not count yet.
std::size_t SwitchSubtypesChain::draw_first_trait(std::size_t b) {
  if (traits_.possible() == 1) return 0;
  std::vector<double> logs;
  for (std::size_t t = 0; t < traits_.possible(); ++t) {
    double sum = traits_.log_before(t, b) + traits_.log_weight(t, b);
    for (std::size_t i = 0; i < chain_.participants(); ++i)
      sum +=
          toolkit::portable_log(0.5 * (1.0 + toolkit::portable_exp(traits_.log_ratios(t, b)[i])));
    logs.push_back(sum);
  }
  return toolkit::draw_index(logs, 1.0, draws());
}

/// The traits of some events, each jointly with its place in one of the orders.
void SwitchSubtypesChain::move_traits(double temperature,
                                      const toolkit::SubtypeChain::AddPriors& add_priors) {
  constexpr std::size_t kEvery = 6;  // n-th event: all participants tell of a trait
  for (std::size_t b = 0; b < traits_.size(); ++b) {
    if (draws().index(kEvery) != 0) continue;
    const auto s = draws().index(chain_.state().orders.size());
    std::vector<double> joint;
    for (std::size_t t = 0; t < traits_.possible(); ++t) {
      set_trait(b, t);
      const double of_trait = traits_.log_before(t, b) + traits_.log_weight(t, b);
      for (const double value : chain_.values_of_places(s, b, temperature, add_priors))
        joint.push_back(value + of_trait / temperature);
    }
    const auto drawn = toolkit::draw_index(joint, 1.0, draws());
    set_trait(b, drawn / traits_.size());
    chain_.move(s, b, drawn % traits_.size());
  }
}

/// The biomarkers' distributions given everybody's subtype and stage.
void SwitchSubtypesChain::draw_distributions() {
  const auto& members = chain_.members();
  const auto ranks = toolkit::ranks_of_orders(state().orders);
  for (std::size_t b = 0; b < traits_.size(); ++b) {
    for (std::size_t i = 0; i < happened_.size(); ++i)
      happened_[i] = static_cast<double>(members.stages[i]) >= ranks(members.subtypes[i], b);
    traits_.draw_distributions(b, happened_, draws());
    set_trait(b, traits_[b]);
  }
}

SwitchSubtypes::SwitchSubtypes(SwitchEvidence evidence, std::optional<ParameterSampler> parameters,
                               DrawStages draw_stages, std::span<const std::size_t> diseased)
    : evidence_(std::move(evidence)),
      parameters_(std::move(parameters)),
      draw_stages_(std::move(draw_stages)),
      diseased_(diseased.begin(), diseased.end()) {}

std::unique_ptr<SubtypeWalk> SwitchSubtypes::start(const SubtypeSettings& settings,
                                                   RandomStream stream) const {
  return std::make_unique<SwitchSubtypesChain>(evidence_, parameters_, draw_stages_, settings,
                                               std::move(stream));
}

SubtypesOfEveryone SwitchSubtypes::everyone_under(const SubtypeDraw& draw) const {
  if (draw.biomarkers.empty()) return everyone_by(evidence_, draw);
  auto evidence = evidence_;
  for (std::size_t b = 0; b < draw.biomarkers.size(); ++b)
    evidence.set(draw.traits[b], b, *parameters_->model_of(draw.biomarkers[b])->law(), 0);
  return everyone_by(evidence, draw);
}

SubtypesOfEveryone SwitchSubtypes::everyone_by(const SwitchEvidence& evidence,
                                               const SubtypeDraw& draw) const {
  const std::size_t K = draw.state.orders.size(), B = evidence.size(), J = evidence.row.size();
  SubtypesOfEveryone out{std::vector<Matrix>(K, Matrix(J, B + 1)), std::vector<double>(J, 0.0)};
  for (std::size_t b = 0; b < B; ++b) {
    const auto cells = evidence.before[draw.traits[b]].row(b);
    for (std::size_t j = 0; j < J; ++j) out.log_likelihoods[j] += cells[j];
  }
  for (std::size_t s = 0; s < K; ++s)  // the healthy are before every event
    for (std::size_t j = 0; j < J; ++j)
      if (evidence.row[j] == SwitchEvidence::kHealthy)
        out.weights[s](j, 0) = toolkit::portable_exp(draw.state.log_shares[s]);
  Matrix logs(K, B + 1);
  for (std::size_t i = 0; i < diseased_.size(); ++i) {
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
        sum += out.weights[s](diseased_[i], k) =
            std::isinf(logs(s, k)) ? 0.0 : toolkit::portable_exp(logs(s, k) - top);
    out.log_likelihoods[diseased_[i]] += top + toolkit::portable_log(sum);
  }
  return out;
}

}  // namespace tempo::bayes
