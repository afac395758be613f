#include "tempo/toolkit/subtype_chain.hpp"

#include <functional>

#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {

SubtypeChain::SubtypeChain(const ParticipantColumns& values, std::size_t subtypes,
                           DrawStages draw_stages, RandomStream stream, ShareLaw shares)
    : likelihood_(values),
      placement_(values.biomarkers(), values.padded()),
      draw_stages_(std::move(draw_stages)),
      stream_(std::move(stream)),
      share_law_(std::move(shares)),
      log_ratios_(values.biomarkers(), values.participants()),
      terms_(subtypes) {
  const std::size_t B = values.biomarkers();
  state_.event_times.resize(subtypes);
  for (std::size_t s = 0; s < subtypes; ++s) {
    state_.orders.push_back(stream_.permutation(B));
    state_.log_pi.push_back(
        draw_stages_(std::vector<double>(B + 1, 0.0), state_.event_times[s], stream_));
  }
  state_.log_shares.assign(subtypes, -portable_log(static_cast<double>(subtypes)));
  refresh();
}

void SubtypeChain::set_log_ratios(const ParticipantColumns& log_ratios) {
  log_ratios_ = log_ratios;
  refresh();
}

void SubtypeChain::refresh() {
  for (std::size_t s = 0; s < terms_.size(); ++s)
    likelihood_.weigh_totals(log_ratios_, state_.orders[s], state_.log_pi[s], terms_[s]);
}

void SubtypeChain::set_log_ratios(std::size_t event, std::span<const double> log_ratios) {
  std::copy(log_ratios.begin(), log_ratios.end(), log_ratios_[event].begin());
}

void SubtypeChain::go_to(SubtypeState state) {
  state_ = std::move(state);
  refresh();
}

std::vector<double> SubtypeChain::values_of_places(std::size_t subtype, std::size_t event,
                                                   double temperature,
                                                   const AddPriors& add_priors) {
  for (std::size_t s = 0; s < terms_.size(); ++s)
    if (s != subtype)
      likelihood_.weigh_totals(log_ratios_, state_.orders[s], state_.log_pi[s], terms_[s]);
  placement_.set_others(terms_, state_.log_shares, subtype);
  auto others = state_.orders[subtype];
  std::erase(others, event);
  const auto values = placement_.log_likelihoods(log_ratios_, others, event, state_.log_pi[subtype],
                                                 state_.log_shares[subtype]);
  std::vector<double> out(values.begin(), values.end());
  for (double& value : out) value = (value + placement_.constant()) / temperature;
  if (add_priors) add_priors(others, event, out);
  return out;
}

void SubtypeChain::move(std::size_t subtype, std::size_t event, std::size_t place) {
  auto& order = state_.orders[subtype];
  std::erase(order, event);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), event);
}

void SubtypeChain::place_events(double temperature, const AddPriors& add_priors) {
  for (std::size_t s = 0; s < terms_.size(); ++s) {
    placement_.set_others(terms_, state_.log_shares, s);
    auto& order = state_.orders[s];
    for (const auto event : stream_.permutation(order.size())) {
      std::erase(order, event);
      const auto values = placement_.log_likelihoods(log_ratios_, order, event, state_.log_pi[s],
                                                     state_.log_shares[s]);
      const double likeliest = *std::max_element(values.begin(), values.end());
      std::vector<double> chances;
      for (const double value : values) chances.push_back((value - likeliest) / temperature);
      double top = 0.0;
      if (add_priors) {
        add_priors(order, event, chances);
        top = *std::max_element(chances.begin(), chances.end());
      }
      double sum = 0.0;
      for (double& chance : chances) sum += chance = portable_exp(chance - top);
      for (double& chance : chances) chance /= sum;
      const auto place = stream_.categorical(chances);
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), event);
    }
    likelihood_.weigh_totals(log_ratios_, order, state_.log_pi[s], terms_[s]);
  }
}

double SubtypeChain::draw_members() {
  for (std::size_t s = 0; s < terms_.size(); ++s)
    likelihood_.weigh(log_ratios_, state_.orders[s], state_.log_pi[s], terms_[s]);
  const double log_likelihood =
      likelihood_.assign(terms_, state_.log_shares, state_.orders, stream_, members_);
  std::vector<double> participants;
  for (std::size_t s = 0; s < terms_.size(); ++s) {
    state_.log_pi[s] = draw_stages_(members_.counts[s].stages, state_.event_times[s], stream_);
    participants.push_back(members_.counts[s].participants);
  }
  state_.log_shares =
      share_law_.draw_log_shares(state_.log_shares, std::move(participants), stream_);
  return log_likelihood;
}

void report_attempts(std::vector<double> log_posteriors, Inference& inference) {
  std::sort(log_posteriors.begin(), log_posteriors.end(), std::greater<>());
  inference.diagnostics["attempts"] = static_cast<double>(log_posteriors.size());
  if (log_posteriors.size() > 1)
    inference.diagnostics["second_attempt_behind"] = log_posteriors[0] - log_posteriors[1];
}

}  // namespace tempo::toolkit
