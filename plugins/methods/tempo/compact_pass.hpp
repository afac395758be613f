#pragma once

// The compact network and its gradient by hand, on one thread, without LibTorch. CompactNetwork
// computes the same from LibTorch's operations: slower on a CPU, and on a GPU, too.

#include <vector>

#include "compact_shape.hpp"
#include "posteriors.hpp"

namespace tempo::amortised {

/// What the network finds in S subsamples of J participants.
struct CompactFound {
  std::vector<double> scores;           ///< [S, B], small = early
  std::vector<double> score_sds;        ///< [S, B] how unsure each is, for the order
  std::vector<double> stage_posterior;  ///< [S, J, B + 1]; the healthy are at stage 0
  double loss = 0.0;                    ///< of CompactNetwork; 0 if the samples have no truth
};

/// Up to eight samples at once make best use of it.
///
/// Cost: J B C K for the diseased J, times the rounds, and B^2 for the tokens.
///
/// @param weights as `shape.layout`, one after the other
template <class Real>
CompactFound compact_answers(const CompactShape& shape, const Real* weights,
                             const Samples& samples);

/// The loss of CompactNetwork, times `scale`, of samples with their truth; `gradient`, laid out as
/// the weights, grows by its gradient.
template <class Real>
double compact_loss(const CompactShape& shape, const Real* weights, const Samples& samples,
                    double scale, Real* gradient);

extern template CompactFound compact_answers(const CompactShape&, const float*, const Samples&);
extern template CompactFound compact_answers(const CompactShape&, const double*, const Samples&);
extern template double compact_loss(const CompactShape&, const float*, const Samples&, double,
                                    float*);
extern template double compact_loss(const CompactShape&, const double*, const Samples&, double,
                                    double*);

}  // namespace tempo::amortised
