#pragma once

#include "analysis/fitted_cohorts.hpp"
#include "support.hpp"

namespace tempo::test {

/// Three biomarkers, five participants of three groups, a method that ties two events, a model with
/// times and posteriors, and one with replicates.
inline FittedCohort some_cohort() {
  FittedCohort out;
  out.name = "clinic";
  out.biomarkers = {"MMSE", "ABETA", "TAU"};
  out.participants = {"p1", "p2", "p3", "p4", "p5"};
  out.group_names = {"CN", "MCI", "AD"};
  out.groups_ordered = true;
  out.groups = {0, 0, 1, 2, 2};
  out.diseased = {0, 0, 1, 1, 1};
  out.planned = 4;
  CohortFit debm{"debm", "", "", {2.0, 1.0, 2.0}, {}, {0, 0, 1, 2, 3}, {}, {}, {}, {}, 0};
  CohortFit tempo{"tempo",
                  "h8",
                  "",
                  {0.75, 0.25, 0.5},
                  std::vector{0.75, 0.25, 0.5},
                  {0, 1, 0.5, 2.5, 3},
                  matrix({{0, 0.25, 0.75}, {1, 0, 0}, {0, 0.75, 0.25}}),
                  matrix({{1, 0, 0, 0},
                          {0.01, 0.98, 0.01, 0},
                          {0.5, 0.5, 0, 0},
                          {0, 0, 0.5, 0.5},
                          {0, 0.02, 0.02, 0.96}}),
                  {},
                  {},
                  0};
  CohortFit other{"tempo",
                  "h9",
                  "",
                  {1.0, 2.0, 3.0},
                  std::vector{0.0, 0.5, 1.0},
                  {1, 1, 1, 1, 1},
                  {},
                  {},
                  {{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}, {2.0, 1.0, 3.0}, {1.0, 2.0, 3.0}},
                  {{0.0, 0.5, 1.0}, {0.0, 0.25, 1.0}, {0.5, 0.25, 0.75}, {0.0, 0.5, 1.0}},
                  5};
  out.fits = {debm, tempo, other};
  // Of one biomarker and one participant more.
  out.truth = NamedTruth{{"ABETA", "FDG", "MMSE", "TAU"}, {"p3", "p2", "p1", "p4", "x", "p5"}, {}};
  out.truth->truth.event_ranks = Ranks({1, 2, 4, 3});
  out.truth->truth.event_times = {1, 2, 4, 3};
  out.truth->truth.stages = {2.5, 0, 0, 4, 1, 1};
  return out;
}

}  // namespace tempo::test
