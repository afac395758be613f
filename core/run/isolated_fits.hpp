#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "process/conversation.hpp"
#include "run/fit_maker.hpp"

namespace tempo {

/// Which fits are made in processes of their own.
enum class Isolate {
  guests,  ///< those that a plugin takes part in which does not come with tempo
  all,
  none,
};

/// Fits in processes of their own.
struct Isolation {
  Isolate which = Isolate::none;
  process::Call server = {};    ///< a command that calls serve_fits for the same plan
  std::vector<bool> fits = {};  ///< of each of the plan, whether it is made there; empty: none is

  bool has(std::size_t position) const { return !fits.empty() && fits[position]; }
  bool has_any() const { return std::find(fits.begin(), fits.end(), true) != fits.end(); }
};

/// Of each fit of a plan, whether it is made in a process of its own. Those of methods with limits
/// (MethodEntry::limits) are, unless none is.
std::vector<bool> isolated_fits(const Study& study, const Plan& plan, const Registry& registry,
                                Isolate which);

/// In the process of a server: makes the fits that lines of standard input name, each in a fork of
/// this process, and writes a line for each to what was standard output. Whatever else would be
/// written there goes to standard error. What a fit started is killed when it ends. Returns once
/// the input has ended, or once nobody knows whether an answer is whole.
///
/// A fork has one thread: nothing may have started another.
/// @throws Error if the system gives no process or memory
void serve_fits(const Plan& plan, FitMaker& fits, std::istream& questions);

/// Makes fits in processes of their own: what a plugin does there befalls no other fit. For one
/// thread.
class IsolatedFits {
 public:
  /// @param server  a command that calls serve_fits for the same plan
  /// @param stop    set by a signal: fits are ended, within a second
  IsolatedFits(process::Call server, const std::atomic<bool>* stop)
      : server_(std::move(server)), stop_(stop) {}

  /// A crash, an exit, too long a time, too much memory are failures of the fit. The record is
  /// pending if tempo was asked to stop.
  /// @param with_truth  whether the record is to have that of the cohort
  FitRecord make(std::size_t position, const PlannedFit& fit, const FitLimits& limits,
                 bool with_truth);

 private:
  process::Conversation& server_for(const process::Limits& limits);
  std::optional<FitRecord> ask(std::size_t position, const std::string& question,
                               const process::Limits& limits);

  process::Call server_;
  const std::atomic<bool>* stop_;
  /// By their limits; each begins when a fit first needs it.
  std::map<std::pair<double, std::uint64_t>, std::unique_ptr<process::Conversation>> servers_;
};

}  // namespace tempo
