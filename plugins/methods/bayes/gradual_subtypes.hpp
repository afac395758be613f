#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "stage_nodes.hpp"
#include "subtype_posterior.hpp"
#include "tempo/cohort.hpp"
#include "tempo/process_law.hpp"
#include "time_factors.hpp"

namespace tempo::bayes {

/// Several progressions of a hypothesis whose measurements are gradual, or whose event times have
/// noise. Participants' stages are summed out over nodes, as in sample_gradual_posterior:
///
///   sum_j log sum_s w_s sum_q v_sq prod_b F_jbt(k_q - xi_sb)
///
/// Each progression has event times of its own: a permutation, or Beta times that its order puts
/// into place.
class GradualSubtypes final : public SubtypeModel {
 public:
  /// @param process   its parts have laws, and its event times are of kind permutation or beta;
  ///   outlives this
  /// @param columns   [B] of the cohort, by biomarker of the process
  /// @param diseased  rows of the cohort
  GradualSubtypes(const ProcessLaw& process, const Cohort& cohort,
                  std::span<const std::size_t> columns, std::span<const std::size_t> diseased);

  std::size_t participants() const override { return participants_; }
  std::size_t diseased() const override { return diseased_.size(); }
  std::unique_ptr<SubtypeWalk> start(const SubtypeSettings& settings,
                                     RandomStream stream) const override;
  SubtypesOfEveryone everyone_under(const SubtypeDraw& draw) const override;

  const EventTimes& event_times() const { return process_.event_times(); }
  const StageNodes& nodes() const { return nodes_; }
  const TimeFactors& factors() const { return factors_; }

 private:
  const ProcessLaw& process_;
  std::size_t participants_;
  StageNodes nodes_;
  std::vector<std::size_t> diseased_;
  TimeFactors factors_;
};

}  // namespace tempo::bayes
