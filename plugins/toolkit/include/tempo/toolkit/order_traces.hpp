#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"

namespace tempo::toolkit {

/// How far Markov chains agree on all that is watched: R-hat is the largest and the number of
/// effective samples the least.
struct Agreement {
  double r_hat = 1.0;
  double effective_samples = 0.0;

  static constexpr double kRHat = kAgreedRHat;
  static constexpr double kEffectiveSamples = 200.0;
  bool enough() const { return r_hat <= kRHat && effective_samples >= kEffectiveSamples; }
};

/// What chains have to agree on. Ranks: of every event. Everything: the log-likelihood, too, and by
/// R-hat alone every trait of every event.
enum class Watched { ranks, everything };

/// The draws of several Markov chains over orders, as long as each other whenever they are read.
/// Of a chain the later half is used, from `burn_in` on at the earliest.
class OrderTraces {
 public:
  OrderTraces(std::size_t chains, std::size_t biomarkers, std::size_t burn_in,
              Watched watched = Watched::ranks);

  /// @param traits  [B] any whole numbers, or empty
  void add(std::size_t chain, std::span<const std::size_t> order, double log_likelihood,
           std::span<const int> traits = {});

  std::size_t chains() const { return log_likelihoods_.size(); }
  std::size_t length() const { return length_of(0); }
  std::size_t length_of(std::size_t chain) const { return log_likelihoods_[chain].size(); }
  std::size_t first_used() const;  ///< of `length()`
  std::size_t used() const { return chains() * (length() - first_used()); }

  /// @throws ShapeError if fewer than four draws of a chain are used.
  Agreement agreement() const;

  /// Fills in what a method reports of its chains. Event b of the traces is column columns[b] of
  /// the cohort. Event scores are mean ranks; with them come the rank posterior, the agreement of
  /// the chains and a trace of at most 200 log-likelihoods a chain. Diagnostics: `chains`, `draws`
  /// (used) and `log_likelihood`, the highest. A warning if the agreement is not enough.
  void report(std::span<const std::size_t> columns, Inference& inference) const;

 private:
  Matrix ranks_of(std::size_t b) const;  // [chains, used draws]
  Matrix log_likelihoods() const;        // the same
  Agreement of_ranks() const;
  double r_hat_of_traits() const;

  std::size_t B_, burn_in_;
  Watched watched_;
  std::vector<std::vector<int>> traits_;           // [chains] [draws, B], or all empty
  std::vector<std::vector<std::uint16_t>> ranks_;  // [chains] [draws, B], 1 = first
  std::vector<std::vector<double>> log_likelihoods_;
};

/// Runs chains in turns until they agree: `advance(chain)` takes one draw of it and adds it to
/// `traces`. Agreement is looked at when chains have `least` draws and whenever they are half as
/// long again, and they end at `most` draws whatever it is.
template <class Advance>
void run_until_agreed(OrderTraces& traces, std::size_t least, std::size_t most, Advance advance) {
  for (std::size_t next = std::min(least, most);; next = std::min(next + (next + 1) / 2, most)) {
    for (std::size_t chain = 0; chain < traces.chains(); ++chain)
      for (std::size_t draw = traces.length_of(chain); draw < next; ++draw) advance(chain);
    if (next == most || traces.agreement().enough()) return;
  }
}

}  // namespace tempo::toolkit
