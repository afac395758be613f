#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"

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
/// there is one) or of a plugin; without it all of the file, and without a file h1 to h9.
///
/// Of the file nothing but its [[hypothesis]] tables is read: it need not be a whole experiment.
std::vector<ComparedHypothesis> compared_hypotheses(const Options& options,
                                                    const Registry& registry, Problems& problems);

/// The method of `--method`, or else the first installed one that infers under a hypothesis, with
/// the settings of `--set`.
///
/// Where no table of biomarkers is given, their distributions are not known: a method that can do
/// without declares a key `parameters`, whose value `sample` (unless it is set) says so.
PartSpec comparing_method(const Options& options, const Registry& registry, Problems& problems);

/// The biomarkers of a cohort as a table has them; a complaint about those that it lacks.
/// @param otherwise  what distributions are without --biomarkers, for the complaint
BiomarkerTable for_cohort(const BiomarkerTable& table, const Cohort& cohort,
                          const std::string& file, const std::string& otherwise,
                          Problems& problems);

/// The cohorts, each once, with the biomarkers of `--biomarkers` or ones to be inferred.
std::vector<ComparedCohort> compared_cohorts(const Options& options, Problems& problems);

/// What makes a ranking of this cohort doubtful, whatever is assumed, a sentence each: a group or a
/// measurement that is not there, a biomarker that says nothing or has few distinct values, values
/// far from the table's.
/// @param is_known  the distributions are those of a table
std::vector<std::string> doubts(const ComparedCohort& compared, bool is_known);

}  // namespace tempo::cli
