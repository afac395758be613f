#pragma once

// What tempo compare and tempo plausibility set beside each other.

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/parameters.hpp"

namespace tempo::cli {

/// A cohort and the table that its hypotheses are made with, in its column order.
struct ComparedCohort {
  std::string file;
  Cohort cohort;
  BiomarkerTable biomarkers;
};

/// A hypothesis and what the ranking calls it.
struct ComparedHypothesis {
  std::string id;
  PartSpec part;
};

/// The hypotheses of `--hypotheses`, each the id of a [[hypothesis]] of the experiment file (if
/// there is one) or of a plugin; without it all of the file, and without a file all installed ones
/// that need no settings.
///
/// Of the file nothing but its [[hypothesis]] tables is read: it need not be a whole experiment.
std::vector<ComparedHypothesis> compared_hypotheses(const Options& options,
                                                    const Registry& registry, Problems& problems);

/// The hypothesis of that id: of a [[hypothesis]] of `--experiment`, if that is given, or of a
/// plugin. Absent, and a complaint about `place`, if there is none.
std::optional<ComparedHypothesis> compared_hypothesis(const std::string& id, const Place& place,
                                                      const Options& options,
                                                      const Registry& registry, Problems& problems);

/// The method that compares, and how it comes by biomarkers' distributions; absent where it has no
/// choice.
struct ComparingMethod {
  PartSpec part;
  std::optional<Distributions> distributions;
};

/// Whether a table tells the distributions of the biomarkers.
enum class BiomarkersAre { known, inferred };

/// The method of `--method`, or else the first installed one that infers under a hypothesis, with
/// the settings of `--set`.
///
/// Where the distributions of biomarkers are not known, a method that can do without infers them
/// together with the rest, unless it is set to estimate them.
ComparingMethod comparing_method(const Options& options, const Registry& registry,
                                 BiomarkersAre biomarkers_are, Problems& problems);

/// The biomarkers of a cohort as a table has them; a complaint about those that it lacks.
/// @param otherwise  what distributions are without --biomarkers, for the complaint
BiomarkerTable for_cohort(const BiomarkerTable& table, const Cohort& cohort,
                          const std::string& file, const std::string& otherwise,
                          Problems& problems);

/// The cohorts, each once, with the biomarkers of `--biomarkers` or ones to be inferred.
std::vector<ComparedCohort> compared_cohorts(const Options& options, Problems& problems);

}  // namespace tempo::cli
