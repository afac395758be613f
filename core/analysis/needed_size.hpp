#pragma once

#include <cstddef>
#include <vector>

namespace tempo {

/// Cohorts of one size, and how many of them met the demand.
struct SizeTrial {
  std::size_t participants = 0;
  std::size_t cohorts = 0;
  std::size_t met = 0;
};

/// The participants from which on a share of cohorts meets a demand.
struct NeededSize {
  double participants = 0.0;     ///< median of the posterior
  double low = 0.0, high = 0.0;  ///< its 95 % interval
  double reached = 1.0;          ///< probability that any size is enough, however large
};

/// The sizes that may be tried, and what is asked of the answer.
struct SizeDemand {
  std::size_t from = 0, to = 0;  ///< participants, 1 <= from < to
  double certainty = 0.0;        ///< share of cohorts that are to meet the demand, in (0, 1)
  double within = 0.0;           ///< how near the 95 % interval is to be on both sides, as a share
};

/// What is known of an answer.
enum class SizeVerdict {
  found,   ///< as near as was asked for
  below,   ///< fewer participants than may be tried are enough
  beyond,  ///< more than may be tried are needed, if any number is enough
  never,   ///< no number is enough
  open,    ///< none of these yet
};
SizeVerdict verdict_on(const NeededSize& needed, const SizeDemand& demand);

/// Searches for the number of participants from which on a share of all cohorts, `certainty`, meets
/// a demand.
///
/// The share that meets it at J participants is taken for ceiling / (1 + (half / J)^steepness),
/// which rises with J. The posterior of the three numbers is summed over a grid. Its prior is flat
/// in log(half), as far below and above the sizes as these are apart, in log(steepness) from 0.5 to
/// 20, and in the ceiling from three quarters of the certainty to 1. Cohorts go where they are
/// expected to narrow the answer most. Cohorts are taken for independent of each other: where sizes
/// share true orders, the interval is a little too narrow.
///
/// Source: Kontsevich & Tyler 1999, Vision Research 39(16), 2729-2737, who place trials so on a
/// psychometric curve.
class NeededSizeSearch {
 public:
  explicit NeededSizeSearch(const SizeDemand& demand);

  void add(const SizeTrial& trial);
  NeededSize needed() const;
  /// Where further cohorts tell most about the answer, or nearly so if they are smaller; not far
  /// from where it may lie.
  std::size_t next() const;

  /// The share of cohorts of a size that meet the demand.
  struct Share {
    double mean = 0.0;
    double low = 0.0, high = 0.0;  ///< 95 % interval
  };
  Share share_at(std::size_t participants) const;

 private:
  struct Curve {
    double log_half, steepness, ceiling;
    double answer;  ///< log of the participants that are enough; infinite if none are
    double share_at(double log_size) const;
  };
  /// A curve that is not ruled out, and the answer that it gives, held within reach of the sizes.
  struct Likely {
    const Curve* curve;
    double answer, weight;
  };
  std::vector<double> weights() const;
  std::vector<Likely> likely() const;
  std::vector<std::size_t> sizes_near_answer() const;

  std::vector<std::size_t> sizes_;  ///< that may be tried
  std::vector<Curve> curves_;
  std::vector<double> log_weights_;  ///< of curves, not normalised
};

}  // namespace tempo
