#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"

namespace tempo::bayes {

/// Posteriors of stages added up along chains whose burn-in is known only at their end: in blocks
/// of draws, each a quarter longer than all before it.
class StageSums {
 public:
  StageSums(std::size_t diseased, std::size_t biomarkers, std::size_t burn_in)
      : rows_(diseased), cols_(biomarkers + 1), burn_in_(burn_in) {}

  /// Where to add the posteriors of a draw, [diseased, B + 1].
  /// @param draw  counts from 1 in each chain; after burn_in
  Matrix& of_draw(std::size_t draw);
  /// The sum of the blocks that begin after draw `first`; of the last one, if none does.
  Matrix after(std::size_t first) const;

 private:
  /// The first draw of a block.
  std::size_t begin(std::size_t block) const;

  std::size_t rows_, cols_, burn_in_;
  std::vector<Matrix> blocks_;
};

/// Fills in the posterior of the ordinal stages and their medians; the healthy are at 0.
/// @param sums      [diseased, B + 1] posteriors of draws added up
/// @param diseased  rows of the cohort
/// @param participants  J
void report_stages(const Matrix& sums, std::span<const std::size_t> diseased,
                   std::size_t participants, Inference& inference);

}  // namespace tempo::bayes
