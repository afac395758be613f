#include "tempo/toolkit/order_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tempo/error.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {
namespace {

double propose(OrderLikelihood& likelihood, Proposal proposal, RandomStream& stream) {
  const std::size_t B = likelihood.size();
  if (B == 1) return likelihood.propose_exchange(0, 0);
  const std::size_t a = stream.index(B);
  if (proposal == Proposal::exchange_any) return likelihood.propose_exchange(a, stream.index(B));
  const std::size_t b = stream.index(B - 1);
  return likelihood.propose_exchange(a, b < a ? b : b + 1);
}

bool metropolis_step(OrderLikelihood& likelihood, Proposal proposal, RandomStream& stream) {
  const double change = propose(likelihood, proposal, stream) - likelihood.value();
  const bool taken = std::exp(change) > stream.uniform();
  if (taken) likelihood.accept();
  return taken;
}

void keep_better(FoundOrder& best, const OrderLikelihood& likelihood) {
  if (likelihood.value() > best.log_likelihood) best = {likelihood.order(), likelihood.value()};
}

FoundOrder nothing_found() { return {{}, -std::numeric_limits<double>::infinity()}; }

/// Leaves the last order as the current one: the best, as no step goes down.
void climb(OrderLikelihood& likelihood, Proposal proposal, bool climb_ties, long orders,
           RandomStream& stream) {
  likelihood.set_order(stream.permutation(likelihood.size()));
  for (long i = 1; i < orders; ++i) {
    const double change = propose(likelihood, proposal, stream) - likelihood.value();
    // A loss that the exponential rounds away counts as a tie in the published program.
    if (change > 0.0 || (climb_ties && std::exp(change) >= 1.0)) likelihood.accept();
  }
}

FoundOrder best_of_ascents(OrderLikelihood& likelihood, Proposal proposal, bool climb_ties,
                           long starts, long orders, RandomStream& stream) {
  auto best = nothing_found();
  for (long start = 0; start < starts; ++start) {
    climb(likelihood, proposal, climb_ties, orders, stream);
    keep_better(best, likelihood);
  }
  return best;
}

/// Simulated annealing from a random order.
OrderSampler annealed(OrderSampler sampler, long sweeps, RandomStream& stream) {
  sampler.set_order(stream.permutation(sampler.size()));
  for (long i = 0; i < sweeps; ++i)
    sampler.sweep(stream, annealing_temperature(i, sweeps, sampler.participants()));
  sampler.forget_steps();
  return sampler;
}

constexpr std::size_t kRungs = 8;
constexpr std::size_t kLeastDraws = 4;      // of a chain, what split_r_hat needs
constexpr std::size_t kTemperedSweeps = 5;  // what a step of a tempered chain costs, about

/// A chain of orders that can be tempered: then others run beside it whose likelihood counts less
/// and less, and neighbours exchange their orders, so that modes far apart are within reach.
/// Source: Geyer 1991, Computing Science and Statistics 23, 156-163.
class Chain {
 public:
  explicit Chain(OrderSampler sampler) : sampler_(std::move(sampler)) {}

  /// The log-likelihoods of neighbours scatter by about sqrt(B / 2) times their temperature, and
  /// are to overlap.
  void temper() {
    const double ratio = 1.0 + 1.75 / std::sqrt(static_cast<double>(sampler_.size()));
    double temperature = 1.0;
    for (std::size_t rung = 1; rung < kRungs; ++rung)
      hotter_.push_back({sampler_.order(), sampler_.value(), temperature *= ratio});
  }

  void step(RandomStream& stream) {
    sampler_.sweep(stream);
    ++sweeps_;
    if (hotter_.empty()) return;
    const std::size_t B = sampler_.size();
    Rung kept{sampler_.order(), sampler_.value(), 1.0};
    for (auto& rung : hotter_) {
      sampler_.set_order(rung.order);
      for (std::size_t i = 0; i < (B + 1) / 2; ++i)
        sampler_.place(stream.index(B), stream, rung.temperature);
      sampler_.move_segment(stream, rung.temperature);
      rung.order = sampler_.order();
      rung.value = sampler_.value();
    }
    sweeps_ += static_cast<long>(kTemperedSweeps) - 1;
    for (std::size_t upper = hotter_.size(); upper-- > 0;) {
      Rung& hot = hotter_[upper];
      Rung& cool = upper == 0 ? kept : hotter_[upper - 1];
      const double change =
          (hot.value - cool.value) * (1.0 / cool.temperature - 1.0 / hot.temperature);
      if (!(portable_exp(change) > stream.uniform())) continue;
      std::swap(hot.order, cool.order);
      std::swap(hot.value, cool.value);
    }
    sampler_.set_order(kept.order);
  }

