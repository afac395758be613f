#pragma once

#include <string>
#include <vector>

#include "analysis/needed_size.hpp"
#include "report/table.hpp"

namespace tempo {

/// How many participants a study needs, for tempo power.
struct StudySize {
  std::string hypothesis, method;
  std::string metric;  ///< as results.csv has it
  double at_most = 0.0;
  double healthy_ratio = 0.0;
  SizeDemand demand;
  std::size_t failed = 0;        ///< fits, which count as beyond the bound
  std::string first_error = {};  ///< of a failed one
  NeededSize needed = {};
  std::vector<SizeTrial> trials = {};               ///< ascending by participants
  std::vector<NeededSizeSearch::Share> curve = {};  ///< of each trial's size
};

/// The answer in a sentence.
std::string in_words(const StudySize& study);
/// The answer, and a line for each size that was tried.
std::string in_lines(const StudySize& study);
/// For people: the answer, and a row per size that was tried. For programs: these rows.
Table needed_size_table(const StudySize& study);

}  // namespace tempo
