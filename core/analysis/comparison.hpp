#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/evidence.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// A fit of a cohort under one hypothesis, as far as a comparison looks at it.
struct ComparedFit {
  std::string assumed;  ///< the hypothesis
  Evidence evidence;
  std::optional<ChainAgreement> chains;  ///< absent where the method has none
  std::vector<NamedCheck> checks = {};
};

/// What the verdict of a comparison depends on.
struct ComparisonCaveats {
  struct Untrusted {
    std::string assumed;
    std::size_t scores = 0;
  };
  struct Disagreement {
    std::string assumed;
    double mcse = 0.0;
  };
  std::size_t participants = 0;
  std::vector<std::string> not_ranked;  ///< hypotheses under which the fit failed
  /// Participants' scores that are not to be trusted, under hypotheses tied with the best.
  std::vector<Untrusted> untrusted;
  bool few_participants = false;       ///< standard errors of differences are uncertain themselves
  std::vector<std::string> unsettled;  ///< hypotheses under which chains had not agreed
  std::vector<Disagreement> disagreeing;  ///< ... whose Monte Carlo error counts, in nats
  std::vector<std::string> unknown;       ///< ... whose Monte Carlo error is not known
  bool are_estimated = false;        ///< distributions, from the cohort under every hypothesis anew
  std::vector<std::string> clipped;  ///< ... under which shared values were taken for limits
};

/// A cohort's hypotheses ranked, and what that depends on.
struct Comparison {
  CohortRanking ranking;  ///< without caveats in words
  ComparisonCaveats caveats;
};

/// Ranks the hypotheses of a cohort's fits (rank_by_evidence).
/// @param file        what the cohort is called
/// @param fits        of the cohort, at least one
/// @param not_ranked  hypotheses whose fits failed
/// @param how         the method came by the biomarkers' distributions; absent: nobody can say
Comparison compare_fits(const std::string& file, const Cohort& cohort,
                        const std::vector<ComparedFit>& fits, std::vector<std::string> not_ranked,
                        std::optional<Distributions> how);

}  // namespace tempo