  const std::vector<std::size_t>& order() const { return sampler_.order(); }
  double value() const { return sampler_.value(); }
  double acceptance() const { return sampler_.acceptance(); }
  long sweeps() const { return sweeps_; }

 private:
  struct Rung {
    std::vector<std::size_t> order;
    double value, temperature;
  };

  OrderSampler sampler_;
  std::vector<Rung> hotter_;
  long sweeps_ = 0;
};

}  // namespace

PublishedSearch search_as_published(OrderLikelihood& likelihood,
                                    const PublishedSearchSettings& settings, RandomStream& stream) {
  PublishedSearch found;
  found.climbed = best_of_ascents(likelihood, settings.proposal, settings.climb_ties,
                                  settings.starts, settings.start_iterations, stream);
  likelihood.set_order(found.climbed.order);
  found.most_likely = {likelihood.order(), likelihood.value()};
  long taken = 0;
  for (long i = 1; i < settings.iterations; ++i) {
    if (!metropolis_step(likelihood, settings.proposal, stream)) continue;
    ++taken;
    keep_better(found.most_likely, likelihood);
  }
  found.acceptance = static_cast<double>(taken) / static_cast<double>(settings.iterations);
  return found;
}

double annealing_temperature(long i, long n, std::size_t participants) {
  if (i >= n) return 1.0;
  const double left = 1.0 - static_cast<double>(i) / static_cast<double>(n);
  const double hottest = std::max(1.0, static_cast<double>(participants) / 10.0);
  return 1.0 + (hottest - 1.0) * (left * left) * (left * left);
}

OrderSample sample_orders(const OrderSampler& sampler, const SamplingSettings& settings,
                          RandomStream& stream) {
  const auto chains = static_cast<std::size_t>(settings.chains);
  const auto draws = [&](long sweeps) {
    return static_cast<std::size_t>((sweeps + settings.thinning - 1) / settings.thinning);
  };
  const auto most = draws(settings.iterations);
  if (most < std::max(draws(settings.burn_in), most / 2) + kLeastDraws)
    throw ShapeError(
        fmt::format("chains of orders: of {} sweeps, {} of them burn-in and one in {} kept, fewer "
                    "than {} draws would be used",
                    settings.iterations, settings.burn_in, settings.thinning, kLeastDraws));
  std::vector<Chain> at;
  for (std::size_t chain = 0; chain < chains; ++chain) {
    auto best = annealed(sampler, settings.start_iterations, stream);
    for (long start = 1; start < settings.starts; ++start) {
      auto other = annealed(sampler, settings.start_iterations, stream);
      if (other.value() > best.value()) best = std::move(other);
    }
    at.emplace_back(std::move(best));
  }
  OrderSample sample{.traces{chains, sampler.size(), draws(settings.burn_in)}};
  const auto run = [&](std::size_t least, std::size_t end) {
    run_until_agreed(sample.traces, least, end, [&](std::size_t chain) {
      for (long i = 0; i < settings.thinning; ++i) at[chain].step(stream);
      sample.traces.add(chain, at[chain].order(), at[chain].value());
    });
  };
  constexpr long kFirstLook = 100, kSecondLook = 200;
  const auto look = [&](long sweeps) {
    return std::min(most, std::max({draws(2 * settings.burn_in + sweeps),
                                    draws(settings.burn_in) + kLeastDraws, 2 * kLeastDraws}));
  };
  run(look(kFirstLook), look(kSecondLook));
  // Where little is left, more plain draws tell more than a few tempered ones.
  const bool worth_it = most - sample.traces.length() >= kTemperedSweeps * sample.traces.length();
  sample.tempered = worth_it && sample.traces.agreement().r_hat > Agreement::kRHat;
  if (sample.tempered)
    for (auto& chain : at) chain.temper();
  const auto sweeps_left = static_cast<long>(most - sample.traces.length());
  const auto last = sample.traces.length() +
                    static_cast<std::size_t>(sweeps_left) / (sample.tempered ? kTemperedSweeps : 1);
  if (!sample.traces.agreement().enough() && last > sample.traces.length())
    run(std::min(sample.traces.length() * 3 / 2, last), last);

  for (const auto& chain : at) {
    sample.acceptance += chain.acceptance() / static_cast<double>(chains);
    sample.sweeps = chain.sweeps();
  }
  return sample;
}

}  // namespace tempo::toolkit
