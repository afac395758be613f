#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"

namespace tempo::bayes {

struct ChainSettings {
  long chains = 4;
  long burn_in = 50;       ///< sweeps not used; of a longer chain its first half is not, either
  long iterations = 2000;  ///< sweeps of a chain, at most
};

/// One draw from the posterior, seen before the next. By biomarker of the process.
struct Draw {
  std::size_t chain = 0;
  std::size_t number = 0;  ///< counts from 1 in each chain
  std::vector<double>
      event_times;          ///< [B] on the scale 0..B; ranks where event times are a permutation
  std::vector<int> traits;  ///< [B]
  std::vector<double>
      stage_probabilities;  ///< [B] of stages 1..B where they are drawn, too; else empty
  std::vector<Biomarker>
      biomarkers;  ///< [B] their distributions where they are drawn, too; else empty
  std::vector<double> log_likelihoods;  ///< [J] log p(x_j | draw), in nats per unit
};
using Visit = std::function<void(const Draw&)>;

/// One Markov chain over what a cohort leaves open, participants' stages summed out.
class Chain {
 public:
  virtual ~Chain() = default;

  /// @param temperature  the likelihood counts to the power 1 / temperature
  virtual void sweep(double temperature) = 0;
  /// Sweeps in which widths of steps are tuned, at temperature 1: they do not count.
  virtual long tuning_sweeps() const { return 0; }
  virtual void end_tuning() {}

  /// Biomarkers by event time.
  virtual std::vector<std::size_t> order() const = 0;
  virtual double log_likelihood() const = 0;
  /// The present state, sized already.
  /// @param stage_sums  [diseased, B + 1] P(stage | state) of each is added
  virtual void read(Draw& draw, Matrix& stage_sums) const = 0;
  /// Event times alone: out [B] on the scale 0..B.
  virtual void read_times(std::span<double> out) const = 0;
  /// Traits alone: out [B].
  virtual void read_traits(std::span<int> out) const = 0;
  /// Of the Metropolis steps and placements, the share that changed something.
  virtual double acceptance() const = 0;
};

/// Rows of the diseased.
std::vector<std::size_t> diseased_rows(const Cohort& cohort);

/// Cools chains down, runs them until they agree or to their greatest length, and fills in all that
/// `bayes` reports: event scores and, where they are continuous, times; stages; diagnostics;
/// evidence.
///
/// @param columns   [B] of the cohort, by biomarker of the process
/// @param diseased  rows of the cohort, in the order of the chains' participants
/// @param timed     whether event times are continuous
/// @param visit     is shown some of the draws that may count, if given
Inference run_chains(std::vector<std::unique_ptr<Chain>>& chains, const Cohort& cohort,
                     std::span<const std::size_t> columns, std::span<const std::size_t> diseased,
                     bool timed, const ChainSettings& settings, const Visit& visit);

}  // namespace tempo::bayes
