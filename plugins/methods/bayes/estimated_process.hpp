#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/composed_process.hpp"

namespace tempo::bayes {

/// The biomarkers' distributions estimated from a cohort, one biomarker and trait at a time: the
/// largest of
///
///   prod_healthy p(x | before) prod_diseased sum_k w_k p(x | k - xi)   times a weak prior
///
/// over pre- and post-event mean and sd and the event time xi, w being the law of the stages (their mean,
/// where it is drawn per cohort). Where measurements switch at the event the sum has two terms, and the
/// share of the later one is free. The search (Nelder and Mead, NLopt) starts at two normals
/// (`fit_event_mixture`), with mean and sd corrected for what the trait makes of them; the prior is normal around
/// that start: means within two of its sds, logarithms of sds within 0.7.
///
/// A trait has distributions of its own, since the same values belong to other parameters under another
/// family. Cost: O(J G) per evaluation and some 600 evaluations per biomarker and trait, G = 2 or 4 B.
///
/// @param process  its parts have laws
/// @param columns  [B] of the cohort, by biomarker of the process
/// @return [traits] in the order of possible_traits()
/// @throws NumericError naming the biomarker that has no distribution
std::vector<BiomarkerTable> estimated_tables(const ComposedProcess& process, const Cohort& cohort,
                                             std::span<const std::size_t> columns);

/// The hypothesis with other distributions for each trait. Does not outlive `process`.
std::unique_ptr<ComposedProcess> with_tables(const ComposedProcess& process,
                                             const std::vector<BiomarkerTable>& by_trait);

}  // namespace tempo::bayes
