#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "chains.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/process_law.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// With fewer no p can be below 0.05: it is never below 2 / (replications + 1).
inline constexpr std::size_t kLeastReplications = 40;

/// Draws of several chains, thinned as these get longer so that about twice as many are kept as
/// wanted.
class KeptDraws {
 public:
  KeptDraws(std::size_t chains, std::size_t wanted);
  void add(const Draw& draw);
  /// Those of each chain after its draw number `first`, at most as many as wanted, evenly spread.
  std::vector<const Draw*> after(std::size_t first) const;

 private:
  struct Kept {
    std::size_t every = 1;  // every n-th call is kept
    std::size_t calls = 0;
    std::vector<Draw> draws;
  };
  std::size_t wanted_;
  std::vector<Kept> chains_;
};

/// What a cohort looks like in numbers that change neither with units nor with names: of every
/// biomarker in the healthy and the diseased mean, sd, skewness, lower and upper decile, and among
/// the diseased the median of the rank correlations with all other biomarkers: one that has nothing
/// to do with the others lowers its own median far more than theirs, if there are more than three.
///
/// Values are measured from the biomarker's mean in its sds, both of all participants of the cohort
/// at hand, so that replications of it are measured alike. For the correlation biomarkers point to
/// where the diseased of that cohort are. A negated biomarker has negative means and skewness, and
/// its deciles exchanged.
class CohortStatistics {
 public:
  /// @param columns  [B] of the cohort, by biomarker of the process
  CohortStatistics(const Cohort& cohort, std::span<const std::size_t> columns);

  /// The checks with no numbers yet. Groups of fewer than three values, and biomarkers without
  /// spread, have none.
  const std::vector<PredictiveCheck>& checks() const { return checks_; }
  /// @param x  [J, B] by biomarker of the process; cells that the cohort lacks are not looked at
  /// @return a number for each check
  std::vector<double> of(const Matrix& x) const;
  /// The cohort's measurements by biomarker of the process.
  const Matrix& observed() const { return observed_; }

 private:
  struct Scale {
    double mean = 0.0, sd = 1.0;
    bool falls = false;  // the diseased are lower
  };
  std::vector<double> median_correlations(const Matrix& x) const;

  Matrix observed_;
  std::vector<std::vector<std::size_t>>
      rows_[2];  // [healthy, diseased] [B] of participants measured
  std::vector<Scale> scales_;
  std::vector<double> both_;  // [B, B] the diseased in whom both have been measured, b > c
  std::vector<PredictiveCheck> checks_;  // by biomarker, group, statistic
};

/// Replicates the cohort once per draw: stages of the diseased from the draw's law of stages,
/// measurements from its event times, traits and distributions; labels and which cells are
/// missing stay. Fills in `Inference::checks`; of fewer than kLeastReplications draws a warning
/// instead.
void check_predictions(const ProcessLaw& process, const Cohort& cohort,
                       std::span<const std::size_t> columns, const std::vector<const Draw*>& draws,
                       const RandomStream& stream, Inference& inference);

}  // namespace tempo::bayes
