#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "run/isolated_fits.hpp"
#include "run/models.hpp"
#include "run/shard.hpp"
#include "study/plan.hpp"

namespace tempo {

struct RunOptions {
  std::size_t jobs = 1;
  Shard shard;
  bool fail_fast = false;
  std::set<std::string> again =
      {};  ///< keys of fits and models that are made although they are there
  /// Set by a signal: fits that have begun end or give up, and none begins.
  const std::atomic<bool>* stop = nullptr;
  Isolation isolation = {};
};

/// A fit that has begun.
struct FitInFlight {
  const PlannedFit* fit = nullptr;
  double seconds = 0.0;  ///< since it began
};

/// What a run did.
struct RunCounts {
  std::size_t cached = 0;    ///< planned fits that had a result already
  std::size_t shared = 0;    ///< planned fits that are the same as another one that has to be made
  std::size_t to_do = 0;     ///< fits that had to be made
  std::size_t ok = 0;        ///< fitted now
  std::size_t failed = 0;    ///< failed now
  bool interrupted = false;  ///< by a signal
};

/// Fits that have ended.
using FinishedFits = std::vector<std::pair<const PlannedFit*, FitRecord>>;

/// How far a run is.
struct RunState {
  const RunCounts& counts;
  const FinishedFits& finished;  ///< since the last time
  std::vector<FitInFlight> in_flight;
};

/// Runs what a store lacks, once the models have been trained. Fits go to `jobs` threads, one
/// thread each; the calling thread writes their results as they come, so that a killed process
/// loses no fit that has ended. Numbers do not depend on `jobs`, on the order in which
/// fits end, or on the shard.
/// @param models those of the plan; fits whose model failed fail with it
/// @param report called from the calling thread, ten times a second at least
RunCounts run_plan(const Study& study, const Plan& plan, Models& models, Store& store,
                   const RunOptions& options, const std::function<void(const RunState&)>& report);

/// Draws or reads again the cohorts of a shard whose truth the store lacks, as earlier versions
/// kept none, and keeps their truths. Cohorts that cannot be made are left out: their fits say why.
/// So are those of isolated fits: whoever makes these hands the truth over with them. Ends when it
/// is asked to stop.
void keep_missing_truths(const Study& study, const Plan& plan, const RunOptions& options,
                         Store& store);

/// What becomes of a planned fit.
enum class Fate {
  to_do,   ///< has to be made; failed ones are tried again
  cached,  ///< has a good result in the store
  /// Is the same as an earlier one that is `to_do`: a sweep over the settings of one method leaves
  /// the other methods as they are at every point.
  shared,
  of_other_shard
};
/// Of each fit of a plan, in plan order.
/// @param statuses of the keys that have a result.
std::vector<Fate> fates(const Plan& plan, const Shard& shard,
                        const std::map<std::string, FitStatus>& statuses);
/// The same for a run, which may make some again.
std::vector<Fate> fates_of_run(const Plan& plan, const RunOptions& options,
                               std::map<std::string, FitStatus> statuses);

}  // namespace tempo
