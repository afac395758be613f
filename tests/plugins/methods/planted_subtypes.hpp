#pragma once

// A small cohort of two subtypes, and how near methods come to it. Includes Catch2 last.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "method_support.hpp"
#include "model/subtype_metrics.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::test {

inline constexpr std::size_t kPlantedEvents = 6;

/// 320 participants, a quarter of them healthy; six biomarkers whose events come in one of two
/// orders, `shift` standard deviations from before to after. Participants are in no order.
inline SimulatedCohort planted(std::uint64_t seed = 3, double shift = 4.0) {
  SimulatedCohort out;
  auto& [cohort, truth] = out;
  auto random = stream(seed);
  const std::vector<std::size_t> forwards{1, 2, 3, 4, 5, 6}, other{5, 6, 3, 4, 1, 2};
  auto& subtypes = truth.subtypes.emplace();
  for (const auto& ranks : {forwards, other})
    subtypes.progressions.push_back({{ranks.begin(), ranks.end()}, Ranks(ranks)});
  constexpr std::size_t J = 320;
  cohort.measurements = Matrix(J, kPlantedEvents);
  for (std::size_t b = 0; b < kPlantedEvents; ++b)
    cohort.biomarkers.push_back(fmt::format("b{}", b));
  for (std::size_t j = 0; j < J; ++j) {
    cohort.participants.push_back(fmt::format("p{}", j));
    const bool is_diseased = random.uniform() > 0.25;
    const auto subtype = random.index(3) == 0 ? 1 : 0;
    const auto stage = is_diseased ? static_cast<int>(1 + random.index(kPlantedEvents)) : 0;
    cohort.diseased.push_back(is_diseased ? 1 : 0);
    subtypes.subtype.push_back(is_diseased ? subtype : -1);
    truth.ordinal_stages.push_back(stage);
    const auto& ranks = subtypes.progressions[static_cast<std::size_t>(subtype)].event_ranks;
    for (std::size_t b = 0; b < kPlantedEvents; ++b)
      cohort.measurements(j, b) = 10.0 * static_cast<double>(b) + random.normal() +
                                  (ranks[b] <= static_cast<std::size_t>(stage) ? shift : 0.0);
  }
  return out;
}

inline double distance(const Inference& found, const SimulatedCohort& cohort) {
  return matched_tau_distance(found.subtypes->event_scores, cohort.truth.subtypes->progressions);
}

/// The subtype score over those of whom anything can be known: whoever has had all events may be of
/// either subtype.
inline double score(const Inference& found, const SimulatedCohort& cohort) {
  auto truth = *cohort.truth.subtypes;
  for (std::size_t j = 0; j < truth.subtype.size(); ++j)
    if (cohort.truth.ordinal_stages[j] == static_cast<int>(kPlantedEvents)) truth.subtype[j] = -1;
  return subtype_score(most_probable(found.subtypes->posterior), truth);
}

/// A method of subtypes says how sure orders are and whether they have settled.
/// @param fit  of two planted subtypes, with so many iterations
inline void require_agreement(const std::function<Inference(std::int64_t iterations)>& fit) {
  const auto settled = fit(600);
  REQUIRE(settled.chains->r_hat <= 1.05);
  REQUIRE(settled.diagnostics.at("r_hat_of_subtype_2") <= settled.chains->r_hat);
  const auto& ranks = settled.subtypes->rank_posteriors;
  REQUIRE(ranks.size() == 2);
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t b = 0; b < kPlantedEvents; ++b) {
      double mean = 0.0;
      for (std::size_t r = 0; r < kPlantedEvents; ++r)
        mean += static_cast<double>(r + 1) * ranks[s](b, r);
      REQUIRE(mean == Approx(settled.subtypes->event_scores(s, b)));
    }
  // The planted orders are clear, but a chain of few sweeps has few draws.
  REQUIRE(std::ranges::any_of(fit(8).warnings, [](const std::string& warning) {
    return warning.find("less sure than they look; raise 'iterations'") != std::string::npos;
  }));
  // Of fewer than four draws nothing can be told.
  REQUIRE_FALSE(fit(2).chains);
}

/// The ranks of each subtype, in an order that does not depend on how subtypes are numbered.
inline std::vector<std::vector<std::size_t>> sorted_orders(const Inference& found) {
  std::vector<std::vector<std::size_t>> out;
  const auto& scores = found.subtypes->event_scores;
  for (std::size_t s = 0; s < scores.rows(); ++s) {
    const auto ranks = ranks_of(sequence_by_score(scores.row(s)));
    out.emplace_back(ranks.begin(), ranks.end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tempo::test
